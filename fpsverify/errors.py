"""Errors that a user can act on: one line that names the field, the value and what would be right."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class FpsError(Exception):
    """Anything the command line reports as one line, without a traceback."""


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


@contextmanager
def needs(package: str, extra: str) -> Iterator[None]:
    """Imports of a package that not everybody installs: one line says how to get it.

    >>> with needs("tensorboard", "tensorboard"):
    ...     import no_such_package
    Traceback (most recent call last):
    fpsverify.errors.FpsError: tensorboard is missing: pip install 'fpsverify[tensorboard]' installs it
    """
    try:
        yield
    except ImportError:
        raise FpsError(f"{package} is missing: pip install 'fpsverify[{extra}]' installs it") from None


def shorten(value: object, limit: int = 80) -> str:
    """A printable one-line form of any value."""
    text = repr(value) if isinstance(value, str) else str(value)
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
