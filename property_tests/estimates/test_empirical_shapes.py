"""Laws of the power-law and smoothness estimators."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from empirical.constants import dissimilarity, powerlaw, residual, smoothness
from empirical.constants.dissimilarity import Dissimilarity
from empirical.constants.lanczos import enclosure, lanczos
from empirical.constants.smoothness import Look, Smoothness
from empirical.observed import run_models
from empirical.observed.protocol import Evidence, Iterate
from empirical.observed.run_models import model_of
from empirical.statistics import unseen
from fpsverify.errors import FpsError
from fpsverify.runs.loop import prepare
from property_tests.support.small_runs import SPARSE, small

VECTORS = st.lists(st.floats(-1e6, 1e6).filter(lambda x: x == 0 or abs(x) > 1e-6), min_size=2, max_size=40)


@given(VECTORS.filter(lambda v: sum(x != 0 for x in v) >= 2))
def test_envelope_is_the_largest_p_that_bounds_all_ranks(values):
    g = np.array(values)
    p = powerlaw.envelope(g)
    size, i = np.sort(np.abs(g))[::-1], np.arange(1, len(g) + 1)
    norm = np.linalg.norm(g)
    assert np.all(size <= i ** (-(p - 1e-9)) * norm * (1 + 1e-9))
    assert np.any(size > i ** (-(p + 1e-6)) * norm)


@given(VECTORS.filter(lambda v: any(v)))
def test_soft_sparsity_lies_between_one_and_the_number_of_coordinates(values):
    sp = powerlaw.soft_sparsity(np.array(values))
    assert 1 - 1e-9 <= sp <= sum(x != 0 for x in values) * (1 + 1e-9)


@pytest.mark.parametrize("p", [0.4, 1.0, 2.0])
def test_exponent_of_a_pareto_sample_is_found_and_accepted(p):
    """Hill's relative error is 1/√k; 5 of them with k ≥ 100 is 0.5. Acceptance: p-value above 1 %."""
    rng = np.random.default_rng(11)
    sample = rng.random(3000) ** (-p)
    fit = powerlaw.fit(sample, rng, resamples=40)
    assert abs(fit.p / p - 1) < 5 / math.sqrt(fit.k)
    assert math.isclose(fit.p, powerlaw.hill(powerlaw.sorted_sizes(sample), fit.k), rel_tol=1e-9)
    assert fit.goodness > 0.01
    interval = powerlaw.mean_exponent([rng.random(1500) ** (-p)] * 2, rng, resamples=30)
    assert interval.low < interval.estimate < interval.high


def test_an_exponential_sample_is_told_from_a_power_law():
    rng = np.random.default_rng(12)
    size = np.sort(rng.exponential(size=4000))[::-1]
    z, p_value = powerlaw.against_exponential(size, 2000, powerlaw.hill(size, 2000))
    assert z < 0 and p_value < 1e-3
    pareto = np.sort(rng.random(4000) ** -1.0)[::-1]
    z, p_value = powerlaw.against_exponential(pareto, 2000, powerlaw.hill(pareto, 2000))
    assert z > 0 and p_value < 1e-3
    assert powerlaw.against_lognormal(np.sort(rng.lognormal(size=4000))[::-1], 3500, 1.0)[0] < 0


def test_vectors_without_a_tail_are_refused():
    with pytest.raises(FpsError, match="nonzero coordinates"):
        powerlaw.sorted_sizes(np.array([1.0, 2.0, 0.0]))
    with pytest.raises(FpsError, match="all equal"):
        powerlaw.choose_tail(np.ones(50))


class Dense:
    """A quadratic with a given Hessian, full gradients only: products come from central differences."""

    M = 1

    def __init__(self, H: torch.Tensor) -> None:
        self.H, self.d = H, H.shape[0]

    def full_gradients(self, W: torch.Tensor) -> torch.Tensor:
        return W @ self.H


@given(st.integers(0, 2**31), st.integers(10, 80))
@settings(max_examples=25)
def test_lanczos_encloses_the_spectral_norm(seed, d):
    generator = torch.Generator().manual_seed(seed)
    A = torch.randn(d, d, generator=generator, dtype=torch.float64)
    H = (A + A.T) / 2
    low, high = smoothness.spectral_norms(
        Dense(H), torch.zeros(1, d, dtype=torch.float64), 24, 1e-3, (seed, 0, "")
    )
    truth = float(torch.linalg.matrix_norm(H, 2))
    # Central differences in float64 are good to about eps^{2/3} ≈ 4e-11 of the norm.
    assert low[0] <= truth * (1 + 1e-6) and truth <= high[0] * (1 + 1e-6)
    assert low[0] > 0.8 * truth


@pytest.mark.parametrize(
    "overrides", [(), SPARSE, ("devices.M=7",), ("devices.M=7", "problem.objective=mlp")]
)
@pytest.mark.parametrize("rows", [30, 4096])
def test_products_of_the_models_are_derivatives_of_their_gradients(overrides, rows, monkeypatch):
    """Also for devices of unequal size, and where a pass over the rows has many blocks."""
    monkeypatch.setattr(run_models, "CHUNK", rows)
    config = small("problem.hidden=4", *overrides)
    _, setup, _ = prepare(config)
    model = model_of(setup.problem, config.local)
    generator = torch.Generator().manual_seed(0)
    W, V = (torch.randn(model.M, model.d, generator=generator, dtype=torch.float64) for _ in range(2))
    h = 1e-5
    expected = (model.full_gradients(W + h * V) - model.full_gradients(W - h * V)) / (2 * h)
    torch.testing.assert_close(model.hessian_vector_products(W, V), expected, rtol=1e-5, atol=1e-7)


def test_pairs_of_rounds_need_the_curvature_between_them():
    """Sampled rounds differ along curvature 1, each round and its next along curvature 3."""
    H = torch.diag(torch.tensor([1.0, 3.0], dtype=torch.float64))
    model = Dense(H)
    at = lambda x, y: torch.tensor([x, y], dtype=torch.float64)  # noqa: E731
    sampled = (Iterate(0, at(0.0, 0.0), after=at(0.0, 0.5)), Iterate(4, at(2.0, 0.0)))
    evidence = Evidence(model, sampled, 0.1, 0.0, 1, 4, 1, {})
    assert smoothness.smallest_from_pairs(evidence) == (3.0, 2, None)
    alone = tuple(Iterate(it.t, it.w) for it in sampled)
    assert smoothness.smallest_from_pairs(replace(evidence, iterates=alone)) == (1.0, 1, None)
    found = smoothness.measure(replace(evidence, iterates=alone), lambda text: None)
    assert found.L.low >= 3.0 * (1 - 1e-6) and found.pairs == 1.0  # central differences: see above


@given(st.floats(4.0, 1e4), st.integers(1, 8))
def test_implied_constants_invert_the_two_lemmas(c, k):
    """‖r‖² = (1/c + τ²)‖v‖² gives back c, and so does (1/c + (τ + 2/√c)²)‖v‖²."""
    v = torch.arange(1.0, 21.0, dtype=torch.float64).flip(0) ** 1.5
    energy = float(v @ v)
    tail = math.sqrt(float(v[k:] @ v[k:]) / energy)
    for ratio, which in (
        (1 / c + tail**2, "c_paper"),
        (1 / c + (tail + 2 / math.sqrt(c)) ** 2, "c_repaired"),
    ):
        series = {"residual_squared": np.array([0.0, ratio * energy, 0.0])}  # r_t is entry t − 1
        iterates = (Iterate(2, v, stored=v.flip(0)),)
        evidence = Evidence(Dense(torch.eye(20)), iterates, 0.1, 0.0, 1, 3, 1, series, k=k)
        (found,) = residual.implied_constants(evidence)
        assert math.isclose(found.tail, tail, rel_tol=1e-12)
        # ratio − τ² loses 1/(1/c) ≤ 1e4 of the 1e-16 of each term.
        assert math.isclose(getattr(found, which), c, rel_tol=1e-9)


def test_weighted_dissimilarity_counts_devices_by_their_rows():
    class Two:
        d, M, sizes = 2, 2, (10, 30)

        def full_gradients(self, W):
            return torch.tensor([[2.0, 0.0], [0.0, 1.0]], dtype=torch.float64)

    at = (Iterate(0, torch.zeros(2, dtype=torch.float64)),)
    # Shares ¼ and ¾: mean‖∇l_m‖² = 1 + ¾, ∇f = (½, ¾).
    found = dissimilarity.weighted(Evidence(Two(), at, 0.1, 0.0, 1, 1, 1, {}))
    assert np.allclose(found, [math.sqrt(1.75 / (0.25 + 0.5625))])


def test_the_frontier_of_b_and_g_is_tight():
    """D² = 3x + 1: at B = 1, G² = 2·max x + 1; at B² = 3, G² = 1; G = 0 costs B² = max D²/x."""
    x = np.array([1.0, 2.0, 5.0])
    found = Dissimilarity(np.arange(3), x, 3 * x + 1, 2).frontier()
    assert {(round(p.P, 9), round(p.s2, 9)) for p in found} == {(1.0, 11.0), (3.0, 1.0), (4.0, 0.0)}


def test_what_is_no_power_law_is_not_accepted():
    """Sizes on three points: no Pareto tail lies near them, so hardly any simulated sample fits worse."""
    rng = np.random.default_rng(12)
    fit = powerlaw.fit(rng.integers(1, 4, 2000).astype(float), rng, resamples=40)
    assert fit.goodness <= 2 / 41


def test_a_round_has_the_largest_of_its_own_looks():
    looks = (Look(0, "broadcast", 1.0, 2.0), Look(0, "local", 1.5, 1.8), Look(5, "broadcast", 7.0, 9.0))
    assert Smoothness(looks, 0.0, 0, None, 5).rounds == [(0, 1.5, 2.0), (5, 7.0, 9.0)]


def test_w_is_exact_only_if_every_round_was_recorded():
    norms = np.array([1.0, 4.0, 9.0, 2.0])
    iterates = [Iterate(0, torch.zeros(20)), Iterate(3, torch.ones(20))]
    every, some = (
        residual.largest_norm(Evidence(None, iterates, 0.1, 0.0, 1, 3, 1, {"w_norm_squared": norms[:n]}))
        for n in (4, 3)
    )
    assert (every.low, every.estimate, every.high) == (9.0, 9.0, 9.0)
    assert some.low == 20.0 and some.high >= some.low


@pytest.mark.parametrize("rank", [1, 2, 5])
def test_products_in_float32_show_an_invariant_subspace_all_the_same(rank):
    """A matrix of rank r in 400 dimensions: after r + 1 steps only rounding is left; L is known."""
    generator = torch.Generator().manual_seed(rank)
    Q = torch.linalg.qr(torch.randn(400, rank, generator=generator, dtype=torch.float64))[0]
    sizes = torch.arange(1.0, rank + 1, dtype=torch.float64)
    H = ((Q * sizes) @ Q.T).float()
    start = torch.randn(1, 400, generator=generator, dtype=torch.float64)
    alpha, beta = lanczos(lambda v: (v.float() @ H).double(), start, rank + 8)
    low, high = enclosure(alpha[0], beta[0], 400, 0.01)
    assert abs(low - rank) < 1e-5 * rank and low <= high <= low * (1 + 1e-5)


def test_half_of_the_error_is_left_for_the_choice_of_B():
    """Each of two choices fails with (1 − 95 %)/2: the limit of G² is one of 97.5 %."""
    t, x = 4 * np.arange(6), np.array([6.0, 5.0, 3.0, 4.0, 2.0, 1.0])
    seen = Dissimilarity(t, x, 2 * x + np.array([1.0, 3.0, 2.0, 2.5, 1.5, 2.0]), 20)
    pair = seen.frontier()[0]
    G2 = seen.intervals(pair)[1]
    limit = unseen.largest_excess(t, seen.D2, x, pair.P, 20, 0.975).high
    assert G2.low == pair.s2 < limit and G2.high == pytest.approx(limit, rel=1e-9)
