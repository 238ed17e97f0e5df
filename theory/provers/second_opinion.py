"""A second opinion on an instance."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from theory.errors import EvidenceFailed


@dataclass(frozen=True)
class Opinion:
    """Do the hypotheses hold, does the statement, and which numbers decided?"""

    admissible: bool
    holds: bool
    sides: tuple[Fraction, ...] = ()


@dataclass(frozen=True)
class Second:
    """An engine by name, and what it thinks of an instance."""

    engine: str
    opinion: Callable[[Any], Opinion]


def agreeing(second: Second | None, data: Any, sides: tuple[Fraction, ...]) -> tuple[str, ...]:
    """The engine's name if it finds a counterexample too; another finding is an error. None without one."""
    if second is None:
        return ()
    found = second.opinion(data)
    if not found.admissible:
        raise EvidenceFailed(f"engines disagree: {second.engine} finds that the hypotheses fail")
    if found.holds:
        raise EvidenceFailed(f"engines disagree: {second.engine} finds that the statement holds")
    if found.sides != sides:
        shown = " and ".join(str(float(side)) for side in found.sides)
        raise EvidenceFailed(f"engines disagree: {second.engine} finds other sides, {shown}")
    return (second.engine,)
