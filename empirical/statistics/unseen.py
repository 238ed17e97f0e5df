"""The largest value over all rounds of a run when only some rounds were looked at.

What was seen is a lower limit. The upper one comes from forecasts of the unseen rounds (`kriging.py`): a
level that moves as a random walk, and around it fluctuations that are independent from round to round. How
much is which is poorly known from a few looks, so it is not fixed at an estimate: the limit is that of the
mixture over a grid, with the restricted likelihood as weights. It is the m at which the probabilities that
the rounds are above m sum to 1 − level; the sum is never below the probability that some round is (Boole), so
that the dependence between rounds needs no model.

Fluctuations may grow with the value. A positive series is therefore seen on three scales, log y, √y and y,
which enter the mixture with their likelihoods. A few looks at a series that falls like 1/t with 20 % of
relative noise decide for log y; a spread pooled on the scale of y would be too small where y is largest.

Excess D² − P x over a line. It may have either sign while D² and x fluctuate in proportion to themselves, so
the two are forecast together, as (log D², log x) or as (excess, log x), by likelihood. In logarithms,
    D² > m + P x  implies  log D² − θ log x > (1 − θ) log(m/(1 − θ)) + θ log(P/θ)
for every 0 ≤ θ < 1 (weighted means): a half-plane, whose probability is known; the smallest over a grid of θ
is used.

A few looks may not tell how the series moves at all. The mixture then holds models that explode, and its
limit is astronomical (1e11 times what was seen, from 4 looks at the demo). Such a limit says nothing: none
is given.

A spike between two rounds that leaves no trace in either is beyond any such rule: `method` says how many
rounds were seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from empirical.statistics.intervals import LEVEL, Interval
from empirical.statistics.kriging import forecasts

FEWEST_LOOKS = 3
NEGLIGIBLE = 1e-3  # share of a model in the mixture
SAYS_NOTHING = 1e3  # a limit so many times what was seen is none: the forecast has left the data
MOST_ROUNDS = 64  # unseen rounds at which the model is evaluated; each then stands for several
ANGLES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.97)

Threshold = Callable[[float], float]


@dataclass(frozen=True)
class View:
    """Series Z (n, p) on some scale: for each direction, y > m implies direction·z > threshold(m)."""

    Z: np.ndarray
    log_jacobian: float
    directions: tuple[tuple[np.ndarray, Threshold], ...]


def largest(rounds: np.ndarray, values: np.ndarray, T: int, level: float = LEVEL) -> Interval:
    """The largest of rounds 0 … T from those seen: [largest seen, upper limit that fails with 1 − level]."""
    at, top = _one_per_round(rounds, values)
    return _interval(at, top, T, lambda: upper_limit(at, views(top), T, level, top))


def largest_excess(
    rounds: np.ndarray, D2: np.ndarray, x: np.ndarray, P: float, T: int, level: float = LEVEL
) -> Interval:
    """The largest D² − P x over rounds 0 … T, where each round was seen once at most; P ≥ 0."""
    excess = D2 - P * x
    if min(D2.min(), x.min()) <= 0:
        return largest(rounds, excess, T, level)
    return _interval(rounds, excess, T, lambda: upper_limit(rounds, excess_views(D2, x, P), T, level, excess))


def _interval(at: np.ndarray, values: np.ndarray, T: int, upper: Callable[[], float]) -> Interval:
    seen = float(values.max())
    if len(at) == T + 1:
        return Interval.exact(seen, f"largest of all {T + 1} rounds")
    method = f"largest seen at {len(at)} of {T + 1} rounds; upper end for the rounds between"
    return Interval(seen, seen, upper(), method)


def _one_per_round(rounds: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rounds in order, each with the largest of its values."""
    distinct, where = np.unique(rounds, return_inverse=True)
    top = np.full(len(distinct), -np.inf)
    np.maximum.at(top, where, np.asarray(values, dtype=float))
    return distinct, top


def views(y: np.ndarray) -> list[View]:
    one = np.ones(1)
    return [View(z[:, None], jacobian, ((one, threshold),)) for z, jacobian, threshold in scales(y)]


def scales(y: np.ndarray) -> list[tuple[np.ndarray, float, Threshold]]:
    """z(y), the sum of log dz/dy, and z as a function: y, and where it is positive √y and log y."""
    found: list[tuple[np.ndarray, float, Threshold]] = [(y, 0.0, lambda m: m)]
    if y.min() > 0:
        # One of n values goes into the mean, and the units of y must not matter.
        logs, n = float(np.log(y).sum()) * (len(y) - 1) / len(y), len(y) - 1
        found.append((np.sqrt(y), -logs / 2 - n * math.log(2), lambda m: math.sqrt(max(m, 0.0))))
        found.append((np.log(y), -logs, _log))
    return found


def excess_views(D2: np.ndarray, x: np.ndarray, P: float) -> list[View]:
    log_x = np.log(x)
    share = (len(x) - 1) / len(x)
    jacobian_x = -float(log_x.sum()) * share
    first = np.array([1.0, 0.0])
    found = [
        View(np.column_stack([z, log_x]), jacobian + jacobian_x, ((first, threshold),))
        for z, jacobian, threshold in scales(D2 - P * x)
    ]
    directions = tuple((np.array([1.0, -a]), _tangent(a, P)) for a in ANGLES)
    jacobian = jacobian_x - float(np.log(D2).sum()) * share
    return [*found, View(np.column_stack([np.log(D2), log_x]), jacobian, directions)]


def _tangent(angle: float, P: float) -> Threshold:
    """The least of log(m + P x) − angle·log x over all x > 0."""
    if angle == 0:
        return _log
    fixed = -(1 - angle) * math.log(1 - angle) + angle * (_log(P) - math.log(angle))
    return lambda m: (1 - angle) * _log(m) + fixed


def _log(m: float) -> float:
    return math.log(m) if m > 0 else -math.inf


def upper_limit(at: np.ndarray, seen_as: list[View], T: int, level: float, values: np.ndarray) -> float:
    if len(at) < FEWEST_LOOKS:
        return math.inf
    seen, spread = float(values.max()), float(np.ptp(values))
    # Equal up to the rounding of D² − P x and of sums over rows.
    if spread <= 1e-9 * float(np.abs(values).max()):
        return seen
    unseen, counts = unseen_rounds(at, T)
    found = [(view, f) for view in seen_as for f in forecasts(at, view.Z, unseen)]
    logs = np.array([f.log_likelihood + view.log_jacobian for view, f in found])
    weights = np.exp(logs - logs.max())
    kept = np.flatnonzero(weights > NEGLIGIBLE * weights.sum())
    chosen = [(weights[i] / weights[kept].sum(), *found[i]) for i in kept]
    widths = [len(view.directions) for _, view, _ in chosen]
    parts = [f.of(c) for _, view, f in chosen for c, _ in view.directions]
    means, errors = (np.array([part[i] for part in parts]) for i in (0, 1))
    thresholds = [threshold for _, view, _ in chosen for _, threshold in view.directions]
    dof = np.repeat([f.dof for *_, f in chosen], widths)[:, None]
    starts, share = np.cumsum([0, *widths[:-1]]), np.array([w for w, *_ in chosen])

    def exceeding(m: float) -> float:
        """Upper limit of P(some unseen round is above m)."""
        above = np.array([threshold(m) for threshold in thresholds])[:, None]
        p = np.minimum.reduceat(special.stdtr(dof, (means - above) / errors), starts)
        return float(share @ np.minimum(p @ counts, 1.0))

    return _solved(exceeding, 1 - level, seen, spread)


def _solved(f: Callable[[float], float], value: float, start: float, step: float) -> float:
    """The smallest m ≥ start with f(m) ≤ value for a decreasing f, to 0.1 % of its distance, from above."""
    if f(start) <= value:
        return start
    low, high = start, start + step
    while f(high) > value:
        low, high = high, high + 2 * (high - start)
        if high - start > SAYS_NOTHING * max(abs(start), step):
            return math.inf
    while high - low > 1e-3 * (high - start):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > value else (low, middle)
    return high


def unseen_rounds(at: np.ndarray, T: int) -> tuple[np.ndarray, np.ndarray]:
    """Rounds that were not seen, at most MOST_ROUNDS of them, and for how many each stands."""
    every = np.setdiff1d(np.arange(T + 1), at)
    groups = np.array_split(every, min(len(every), MOST_ROUNDS))
    return np.array([g[len(g) // 2] for g in groups]), np.array([float(len(g)) for g in groups])
