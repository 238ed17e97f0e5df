"""Regression lines of energy on squared gradient norm: what a mean and a high quantile would say.

Shown beside the envelope, never used in its place: about half of the points lie above the OLS line.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from empirical.statistics.regression import Fit, clustered, quantile


@dataclass(frozen=True)
class Line:
    """energy ≈ slope·‖∇‖² + intercept with 95 % limits; `below` is the share of points not above the line."""

    kind: str
    slope: float
    slope_low: float
    slope_high: float
    intercept: float
    intercept_low: float
    intercept_high: float
    below: float

    def as_json(self) -> dict[str, float | str]:
        return asdict(self)


def lines(x: np.ndarray, y: np.ndarray, rounds: np.ndarray) -> list[Line]:
    """OLS with errors clustered by round, and the 95 % quantile regression; nothing if x does not vary."""
    if len(x) < 6 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return []
    # Both scaled to order 1: a linear program is solved to an absolute tolerance.
    sx, sy = float(np.mean(x)), float(np.mean(np.abs(y)))
    fits = {"ols": clustered(x / sx, y / sy, rounds), "quantile 0.95": quantile(x / sx, y / sy, 0.95)}
    return [_line(kind, fit, x, y, sx, sy) for kind, fit in fits.items()]


def _line(kind: str, fit: Fit, x: np.ndarray, y: np.ndarray, sx: float, sy: float) -> Line:
    (intercept, slope), limits = fit.params, fit.limits
    a, b = float(slope * sy / sx), float(intercept * sy)
    below = float(np.mean(y <= a * x + b))
    return Line(
        kind,
        a,
        limits[1, 0] * sy / sx,
        limits[1, 1] * sy / sx,
        b,
        limits[0, 0] * sy,
        limits[0, 1] * sy,
        below,
    )
