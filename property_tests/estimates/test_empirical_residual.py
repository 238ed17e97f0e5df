"""R² of a run, how the residual grows, and the constant c that it implies."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchmarks.estimates.generated import bare_run
from empirical.constants import residual
from empirical.constants.residual import Implied, smallest_c
from empirical.observed.protocol import Iterate
from empirical.observed.recorded import evidence_in_memory
from empirical.statistics import growth
from empirical.statistics.growth import growth_of, mixture_quantile
from fpsverify.runs.loop import prepare
from property_tests.support.small_runs import small

energies = st.lists(st.integers(0, 1000), min_size=12, max_size=40).filter(any)


@given(energies)
def test_a_recorded_residual_has_an_exact_mean_over_the_rounds_before_T(values):
    """R² = (1/T)(‖r_0‖² + … + ‖r_{T−1}‖²) with r_0 = 0: the last record, r_T, does not count."""
    recorded = np.array(values, dtype=float)
    found = residual.measure(bare_run({"residual_squared": recorded}, T=len(values)))
    assert found.R2.low == found.R2.high == sum(values[:-1]) / len(values)
    assert found.R2.method.startswith("exact") or not any(values[:-1])
    # One record too few is not every round.
    assert residual.measure(bare_run({"residual_squared": recorded[:-1]}, T=len(values))) is None


def test_the_slope_of_independent_errors_is_that_of_least_squares():
    """With φ near 0 by likelihood, the interval is that of ordinary regression, up to what φ leaves open."""
    y = np.exp(0.1 * np.random.default_rng(12).standard_normal(400))
    half = np.arange(200, 400)
    fit = stats.linregress(np.log(half), np.log(y[half]))
    width = 2 * stats.t.ppf(0.975, 198) * fit.stderr
    found = growth_of(y)
    assert abs(found.estimate - fit.slope) < 0.2 * fit.stderr
    assert 0.8 < (found.high - found.low) / width < 1.25


@pytest.mark.parametrize("bend", [-0.5, 0.0, 0.5])
def test_growth_along_a_bend_is_the_slope_of_least_squares_whatever_the_memory(bend):
    """log E[y_t] = log t + bend (log t)², hardly any fluctuation, independent or never forgotten."""
    t = np.arange(1, 301)
    expected = np.log(t) + bend * np.log(t) ** 2
    slope = float(np.polyfit(np.log(t[150:]), expected[150:], 1)[0])
    noise = 1e-3 * np.random.default_rng(4).standard_normal(300)
    for errors in (noise, noise.cumsum()):
        found = growth_of(np.concatenate([[0.0], np.exp(expected + errors)]))
        assert found.low < slope < found.high


def implied(values: dict[int, float | None]) -> list[Implied]:
    return [Implied(t, 1.0, 0.5, None, c) for t, c in values.items()]


def test_the_smallest_c_is_exact_when_every_round_was_seen():
    found = smallest_c(implied({1: 8.0, 2: 2.0, 3: None}), 3, "c_repaired")
    assert found.low == found.estimate == found.high == 2.0 and found.method.startswith("exact: smallest")
    assert smallest_c(implied({1: None}), 3, "c_repaired") is None and smallest_c([], 3, "c_repaired") is None
    assert smallest_c(implied({1: 8.0}), 3, "c_paper") is None


def test_a_c_between_the_rounds_may_be_smaller():
    rng = np.random.default_rng(2)
    at = {int(t): float(8 * math.exp(0.3 * rng.standard_normal())) for t in np.linspace(1, 100, 12)}
    found = smallest_c(implied(at), 100, "c_repaired")
    assert found.low < 0.9 * found.estimate and found.estimate == found.high
    assert math.isclose(found.high, min(at.values()))
    assert "lower end for the rounds between" in found.method and "12 of 100 rounds" in found.method
    few = smallest_c(implied({1: 8.0, 50: 2.0}), 100, "c_repaired")
    assert (few.low, few.high) == (0.0, 2.0)


@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.sampled_from(["c_paper", "c_repaired"]))
def test_recorded_norms_enclose_the_smallest_c(seed, kept, lemma):
    """Vectors and residuals at random, v_t kept at some rounds: the truth of all rounds is never outside."""
    rng, T, d, k = np.random.default_rng(seed), 12, 9, 3
    vs = rng.standard_normal((T, d)) * np.exp(2 * rng.standard_normal((T, 1)))
    norms = np.sum(vs**2, axis=1)
    squared = norms * np.exp(3 * rng.standard_normal(T))
    at = sorted(int(t) for t in rng.choice(np.arange(1, T + 1), kept, replace=False))

    def run_keeping(rounds):
        iterates = tuple(Iterate(t, torch.tensor(vs[t - 1]), stored=torch.tensor(vs[t - 1])) for t in rounds)
        records = bare_run({"residual_squared": squared, "v_norm_squared": norms}, T)
        return residual.smallest_c_of(replace(records, iterates=iterates, k=k), lemma)

    truth, found = run_keeping(range(1, T + 1)), run_keeping(at)
    if truth is None:
        assert found is None or (found.high == math.inf and found.estimate == found.low)
        return
    assert truth.low == truth.high and truth.method.startswith("exact")
    assert found.low <= truth.estimate * (1 + 1e-12) and truth.estimate <= found.high * (1 + 1e-12)
    assert found.estimate == (found.low if found.high == math.inf else found.high)


@given(st.integers(0, 2**32 - 1))
def test_exact_top_k_asks_nothing_of_c(seed):
    """r is the tail itself, summed in another order: what rounding leaves is no constant."""
    v = torch.from_numpy(np.random.default_rng(seed).standard_normal(1000))
    tail = float(v.square().sort().values[:900].sum())
    records = bare_run({"residual_squared": np.array([tail])}, 1)
    (found,) = residual.implied_constants(replace(records, iterates=(Iterate(1, v, stored=v),), k=100))
    assert found.c_paper is None and found.c_repaired is None


def test_what_was_not_kept_or_asks_nothing_implies_no_c():
    """No v_t kept or v_t = 0: no c. No residual: none needed. Residuals below any tail: no upper limit."""
    v = torch.tensor([1.0, 0.5, 0.25, 0.1], dtype=torch.float64)
    energy = float(v @ v)

    def found(squared, **kept):
        records = bare_run({"residual_squared": np.array(squared), "v_norm_squared": np.full(3, energy)}, 3)
        evidence = replace(records, iterates=(Iterate(1, v, **kept),), k=2)
        return residual.smallest_c_of(evidence, "c_paper")

    assert found([energy] * 3) is None and found([energy] * 3, stored=0 * v) is None
    assert found([0.0] * 3, stored=v) is None
    below = found([0.0, 0.4 * energy, 0.4 * energy], stored=v)
    assert below.high == math.inf and below.estimate == below.low == pytest.approx(1 / 0.4)
    assert "no upper limit" in below.method


@given(st.integers(0, 2**32 - 1), st.floats(-0.5, 0.999), st.integers(2, 30))
def test_the_error_of_a_sum_is_that_of_its_covariances(seed, phi, n):
    """Var Σ c_i u_i = Σ_ij c_i c_j φ^|i−j| / (1 − φ²), written out."""
    c = np.random.default_rng(seed).standard_normal(n)
    covariance = phi ** np.abs(np.subtract.outer(np.arange(n), np.arange(n))) / (1 - phi**2)
    assert math.isclose(
        growth._size_of_sum(c, phi) ** 2, c @ covariance @ c, rel_tol=1e-6, abs_tol=1e-9 * (c @ c)
    )


def test_quantiles_of_a_mixture():
    weights, centre, error = np.array([0.3, 0.7]), np.array([0.0, 1.0]), np.array([1.0, 0.2])
    for q in (0.025, 0.5, 0.975):
        x = mixture_quantile(q, weights, centre, error, 9)
        assert math.isclose(float(weights @ stats.t.cdf((x - centre) / error, 9)), q, abs_tol=1e-8)
    assert mixture_quantile(0.5, np.ones(1), np.array([2.0]), np.ones(1), 9) == 2.0


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rounding_is_no_residual_and_channel_noise_is_one(dtype):
    """Without compression and noise nothing is lost; a little noise is a residual."""
    whole = ("algorithm.compressor=identity", "algorithm.k=21", "rounds=40", f"dtype={dtype}")
    exact = evidence_in_memory(*prepare(small(*whole, "channel.sigma=0"))[:2])
    found = residual.measure(exact)
    assert exact.series["residual_squared"].any()
    assert found.R2.low == found.R2.high == found.growth.high == 0 and "rounding" in found.source
    noisy = residual.measure(evidence_in_memory(*prepare(small(*whole, "channel.sigma=0.003"))[:2]))
    assert noisy.R2.low > 0 and "rounding" not in noisy.source
