"""Errors of the theory package: one line that names the field, the value and what would be right."""

from __future__ import annotations


class InvalidParameter(ValueError):
    """A parameter outside the set on which a statement is defined."""

    def __init__(self, field: str, value: object, expected: str) -> None:
        self.field, self.value, self.expected = field, value, expected
        super().__init__(" ".join(f"{field}: got {value}, expected {expected}".split()))


class EvidenceFailed(Exception):
    """Evidence that does not check out, or two engines that disagree."""
