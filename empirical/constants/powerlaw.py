"""Do sorted coordinates follow a power law, |g|_(i) ∝ i^{-p}, and which p bounds them?

Rank law and density are one statement: |g|_(i) ∝ i^{-p} means a Pareto tail P(|g| > y) ∝ y^{-1/p}, so p is
the mean of log(|g|_(i)/|g|_(k+1)) over the k largest (Hill). Tail rule (Clauset, Shalizi and Newman 2009):
of 16 log-spaced k, the one whose tail is nearest to its fitted Pareto law in Kolmogorov's distance.
Goodness of fit: semi-parametric bootstrap of that distance, rule included. Only the 5000 largest
coordinates are looked at.

Assumption 4 asks for equality |g|_(i) = i^{-p}‖g‖ with p > 1. Summing squares, Σ i^{-2p} = 1: impossible
for d ≥ 2. What proofs can use is the inequality |g|_(i) ≤ i^{-p}‖g‖; `envelope` is the largest p for which
it holds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import optimize, stats

from empirical.statistics.intervals import Interval
from fpsverify.errors import FpsError

FEWEST_IN_TAIL = 10
LARGEST = 5000
GRID = 16


@dataclass(frozen=True)
class TailFit:
    """Hill's p on the k largest of `n` sizes; against: (z, p-value) of likelihood ratios, z > 0: Pareto."""

    p: float
    k: int
    n: int
    distance: float
    goodness: float
    against: dict[str, tuple[float, float]]


def sorted_sizes(g: np.ndarray) -> np.ndarray:
    """|g| in decreasing order, zeros dropped."""
    size = np.abs(np.asarray(g, dtype=np.float64))
    size = np.sort(size[size > 0])[::-1]
    if len(size) <= FEWEST_IN_TAIL:
        raise FpsError(f"{len(size)} nonzero coordinates: a power law needs more than {FEWEST_IN_TAIL}")
    return size


def envelope(g: np.ndarray) -> float:
    """The largest p with |g|_(i) ≤ i^{-p}‖g‖ for all i; infinite for one nonzero coordinate."""
    size = np.sort(np.abs(np.asarray(g, dtype=np.float64)))[::-1]
    size = size[size > 0]
    if len(size) < 2:
        return math.inf
    norm = math.sqrt(float(size @ size))
    return float(np.min(np.log(norm / size[1:]) / np.log(np.arange(2, len(size) + 1))))


def soft_sparsity(x: np.ndarray) -> float:
    """sp(x) = ‖x‖₁²/‖x‖₂² (Appendix E)."""
    size = np.abs(np.asarray(x, dtype=np.float64))
    energy = float(size @ size)
    return float(size.sum() ** 2 / energy) if energy > 0 else 0.0


def hill(size: np.ndarray, k: int) -> float:
    return float(np.mean(np.log(size[:k])) - math.log(size[k]))


def choose_tail(size: np.ndarray) -> tuple[int, float, float]:
    """(k, p, distance) by the tail rule."""
    logs = np.log(size[:LARGEST])
    grid = np.unique(np.geomspace(FEWEST_IN_TAIL, len(logs) - 1, GRID).astype(int))
    exponents = np.cumsum(logs)[grid - 1] / grid - logs[grid]
    found = [
        (ks_distance(logs, int(k), float(p)), int(k), float(p))
        for k, p in zip(grid, exponents, strict=True)
        if p > 0
    ]
    if not found:
        raise FpsError("the largest coordinates are all equal: no power law can be fitted")
    distance, k, p = min(found)
    return k, p, distance


def ks_distance(logs: np.ndarray, k: int, p: float) -> float:
    """sup |empirical − Pareto| over the k largest sizes, given by their logarithms."""
    above = np.exp((logs[k] - logs[:k]) / p)
    rank = np.arange(1, k + 1) / k
    return float(np.maximum(np.abs(rank - above), np.abs(rank - 1 / k - above)).max())


def fit(g: np.ndarray, rng: np.random.Generator, resamples: int = 100) -> TailFit:
    size = sorted_sizes(g)
    k, p, distance = choose_tail(size)
    goodness = _goodness(size[:LARGEST], k, p, distance, rng, resamples)
    against = {"exponential": against_exponential(size, k, p), "lognormal": against_lognormal(size, k, p)}
    return TailFit(p, k, len(size), distance, goodness, against)


def _goodness(
    size: np.ndarray, k: int, p: float, distance: float, rng: np.random.Generator, resamples: int
) -> float:
    """Share of simulated samples (Pareto tail, observed body) that fit worse; (1 + worse)/(1 + resamples)."""
    n, worse = len(size), 0
    for _ in range(resamples):
        tail = rng.binomial(n, k / n)
        body = rng.choice(size[k:], n - tail)
        simulated = np.sort(np.concatenate([size[k] * rng.random(tail) ** (-p), body]))[::-1]
        worse += choose_tail(simulated)[2] >= distance
    return (1 + worse) / (1 + resamples)


def _pareto_likelihood(size: np.ndarray, k: int, p: float) -> np.ndarray:
    return -math.log(p * size[k]) - (1 + 1 / p) * np.log(size[:k] / size[k])


def vuong(first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
    """(normalised log likelihood ratio, two-sided p-value); positive favours the first."""
    difference = first - second
    spread = float(difference.std(ddof=1))
    if spread == 0:
        return 0.0, 1.0
    z = float(difference.sum() / (math.sqrt(len(difference)) * spread))
    return z, float(2 * stats.norm.sf(abs(z)))


def against_exponential(size: np.ndarray, k: int, p: float) -> tuple[float, float]:
    excess = size[:k] - size[k]
    rate = 1 / excess.mean()
    return vuong(_pareto_likelihood(size, k, p), math.log(rate) - rate * excess)


def against_lognormal(size: np.ndarray, k: int, p: float) -> tuple[float, float]:
    """Lognormal conditioned on lying above size[k]; its Pareto-like limit keeps |location| bounded."""
    logs, cut = np.log(size[:k]), math.log(size[k])
    scale0 = max(float(logs.std()), 1e-3)

    def density(parameters: np.ndarray) -> np.ndarray:
        m, s = float(parameters[0]), math.exp(float(parameters[1]))
        return stats.norm.logpdf(logs, m, s) - logs - stats.norm.logsf(cut, m, s)

    box = [(cut - 50 * scale0, float(logs.max())), (math.log(scale0) - 4, math.log(scale0) + 4)]
    start = np.array([float(logs.mean()), math.log(scale0)])
    best = optimize.minimize(lambda q: -density(q).mean(), start, method="L-BFGS-B", bounds=box)
    return vuong(_pareto_likelihood(size, k, p), density(best.x))


def mean_exponent(vectors: list[np.ndarray], rng: np.random.Generator, resamples: int = 100) -> Interval:
    """The mean over rounds of Hill's p, with coordinates resampled jointly over the rounds.

    A coordinate keeps its rank from round to round, so rounds are no independent sample of it; the Poisson
    bootstrap draws one multiplicity per coordinate, uses it in every round, and applies the tail rule
    again.
    """
    ordered = [_descending(v) for v in vectors]
    fits = [choose_tail(size) for _, size in ordered]
    draws = np.empty(resamples)
    for b in range(resamples):
        weight = rng.poisson(1.0, len(vectors[0]))
        draws[b] = np.mean([_resampled(size, weight[order]) for order, size in ordered])
    draws = draws[np.isfinite(draws)]
    if len(draws) < resamples / 2:
        raise FpsError("too few nonzero coordinates for an interval of p")
    p = float(np.mean([fitted for _, fitted, _ in fits]))
    spread = float(np.std(np.log(draws), ddof=1))
    t = float(stats.t.ppf(0.975, len(draws) - 1))
    sizes = [k for k, *_ in fits]
    which = f"{min(sizes)}-{max(sizes)} coordinates, {len(fits)} rounds"
    method = f"Hill estimator on {which}, bootstrap of coordinates"
    return Interval(p, p * math.exp(-t * spread), p * math.exp(t * spread), method)


def _resampled(size: np.ndarray, weight: np.ndarray) -> float:
    """Hill's p of a resample; NaN if it holds too few coordinates, or only one over and over."""
    sample = np.repeat(size, weight)
    if len(sample) <= FEWEST_IN_TAIL or sample[0] == sample[FEWEST_IN_TAIL]:
        return math.nan
    return choose_tail(sample)[1]


def _descending(v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and sizes from the largest down, as many as a resample can need."""
    most = min(np.count_nonzero(v), 2 * LARGEST)
    order = np.argsort(-np.abs(v), kind="stable")[:most]
    sorted_sizes(v)  # refuses vectors with too few nonzero coordinates
    return order, np.abs(np.asarray(v, dtype=np.float64))[order]
