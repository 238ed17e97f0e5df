"""Random configurations for the comparison: every one is drawn from a seed and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from benchmarks.validation.compare import Comparison, lemma_1, lemma_2, measure, theorem_a
from benchmarks.validation.count_sketch import Array, CountSketch
from benchmarks.validation.problems import Problem, logistic, quadratic
from benchmarks.validation.simulate import Read, Setup, Trace, all_signs, simulate
from theory.rates.parameters import Parameters
from theory.rates.theorem_a import admits

READS = ("none", "top-k", "median", "mean")


@dataclass(frozen=True)
class Row:
    """One configuration and what came out."""

    seed: int
    expectation: str  # "exact: no noise", "exact: noise tree" or "sample of n"
    kind: str
    read: str
    E: int
    theorem: dict[str, Comparison]
    drift: list[Comparison]
    residual: list[Comparison]


def largest_admissible_step(q: Parameters) -> float:
    """The sharp range by bisection to three digits; γμ ≤ 1 is kept by the caller's choice of μ."""
    low, high = 0.0, 4.0 / float(q.L)
    while high - low > 1e-3 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if admits(q, middle) else (low, middle)
    return low


def draw_problem(rng: np.random.Generator, d: int) -> Problem:
    M, spread = int(rng.integers(1, 5)), float(rng.choice([0.0, 0.3, 2.0]))
    if rng.random() < 0.4:
        return logistic(rng, M, d, spread)
    return quadratic(rng, M, d, spread, nonconvex=bool(rng.random() < 0.3))


def draw_setup(rng: np.random.Generator, problem: Problem, B2: float, E: int, T: int, noisy: bool) -> Setup:
    """Errors switched on at random, P_bB² ≤ 0.8, and γ a random part of Theorem A's own range."""
    on = rng.random(4) < 0.5
    P_b = float(rng.uniform(0, 0.8) / B2) if on[0] else 0.0
    P_n = float(rng.uniform(0, 1.0)) if noisy and on[1] else 0.0
    q = Parameters(problem.L, 0.0, E, float(np.sqrt(B2)), P_b, P_n, problem.M)
    gamma = float(rng.uniform(0.1, 0.95)) * largest_admissible_step(q)
    return Setup(
        gamma=gamma,
        E=E,
        T=T,
        mu=float(rng.choice([0.0, 0.2 / gamma / E])),
        P_b=P_b,
        P_n=P_n,
        b2=float(10 ** rng.uniform(-4, -1)) if on[2] else 0.0,
        sigma2=float(10 ** rng.uniform(-3, 0)) if noisy and on[3] else 0.0,
        lean=int(rng.integers(-1, 2)),
    )


def draw_read(rng: np.random.Generator, name: str, d: int) -> Read:
    """The sketch has fewer buckets than coordinates in half of the cases."""
    k = int(rng.integers(1, d + 1))
    if name in ("median", "mean"):
        columns = max(2, int(rng.uniform(0.1, 1.5) * d))
        return Read(k, CountSketch.draw(rng, 5, columns, d, average=name == "mean"))
    return Read(k, exact=name == "top-k")


@dataclass(frozen=True)
class Case:
    """What a seed stands for."""

    seed: int
    problem: Problem
    setup: Setup
    read: Read
    name: str
    B2: float


def draw_case(seed: int, rng: np.random.Generator, T: int, most: int, noisy: bool) -> Case:
    """E and the read-out follow from the seed, so that every combination occurs; the rest is random."""
    d, E, name = int(rng.integers(5, most + 1)), (1, 2, 5)[seed % 3], READS[seed % 4]
    problem, B2 = draw_problem(rng, d), float(rng.uniform(1.0, 6.4))
    setup, read = draw_setup(rng, problem, B2, E, T, noisy), draw_read(rng, name, d)
    return Case(seed, problem, setup, read, name, B2)


def noise_free(seed: int, T: int) -> Row:
    """One deterministic run: E is trivial, ξ is the run's own mean residual (a function of the hash
    alone).
    """
    rng = np.random.default_rng(seed)
    case = draw_case(seed, rng, T, most=60, noisy=False)
    trace = _play(case, case.setup, np.ones((1, T, case.problem.M, case.setup.E)), rng)
    return _row(case, trace, mean_residual(trace), "exact: no noise", sampled=False)


def noise_tree(seed: int) -> Row:
    """d ≤ 2 and at most ten fair signs: every outcome is played, so expectations are exact sums."""
    rng = np.random.default_rng(seed)
    E = (1, 2, 5)[seed % 3]
    M = 1 if E == 5 else int(rng.integers(1, 3))
    T, d, B2 = max(1, 10 // (M * E)), int(rng.integers(1, 3)), float(rng.uniform(1.0, 3.0))
    problem = quadratic(rng, M, d, spread=1.0, nonconvex=bool(rng.random() < 0.5))
    case = Case(seed, problem, draw_setup(rng, problem, B2, E, T, noisy=True), Read(d), "none", B2)
    trace = simulate(problem, case.setup, case.read, rng.standard_normal(d) / 10, all_signs(T, M, E), rng)
    return _row(case, trace, np.zeros(d), "exact: noise tree", sampled=False)


def sampled(seed: int, T: int, outcomes: int) -> Row:
    """A sample of noise outcomes; ξ comes from a pilot run without noise on the same hash."""
    rng = np.random.default_rng(seed)
    case = draw_case(seed, rng, T, most=30, noisy=True)
    steps = (T, case.problem.M, case.setup.E)
    pilot = _play(case, replace(case.setup, P_n=0.0, sigma2=0.0), np.ones((1, *steps)), rng)
    trace = _play(case, case.setup, rng.choice([-1.0, 1.0], (outcomes, *steps)), rng)
    return _row(case, trace, mean_residual(pilot), f"sample of {outcomes}", sampled=True)


def mean_residual(trace: Trace) -> Array:
    return (trace.v - trace.w).mean(axis=(0, 1))


def _play(case: Case, setup: Setup, signs: Array, rng: np.random.Generator) -> Trace:
    return simulate(case.problem, setup, case.read, np.zeros(case.problem.d), signs, rng)


def _row(case: Case, trace: Trace, xi: Array, expectation: str, sampled: bool) -> Row:
    problem, setup, read, B2 = case.problem, case.setup, case.read, case.B2
    found = measure(problem, trace, xi, B2, sampled)
    return Row(
        seed=case.seed,
        expectation=expectation,
        kind=problem.kind,
        read=case.name,
        E=setup.E,
        theorem=theorem_a(problem, setup, found, B2, sampled),
        drift=lemma_2(problem, setup, trace, sampled),
        residual=lemma_1(read, trace),
    )
