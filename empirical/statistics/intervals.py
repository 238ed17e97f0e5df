"""Confidence intervals: means of correlated rounds (block bootstrap), and the largest of many unknown
means.

Mean of correlated rounds. A slow trend is no noise: the target is the mean over rounds of the fitted
polynomial. What is left is whitened by a lag-one correlation φ, bootstrapped in circular blocks (length by
Politis and White; the variance over all resamples has a closed form, so none are drawn) and recoloured. φ
decides the width and is poorly known from few rounds, so it is not fixed at an estimate: the interval is
that of the mixture over φ with its restricted likelihood as weights, −1/2 ≤ φ ≤ 1 − 2/n (a series that is
worth less than one round tells nothing). A positive mean takes χ² limits with ν = 2 mean²/variance: it is an
energy. Calibrated for 40 rounds and more; with fewer rounds it covers a little more often than nominal.

Largest mean. θ = max_i V_i with independent estimates of each V_i (intersection bounds). Upper limit: max_i
of pointwise upper limits, because max_i U_i ≥ U_* at the true maximiser. Lower limit: max_i of limits that
hold for all candidates at once (Šidák over those not ruled out). The estimate is median unbiased in the
same way: the plain maximum is too large. Coverage is exact when one V_i stands out, and above nominal with
ties.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from fpsverify.errors import FpsError

LEVEL = 0.95
FEWEST_FOR_BLOCKS = 10
OPEN = 1e6  # a limit this many times the estimate says nothing, and counts as none
NO_UPPER_LIMIT = "no upper limit: "


@dataclass(frozen=True)
class Interval:
    """An estimate with a 95 % interval; `exact` where nothing was left to chance. An infinite `high` says
    that the data do not bound the figure from above; in JSON it is null, and `method` says so.
    """

    estimate: float
    low: float
    high: float
    method: str

    @staticmethod
    def exact(value: float, method: str) -> Interval:
        return Interval(value, value, value, f"exact: {method}")

    def map(self, f: Callable[[float], float]) -> Interval:
        """The image under an increasing function."""
        return Interval(f(self.estimate), f(self.low), f(self.high), self.method)

    @property
    def is_open(self) -> bool:
        return self.high == math.inf

    def as_json(self) -> dict[str, float | str | None]:
        high, why = (None, NO_UPPER_LIMIT) if self.is_open else (self.high, "")
        return {"estimate": self.estimate, "low": self.low, "high": high, "method": why + self.method}

    @staticmethod
    def from_json(stored: dict[str, Any]) -> Interval:
        high = math.inf if stored["high"] is None else stored["high"]
        method = stored["method"].removeprefix(NO_UPPER_LIMIT)
        return Interval(stored["estimate"], stored["low"], high, method)


def block_length(y: np.ndarray) -> int:
    """Automatic choice of Politis and White (2004, corrected 2009) for circular blocks, at most n/4."""
    n = len(y)
    y = y - y.mean()
    if not np.any(y):
        return 1
    most = int(np.ceil(np.sqrt(n))) + max(5, int(np.log10(n)))
    covariance = np.array([y[: n - k] @ y[k:] / n for k in range(min(2 * most, n - 1) + 1)])
    m = _last_significant_lag(covariance / covariance[0], n, most)
    lags = np.arange(1, min(2 * m, len(covariance) - 1) + 1)
    taper = np.minimum(1.0, 2 * (1 - lags / (2 * m)))
    g = 2 * np.sum(taper * lags * covariance[lags])
    spectrum = covariance[0] + 2 * np.sum(taper * covariance[lags])
    if spectrum <= 0:
        return max(1, n // 4)
    b = (2 * g**2 / (4 / 3 * spectrum**2)) ** (1 / 3) * n ** (1 / 3)
    return int(np.clip(np.ceil(b), 1, max(1, n // 4)))


def _last_significant_lag(correlation: np.ndarray, n: int, most: int) -> int:
    """The first lag after which 5 (or √log10 n) correlations in a row are within 2√(log10 n / n)."""
    limit, run = 2 * np.sqrt(np.log10(n) / n), max(5, int(np.sqrt(np.log10(n))))
    small = np.abs(correlation[1:]) < limit
    for m in range(len(small) - run + 1):
        if small[m : m + run].all():
            return max(m, 1)
    return max(1, min(most, len(small)))


def block_variance(y: np.ndarray, b: int) -> float:
    """Circular block bootstrap variance of the mean, in closed form."""
    n = len(y)
    wrapped = np.concatenate([y, y[: b - 1]])
    sums = np.cumsum(np.concatenate([[0.0], wrapped]))
    means = (sums[b:] - sums[:-b]) / b
    return float(b / n * np.mean((means - y.mean()) ** 2) / (1 - b / n))


@dataclass(frozen=True)
class MeanError:
    """Standard errors of a mean, one for each φ of a grid, with the weights of these φ."""

    errors: np.ndarray
    weights: np.ndarray
    dof: float
    block: int
    phi: float

    def normal_limits(self, mean: float, level: float) -> tuple[float, float]:
        """mean ∓ h, where h is the quantile of the mixture of scaled t distributions."""
        outside = lambda h: float(2 * self.weights @ stats.t.sf(h / self.errors, self.dof))  # noqa: E731
        h = _decreasing_root(outside, 1 - level, float(self.errors.min()))
        return mean - h, mean + h

    def energy_limits(self, mean: float, level: float) -> tuple[float, float]:
        """ν·mean/θ ~ χ²_ν with ν = 2 mean²/variance, widened by Student's t for the error of the variance."""
        tail = (1 - level) / 2
        wide = self.errors * stats.t.ppf(1 - tail, self.dof) / stats.norm.ppf(1 - tail)
        nu = 2 * (mean / wide) ** 2
        above = lambda r: float(self.weights @ stats.chi2.cdf(nu / r, nu))  # noqa: E731
        below = lambda r: float(self.weights @ stats.chi2.sf(nu * r, nu))  # noqa: E731
        return mean / _decreasing_root(below, tail, 1.0), mean * _decreasing_root(above, tail, 1.0)


def _decreasing_root(f: Callable[[float], float], value: float, start: float) -> float:
    """The first x ≥ start with f(x) ≤ value for a decreasing f; 0.1 % is far below what an interval is good
    for. Infinite where it would be beyond OPEN times the start.
    """
    high = start
    if f(start) <= value:
        return start
    while f(high) > value:
        if high > start * OPEN:
            return math.inf
        high *= 2
    low = high / 2
    while high / low > 1.001:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if f(middle) > value else (low, middle)
    return high


def trend_degree(n: int) -> int:
    """Degree of the polynomial that counts as trend: one for every 20 rounds, at most 3."""
    return min(3, n // 20)


def mean_interval(y: np.ndarray, level: float = LEVEL, energy: bool | None = None) -> Interval:
    """E[mean of y] for a correlated series; an `energy` (by default: where y > 0) has χ² limits."""
    n, mean = len(y), float(y.mean())
    if n < FEWEST_FOR_BLOCKS:
        raise FpsError(f"{n} rounds: at least {FEWEST_FOR_BLOCKS} are needed for an interval")
    error = mean_error(y, trend_degree(n))
    if error is None:
        return Interval.exact(mean, f"{n} rounds without fluctuation")
    energy = bool(y.min() >= 0) if energy is None else energy
    low, high = (error.energy_limits if energy else error.normal_limits)(mean, level)
    worth = n * (1 - error.phi) / (1 + error.phi)
    return Interval(
        mean, low, high, f"block bootstrap, {n} rounds worth {worth:.0f}, blocks of {error.block}"
    )


def mean_error(y: np.ndarray, degree: int) -> MeanError | None:
    """The error of the mean for each φ; None where nothing but the trend is there."""
    n, fitted = len(y), degree + 1
    grid = phi_grid(n)
    likelihood, white, leverage = zip(*(whitened(y, degree, float(phi)) for phi in grid), strict=True)
    # Rounding of a polynomial fit: n operations on numbers of size max|y|.
    if np.abs(white[0]).max() <= 4 * n * np.finfo(float).eps * np.abs(y).max():
        return None
    weights = np.exp(np.array(likelihood) - max(likelihood)) * np.gradient(grid)
    best = int(np.argmax(weights))
    # The trend takes up most of the noise at the ends, where a falling series has the most of it (HC3).
    white = [z / (1 - h) for z, h in zip(white, leverage, strict=True)]
    b = block_length(white[best])
    # Blocks see correlation that φ has left over; what is negative by chance must not narrow the interval.
    innovation = np.array([max(block_variance(z, b), block_variance(z, 1)) for z in white])
    # Var(mean) of an AR(1) series over Var(mean) of its innovations, for n rounds.
    recolour = (1 - 2 * grid * (1 - grid**n) / (n * (1 - grid**2))) / (1 - grid) ** 2
    errors = np.sqrt(innovation * (n - 1) / n * recolour)
    # n − b + 1 overlapping blocks are worth 1.5 n/b disjoint ones (Künsch 1989).
    flat = white[int(np.argmin(np.abs(grid)))]
    relative = float(np.mean(flat**2)) / float(y.mean()) ** 2 if y.min() >= 0 else 0.0
    dof = min(n if b == 1 else 1.5 * n / b, worth_of_variance(n, relative, float(grid[best])))
    dof = max(dof - fitted, 2.0)
    return MeanError(errors, weights / weights.sum(), dof, b, float(grid[best]))


def worth_of_variance(n: int, relative_variance: float, phi: float) -> float:
    """How many Gaussian values tell c = variance/mean² as well as n energies like χ²_k do: c = 2/k.

    Var(log variance) = (2 + 6c)/n. Independent values err in mean and variance together, which
    leaves (2 + 2c)/n for the ratio; the more they are correlated, the less it helps. Linear in between.
    """
    return n / (1 + relative_variance * (1 + 2 * max(phi, 0.0)))


def phi_grid(n: int) -> np.ndarray:
    """−1/2 … 1 − 2/n, denser towards 1, where the width depends on it most."""
    return np.concatenate([np.linspace(-0.5, -0.05, 8), 1 - np.geomspace(1, 2 / n, 24)])


def whitened(y: np.ndarray, degree: int, phi: float) -> tuple[float, np.ndarray, np.ndarray]:
    """Log restricted likelihood of φ (trend and scale integrated out), whitened residuals and leverages."""
    n = len(y)
    X = np.polynomial.legendre.legvander(np.linspace(-1, 1, n), degree)
    both = np.column_stack([X, y])
    Z = np.vstack([math.sqrt(1 - phi**2) * both[:1], both[1:] - phi * both[:-1]])
    Q, R = np.linalg.qr(Z)
    size = np.abs(np.diag(R))
    rest = float(size[-1])
    log_likelihood = (
        0.5 * math.log(1 - phi**2)
        - float(np.log(size[:-1]).sum())
        - (n - degree - 1) * math.log(max(rest, np.finfo(float).tiny))
    )
    return log_likelihood, Q[:, -1] * rest, np.sum(Q[:, :-1] ** 2, axis=1)


def ratio_interval(numerator: np.ndarray, denominator: np.ndarray) -> Interval:
    """E[mean a]/E[mean b] > 0 by its influence series (a − ρb)/mean b, block bootstrapped."""
    ratio = float(numerator.mean() / denominator.mean())
    influence = ratio + (numerator - ratio * denominator) / denominator.mean()
    return mean_interval(influence, energy=True)


def largest_mean(
    bounds: Callable[[float], np.ndarray], n: int, method: str, binding: int = 1, level: float = LEVEL
) -> Interval:
    """max_i V_i ≥ 0, where bounds(c)[i] is the estimate of V_i moved by c standard errors (n replicates).

    `binding`: how many points the upper limit rests on at once; they share its probability of failure.
    """
    t = stats.t(n - 1)
    count = len(bounds(0.0))
    wide = float(t.ppf(1 - (1 - level) / 2 / count))
    candidates = int(np.sum(bounds(wide) >= bounds(-wide).max()))
    joint = float(t.ppf((1 - (1 - level) / 2) ** (1 / candidates)))
    median = float(t.ppf(0.5 ** (1 / candidates)))
    single = float(t.ppf(1 - (1 - level) / 2 / binding))
    low, middle, high = (max(0.0, float(bounds(c).max())) for c in (-joint, -median, single))
    return Interval(min(max(middle, low), high), low, high, f"{method}, {count} points, {n} replicates")


def log_scale(values: np.ndarray, errors: np.ndarray) -> Callable[[float], np.ndarray]:
    """V e^{c·se/V}: limits of a positive energy that stay positive; an energy of 0 has no error."""
    relative = np.divide(errors, values, out=np.zeros_like(values), where=values > 0)
    return lambda c: np.maximum(values, 0.0) * np.exp(c * relative)


def score_scale(
    values: np.ndarray, variance0: np.ndarray, slope: np.ndarray, dof: np.ndarray
) -> Callable[[float], np.ndarray]:
    """The b with (b − value)² = c²(variance0 + slope·b): the error is that of the limit, not of the
    estimate.

    Near b = 0 the estimate may be negative, and an error taken there would be too small. The error without
    bias is a weighted sum of squares, so its c is the quantile of a standardised χ² with `dof` degrees of
    freedom.
    """

    def moved(c: float) -> np.ndarray:
        skewed = chi2_quantile(-c, dof)
        root = skewed**2 * variance0 + c * c * slope * values + (c * c * slope / 2) ** 2
        return values + c * c * slope / 2 + math.copysign(1.0, c) * np.sqrt(np.maximum(root, 0.0))

    return moved


def chi2_quantile(z: float, dof: np.ndarray) -> np.ndarray:
    """The quantile of (χ²_ν − ν)/√(2ν) at the probability where a normal has z; ν = ∞ gives z."""
    finite = np.where(np.isfinite(dof), dof, 1.0)
    quantile = (stats.chi2.ppf(stats.norm.cdf(z), finite) - finite) / np.sqrt(2 * finite)
    return np.where(np.isfinite(dof), quantile, z)


def clopper_pearson(successes: int, trials: int, level: float = LEVEL) -> tuple[float, float]:
    """Exact interval of a proportion."""
    tail = (1 - level) / 2
    low = 0.0 if successes == 0 else float(stats.beta.ppf(tail, successes, trials - successes + 1))
    high = 1.0 if successes == trials else float(stats.beta.ppf(1 - tail, successes + 1, trials - successes))
    return low, high
