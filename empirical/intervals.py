"""Confidence intervals: means of correlated rounds (block bootstrap), and the largest of many unknown
means.

Block bootstrap of a mean, prewhitened. A slow trend is removed (the target is the expected mean over rounds
given the trend: a trend is no noise), then the lag-one correlation φ̂, corrected for its small-sample bias;
what is left is bootstrapped in circular blocks and recoloured by 1/(1−φ̂)². The variance over all resamples
has a closed form, (b/n)·mean_j(Ȳ_j − ȳ)² over the n overlapping block means, so none are drawn. Student's t
with the n(1−φ̂)/(1+φ̂) rounds that the series is worth. Few or strongly
correlated rounds leave it too short: see the "stress" rows of `calibration`.

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

import numpy as np
from scipy import stats

from fpsverify.errors import FpsError

LEVEL = 0.95
FEWEST_FOR_BLOCKS = 10


@dataclass(frozen=True)
class Interval:
    """An estimate with a 95 % interval; `exact` where nothing was left to chance."""

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

    def as_json(self) -> dict[str, float | str]:
        return {"estimate": self.estimate, "low": self.low, "high": self.high, "method": self.method}


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


def mean_interval(y: np.ndarray, trend_degree: int = 0, level: float = LEVEL) -> Interval:
    """E[mean of y] for a correlated series; `trend_degree` of the polynomial trend that is not noise."""
    n = len(y)
    if n < FEWEST_FOR_BLOCKS:
        raise FpsError(f"{n} rounds: at least {FEWEST_FOR_BLOCKS} are needed for an interval")
    mean = float(y.mean())
    variance, phi, b = mean_variance(y - _trend(y, trend_degree), trend_degree + 1)
    effective = n * (1 - phi) / (1 + phi)
    dof = max(effective - trend_degree - 1, 2.0)
    half = float(stats.t.ppf((1 + level) / 2, dof) * np.sqrt(variance))
    low, high = mean - half, mean + half
    if (
        y.min() >= 0 and half < mean
    ):  # an energy: symmetric on the log scale, so that the limits stay positive
        low, high = (mean * math.exp(sign * half / mean) for sign in (-1, 1))
    low = max(low, 0.0) if y.min() >= 0 else low
    return Interval(mean, low, high, f"block bootstrap, {n} rounds worth {effective:.0f}, blocks of {b}")


def mean_variance(rest: np.ndarray, fitted: int) -> tuple[float, float, int]:
    """Variance of the mean, the lag-one correlation and the block length; `fitted` trend parameters."""
    n, energy = len(rest), float(rest @ rest)
    if energy == 0:
        return 0.0, 0.0, 1
    phi = float(rest[1:] @ rest[:-1]) / energy
    phi = min(phi + ((1 + 3 * phi) + 2 * (fitted - 1)) / n, 1 - 2 / n)
    phi = max(phi, 0.0)
    white = rest[1:] - phi * rest[:-1]
    b = block_length(white)
    return block_variance(white, b) / (1 - phi) ** 2 * n / (n - fitted - 1), phi, b


def _trend(y: np.ndarray, degree: int) -> np.ndarray:
    at = np.linspace(-1, 1, len(y))
    return np.polynomial.Polynomial.fit(at, y, degree)(at)


def ratio_interval(numerator: np.ndarray, denominator: np.ndarray, trend_degree: int = 0) -> Interval:
    """E[mean a]/E[mean b] by its influence series (a − ρb)/mean b, block bootstrapped."""
    ratio = float(numerator.mean() / denominator.mean())
    influence = ratio + (numerator - ratio * denominator) / denominator.mean()
    return mean_interval(influence, trend_degree)


def largest_mean(
    bounds: Callable[[float], np.ndarray], n: int, method: str, level: float = LEVEL
) -> Interval:
    """max_i V_i ≥ 0, where bounds(c)[i] is the estimate of V_i moved by c standard errors (n replicates)."""
    t = stats.t(n - 1)
    count = len(bounds(0.0))
    wide = float(t.ppf(1 - (1 - level) / 2 / count))
    candidates = int(np.sum(bounds(wide) >= bounds(-wide).max()))
    joint = float(t.ppf((1 - (1 - level) / 2) ** (1 / candidates)))
    median = float(t.ppf(0.5 ** (1 / candidates)))
    single = float(t.ppf(1 - (1 - level) / 2))
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
