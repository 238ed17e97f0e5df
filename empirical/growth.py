"""Two questions that decide verdicts: does a ratio grow without bound, and has the noise a variance at
all?
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from empirical.intervals import LEVEL, Interval

SHARE_IN_TAIL, FEWEST_IN_TAIL = 0.025, 10
FEWEST_POINTS = 6
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
    import statsmodels.api as sm

    u, v = np.log(x[use]), np.log(y[use])
    lags = int(4 * (len(u) / 100) ** (2 / 9))
    fit = sm.OLS(v, sm.add_constant(u)).fit(cov_type="HAC", cov_kwds={"maxlags": lags}, use_t=True)
    low, high = np.asarray(fit.conf_int(1 - LEVEL))[1]
    slope = Interval(float(fit.params[1]), float(low), float(high), "OLS of logarithms, Newey-West errors")
    return Power(slope, float(x[use].max() / x[use].min()))


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
