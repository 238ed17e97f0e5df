"""The search for certificates: the largest step that descends, exact multipliers for it, and their cheapest.

Numerical. The rate c(h) is positive on the range and negative beyond, so a root finder that keeps a bracket
is used. For μ = 0 there is exactly one sign change (a certificate covers smaller steps); for μ > 0 one of
them is found. What the solver returns is rounded: the rate is halved, the multipliers with the widest margin
get a few decimals, and the balance of the values is repaired exactly through the pairs with x_+, which only
adds to multipliers. At B = 1 the solver leaves out the deviations of g_0 and g_E; their multiplier, the price
of G², is then chosen so large that the full matrix is positive definite. Whether all this succeeded is for
`check` to say.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial

import numpy as np

from theory.rates.descent.certificate import Certificate
from theory.rates.descent.check import objection
from theory.rates.descent.program import (
    NoSolution,
    NoSolver,
    Sizes,
    Solution,
    cheapest,
    free_deviations,
    largest_rate,
    widest_margin,
)
from theory.rates.descent.round import Array, Round, Setting, conditions

TOLERANCE = 1e-4
MANY_STEPS = 5
MOST_STEPS_PRICED = 20  # beyond it the exact check of the larger matrices takes a quarter of a minute
MOST_PRICED = 31  # letters of a round whose cheapest certificate is sought in seconds
FEWEST_DECIMALS, MOST_DECIMALS = 6, 15
SMALLEST_MARGIN = 1e-12  # below it a margin is the solver's own error
LARGEST_MULTIPLIERS = (1e2, 1e5)  # a small cap helps the solver; a larger one admits rare certificates
MARGINS = (1e-9, 1e-8, 1e-7, 1e-6)  # of the cheapest certificate, as a share of its weight on f
SMALLEST_PRICE = 10**9  # its inverse
SHARES = (0.999, 0.9, 0.5, 0.1, 0.01, 1e-3, 1e-4)

Multipliers = tuple[Fraction, dict[str, Fraction]]  # the rate c, and the multipliers by name


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
    return next((share * step for share in SHARES if rate(share * step) > 0), 0.0)


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
    return _first_proved(
        _in_units(_rounded(one, each), setting, step, L, mu) for each in attempts if each is not None
    )


def cheapest_certificate(
    setting: Setting, step: Fraction, L: Fraction, mu: Fraction, sizes: Sizes
) -> Certificate | None:
    """A certificate with prices for b² and σ², whose bound for these sources is nearly the smallest.

    The sizes must be positive, else a price is arbitrary. None if none was found, or the round is too large.
    """
    one = Round(setting, float(step), "bz")
    if one.size > MOST_PRICED:
        return None
    return _first_proved(_cheap_attempts(one, setting, step, L, mu, sizes))


def _cheap_attempts(
    one: Round, setting: Setting, step: Fraction, L: Fraction, mu: Fraction, sizes: Sizes
) -> Iterable[Certificate]:
    """A wider margin makes room for the solver's error."""
    used = conditions(one)
    for margin in MARGINS:
        try:
            *values, weight = cheapest(one, used, sizes, margin, True)
        except NoSolution:
            return
        named = {
            each.name: value if each.equality else max(value, 0.0)
            for each, value in zip(used, np.array(values) / weight, strict=True)
        }
        decimals = math.ceil(3 - math.log10(margin))
        yield _in_units(_exact(one, 1 / weight, named, decimals), setting, step, L, mu)


def smallest_bound(setting: Setting, step: float, sizes: Sizes) -> float:
    """The bound at this step in floats, infinite where the solver finds none; only named sources count."""
    one = Round(setting, step, "b" * (sizes.b2 > 0) + "z" * (sizes.sigma2 > 0))
    used = conditions(one)
    try:
        return float(sizes.prices(used) @ cheapest(one, used, sizes, MARGINS[0], True))
    except NoSolution:
        return math.inf


def with_prices(given: Certificate) -> Certificate | None:
    """The same with letters for b² and σ², at a price that only makes it hold; None for many steps."""
    missing = [(kind, letter) for kind, letter in (("bias", "b"), ("noise", "z")) if not given.has(kind)]
    if not missing:
        return given
    if given.E > MOST_STEPS_PRICED:
        return None
    price = _rounded_up(_price_of_errors(given, "".join(letter for _, letter in missing))) / given.L
    extra = {f"{kind} {e}" for kind, _ in missing for e in range(given.E)}
    tries = (
        replace(given, multipliers=(*given.multipliers, *((name, price * 10**k) for name in sorted(extra))))
        for k in range(4)
    )
    return _first_proved(tries)


def _price_of_errors(given: Certificate, letters: str) -> float:
    """A multiple of the squares of new letters that keeps the matrices definite, in units with L = 1."""
    scale = float(given.L)
    setting = Setting(
        E=given.E,
        B=given.B,
        P_b=given.P_b,
        P_n=given.P_n,
        mu=given.mu / given.L,
        nu=given.nu,
        theta=given.theta,
        omega=given.omega / given.L,
        v=given.v / given.L,
    )
    one = Round(setting, float(given.gamma * given.L), letters)
    found = {n: float(v) * (1 if n.startswith("pair") else scale) for n, v in given.multipliers}
    used = [each for each in conditions(one) if each.name in found]
    start, excess = float(given.c) * scale * np.outer(one.unit("g0"), one.unit("g0")), 0.0
    new = [place for letter, place in one.index.items() if letter[0] in letters]
    for name, extra, price in zip(("mean", "spread"), (start, 0 * start), one.sketch_prices, strict=True):
        matrix = -extra - price - sum(found[each.name] * getattr(each, name) for each in used)
        old = [k for k in range(one.size) if k not in new and np.abs(matrix[k]).sum() > 0]
        excess = max(excess, _schur_excess(matrix, old, new))
    return 2 * excess


def _rounded_up(price: float) -> Fraction:
    """A short decimal above it, and above 0."""
    return Fraction(math.floor(price * SMALLEST_PRICE) + 1, SMALLEST_PRICE)


def _first_proved(tries: Iterable[Certificate]) -> Certificate | None:
    return next((each for each in tries if objection(each) is None), None)


def _attempt(one: Round, rate: float, largest: float) -> Solution | None:
    try:
        solution = widest_margin(one, rate, largest)
    except NoSolution:
        return None
    return solution if solution.margin > SMALLEST_MARGIN else None


def _rounded(one: Round, solution: Solution) -> Multipliers:
    decimals = min(max(math.ceil(3 - math.log10(solution.margin)), FEWEST_DECIMALS), MOST_DECIMALS)
    rate, values = _exact(one, solution.rate, solution.multipliers, decimals)
    if one.setting.B == 1:
        price = _rounded_up(_price_of_spread(one, values))
        values |= {each.name: price for each in conditions(one) if each.kind == "spread"}
    return rate, values


def _exact(one: Round, rate: float, multipliers: dict[str, float], decimals: int) -> Multipliers:
    unit = 10**decimals
    values = {name: Fraction(round(v * unit), unit) for name, v in multipliers.items()}
    _repair_balance(one.setting.E, values)
    return Fraction(round(rate * unit), unit), values


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
    matrix = -one.sketch_prices[1]
    for each in conditions(one):
        if each.kind != "spread":
            matrix = matrix - float(values[each.name]) * each.spread
    free = free_deviations(one)
    forced = [one.index[f"g{e}"] for e in ((0, one.setting.E) if one.setting.everywhere else (0,))]
    return 2 * max(_schur_excess(matrix, free, forced), 0.0)


def _schur_excess(matrix: Array, free: list[int], forced: list[int]) -> float:
    """The largest eigenvalue of (coupling·inverse(free)·coupling − forced block)."""
    block = matrix[np.ix_(forced, forced)]
    if free:
        coupling = matrix[np.ix_(free, forced)]
        block = block - coupling.T @ np.linalg.pinv(matrix[np.ix_(free, free)]) @ coupling
    return float(np.linalg.eigvalsh(-block)[-1])


def _in_units(
    rounded: Multipliers,
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
        omega=setting.omega * L,
        v=setting.v * L,
    )


MOST_CALLS = 100


def root(function: Callable[[float], float], low: float, high: float, tolerance: float) -> float:
    """A point within tolerance (relative) of a sign change between low and high, whose signs differ."""
    at_low, at_high = function(low), function(high)
    if at_low == 0 or at_high == 0:
        return low if at_low == 0 else high
    if (at_low > 0) == (at_high > 0):
        raise ValueError("the function has the same sign at both ends")
    for call in range(MOST_CALLS):
        secant = _inside(low, high, at_low, at_high, tolerance)
        middle = (low + high) / 2 if call % 3 == 2 else secant  # pragma: no mutate: every so often
        value = function(middle)
        if value == 0:
            return middle
        if (value > 0) == (at_high > 0):
            low, at_low, high, at_high = low, at_low * _weight(value, at_high), middle, value
        else:
            low, at_low, high, at_high = middle, value, high, at_high * _weight(value, at_low)
        if high - low <= tolerance * abs(high):
            break
    return (low + high) / 2


def _inside(low: float, high: float, at_low: float, at_high: float, tolerance: float) -> float:
    """The secant's zero, kept a little inside, so that a bracket closes from both ends."""
    guess = low + (high - low) * at_low / (at_low - at_high)
    margin = min(0.4 * tolerance * abs(high), 0.25 * (high - low))
    return min(max(guess, low + margin), high - margin)


def _weight(value: float, replaced: float) -> float:
    """Shrinks the value at the end that stays, which pulls the next guess towards it."""
    weight = 1 - value / replaced
    return weight if weight > 0 else 0.5
