"""The largest step at which the solver still finds descent, up to a tolerance; floats, no proof.

The rate c(h) is positive on the range and negative beyond, so a root finder that keeps a bracket is used. For
μ = 0 there is exactly one sign change (a certificate covers smaller steps); for μ > 0 one of them is found.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

from theory.rates.descent.letters import Round
from theory.rates.descent.program import NoSolution, NoSolver
from theory.rates.descent.setting import Setting
from theory.rates.descent.solve import largest_rate
from theory.rates.root import root

TOLERANCE = 1e-4
MANY_STEPS = 5


def largest_step(setting: Setting, proved: float, impossible: float) -> float:
    """The root of the rate between a step known to be proved and one known to be impossible.

    A step at which the solver stops early counts as not certified: that can only make the answer smaller.
    """
    near, rate = impossible * (1 - TOLERANCE), cache(partial(_rate_or_negative, setting))
    bracket = _guessed_bracket(setting, rate, proved, near)
    if bracket is None:
        if rate(near) > 0:
            return near
        bracket = _positive_below(rate, min(proved, near)), near
    low, high = bracket
    if low == 0.0:  # no descent anywhere, or a solver that stops everywhere: then this says so
        largest_rate(Round(setting, 0.1 * min(proved, near)))
    if low == 0.0 or low >= high:
        return min(low, high)
    return root(rate, low, high, TOLERANCE)


def _guessed_bracket(
    setting: Setting, rate: Callable[[float], float], proved: float, near: float
) -> tuple[float, float] | None:
    """Many local steps are slow to try: half as many at about twice the step size show where to look."""
    if setting.E <= MANY_STEPS:
        return None
    fewer = replace(setting, E=setting.E // 2)
    guess = largest_step(fewer, proved, min(2.0, 2 * near)) * fewer.E / setting.E
    low, high = 0.85 * guess, 1.02 * guess
    if high >= near or rate(low) <= 0 or rate(high) > 0:
        return None
    return low, high


def _rate_or_negative(setting: Setting, step: float) -> float:
    """c(h)/h: about E at small steps, 0 at the end of the range, negative where the solver stops early.

    Cut at −E: far beyond the range the rate is so negative that false position would stay at the other end.
    """
    try:
        return max(largest_rate(Round(setting, step)).rate / step, -float(setting.E))
    except NoSolver:
        raise
    except NoSolution:
        return -1e-3


def _positive_below(rate: Callable[[float], float], step: float) -> float:
    """A step with descent: the given one, or a fraction of it; 0 if there is none."""
    return next((share * step for share in (0.999, 0.9, 0.5, 0.1) if rate(share * step) > 0), 0.0)
