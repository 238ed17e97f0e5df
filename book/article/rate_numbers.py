"""The table of learning rates at L = 1: Theorem A's limit, certified, impossible."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from book.article import sources
from book.article.shown import significant
from theory.rates.descent.certified import certified_range
from theory.rates.limits.impossible import impossible_from
from theory.rates.parameters import Parameters
from theory.rates.ranges import ranges, supremum
from theory.rates.rounding import rounded_down, rounded_up

STEPS = (1, 2, 3, 5, 10)
SPREADS = (1.0, 1.1, 1.5, 2.0, 5.0)
EXAMPLE = Parameters(L=4, mu=0.1, E=5, B=1.3, P_b=0.01, P_n=0.2, M=10)


@dataclass(frozen=True)
class Cell:
    """Three learning rates at L = 1, without bias, noise and proximal term."""

    E: int
    B: float
    theorem_a: float
    certified: float
    exact: bool
    impossible: float


@cache
def cells() -> tuple[Cell, ...]:
    """Every certificate is found, rounded to rationals and checked with fractions, here and now."""
    return tuple(_cell(E, B) for E in STEPS for B in SPREADS)


def _cell(E: int, B: float) -> Cell:
    q = Parameters(L=1, E=E, B=B)
    found, end = certified_range(q), impossible_from(q).gamma_from
    if found.gamma_max is None or end is None:
        raise ArithmeticError(f"E = {E}, B = {B}: {found.why}")
    return Cell(E, B, supremum("repaired_sharp", q), found.gamma_max, found.certificate == "exact", end)


def numbers() -> dict[str, Any]:
    """The table, how tight it is, and one example in which the paper's range is empty."""
    table = cells()
    gains = [cell.certified / cell.theorem_a for cell in table if cell.E > 1]
    shares = [cell.certified / cell.impossible for cell in table]
    example = ranges(EXAMPLE)
    return {
        "spreads": [f"{B:g}" for B in SPREADS],
        "rows": [{"E": E, "cells": [_shown(cell) for cell in table if cell.E == E]} for E in STEPS],
        "cells": len(table),
        "exact": sum(cell.exact for cell in table),
        "gain_least": significant(min(gains)),
        "gain_most": significant(max(gains)),
        "tight": sum(share > 0.99 for share in shares),
        "gap_most": rounded_up(100 * (1 - min(shares)), 2),
        "steps_most": max(STEPS),
        "beyond": beyond(sources.load("certified")),
        "example": {
            **{name: f"{getattr(EXAMPLE, name):g}" for name in ("L", "mu", "E", "B", "P_b", "P_n", "M")},
            "paper_empty": example["paper"].empty,
            "theorem_a": rounded_down(example["repaired_sharp"].gamma_max or 0.0, 3),
            "certified": rounded_down(certified_range(EXAMPLE).gamma_max or 0.0, 3),
        },
    }


def beyond(grid: dict[str, Any]) -> dict[str, str]:
    """More local steps than in the table, like devices: certified over impossible, in per cent."""
    rows = zip(grid["E"], grid["step"], grid["impossible"], strict=True)
    like = grid["B"].index(1.0)
    shares = {E: 100 * step[like][0] / end[like] for E, step, end in rows if E > max(STEPS)}
    least, most = min(shares.values()), max(shares.values())
    return {
        "steps": " and ".join(map(str, shares)),
        "least": significant(least, 2),
        "most": significant(most, 2),
    }


def _shown(cell: Cell) -> dict[str, str]:
    return {
        "theorem_a": _padded(rounded_down(cell.theorem_a, 3), 3),
        "certified": _padded(rounded_down(cell.certified, 4), 4),
        "impossible": _padded(rounded_up(cell.impossible, 4), 4),
    }


def _padded(number: str, digits: int) -> str:
    """With the zeros at its end, so that columns line up."""
    return f"{float(number):#.{digits}g}"
