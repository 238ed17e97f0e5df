"""How the claims of the paper's experiments were chosen, and what that means for their count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fpsverify.reproduce.claims import Claim, Verdict


@dataclass(frozen=True)
class Chosen:
    """The paper's claims: statements of its text, and patterns of its tables that the text does not state."""

    text: int
    patterns: int
    failed: int
    failed_patterns: int

    @staticmethod
    def of(judged: Sequence[tuple[Claim, Verdict]]) -> Chosen:
        theirs = [(is_pattern(c), v.status == "not reproduced") for c, v in judged if not c.ours]
        patterns = [failed for pattern, failed in theirs if pattern]
        return Chosen(
            text=len(theirs) - len(patterns),
            patterns=len(patterns),
            failed=sum(failed for _, failed in theirs),
            failed_patterns=sum(patterns),
        )

    @property
    def total(self) -> int:
        return self.text + self.patterns


def is_pattern(claim: Claim) -> bool:
    """Was it read off a table?"""
    return claim.where.startswith("Table")
