"""Which numbers of test samples could give the accuracies that the paper prints (a GRIM test).

The mean accuracy of r trials on n test samples each is a multiple of 1/(r n), and the paper prints it with
two decimals of a percent. A value fits N = r n if some multiple of 1/N prints as it, by cutting further
decimals off or by rounding. Values that have nothing to do with N fit by chance: the share of all printable
values that fit, about N/10000.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Literal

Rule = Literal["cut", "rounded"]
PLACES = 10_000  # printed values are whole hundredths of a percent


@dataclass(frozen=True)
class Fit:
    N: int
    fitting: int
    of: int
    by_chance: float

    @property
    def share(self) -> float:
        return self.fitting / self.of


def fits(hundredths: int, N: int, rule: Rule) -> bool:
    """Is there an m with m/N in [h, h + 1) / 10000 (cut), or within half a unit of h / 10000 (rounded)?"""
    low = Fraction(
        hundredths if rule == "cut" else 2 * hundredths - 1, PLACES if rule == "cut" else 2 * PLACES
    )
    return Fraction(ceil(low * N), N) < low + Fraction(1, PLACES)


def judge(printed: Sequence[float], N: int, rule: Rule = "cut") -> Fit:
    values = [round(100 * mean) for mean in printed]
    chance = sum(fits(h, N, rule) for h in range(PLACES)) / PLACES
    return Fit(N, sum(fits(h, N, rule) for h in values), len(values), chance)
