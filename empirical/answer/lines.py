"""Regression lines of energy on squared gradient norm: what a mean and a high quantile would say.

Shown beside the envelope, never used in its place: about half of the points lie above the OLS line.
"""

from __future__ import annotations

import warnings
from dataclasses import asdict, dataclass

import numpy as np


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
    import statsmodels.api as sm

    # Both scaled to order 1: quantile regression stops by an absolute tolerance.
    sx, sy = float(np.mean(x)), float(np.mean(np.abs(y)))
    design = sm.add_constant(x / sx)
    ols = sm.OLS(y / sy, design).fit(cov_type="cluster", cov_kwds={"groups": rounds}, use_t=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its iteration limit; the share of points below tells the quality
        quantile = sm.QuantReg(y / sy, design).fit(q=0.95)
    return [_line("ols", ols, x, y, sx, sy), _line("quantile 0.95", quantile, x, y, sx, sy)]


def _line(kind: str, fit: object, x: np.ndarray, y: np.ndarray, sx: float, sy: float) -> Line:
    limits = np.asarray(fit.conf_int())  # type: ignore[attr-defined]
    intercept, slope = np.asarray(fit.params)  # type: ignore[attr-defined]
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
