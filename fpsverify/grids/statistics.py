"""Summaries over seeds, paired comparisons, and which of several cells is the best.

The best of K cells. The cell with the best mean is compared with each other one, pair by pair over the seeds,
by one-sided t-tests at level 0.025/(K−1). Those it does not beat, and itself, contain the truly best cell
with probability 97.5 %: to lose that one, the winner would have to beat it, which each of K−1 cells does with
probability 0.025/(K−1) at most.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

import numpy as np

LOWER_IS_BETTER = ("test_loss", "train_loss", "log_test_loss", "mse", "train_mse")
CONFIDENCE = 0.95
ROUNDING = 1e-9  # a spread below this share of the difference is that of sums of floats
MOST_SEEDS = 1000  # no advice beyond
Name = TypeVar("Name")


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
    Differences that are all equal have no spread to estimate: the sign test decides, see `beyond_chance`;
    the interval is the point itself if it does, or if all are 0, and all numbers if it does not.
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
    found = interval(differences)
    if found is None or found.low is None or found.high is None:
        return None
    error = statistics.stdev(differences) / math.sqrt(found.n)
    if error <= ROUNDING * abs(found.mean):
        return _without_spread(found.mean, found.n)
    p = float(stats.t.sf(found.mean / error, found.n - 1))
    return Comparison(found.mean, found.low, found.high, p, found.n)


def _without_spread(mean: float, n: int) -> Comparison:
    p = 0.5**n if mean > 0 else 1.0
    if mean == 0 or 0.5**n <= (1 - CONFIDENCE) / 2:
        return Comparison(mean, mean, mean, p, n)
    return Comparison(mean, -math.inf, math.inf, p, n)


@dataclass(frozen=True)
class Interval:
    """The mean over n seeds and its 95 % interval (Student's t); one seed has no interval."""

    mean: float
    low: float | None
    high: float | None
    n: int


def interval(values: list[float]) -> Interval | None:
    from scipy import stats

    n = len(values)
    if n < 2:
        return Interval(values[0], None, None, 1) if values else None
    mean, error = statistics.fmean(values), statistics.stdev(values) / math.sqrt(n)
    width = float(stats.t.ppf((1 + CONFIDENCE) / 2, n - 1)) * error
    return Interval(mean, mean - width, mean + width, n)


@dataclass(frozen=True)
class Best(Generic[Name]):
    """The cell with the best mean, and the cells that it does not beat beyond chance.

    `seeds_needed`: about how many would tell them apart if differences and spread stay as they are; None if
    no number up to 1000 would, or if there is nothing to tell apart.
    """

    name: Name
    tied: tuple[Name, ...]
    beaten: tuple[Name, ...]
    seeds_needed: int | None


def best(cells: Mapping[Name, Mapping[int, float]], metric: str) -> Best[Name] | None:
    """`cells`: name → seed → value. None if no cell has a value."""
    sign = -1.0 if metric in LOWER_IS_BETTER else 1.0
    means = {name: sign * statistics.fmean(values.values()) for name, values in cells.items() if values}
    if not means:
        return None
    winner = max(means, key=lambda name: means[name])
    level = 1 - (1 - CONFIDENCE) / 2 / max(1, len(means) - 1)  # halved: the winner is chosen by the data
    tied, beaten, needed = [], [], []
    for name in means:
        if name == winner:
            continue
        shared = cells[winner].keys() & cells[name].keys()
        differences = [sign * (cells[winner][seed] - cells[name][seed]) for seed in sorted(shared)]
        if beyond_chance(differences, level):
            beaten.append(name)
        else:
            tied.append(name)
            needed.append(seeds_needed(differences, level))
    known = [n for n in needed if n is not None]
    enough = max(known) if known and len(known) == len(needed) else None
    return Best(winner, tuple(tied), tuple(beaten), enough)


def beyond_chance(differences: list[float], level: float) -> bool:
    """Is the lower confidence bound of their mean above zero? Never with fewer than two.

    Differences without any spread (accuracies on few test rows) say nothing about theirs: then the sign test
    decides, by which n equal signs have probability 2^−n.
    """
    from scipy import stats

    n = len(differences)
    if n < 2:
        return False
    error = statistics.stdev(differences) / math.sqrt(n)
    if error <= ROUNDING * abs(differences[0]):
        return differences[0] > 0 and 0.5**n <= 1 - level
    return statistics.fmean(differences) > float(stats.t.ppf(level, n - 1)) * error


def seeds_needed(differences: list[float], level: float) -> int | None:
    """The least number of seeds that would decide, were mean and spread to stay as they are."""
    from scipy import stats

    if len(differences) < 2 or statistics.fmean(differences) <= 0:
        return None
    if statistics.stdev(differences) <= ROUNDING * abs(differences[0]):
        return math.ceil(-math.log2(1 - level))
    n = np.arange(2, MOST_SEEDS + 1)
    bounds = stats.t.ppf(level, n - 1) * statistics.stdev(differences) / np.sqrt(n)
    enough = n[statistics.fmean(differences) > bounds]
    return int(enough[0]) if len(enough) else None
