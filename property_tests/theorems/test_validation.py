"""The repaired theory on runs: no violation anywhere, and the comparison is able to find one."""

import math
from dataclasses import replace
from fractions import Fraction as Fr
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.validation import PROFILES, random_rows, run
from benchmarks.validation.compare import Comparison, lemma_1, lemma_2, measure, theorem_a
from benchmarks.validation.count_sketch import CountSketch, top_k
from benchmarks.validation.problems import Problem, logistic, quadratic
from benchmarks.validation.simulate import Read, Setup, Trace, all_signs, simulate
from theory.counterexamples import exact_sketch, federated
from theory.counterexamples.printed import PrintedParameters

seeds = st.integers(0, 10**6)


@cache
def table() -> dict[str, object]:
    return run("test")


def test_no_bound_is_violated_on_random_runs_of_every_kind() -> None:
    for name, counts in table()["violations"].items():  # type: ignore[attr-defined]
        assert counts["comparisons"] > 50, name
        assert counts["violations"] == 0, name
    kinds = {row.kind for row in random_rows(replace(PROFILES["test"], rounds=5, samples=0))}
    assert kinds == {"quadratic", "nonconvex quadratic", "logistic"}


# ---------------------------------------------------------------- the comparison can fail


def tiny(sigma2: float = 0.0, b2: float = 0.0) -> tuple[Problem, Setup, Read, np.ndarray]:
    rng = np.random.default_rng(5)
    problem = quadratic(rng, 1, 2, 0.0, nonconvex=False)
    setup = Setup(gamma=0.5 / problem.L, E=2, T=5, b2=b2, sigma2=sigma2, lean=0)
    return problem, setup, Read(2), all_signs(5, 1, 2)


@pytest.mark.parametrize("hidden", ["b2", "sigma2"])
def test_understated_errors_are_found(hidden: str) -> None:
    """A run with bias or noise, compared with the bounds of a run without: both statements object."""
    problem, setup, read, signs = tiny(**{hidden: 4.0})
    start = np.linalg.solve(*_normal_equations(problem))
    trace = simulate(problem, setup, read, start, signs, np.random.default_rng(1))
    found = measure(problem, trace, np.zeros(2), 1.0, sampled=False)
    honest, blind = setup, replace(setup, **{hidden: 0.0})
    assert not any(c.violated for c in theorem_a(problem, honest, found, 1.0, False).values())
    assert all(c.violated for c in theorem_a(problem, blind, found, 1.0, False).values())
    opening = Trace(trace.v[:1], trace.w[:1], trace.drift2[:1])  # from the minimum: only the error moves it
    assert not any(c.violated for c in lemma_2(problem, honest, opening, False))
    assert all(c.violated for c in lemma_2(problem, blind, opening, False))


def _normal_equations(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """Hessian and right side of ∇f = 0, read off the gradient."""
    zero = problem.full_gradient(np.zeros(problem.d))
    H = np.stack([problem.full_gradient(e) - zero for e in np.eye(problem.d)], axis=1)
    return H, -zero


def test_a_residual_from_another_sketch_is_found() -> None:
    """Lemma 1' compares a broadcast with the sketch that made it; a broadcast of zeros violates it."""
    rng = np.random.default_rng(0)
    read = Read(3, CountSketch.draw(rng, 5, 400, 12))
    problem, T = quadratic(rng, 2, 12, 0.3, nonconvex=False), 8
    setup = Setup(gamma=0.2 / problem.L, E=1, T=T)
    trace = simulate(problem, setup, read, np.zeros(12), np.ones((1, T, 2, 1)), rng)
    assert not any(c.violated for c in lemma_1(read, trace))
    assert any(c.violated for c in lemma_1(read, replace(trace, w=0 * trace.w)))


def test_nothing_measured_is_infinitely_far_below_its_bound() -> None:
    assert Comparison(0.0, 1.0, 0.0).ratio == math.inf


# ------------------------------------------------- the simulator, against exact runs and closed forms


def test_simulator_follows_the_exact_one() -> None:
    """Two quadratic devices, E = 3, μ > 0, exact top-1 in two dimensions: floats against Fractions."""
    a = ((Fr(1), Fr(1, 2)), (Fr(1, 4), Fr(1)))
    z = ((Fr(1), Fr(-1)), (Fr(3), Fr(2)))
    q = PrintedParameters(
        L=Fr(1), mu=Fr(1, 5), gamma=Fr(1, 4), T=20, W=Fr(9), c=Fr(2), P_b=Fr(1, 9), E=3, M=2, d=2, k=1
    )
    exact_problem = federated.Problem(tuple(federated.Quadratic(x, y) for x, y in zip(a, z, strict=True)))
    sketch = exact_sketch.spread_out(3, 4, 2)
    exact = federated.simulate(exact_problem, q, (Fr(0), Fr(0)), sketch, persistent=True)
    A, Z = np.array(a, float), np.array(z, float)
    problem = Problem("quadratic", 2, 2, 1.0, 0.0, lambda W: A * (W - Z), lambda w: 0.0)
    setup = Setup(gamma=0.25, E=3, T=20, mu=0.2)
    trace = simulate(
        problem, setup, Read(1, exact=True), np.zeros(2), np.ones((1, 20, 2, 3)), np.random.default_rng(0)
    )
    wanted = np.array([[float(x) for x in w] for w in exact.broadcast[:-1]])
    assert np.abs(trace.w[:, 0] - wanted).max() < 1e-12  # 60 steps of a contraction, rounding 1e-16 each


@given(seeds)
def test_bias_and_noise_attain_their_bounds(seed: int) -> None:
    """One step from x: the mean displacement is −γ(∇l + β), and E‖displacement‖² adds γ²(P_n‖∇l‖² + σ²)."""
    rng = np.random.default_rng(seed)
    problem = quadratic(rng, 1, 3, 1.0, nonconvex=True)
    setup = Setup(0.3, 2, 1, P_b=0.3, b2=0.2, P_n=0.4, sigma2=0.1, lean=int(rng.integers(-1, 2)))
    x = rng.standard_normal(3)
    trace = simulate(problem, setup, Read(3), x, all_signs(1, 1, 2), rng)
    size2 = float((problem.full_gradient(x) ** 2).sum())
    first = float(trace.drift2[0, :, 1].mean()) / 0.3**2 - (0.4 * size2 + 0.1)
    beta = math.sqrt(0.3 * size2 + 0.2)
    low, high = (math.sqrt(size2) - beta) ** 2, (math.sqrt(size2) + beta) ** 2
    assert low * (1 - 1e-9) <= first <= high * (1 + 1e-9)
    if setup.lean:
        assert math.isclose(first, high if setup.lean > 0 else low, rel_tol=1e-8, abs_tol=1e-9)


# ---------------------------------------------------------------- problems


@given(seeds, st.booleans())
def test_smoothness_gradient_and_minimum(seed: int, use_logistic: bool) -> None:
    rng = np.random.default_rng(seed)
    problem = logistic(rng, 2, 4, 1.0) if use_logistic else quadratic(rng, 2, 4, 1.0, nonconvex=seed % 2 == 0)
    x, y = rng.standard_normal((2, 4)), rng.standard_normal((2, 4))
    gap = np.linalg.norm(problem.gradients(x) - problem.gradients(y), axis=1)
    assert (gap <= problem.L * np.linalg.norm(x - y, axis=1) * (1 + 1e-12)).all()
    w, h = x[0], 1e-6
    slope = [(problem.value(w + h * e) - problem.value(w - h * e)) / (2 * h) for e in np.eye(4)]
    assert np.allclose(slope, problem.full_gradient(w), atol=1e-7)  # central difference: h² + 1e-16/h
    assert problem.value(w) >= problem.f_star - 1e-12
    assert problem.value(np.zeros(4)) >= problem.f_star - 1e-12


# ---------------------------------------------------------------- the small sketch


@given(seeds, st.lists(st.integers(-20, 20), min_size=6, max_size=6), st.integers(1, 6))
def test_sketch_agrees_with_the_exact_one(seed: int, values: list[int], k: int) -> None:
    sketch = CountSketch.draw(np.random.default_rng(seed), 3, 4, 6)
    exact = exact_sketch.ExactSketch(
        4, tuple(map(tuple, sketch.bucket.tolist())), tuple(tuple(int(s) for s in row) for row in sketch.sign)
    )
    v = np.array(values, float)
    wanted = exact.estimate(exact.add({}, tuple(Fr(x) for x in values)))
    assert sketch.estimate(sketch.insert(v)).tolist() == [float(x) for x in wanted]
    assert top_k(v, k).tolist() == [float(x) for x in exact_sketch.top_k(tuple(Fr(x) for x in values), k)]


def test_collisions_are_counted() -> None:
    sketch = CountSketch(np.array([[0, 0, 1], [1, 1, 1], [0, 1, 0]]), np.ones((3, 3)), 2)
    assert sketch.collisions() == 2
