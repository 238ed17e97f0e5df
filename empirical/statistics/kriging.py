"""Rounds that were not seen, forecast from those that were: a wandering level with independent fluctuations.

One or several series that are seen at the same rounds. Covariance between rounds: (1 − share)·δ + share·(a
random walk in some clock); between series: any matrix S. Mean and S are integrated out, so forecasts follow
Student's distribution, and models can be compared by their restricted likelihoods.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

SHARES = np.array([0.0, 0.02, 0.1, 0.3, 0.6, 0.85, 0.97, 1.0])
# By rounds, and by their logarithm: a level that moves fast at first and slowly later, as 1/t does.
CLOCKS: tuple[Callable[[np.ndarray], np.ndarray], ...] = (lambda t: t + 0.0, np.log1p)


@dataclass(frozen=True)
class Forecast:
    """mean[:, t] ± √(factor[t] S) for p series at each unseen round, Student with `dof`."""

    mean: np.ndarray
    factor: np.ndarray
    S: np.ndarray
    dof: int
    log_likelihood: float

    def of(self, direction: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Means and errors of one linear combination of the series."""
        spread = max(float(direction @ self.S @ direction), 0.0)
        return direction @ self.mean, np.sqrt(spread * self.factor)


def forecasts(at: np.ndarray, Z: np.ndarray, unseen: np.ndarray) -> list[Forecast]:
    """Series Z (n, p) seen at rounds `at`; one forecast for every clock and share."""
    return [forecast(clock(at), Z, clock(unseen), float(share)) for clock in CLOCKS for share in SHARES]


def forecast(at: np.ndarray, Z: np.ndarray, unseen: np.ndarray, share: float) -> Forecast:
    """Universal kriging with unknown means; times are those of a clock."""
    n, p = Z.shape
    unit = float(np.ptp(at)) / (n - 1)
    # The walk starts before all rounds: a constant more in the covariance is taken up by the unknown mean.
    start = min(float(at.min()), float(unseen.min())) - unit
    walk = lambda s, t: share / unit * (np.minimum.outer(s, t) - start)  # noqa: E731
    K = walk(at, at) + (1 - share) * np.eye(n)
    inverse = np.linalg.inv(K)
    weight = inverse.sum(0)
    precision = float(weight.sum())
    centre = weight @ Z / precision
    rest = Z - centre
    squares = rest.T @ inverse @ rest
    k = walk(at, unseen)
    own = share / unit * (unseen - start) + (1 - share)
    factor = own - np.sum(k * (inverse @ k), axis=0) + (1 - weight @ k) ** 2 / precision
    sign, log_size = np.linalg.slogdet(squares)
    log_size = log_size if sign > 0 else p * math.log(np.finfo(float).tiny)
    log_likelihood = -0.5 * (p * (np.linalg.slogdet(K)[1] + math.log(precision)) + (n - 1) * log_size)
    mean = centre[:, None] + (rest.T @ inverse) @ k
    return Forecast(mean, np.maximum(factor, 1e-12 * own), squares / (n - p), n - p, float(log_likelihood))
