"""Theorems without one of their assumptions: trials of exact numbers that violate the product's own formulas.

A trial knows which assumptions hold on it. `dropped` names the one that its strategy gives up; with None the
same strategy keeps all of them, and no trial may violate the statement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

ZERO, ONE = Fraction(0), Fraction(1)
# Left sides are exact. A right side is some hundred float operations on numbers below 1e4: off by 1e-10.
SLACK = 1e-9


@dataclass(frozen=True)
class Trial:
    """One exact case: is the statement violated, and which assumptions hold."""

    violated: bool
    kept: dict[str, bool]
    sides: str
    shown: dict[str, str]

    def breaks_without(self, dropped: str | None) -> bool:
        """A violation where the dropped assumption fails and every other one holds."""
        fails = dropped is None or dropped in self.kept
        return self.violated and fails and all(ok == (name != dropped) for name, ok in self.kept.items())


@dataclass(frozen=True)
class Theorem:
    """A repaired statement: its assumptions and the trials that try it."""

    name: str
    place: str
    assumptions: tuple[str, ...]
    trials: Callable[[str | None], st.SearchStrategy[Trial]]


def compare(
    left: Fraction | float, right: Any, kept: dict[str, bool], shown: Mapping[str, object], claim: str
) -> Trial:
    """The claim, in words, is left ≤ right."""
    violated = float(left) > float(right) + SLACK * (1 + abs(float(right)))
    sides = f"{claim}: {plain(left)} <= {plain(right)} is false"
    return Trial(violated, kept, sides, {key: plain(value) for key, value in shown.items()})


def plain(value: Any) -> str:
    """As a reader writes it: fractions exactly when short, numbers of a tuple one by one."""
    if isinstance(value, tuple | list):
        return "(" + ", ".join(map(plain, value)) + ")"
    rounded = isinstance(value, float) or (isinstance(value, Fraction) and len(str(value)) > 24)
    return f"{float(value):.6g}" if rounded else str(value)
