"""A run against Theorem A, Lemma 2' and Lemma 1': measured, bound, ratio.

Rounding: every measured mean is a float sum of at most 10^6 terms of one sign; its relative error is below
10^6·2^{-53} < 2·10^{-10}. A violation must exceed the bound by more than that.
Sampling: with a sample of n outcomes a violation must exceed the bound by 4 standard errors of the paired
difference (under a normal approximation a true bound fails that once in 30,000 comparisons); trees and
noise-free runs have no sampling error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from benchmarks.validation.count_sketch import Array, CountSketch
from benchmarks.validation.problems import Problem
from benchmarks.validation.simulate import Read, Setup, Trace
from theory.rates.parameters import Parameters
from theory.rates.theorem_a import LocalError, Sources, drift_bounds, solve

ROUNDING = 2e-10
STANDARD_ERRORS = 4.0


@dataclass(frozen=True)
class Comparison:
    """`margin` is what the measured value may exceed the bound by before it counts as a violation."""

    measured: float
    bound: float
    margin: float

    @property
    def violated(self) -> bool:
        return self.measured > self.bound + self.margin

    @property
    def ratio(self) -> float:
        return self.bound / self.measured if self.measured > 0 else math.inf


@dataclass(frozen=True)
class Measured:
    """Means over rounds and outcomes."""

    A: float
    A_error: float
    R2: float
    rho2: float
    D2: float
    G2: float
    Delta: float


def measure(problem: Problem, trace: Trace, xi: Array, B2: float, sampled: bool) -> Measured:
    """A, the residual about ξ in points and in gradients, D², G² for this B², and Δ_ξ.

    What a sample puts into the bound (R², ρ², D²) is raised by its sampling error, so that chance cannot
    lower the bound.
    """
    gradients = problem.at_common_point(trace.w)  # (T, outcomes, M, d)
    full = gradients.mean(axis=-2)
    norm2 = (full**2).sum(axis=-1)
    D2 = (gradients**2).sum(axis=-1).mean(axis=-1)
    shifted = trace.v - xi
    residual = ((shifted - trace.w) ** 2).sum(axis=-1)
    slope_gap = ((problem.full_gradient(shifted) - full) ** 2).sum(axis=-1)
    per_outcome = norm2.mean(axis=0)
    return Measured(
        A=float(per_outcome.mean()),
        A_error=_standard_error(per_outcome),
        R2=_upper(residual, sampled),
        rho2=_upper(slope_gap, sampled),
        D2=_upper(D2, sampled),
        G2=float(max(0.0, (D2 - B2 * norm2).max())),
        Delta=max(0.0, problem.value(trace.v[0, 0] - xi) - problem.f_star),
    )


def _upper(values: Array, sampled: bool) -> float:
    """The mean over rounds and outcomes, plus its sampling error if outcomes are a sample."""
    per_outcome = values.mean(axis=0)
    return float(per_outcome.mean()) + (STANDARD_ERRORS * _standard_error(per_outcome) if sampled else 0.0)


def _standard_error(values: Array) -> float:
    return float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else 0.0


def parameters_of(problem: Problem, setup: Setup, B2: float) -> Parameters:
    return Parameters(problem.L, setup.mu, setup.E, math.sqrt(B2), setup.P_b, setup.P_n, problem.M)


def theorem_a(
    problem: Problem, setup: Setup, found: Measured, B2: float, sampled: bool
) -> dict[str, Comparison]:
    """(★) from the constants (R², G², B²), and with measured D² and gradient residual in their place."""
    q = parameters_of(problem, setup, B2)
    errors = {"b2": setup.b2, "sigma2": setup.sigma2}
    plain = Sources(Delta=found.Delta, R2=found.R2, G2=found.G2, **errors)
    sharp = Sources(Delta=found.Delta, rho2=found.rho2, D2=found.D2, **errors)
    bounds = {
        name: solve(q, setup.gamma, setup.T, s).bound
        for name, s in (("constants", plain), ("measured", sharp))
    }
    sampling = STANDARD_ERRORS * found.A_error if sampled else 0.0
    margin = sampling + ROUNDING * found.A
    return {name: Comparison(found.A, bound, margin) for name, bound in bounds.items()}


def lemma_2(problem: Problem, setup: Setup, trace: Trace, sampled: bool) -> list[Comparison]:
    """mean_m E‖w^{m,e} − x‖² ≤ E S_e(D_t)², for every e ≥ 1, averaged over rounds."""
    D = np.sqrt((problem.at_common_point(trace.w) ** 2).sum(axis=-1).mean(axis=-1))  # (T, outcomes)
    error = LocalError(setup.P_b, setup.P_n, setup.b2, setup.sigma2)
    S = drift_bounds(setup.E - 1, setup.gamma, problem.L, setup.mu, D, error)
    found = []
    for e in range(1, setup.E):
        measured, bound = trace.drift2[..., e].mean(axis=0), (S[e] ** 2).mean(axis=0)
        sampling = STANDARD_ERRORS * _standard_error(measured - bound) if sampled else 0.0
        mean = float(measured.mean())
        found.append(Comparison(mean, float(bound.mean()), sampling + ROUNDING * mean))
    return found


def lemma_1(read: Read, trace: Trace) -> list[Comparison]:
    """(a) at every round of the first outcome of a noise-free read, and (d) for the sketch that was used."""
    sketch = read.sketch
    if sketch is None:
        return []
    found = []
    for v, w in zip(trace.v[:, 0], trace.w[:, 0], strict=True):
        estimate = sketch.estimate(sketch.insert(v))
        found.append(residual_comparison(v, w, estimate, read.k))
        if not sketch.average:
            found.append(adaptive_comparison(sketch, v, estimate))
    return found


def residual_comparison(v: Array, w: Array, estimate: Array, k: int) -> Comparison:
    """‖v − w̃‖² ≤ kη² + (τ_k + 2√k η)²."""
    order, best = (np.argsort(-np.abs(x), kind="stable")[:k] for x in (estimate, v))
    union = np.union1d(order, best)
    eta = float(np.abs(estimate - v)[union].max())
    tail = math.sqrt(max(0.0, float(v @ v - v[best] @ v[best])))
    measured = float((v - w) @ (v - w))
    bound = k * eta**2 + (tail + 2 * math.sqrt(k) * eta) ** 2
    return Comparison(measured, bound, ROUNDING * (measured + float(v @ v)))


def adaptive_comparison(sketch: CountSketch, v: Array, estimate: Array) -> Comparison:
    """max_i|Δ̂_i| ≤ min over s with ϑs < h of ϑ‖v_tail(s)‖_1/(h − ϑs); s = 0 is always allowed."""
    theta, h = sketch.collisions(), -(-len(sketch.bucket) // 2)
    ordered = np.sort(np.abs(v))[::-1]
    usable = range((h - 1) // theta + 1) if theta else range(len(v) + 1)
    bound = min(theta * float(ordered[s:].sum()) / (h - theta * s) for s in usable)
    return Comparison(float(np.abs(estimate - v).max()), bound, ROUNDING * float(ordered.sum()))
