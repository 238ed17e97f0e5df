"""Questions that decide verdicts: does a ratio grow without bound, does a series of rounds, and has the
noise a variance at all?
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import optimize, signal, stats

from empirical.statistics.intervals import LEVEL, Interval
from empirical.statistics.regression import newey_west

SHARE_IN_TAIL, FEWEST_IN_TAIL = 0.025, 10
FEWEST_POINTS = 6
LONGEST_MEMORY = 1e4  # 1/(1 − φ) in units of the rounds: beyond, nothing is forgotten
LEAST_SPAN = 4.0  # of x: over less, a power of x is not told from chance


@dataclass(frozen=True)
class Power:
    """y ∝ x^slope over x that spans a factor `span`; `change`: fitted y at the smallest over that at the
    largest x.
    """

    slope: Interval
    span: float

    @property
    def change(self) -> float:
        return float(self.span**-self.slope.estimate)


def power_of(x: np.ndarray, y: np.ndarray) -> Power | None:
    """Slope of log y on log x over rounds in order, errors robust to correlation (Newey and West)."""
    use = (x > 0) & (y > 0) & np.isfinite(y)
    if use.sum() < FEWEST_POINTS or x[use].max() < LEAST_SPAN * x[use].min():
        return None
    u, v = np.log(x[use]), np.log(y[use])
    lags = int(4 * (len(u) / 100) ** (2 / 9))
    fit = newey_west(u, v, lags)
    low, high = fit.limits[1]
    slope = Interval(float(fit.params[1]), float(low), float(high), "OLS of logarithms, Newey-West errors")
    return Power(slope, float(x[use].max() / x[use].min()))


def growth_of(series: np.ndarray) -> Interval | None:
    """a of E[y_t] ∝ t^a over the second half of the rounds; None where there are too few.

    The slope of log y_t on log t, with errors u_t = φ u_{t−1} + e_t. A residual may forget at once or never,
    so φ is not fixed: a mixture with its restricted likelihood as weights, where every order of magnitude of
    the memory 1/(1 − φ) counts the same. (With every φ the same, 70 to 79 % of intervals cover the slope of a
    residual that forgets nothing: few rounds hardly tell φ = 1 from 0.9, which the width depends on.)
    """
    t = np.arange(len(series))
    use = (t >= len(series) // 2) & (series > 0)
    n = int(use.sum())
    if n < FEWEST_POINTS:
        return None
    grid = 1 - np.geomspace(1.5, 1 / (LONGEST_MEMORY * n), 48)
    fits = [_line(np.log(t[use]), np.log(series[use]), float(phi)) for phi in grid]
    likelihood, slope, error = (np.array(column) for column in zip(*fits, strict=True))
    weights = np.exp(likelihood - likelihood.max()) * np.gradient(-np.log1p(-grid))
    weights /= weights.sum()
    best = int(np.argmax(weights))
    # Rounding of log y, over the spread of log t, which is above 1/16 (from T/2 to T it is 0.2).
    if error[best] <= 16 * np.finfo(float).eps * (1 + np.abs(np.log(series[use])).max()):
        return Interval.exact(float(slope[best]), f"{n} rounds without fluctuation")
    at = (0.5, (1 - LEVEL) / 2, (1 + LEVEL) / 2)
    middle, low, high = (mixture_quantile(q, weights, slope, error, n - 2) for q in at)
    return Interval(middle, low, high, f"slope of logarithms, {n} rounds, memory φ = {grid[best]:.2f}")


def _line(x: np.ndarray, y: np.ndarray, phi: float) -> tuple[float, float, float]:
    """Log restricted likelihood of φ, and the least squares slope of y on x with its error under φ.

    Plain least squares, because log E[y_t] need not be a line: its slope then means the same for every φ,
    while generalised least squares would weigh a bend by φ.
    """
    n, x = len(x), x - x.mean()
    both = np.column_stack([np.ones(n), x, y])
    Z = np.vstack([math.sqrt(1 - phi**2) * both[:1], both[1:] - phi * both[:-1]])
    _, R = np.linalg.qr(Z)
    rest = max(abs(float(R[2, 2])), np.finfo(float).tiny)
    size = abs(float(R[0, 0] * R[1, 1]))
    likelihood = 0.5 * math.log(1 - phi**2) - math.log(size) - (n - 2) * math.log(rest)
    c = x / (x @ x)
    return likelihood, float(c @ y), rest / math.sqrt(n - 2) * _size_of_sum(c, phi)


def _size_of_sum(c: np.ndarray, phi: float) -> float:
    """The standard deviation of Σ c_i u_i for u_t = φ u_{t−1} + e_t, stationary, e of variance 1."""
    earlier = signal.lfilter([0.0, phi], [1.0, -phi], c)  # Σ_{j<i} φ^{i−j} c_j
    return math.sqrt(max(float(c @ (c + 2 * earlier)), 0.0) / (1 - phi**2))


def mixture_quantile(
    q: float, weights: np.ndarray, centre: np.ndarray, error: np.ndarray, dof: float
) -> float:
    """Of a mixture of scaled and shifted t distributions."""
    each = centre + error * stats.t.ppf(q, dof)
    below = lambda x: float(weights @ stats.t.cdf((x - centre) / error, dof)) - q  # noqa: E731
    low, high = float(each.min()), float(each.max())
    return low if low == high else float(optimize.brentq(below, low - 1e-9, high + 1e-9, xtol=1e-9))


def tail_index(sizes: np.ndarray) -> Interval | None:
    """α with P(‖ζ‖² > y) ∝ y^{−α}, from squared sizes in units of their point's median; α ≤ 1: no variance.

    Hill on the largest 2.5 %: the mean of k log spacings is Gamma(k)/(kα), which gives exact limits.
    """
    pooled = np.sort(sizes[np.isfinite(sizes)].ravel())[::-1]
    k = max(FEWEST_IN_TAIL, int(SHARE_IN_TAIL * len(pooled)))
    if len(pooled) <= 2 * k or pooled[k] <= 0 or pooled[0] == pooled[k]:
        return None
    alpha = 1 / (float(np.mean(np.log(pooled[:k]))) - math.log(float(pooled[k])))
    low, high = (
        float(alpha * stats.chi2.ppf(q, 2 * k) / (2 * k)) for q in ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
    )
    return Interval(alpha, low, high, f"Hill on {k} of {len(pooled)} replicates")
