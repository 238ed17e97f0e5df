"""Fresh sketches: moments by enumeration, certified rates on random devices, edges, memory, sizes, floors."""

import itertools
import json
import math
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from property_tests.support import fresh_rounds as fr
from theory.errors import InvalidParameter
from theory.formulas import fresh as ff
from theory.papers.fps import letters as sy
from theory.rates import fresh
from theory.rates.descent.certificate import Certificate, FreshRound, from_json, parsed
from theory.rates.descent.certified import best_gamma, certified_range, certify
from theory.rates.descent.check import objection
from theory.rates.fresh_sketch import FreshSketch
from theory.rates.parameters import Parameters
from theory.rates.theorem_a import Fresh, Sources, admits, fresh_supremum, limits, solve

ROUNDING = 1e-9  # some thousand operations of 2⁻⁵³ on numbers below 100

KINDS = [
    ("count_sketch", 3, 2),
    ("count_sketch", 2, 3),
    ("balanced", 4, 2),
    ("balanced", 3, 3),
    ("fold", 6, 2),
]


@pytest.mark.parametrize(("kind", "d", "b"), KINDS)
def test_moments_and_prices_by_enumeration(kind: str, d: int, b: int) -> None:
    """Lemma 1: E A = I, E|Ax|² = (1+ω)|x|², and λ_max(Ω) is at most the price, for every draw in turn."""
    A = np.array([S.T @ S for S in fr.all_tables(kind, d, b)])
    assert np.allclose(A.mean(0), np.eye(d), atol=1e-13)
    draws = np.random.default_rng(d)
    for trial in range(20):  # first one direction: there a class costs more than its trace
        drawn = fr.from_above(fr.drawn_devices(draws, 1, d, alike=True).mean) + 0.05 * np.eye(d)
        H = drawn if trial else np.ones((d, d)) / d
        Omega = ((A - np.eye(d)) @ H @ (A - np.eye(d))).mean(0)
        ell, trace = float(np.linalg.eigvalsh(H)[-1]) + 1e-11, float(np.trace(H)) + 2e-11
        sketch = FreshSketch(1, b, d, ell, max(trace, ell), kind)
        if kind == "fold":
            classes = [i % b for i in range(d)]
            expected = fr.classes_extra(H, classes)
            traces = np.bincount(classes, np.diag(H)) + 1e-11
            sketch = FreshSketch.with_classes([traces.tolist()], d, ell)
        else:
            expected = fr.extra(H, float(sketch.sharing))
        assert np.allclose(Omega, expected, atol=1e-6)  # 2³⁰ words for b = 3: p_1 is off from 1/3 by 1e-19
        top = float(np.linalg.eigvalsh(Omega)[-1])
        assert top <= float(sketch.omega_L) + ROUNDING
        assert top <= float(FreshSketch(1, b, d, ell, None, kind).omega_L) + ROUNDING  # the worst case
        x = draws.normal(size=d)
        energy = float(np.mean([np.sum((each @ x) ** 2) for each in A]))
        assert energy == pytest.approx((1 + float(sketch.omega)) * float(x @ x), rel=1e-6)


@pytest.mark.parametrize(("s", "b"), [(1, 1), (2, 2), (3, 1)])
def test_lemma_2_is_exact_on_quadratics(s: int, b: int) -> None:
    """All hashes, participants, signs of noise: E f(x_+) is `Devices.after`, below Lemma 2's right side."""
    draws, d, M, noise = np.random.default_rng(s), 2, 3, 0.3
    tables = fr.all_tables("count_sketch", d, b)
    for _ in range(10):
        devices = fr.drawn_devices(draws, M, d, alike=False)
        x = draws.normal(size=d)
        moved = devices.displacements(x, 0.4, 3)
        ends = [
            devices.value(x + S.T @ (S @ moved[list(Q)].mean(0) + noise * np.array(signs)))
            for Q in itertools.combinations(range(M), s)
            for S in tables
            for signs in itertools.product((1.0, -1.0), repeat=b)
        ]
        H = devices.mean
        floor = noise**2 * np.trace(H) / 2
        kappa = float(FreshSketch(1, b, d, ell=1).kappa(M, s))
        exact = devices.after(x, moved, fr.extra(H, 1 / b), kappa) + floor
        assert np.mean(ends) == pytest.approx(exact, abs=1e-9)
        above = fr.from_above(H)
        ell, omega_L = np.linalg.eigvalsh(above)[-1], np.linalg.eigvalsh(fr.extra(above, 1 / b))[-1]
        values = {ff.ell: ell, ff.omega_L: omega_L, ff.kappa: kappa, ff.sigma_c2: noise**2, ff.J: 1}
        values |= {ff.trace: np.trace(above), ff.mean2: np.sum(moved.mean(0) ** 2)}
        values |= {ff.spread2: np.mean(np.sum((moved - moved.mean(0)) ** 2, axis=1))}
        right = devices.value(x + moved.mean(0)) + float(ff.TRANSFER.subs(values))
        assert np.mean(ends) <= right + ROUNDING


@pytest.mark.parametrize(("kind", "d", "b"), KINDS)
def test_the_price_of_full_power_by_enumeration(kind: str, d: int, b: int) -> None:
    """Theorem N: noise of variance ν_c|S y|²/m on every number costs at most (ν'/2)|y|², s = 1."""
    tables, draws = fr.all_tables(kind, d, b), np.random.default_rng(b)
    for trial in range(10):
        drawn = fr.from_above(fr.drawn_devices(draws, 1, d, alike=True).mean) + 0.05 * np.eye(d)
        H = drawn if trial else np.ones((d, d)) / d
        sketch = FreshSketch(
            1, b, d, float(np.linalg.eigvalsh(H)[-1]) + 1e-11, float(np.trace(H)) + 2e-11, kind
        )
        y = draws.normal(size=d) if trial else np.ones(d)
        spent = np.mean([np.sum((S @ y) ** 2) / b * np.trace(S @ H @ S.T) / 2 for S in tables])
        assert spent <= float(sketch.power_price(1, 1)) / 2 * float(y @ y) + ROUNDING
        if trial == 0 and kind == "count_sketch":  # sharp where y is the steepest direction of ones
            flat = np.trace(H) + 2 / b * (np.linalg.eigvalsh(H)[-1] - 1 / d)
            assert spent == pytest.approx(flat / (2 * b) * float(y @ y), rel=1e-6)


def test_no_protocol_is_better_than_half_of_the_balanced_sketch() -> None:
    """Theorem O: m new directions a round leave 1 − tm/d of a random distance; fresh has (1 − m/d)^t."""
    for d, m, T in ((12, 3, 4), (20, 1, 60), (8, 8, 5)):
        left = [max(0.0, 1 - t * m / d) for t in range(T)]
        fresh_left = [(1 - m / d) ** t for t in range(T)]
        letters = {ff.L: 1, ff.F0: sp.Rational(1, 2), ff.d: d, ff.m: m, ff.T: T}
        lower, upper = (float(each.subs(letters)) for each in (ff.OPTIMAL_BOUND, ff.FRESH_BOUND))
        if d % m == 0 and d // m <= T:
            assert np.mean(left) == pytest.approx(lower)
        assert lower <= np.mean(left) * (1 + 1e-12) or d // m > T
        assert np.mean(fresh_left) <= upper < 2 * lower


GRID = [
    (E, B, omega, kappa)
    for E in (1, 2, 4)
    for B in ("1", "3/2", "3")
    for omega in (0.5, 4, 19)
    for kappa in (0, 1)
]


@cache
def made(E: int, B: str, omega: float, kappa: int, share: str, theta: int) -> Certificate:
    """A certificate for a sketch with this price ω_L/ℓ, κ = 0 or 1 (1 of 2 devices), A3 at the broadcasts."""
    q, sketch = Parameters(L=1, E=E, B=Fraction(B)), FreshSketch(1, 2, int(2 * omega) + 1, ell=1)
    assert sketch.omega_L == Fraction(omega)
    round_ = FreshRound(sketch, 2, 1 if kappa else 2)
    found = certified_range(q, theta, round_, everywhere=False)
    assert found.gamma is not None and found.proof is not None and not found.proof.asks_A3_everywhere
    proof = found.proof if share == "1" else certify(q, found.gamma * Fraction(share), theta, round_, False)
    assert proof is not None and objection(proof) is None
    return proof


def compare(rounds: int, seed: int, faster: float = 1.0) -> list[float]:
    """E f(x_+) − [f(x) − c|∇f|² + price·G²] over its size; above 0 the certificate is broken."""
    draws, gaps = np.random.default_rng(seed), []
    while len(gaps) < rounds:
        E, B, omega, kappa = GRID[draws.integers(len(GRID))]
        proof = made(E, B, omega, kappa, str(draws.choice(["1", "1/2"])), 1)
        d = int(draws.integers(2, 7))
        devices = fr.drawn_devices(draws, 2, d, alike=B == "1", convex=bool(draws.integers(2)))
        Omega = fr.extra(devices.mean, 1.0)
        price = float(np.linalg.eigvalsh(fr.extra(fr.from_above(devices.mean), 1.0))[-1])
        p = min(1.0, omega / max(price, 1e-9))  # the sketch that has just this price
        x = draws.normal(size=d)
        slopes = devices.gradients(x)
        slope2 = float(np.sum(slopes.mean(0) ** 2))
        G2 = max(0.0, float(np.mean(np.sum(slopes**2, axis=1))) - float(proof.B) ** 2 * slope2)
        moved = devices.displacements(x, faster * float(proof.gamma), E)
        change = devices.after(x, moved, p * Omega, float(kappa)) - devices.value(x)
        allowed = -float(proof.c) * slope2 + float(proof.price("spread")) * G2
        gaps.append((change - allowed) / (abs(change) + abs(allowed) + 1e-12))
    return gaps


def test_certified_rates_descend_on_random_devices() -> None:
    """Exact means over hashes and participants; the least G that A3 allows."""
    assert max(compare(500, seed=1)) <= 1e-7


def test_the_comparison_sees_a_rate_that_is_too_large() -> None:
    """The same comparison at three times the certified rate is broken."""
    assert max(compare(200, seed=2, faster=3.0)) > 1e-3


@pytest.mark.parametrize("omega", [1, 4, 19])
@pytest.mark.parametrize("E", [1, 2, 5])
def test_no_range_passes_the_isotropic_limit(omega: int, E: int) -> None:
    """f = |x|²/2 stays where it is there, so no proof goes beyond; at E = 1 and ω = 19 nothing is lost."""
    sketch = FreshSketch(1, 1, omega + 1, ell=1)
    limit = fresh.isotropic_limit(omega, E)
    found = fresh.fresh_range(Parameters(L=1, E=E), sketch)
    assert found.gamma_max is not None and found.gamma_max_everywhere is not None
    assert found.gamma_max <= found.gamma_max_everywhere < limit
    assert found.impossible == (limit if math.isfinite(limit) else None)
    shrunk = 1 - (1 - limit) ** E  # E|x_+|² = (1 − 2r + (1+ω) r²)|x|²
    if math.isfinite(limit):
        assert (1 + omega) * shrunk == pytest.approx(2) or omega == 0
    if omega == 19:
        assert found.gamma_max_everywhere > 0.99 * limit


def one_step_end(curved: Fraction | int, kappa: Fraction, B: Fraction | float) -> Fraction | float:
    """2/((ℓ+ω_L)(1+κ(B²−1)))."""
    return 2 / (curved * (1 + kappa * (B**2 - 1)))


@given(
    st.fractions(1, 4, max_denominator=20),
    st.fractions(0, 30, max_denominator=20),
    st.sampled_from([(1, 4), (2, 4), (3, 10), (5, 5)]),
)
@settings(max_examples=25)
def test_one_step_is_the_closed_form(B: Fraction, omega: Fraction, who: tuple[int, int]) -> None:
    """E = 1: the end is 2/((ℓ+ω_L)(1+κ(B²−1))) up to the search's tolerance; c and G²'s price agree."""
    s, M = who
    sketch = FreshSketch(1, 1, max(2, int(omega)), ell=1)
    kappa = sketch.kappa(M, s)
    letters = {ff.curved: 1 + sketch.omega_L, ff.v: kappa * (1 + sketch.omega_L), sy.B: B}
    end = one_step_end(1 + sketch.omega_L, kappa, B)
    q = Parameters(L=1, E=1, B=B)
    found = fresh.fresh_range(q, sketch, M, s)
    assert found.gamma_max is not None and float(end) * (1 - 2e-4) < found.gamma_max < end
    half = certify(q, end / 2, 1, FreshRound(sketch, M, s), everywhere=False)
    assert half is not None
    letters[sy.gamma] = end / 2
    assert float(half.c) <= float(ff.ONE_STEP_RATE.subs(letters)) * (1 + 1e-9)
    assert float(half.price("spread")) >= float(ff.ONE_STEP_PRICE.subs(letters)) * (1 - 1e-9)


def mean_square_radius(maps: list[fr.Array], p: float) -> float:
    """The growth of E x xᵀ under x_+ = x − A W x, W one of the maps, A a sketch with E A = I."""
    d = len(maps[0])

    def after(X: fr.Array) -> fr.Array:
        return sum(X - W @ X - X @ W.T + W @ X @ W.T + fr.extra(W @ X @ W.T, p) for W in maps) / len(maps)

    basis = [np.eye(1, d * d, k).reshape(d, d) for k in range(d * d)]
    return float(np.abs(np.linalg.eigvals(np.array([after(each).ravel() for each in basis]).T)).max())


@pytest.mark.parametrize(("M", "s", "B"), [(4, 1, 2.0), (4, 2, 2.0), (2, 1, 3.0)])
def test_with_participants_the_one_step_range_is_exact(M: int, s: int, B: float) -> None:
    """H_m = I ± √(B²−1)·K: the edge in mean square is the end of the range, from both sides."""
    d, p = 4, 1 / 3
    Q = np.linalg.qr(np.random.default_rng(0).normal(size=(d, d)))[0]
    K = (Q * [1, -1, 1, -1]) @ Q.T
    H = [np.eye(d) + sign * math.sqrt(B * B - 1) * K for sign in [1, -1] * (M // 2)]
    end = float(one_step_end(2, FreshSketch(1, 3, d, ell=1).kappa(M, s), B))
    picks = list(itertools.combinations(range(M), s))
    for share, stable in ((0.999, True), (1.001, False)):
        maps = [share * end * sum(H[m] for m in Q) / s for Q in picks]
        assert (mean_square_radius(maps, p) < 1) == stable


def test_a_certificate_covers_every_cheaper_sketch_and_no_dearer_one() -> None:
    proof = made(4, "3/2", 4, 1, "1", 1)
    for factor in (0, Fraction(1, 2), Fraction(9, 10)):
        cheaper = replace(proof, sketch=None, omega=proof.omega * factor, v=proof.v * factor)
        assert objection(cheaper) is None
    assert objection(replace(proof, sketch=None, omega=proof.omega * 2)) is not None
    assert objection(replace(proof, sketch=None, v=proof.v * 10)) is not None


def test_a_file_without_prices_is_one_without_a_sketch() -> None:
    proof = made(2, "3/2", 4, 1, "1", 1)
    record = proof.as_json()
    del record["parameters"]["omega"], record["parameters"]["v"]
    read = from_json(parsed(json.dumps(record)))
    assert (read.omega, read.v) == (0, 0) and "too small for the sketch" in str(objection(read))
    assert objection(replace(read, sketch=None)) is None
    assert from_json(parsed(proof.dumps())) == proof


@given(
    st.integers(1, 5),
    st.floats(1, 3),
    st.sampled_from([0.0, 0.05, 0.2]),
    st.floats(0, 20),
    st.floats(0.005, 1.5),
)
@settings(max_examples=60)
def test_theorem_s_prime_without_participation_has_the_closed_range(
    E: int, B: float, P_b: float, omega: float, gamma: float
) -> None:
    """κ = 0, no noise: α < 1 and u_w(1+√α) < 2."""
    q, compression = Parameters(L=1.0, E=E, B=B, P_b=P_b), Fresh(1.0, omega)
    u, alpha, _ = limits(q, gamma)
    edge = (1 + omega) * u * (1 + math.sqrt(alpha)) - 2
    if min(abs(alpha - 1), abs(edge)) > 1e-9:
        assert admits(q, gamma, fresh=compression) == (alpha < 1 and edge < 0)


def test_theorem_s_prime_bounds_every_run() -> None:
    """Quadratics over T rounds in exact second moments, with participants and noise on the sketch."""
    draws, compared, least = np.random.default_rng(5), 0, 9.0
    while compared < 200:
        d, M, E, T = (int(draws.integers(low, high)) for low, high in ((1, 4), (1, 4), (1, 4), (1, 5)))
        s, p = int(draws.integers(1, M + 1)), float(draws.choice([1, 1 / 2, 1 / 7]))
        noise2, devices = float(draws.choice([0, 0.1])), fr.drawn_devices(draws, M, d, alike=M == 1)
        above = fr.from_above(devices.mean)
        ell, omega = (max(float(np.linalg.eigvalsh(X)[-1]), 1e-3) for X in (above, fr.extra(above, p)))
        kappa = float(FreshSketch(1, 1, 2, ell=1).kappa(M, s))
        compression = Fresh(ell, omega * (1 + 1e-9), kappa, noise2 * float(np.trace(above)))
        q = Parameters(L=1, E=E, B=1)
        gamma = float(draws.uniform(0.2, 0.95)) * fresh_supremum(q, compression)
        A, D2, drop = second_moments(devices, draws.normal(size=d), gamma, E, T, s, p, noise2)
        if drop <= 0:
            continue
        found = solve(q, gamma, T, Sources(Delta=drop, D2=D2), fresh=compression)
        least = min(least, found.bound / A - 1)
        compared += 1
    assert least > -1e-9 and least < 0.5  # and not far from sharp


def second_moments(
    devices: fr.Devices, x: fr.Array, gamma: float, E: int, T: int, s: int, p: float, noise2: float
) -> tuple[float, float, float]:
    """A, the mean of mean_m|∇l_m|², and f(x_0) − E f(x_T), from E zzᵀ of z = (x, 1)."""
    M, d = devices.c.shape
    lift = np.hstack([np.eye(d), np.zeros((d, 1))])
    Y = []
    for H, c in zip(devices.H, devices.c, strict=True):
        W = lift.copy()
        for _ in range(E):
            W = W - gamma * (H @ W - np.outer(c, np.eye(d + 1)[d]))
        Y.append(W - lift)
    slopes = [np.hstack([H, -c[:, None]]) for H, c in zip(devices.H, devices.c, strict=True)]
    whole = sum(slopes) / M
    f = np.zeros((d + 1, d + 1))
    f[:d, :d], f[:d, d], f[d, :d] = devices.mean / 2, -devices.c.mean(0) / 2, -devices.c.mean(0) / 2
    z = np.append(x, 1.0)
    Z, A, D2 = np.outer(z, z), 0.0, 0.0
    first = float(np.sum(f * Z))
    picks = [sum(Y[m] for m in Q) / s for Q in itertools.combinations(range(M), s)]
    for _ in range(T):
        A += float(np.trace(whole @ Z @ whole.T)) / T
        D2 += float(np.mean([np.trace(g @ Z @ g.T) for g in slopes])) / T
        square, mean = np.zeros((d, d)), np.zeros(d)
        for W in picks:
            cross, own = (W @ Z)[:, :d], W @ Z @ W.T
            square += (Z[:d, :d] + cross + cross.T + own + fr.extra(own, p)) / len(picks)
            mean += (Z[:d, d] + W @ Z[:, d]) / len(picks)
        Z[:d, :d], Z[:d, d], Z[d, :d] = square + noise2 * np.eye(d), mean, mean
    return A, D2, first - float(np.sum(f * Z))


@pytest.mark.parametrize("memory", [0.0, 0.5, 0.8, 0.95, 1.0])
@pytest.mark.parametrize("q", [2, 5, 20])
def test_leaky_memory_on_the_isotropic_quadratic(q: int, memory: float) -> None:
    """The moments E x², E xe, E e² of x_+ = x + kA(e − γx), e_+ = ρ(I − A/q)(e − γx): the edge is exact."""
    c = 1 / q
    k = (1 - memory * (1 - c)) / c

    def radius(gamma: float) -> float:
        square, cross = np.array([gamma**2, -2 * gamma, 1.0]), np.array([-gamma, 1.0, 0.0])
        rows = [
            np.array([1.0, 0, 0]) + 2 * k * c * cross + k * k * c * square,
            memory * (1 - c) * cross,
            memory**2 * (1 - c) * square,
        ]
        return float(np.abs(np.linalg.eigvals(np.array(rows))).max())

    edge = fresh.memory_edge(1, q - 1, memory)
    assert radius(edge * 0.999) < 1 < radius(edge * 1.001)
    assert fresh.memory_end(1, q - 1, q - 1, memory) <= edge * (1 + 1e-12)
    if memory == 0:
        assert edge == pytest.approx(2 / q) == fresh.memory_end(1, q - 1, q - 1, 0)


@pytest.mark.parametrize("memory", [0.0, 0.5, 0.9, 1.0])
def test_theorem_L_bounds_the_sum_of_squared_gradients(memory: float) -> None:
    """The fold on 4 coordinates, every sign: Σ E|∇f|²·γ(1 − γ·slope) ≤ Δ for quadratics, inside the range."""
    d, b, draws = 4, 2, np.random.default_rng(3)
    P = np.array([S.T @ S / 2 for S in fr.all_tables("fold", d, b)])
    c, eye = b / d, np.eye(d)
    for _ in range(4):
        H = fr.from_above(fr.drawn_devices(draws, 1, d, alike=True).mean) + 0.05 * eye
        H /= np.linalg.eigvalsh(H)[-1]
        omega_L = float(np.linalg.eigvalsh(fr.classes_extra(H, [0, 1, 0, 1]))[-1])
        end = fresh.memory_end(1, omega_L, 1 / c - 1, memory)
        gamma, k = 0.8 * end, (1 - memory * (1 - c)) / c
        sent = np.hstack([-gamma * H, eye])
        steps = [np.vstack([np.hstack([eye, 0 * eye]) + k * X @ sent, memory * (eye - X) @ sent]) for X in P]
        for x in (*np.linalg.eigh(H)[1].T, draws.normal(size=d)):
            Z, total = np.outer(np.r_[x, 0 * x], np.r_[x, 0 * x]), 0.0
            for _ in range(60):
                total += float(np.trace(H @ Z[:d, :d] @ H))
                Z = sum(F @ Z @ F.T for F in steps) / len(steps)
            assert total * gamma * (1 - gamma / end) <= float(x @ H @ x) / 2 * (1 + ROUNDING)


@pytest.mark.parametrize(("field", "value"), [("L", 0), ("buckets", 2.5), ("rows", 0), ("trace", math.nan)])
def test_a_sketch_that_cannot_be_is_refused(field: str, value: float) -> None:
    with pytest.raises(InvalidParameter, match=f"^{field}: got"):
        FreshSketch(**({"rows": 1, "buckets": 10, "d": 100, "ell": 1} | {field.replace("L", "ell"): value}))


def test_more_numbers_than_coordinates_are_allowed_and_said() -> None:
    wide = FreshSketch(1, 200, 100, ell=1, trace=5)
    assert wide.omega_L > 0 and any("more than no sketch" in note for note in wide.notes())
    assert FreshSketch(1, 100, 100, ell=1, compressor="fold").omega_L == 0
    assert (
        FreshSketch(1, 100, 101, ell=1, compressor="balanced").omega_L < FreshSketch(1, 100, 101, 1).omega_L
    )


@given(st.floats(1, 50), st.integers(60, 10**6), st.floats(0.3, 0.95))
def test_the_size_for_a_share_keeps_it(trace: float, d: int, share: float) -> None:
    """m from `size_for` keeps the share of 2/ℓ, and two fewer do not."""
    need = FreshSketch(1, 1, d, 1, trace).size_for(share)
    assert need is not None

    def kept(m: int) -> float:
        return 1 / (1 + float(FreshSketch(1, m, d, 1, trace).sharing) * (1 + trace))

    assert kept(need) >= share - 1e-6 and (need < 3 or kept(need - 2) < share + 1e-6)


@pytest.mark.parametrize(
    "q", [Parameters(L=4, E=3, B=1.3), Parameters(L=1, E=2, B=2, P_n=Fraction(1, 2), M=4)]
)
def test_the_best_rate_promises_more_than_the_largest_and_its_neighbours(q: Parameters) -> None:
    """For sources that are named: no other γ that was tried has a bound that is smaller by .2 %."""
    sources = Sources(Delta=1, G2=0.1, b2=0.01, sigma2=0.1)
    largest = certified_range(q)
    for T in (10, 10_000):
        best = best_gamma(q, T, sources, largest=largest)
        assert best is not None and objection(best.proof) is None and largest.gamma is not None
        bound = best.floor.bound(T, 1, G2=0.1, b2=0.01, sigma2=0.1)
        ends = [largest.gamma / 2, largest.gamma / 20, best.proof.gamma * Fraction(4, 5)]
        for end in ends:
            other = best_gamma(q, T, sources, largest=replace(largest, gamma=end))
            assert other is not None
            assert bound <= 1.002 * other.floor.bound(T, 1, G2=0.1, b2=0.01, sigma2=0.1)
        assert largest.floor is not None and bound < largest.floor.bound(T, 1, G2=0.1, b2=0.01, sigma2=0.1)


def test_a_range_says_which_smaller_rates_it_covers() -> None:
    """μ > 0 and E ≥ 2: the γ itself, and what Theorem A covers (Theorem S' with a sketch)."""
    for round_ in (None, FreshRound(FreshSketch(1, 5, 20, ell=1))):
        one = certified_range(Parameters(L=1, E=3, B=2, mu=Fraction(1, 2)), 1, round_)
        every = certified_range(Parameters(L=1, E=3, B=2), 1, round_)
        assert one.gamma is not None and every.gamma is not None
        assert not one.all_smaller and one.covers(one.gamma) and not one.covers(one.gamma * Fraction(99, 100))
        assert one.covers(one.theorem_a * 0.999) and not one.covers(0)
        assert every.all_smaller and every.covers(every.gamma / 3) and not every.covers(every.gamma * 2)
