"""Summaries over seeds and paired comparisons."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import Literal

LOWER_IS_BETTER = ("test_loss", "train_loss", "log_test_loss", "mse", "train_mse")
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Summary:
    """Mean and standard deviation (n − 1) over the trials that finished; one trial shows no deviation."""

    mean: float
    std: float
    n: int

    def percent(self) -> str:
        return f"{100 * self.mean:.2f}" + (f" ± {100 * self.std:.2f}" if self.n > 1 else "")

    def plain(self) -> str:
        return f"{self.mean:.3g}" + (f" ± {self.std:.2g}" if self.n > 1 else "")


def summarise(values: list[float]) -> Summary | None:
    if not values:
        return None
    return Summary(
        statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else 0.0, len(values)
    )


@dataclass(frozen=True)
class Comparison:
    """Paired differences a − b over n trials, signed so that positive means a is better.

    `p` is the one-sided p-value of "a is better" (paired t-test); `low`, `high` the two-sided 95 % interval.
    Differences that are all equal have no spread to estimate: the interval is then the point itself.
    """

    mean: float
    low: float
    high: float
    p: float
    n: int

    @property
    def outcome(self) -> Literal["better", "worse", "undecided"]:
        if self.low > 0:
            return "better"
        return "worse" if self.high < 0 else "undecided"


def compare(a: dict[int, float], b: dict[int, float], metric: str) -> Comparison | None:
    """None with fewer than two trials in common: no interval exists."""
    from scipy import stats

    sign = -1.0 if metric in LOWER_IS_BETTER else 1.0
    differences = [sign * (a[trial] - b[trial]) for trial in sorted(a.keys() & b.keys())]
    n = len(differences)
    if n < 2:
        return None
    mean, error = statistics.fmean(differences), statistics.stdev(differences) / math.sqrt(n)
    if error == 0:
        return Comparison(mean, mean, mean, 0.0 if mean > 0 else 1.0, n)
    width = float(stats.t.ppf((1 + CONFIDENCE) / 2, n - 1)) * error
    return Comparison(mean, mean - width, mean + width, float(stats.t.sf(mean / error, n - 1)), n)
