"""From the solver's floats to a certificate in exact rationals.

The rate is halved, the multipliers with the widest margin are rounded to a few decimals, and the balance of
the values is repaired exactly through the pairs with x_+, which only adds to multipliers. At B = 1 the solver
leaves out the deviations of g_0 and g_E; their multiplier, the price of G², is then chosen so large that the
full matrix is positive definite. Whether all this succeeded is for `check` to say.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from theory.rates.descent.certificate import Certificate
from theory.rates.descent.check import objection
from theory.rates.descent.descent_sdp import conditions
from theory.rates.descent.letters import Array, Round
from theory.rates.descent.program import NoSolution
from theory.rates.descent.setting import Setting
from theory.rates.descent.solve import Solution, free_deviations, largest_rate, widest_margin

FEWEST_DECIMALS, MOST_DECIMALS = 6, 15
SMALLEST_MARGIN = 1e-12  # below it a margin is the solver's own error
LARGEST_MULTIPLIERS = (1e2, 1e5)  # a small cap helps the solver; a larger one admits rare certificates


def certify_step(setting: Setting, step: Fraction, L: Fraction, mu: Fraction) -> Certificate | None:
    """A certificate at Lγ = step that has passed the exact check, or None."""
    one = Round(setting, float(step))
    try:
        rate = largest_rate(one).rate
    except NoSolution:
        return None
    if not rate > 0:
        return None
    attempts = (_attempt(one, rate / 2, largest) for largest in LARGEST_MULTIPLIERS)
    made = (_in_units(_rounded(one, each), setting, step, L, mu) for each in attempts if each is not None)
    return next((each for each in made if objection(each) is None), None)


def _attempt(one: Round, rate: float, largest: float) -> Solution | None:
    try:
        solution = widest_margin(one, rate, largest)
    except NoSolution:
        return None
    return solution if solution.margin > SMALLEST_MARGIN else None


def _rounded(one: Round, solution: Solution) -> tuple[Fraction, dict[str, Fraction]]:
    decimals = min(max(math.ceil(3 - math.log10(solution.margin)), FEWEST_DECIMALS), MOST_DECIMALS)
    unit = 10**decimals
    values = {name: Fraction(round(v * unit), unit) for name, v in solution.multipliers.items()}
    _repair_balance(one.setting.E, values)
    if one.setting.B == 1:
        price = Fraction(math.ceil(_price_of_spread(one, values)))
        values |= {"spread 0": price, f"spread {one.setting.E}": price}
    return Fraction(round(solution.rate * unit), unit), values


def _repair_balance(last: int, values: dict[str, Fraction]) -> None:
    """Make the values cancel exactly at every node; x_+ then follows from the others."""
    pairs = [(name.split()[1:], value) for name, value in values.items() if name.startswith("pair")]
    for node in map(str, range(last)):
        out = sum((v for (i, _), v in pairs if i == node), Fraction(0))
        into = sum((v for (_, j), v in pairs if j == node), Fraction(0))
        missing = (1 if node == "0" else 0) - (out - into)
        edge = f"pair {node} {last}" if missing >= 0 else f"pair {last} {node}"
        values[edge] += abs(missing)


def _price_of_spread(one: Round, values: dict[str, Fraction]) -> float:
    """A multiple η of the squares of g_0 and g_E that makes the matrix of deviations definite (B = 1)."""
    matrix = np.zeros((one.size, one.size))
    for each in conditions(one):
        if each.kind != "spread":
            matrix -= float(values[each.name]) * each.spread
    free = free_deviations(one)
    forced = [place for place in range(one.size) if place not in free]
    return 2 * max(_schur_excess(matrix, free, forced), 0.0) + 1


def _schur_excess(matrix: Array, free: list[int], forced: list[int]) -> float:
    """The largest eigenvalue of (coupling·inverse(free)·coupling − forced block)."""
    block = matrix[np.ix_(forced, forced)]
    if free:
        coupling = matrix[np.ix_(free, forced)]
        block = block - coupling.T @ np.linalg.pinv(matrix[np.ix_(free, free)]) @ coupling
    return float(np.linalg.eigvalsh(-block)[-1])


def _in_units(
    rounded: tuple[Fraction, dict[str, Fraction]],
    setting: Setting,
    step: Fraction,
    L: Fraction,
    mu: Fraction,
) -> Certificate:
    """Pairs multiply values, which have the unit of f; all others multiply squared gradients: unit 1/L."""
    rate, values = rounded
    named = [(name, v if name.startswith("pair") else v / L) for name, v in values.items() if v]
    return Certificate(
        E=setting.E,
        L=L,
        B=setting.B,
        P_b=setting.P_b,
        P_n=setting.P_n,
        mu=mu,
        nu=setting.nu,
        theta=setting.theta,
        gamma=step / L,
        c=rate / L,
        multipliers=tuple(named),
    )
