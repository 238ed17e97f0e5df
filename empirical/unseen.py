"""The largest value over all rounds of a run when only some rounds were looked at.

What was seen is a lower limit. The upper one is the larger of two, for the two extremes of how a series may
move between the rounds that were seen.

Slowly: it is no rougher between two rounds than from one seen round to the next: a Brownian bridge, whose
maximum over a gap of g rounds between values a and b is above m with probability exp(−2(m − a)(m − b)/(v g))
(beyond the first or last round seen: 2 P(N(0, v g) > m − b)). The mean of (increment)²/gap estimates the
variance v per round; a trend makes it larger, which is safe. With ν increments v is known up to ν/χ²_ν, and
the limit is that of the mixture. Rounds are discrete, so m moves up by 0.5826 √v (Broadie, Glasserman and Kou
1997).

Fast: the rounds are independent draws about a slowly moving level, their roots normal where all values are
positive. With s from what each seen round differs by from its two neighbours' mean, the largest of N − n
unseen ones is below the largest level + t s √(1 + 3/8), t the quantile of Student's distribution at
level^{1/(N − n)}.

A spike between two rounds that leaves no trace in either is beyond any such rule: `method` says how many
rounds were seen.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import stats

from empirical.intervals import LEVEL, Interval

DISCRETE = 0.5826  # −ζ(1/2)/√(2π)
MIXTURE = 40


def largest(rounds: np.ndarray, values: np.ndarray, T: int, level: float = LEVEL) -> Interval:
    """The largest of rounds 0 … T from those seen: [largest seen, upper limit that fails with 1 − level]."""
    rounds, values = _one_per_round(rounds, values)
    seen = float(values.max())
    if len(rounds) == T + 1:
        return Interval.exact(seen, f"largest of all {T + 1} rounds")
    method = f"largest seen at {len(rounds)} of {T + 1} rounds; upper end for the rounds between"
    high = max(bridge_limit(rounds, values, T, level), independent_limit(values, T + 1 - len(rounds), level))
    return Interval(seen, seen, high, method)


def _one_per_round(rounds: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rounds in order, each with the largest of its values."""
    distinct, where = np.unique(rounds, return_inverse=True)
    top = np.full(len(distinct), -np.inf)
    np.maximum.at(top, where, np.asarray(values, dtype=float))
    return distinct, top


def bridge_limit(rounds: np.ndarray, values: np.ndarray, T: int, level: float) -> float:
    if len(rounds) < 2:
        return math.inf
    gaps = np.diff(rounds)
    square = float(np.sum(np.diff(values) ** 2 / gaps))
    seen = float(values.max())
    if square == 0:
        return seen
    grid = (np.arange(MIXTURE) + 0.5) / MIXTURE
    v = square / stats.chi2.ppf(grid, len(gaps))
    low, high = seen, seen + math.sqrt(float(v.max()) * (T + 1))
    while exceeding(high, rounds, values, T, v) > 1 - level:
        low, high = high, high + 2 * (high - seen)
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if exceeding(middle, rounds, values, T, v) > 1 - level else (low, middle)
    return high


def exceeding(m: float, rounds: np.ndarray, values: np.ndarray, T: int, v: np.ndarray) -> float:
    """P(some unseen round is above m), averaged over the variances v."""
    level = m + DISCRETE * np.sqrt(v)
    log_below = np.zeros_like(v)
    for a, b, gap in zip(values[:-1], values[1:], np.diff(rounds), strict=True):
        if gap > 1:
            p = np.exp(-2 * np.maximum(level - a, 0) * np.maximum(level - b, 0) / (v * gap))
            log_below += np.log1p(-np.minimum(p, 1 - 1e-12))
    for value, gap in ((values[0], rounds[0]), (values[-1], T - rounds[-1])):
        if gap > 0:
            p = 2 * stats.norm.sf((level - value) / np.sqrt(v * gap))
            log_below += np.log1p(-np.minimum(p, 1 - 1e-12))
    return float(np.mean(1 - np.exp(log_below)))


def independent_limit(values: np.ndarray, unseen: int, level: float) -> float:
    """Where the largest of `unseen` further draws about the same level stays, with the stated probability."""
    n = len(values)
    if n < 3:
        return math.inf
    positive = bool(values.min() > 0)
    y = np.sqrt(values) if positive else values
    middle = (y[:-2] + 2 * y[1:-1] + y[2:]) / 4
    apart = (2 * y[1:-1] - y[:-2] - y[2:]) / 2  # variance 3/2 of a draw's
    spread = math.sqrt(float(np.mean(apart**2)) / 1.5)
    t = float(stats.t.ppf(level ** (1 / unseen), n - 2))
    high = max(float(middle.max()), float(y[0] + y[1]) / 2, float(y[-1] + y[-2]) / 2)
    high += t * spread * math.sqrt(1 + 3 / 8)  # a middle has variance 3/8
    return max(float(values.max()), high**2 if positive else high)
