"""Intervals for a pair (P, s²) that must cover every point, and the choice among admissible pairs.

Any P goes with a large enough s², so a pair is a choice, not a fact. It is chosen on the frontier of the
points' upper limits, where it makes the repaired bound smallest. Then
    s²  is the smallest value that goes with P = P.high:    max_i (y_i − P x_i),
    P   is the smallest value that goes with s² = s².high:  max_i (y_i − s²)/x_i,
each with its interval. The safe pair (P.high, s².high) is a corner of the frontier: a line through the upper
limits of two points, either of which may fail, so each has half of the 2.5 %. Without a relative or an
absolute part it rests on one point. The pair covers every sampled point with 97.5 % confidence. For the
rounds between, s² has a margin (`for_all_rounds`), another 2.5 %.

That margin is wide: with 20 % of noise, 25 times (10 of 151 rounds) and 17 times (40) the s² that would do
beside the chosen P in the median of 200 trials, because that s² is small beside P x, whose fluctuations it
must cover. In the bound it costs 36 % and 6 %. Two tighter rules were tried. To choose among pairs that have
their margins already gains little (33 % and 6 %). To stretch P and s² by a common factor costs 4 % and 2 %,
but covers 94.5 % only with 40 looks, and multiplies P_n by 2.3 and 1.45: it is paid for in learning rate.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from scipy import stats

from empirical.observed.replicates import Energies
from empirical.statistics import unseen
from empirical.statistics.frontier import Pair, frontier, thinned
from empirical.statistics.intervals import LEVEL, Interval, largest_mean, log_scale, score_scale
from theory.rates import ranges as learning_rate
from theory.rates import theorem_a
from theory.rates.parameters import Parameters
from theory.rates.theorem_a import Sources

Bounds = Callable[[float], np.ndarray]
MOST_VERTICES = 12


@dataclass(frozen=True)
class Cloud:
    """Points x_i with estimates of y_i: bounds(c) moves each estimate by c standard errors."""

    x: np.ndarray
    bounds: Bounds
    n: int

    def upper(self) -> np.ndarray:
        """Pointwise upper limits, never below 0, of which two may bind at once."""
        return np.maximum(self.bounds(float(stats.t.ppf(1 - (1 - LEVEL) / 4, self.n - 1))), 0.0)

    def frontier(self) -> list[Pair]:
        return thinned(frontier(self.x, self.upper()), MOST_VERTICES)


def noise_cloud(energies: Energies) -> Cloud:
    return Cloud(energies.x, log_scale(energies.noise, energies.noise_se), energies.n)


def bias_cloud(energies: Energies) -> Cloud:
    e = energies
    return Cloud(e.x, score_scale(e.bias, e.bias_variance0, e.bias_slope, e.bias_dof), e.n)


def pair_intervals(cloud: Cloud, pair: Pair) -> tuple[Interval, Interval]:
    """Intervals of P and s² for a pair on the cloud's frontier."""
    positive = cloud.x > 0
    quotient = lambda c, s2: (cloud.bounds(c)[positive] - s2) / cloud.x[positive]  # noqa: E731
    if pair.P == 0 or not positive.any():
        s2 = largest_mean(cloud.bounds, cloud.n, "gradients drawn again")
        return Interval(0.0, 0.0, 0.0, "the chosen pair has no relative part"), s2
    if pair.s2 == 0:
        P = largest_mean(lambda c: quotient(c, 0.0), cloud.n, "gradients drawn again")
        return P, Interval(0.0, 0.0, 0.0, "the chosen pair has no absolute part")
    s2 = largest_mean(lambda c: cloud.bounds(c) - pair.P * cloud.x, cloud.n, "gradients drawn again", 2)
    P = largest_mean(lambda c: quotient(c, s2.high), cloud.n, "gradients drawn again", 2)
    # The slope of the corner may be a unit in the last place below the quotient that it came from.
    return Interval(min(P.estimate, pair.P), min(P.low, pair.P), pair.P, P.method), s2


def for_all_rounds(
    cloud: Cloud, rounds: np.ndarray, pair: tuple[Interval, Interval], T: int
) -> tuple[Interval, Interval]:
    """The pair with an s² whose upper end holds for rounds without replicates too; P stays as chosen.

    Looked at is the point of each round that is highest over the line of slope P.
    """
    P, s2 = pair
    at, upper = np.unique(rounds), cloud.upper()
    here = [np.flatnonzero(rounds == t) for t in at]
    top = np.array([i[np.argmax(upper[i] - P.high * cloud.x[i])] for i in here])
    left = unseen.largest_excess(at, upper[top], cloud.x[top], P.high, T, 1 - (1 - LEVEL) / 2)
    where = f"{len(at)} of {T + 1} rounds"
    P = replace(P, method=f"{P.method}, chosen at {where}; the absolute part covers the others")
    s2 = replace(s2, high=max(s2.high, left.high), method=f"{s2.method} at {where}; upper end for all rounds")
    return P, s2


@dataclass(frozen=True)
class Choice:
    """(P_b, b²), (P_n, σ²) and (B², G²)."""

    bias: Pair
    noise: Pair
    dissimilarity: Pair


@dataclass(frozen=True)
class Scale:
    """What else the bound needs: the run's steps and its measured L, Δ and R²."""

    L: float
    mu: float
    E: int
    M: int
    gamma: float
    T: int
    Delta: float
    R2: float


def parameters(choice: Choice, scale: Scale) -> Parameters:
    return Parameters(
        L=scale.L,
        mu=scale.mu,
        E=scale.E,
        M=scale.M,
        B=max(1.0, math.sqrt(choice.dissimilarity.P)),
        P_b=choice.bias.P,
        P_n=choice.noise.P,
    )


def cost(choice: Choice, scale: Scale) -> tuple[float, float]:
    """Theorem A's bound; where it is infinite, the pair that allows the largest γ is best."""
    q = parameters(choice, scale)
    sources = Sources(scale.Delta, scale.R2, choice.dissimilarity.s2, choice.bias.s2, choice.noise.s2)
    defined = scale.gamma * scale.mu <= 1 or scale.E == 1
    if defined and theorem_a.admits(q, scale.gamma):  # else no A is excluded, which is slow to find out
        bound = float(theorem_a.solve(q, scale.gamma, scale.T, sources).bound)
        if math.isfinite(bound):
            return bound, 0.0
    return math.inf, -learning_rate.binding(learning_rate.sharp_limits(q)).gamma


def choose(bias: list[Pair], noise: list[Pair], dissimilarity: list[Pair], scale: Scale) -> Choice:
    """The best pair of each frontier, one at a time, until nothing improves (a few sweeps at most)."""
    cost_of = cache(lambda choice: cost(choice, scale))  # the last sweeps meet known choices again
    best = Choice(bias[0], noise[0], dissimilarity[0])
    best_cost = cost_of(best)
    improved = True
    while improved:
        improved = False
        for name, pairs in (("dissimilarity", dissimilarity), ("noise", noise), ("bias", bias)):
            for pair in pairs:
                candidate = replace(best, **{name: pair})
                if (candidate_cost := cost_of(candidate)) < best_cost:
                    best, best_cost, improved = candidate, candidate_cost, True
    return best
