"""Lines through points: least squares with errors that survive correlation, and a high quantile.

    a = (XᵀX)⁻¹ Xᵀy,   cov(a) = (XᵀX)⁻¹ S (XᵀX)⁻¹,   X = (1, x)

S is Newey and West's sum over lags, or the sum over clusters of the outer products of scores; limits are
Student's. A quantile is a linear program (Koenker and Bassett); its S rests on the density of the residuals
at 0 by Epanechnikov's kernel with the bandwidth of Hall and Sheather.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse, stats

from empirical.statistics.intervals import LEVEL

Floats = NDArray[Any]


@dataclass(frozen=True)
class Fit:
    """Intercept and slope (2,), and their limits (2, 2): low and high."""

    params: Floats
    limits: Floats


def newey_west(x: Floats, y: Floats, lags: int) -> Fit:
    X, a, scores = _least_squares(x, y)
    S = scores.T @ scores
    for lag in range(1, lags + 1):
        cross = scores[lag:].T @ scores[:-lag]
        S += (1 - lag / (lags + 1)) * (cross + cross.T)
    return _fit(X, a, S, len(y) - 2)


def clustered(x: Floats, y: Floats, groups: NDArray[np.generic]) -> Fit:
    X, a, scores = _least_squares(x, y)
    _, of_row = np.unique(groups, return_inverse=True)
    sums = np.stack([np.bincount(of_row, column) for column in scores.T], 1)
    n, G = len(y), len(sums)
    return _fit(X, a, sums.T @ sums * (G / (G - 1) * (n - 1) / (n - 2)), G - 1)


def quantile(x: Floats, y: Floats, q: float) -> Fit:
    """min Σ q·u_i + (1 − q)·v_i with y = Xa + u − v and u, v ≥ 0."""
    X, n = np.column_stack([np.ones_like(x), x]), len(y)
    costs = np.r_[0, 0, np.full(n, q), np.full(n, 1 - q)]
    bounds = [(None, None)] * 2 + [(0, None)] * 2 * n
    eye = sparse.eye_array(n)
    found = optimize.linprog(costs, A_eq=sparse.hstack([X, eye, -eye]), b_eq=y, bounds=bounds)
    a, tiny = found.x[:2], 1e-9 * np.abs(y).max()
    left = y - X @ a
    if stats.iqr(left) <= tiny:  # a line without noise
        return Fit(a, np.stack([a, a], 1))
    z = stats.norm.ppf(q)
    curved = 1.5 * stats.norm.pdf(z) ** 2 / (2 * z**2 + 1)
    h = (stats.norm.ppf(0.975) ** 2 * curved / n) ** (1 / 3)
    h = min(np.std(y), stats.iqr(left) / 1.34) * (stats.norm.ppf(q + h) - stats.norm.ppf(q - h))
    u = left / h
    density = np.where(np.abs(u) <= 1, 0.75 * (1 - u**2), 0).sum() / (n * h)
    weight = np.where(left > -tiny, q / density, (1 - q) / density) ** 2  # points on the line count as above
    return _fit(X, a, X.T @ (X * weight[:, None]), n - 2)


def _least_squares(x: Floats, y: Floats) -> tuple[Floats, Floats, Floats]:
    X = np.column_stack([np.ones_like(x), x])
    a = np.linalg.lstsq(X, y, rcond=None)[0]
    return X, a, X * (y - X @ a)[:, None]


def _fit(X: Floats, a: Floats, S: Floats, freedom: int) -> Fit:
    bread = np.linalg.inv(X.T @ X)
    half = stats.t.ppf((1 + LEVEL) / 2, freedom) * np.sqrt(np.diag(bread @ S @ bread))
    return Fit(a, np.stack([a - half, a + half], 1))
