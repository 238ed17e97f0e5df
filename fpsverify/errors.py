"""Errors that a user can act on: one line that names the field, the value and what would be right."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class FpsError(Exception):
    """Anything the command line reports as one line, without a traceback."""

    def __init__(self, message: str = "") -> None:
        super().__init__(" ".join(str(message).split()))


class BadInput(FpsError):
    """A value that cannot be used."""

    def __init__(self, field: str, value: object, expected: str) -> None:
        field = " ".join(field.split()) or repr(field)
        self.field, self.value, self.expected = field, value, expected
        super().__init__(f"{field}: got {shorten(value)}, expected {expected}")


class SketchMismatch(FpsError):
    """Two sketches that do not share shape and hash cannot be added."""


class RunFailed(FpsError):
    """A run that had to stop; the last good checkpoint is kept."""


EXTRAS = {"llvmlite": "fast", "matplotlib": "plot", "numba": "fast", "pandas": "frame", "z3": "theory"}


@contextmanager
def needs() -> Iterator[None]:
    """Imports of packages that not everybody installs: one line names the extra that has them."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        extra = EXTRAS[package]
        raise FpsError(f"{package} is missing: pip install 'fpsverify[{extra}]' installs it") from None


def shorten(value: object, limit: int = 80) -> str:
    """A printable one-line form of any value."""
    text = repr(value) if isinstance(value, str) else str(value)
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
