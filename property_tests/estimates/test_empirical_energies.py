"""Laws of the bias and noise energies, and of the frontier of pairs that cover them."""

import math
from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linprog

from empirical.observed.replicates import _spectrum, energies_of, relative_sizes
from empirical.statistics.frontier import covering_slope, frontier
from property_tests.support.small_runs import small

SIZES = st.floats(-10, 10, allow_nan=False, width=32)
ERRORS = arrays(np.float64, st.tuples(st.integers(4, 12), st.integers(1, 6)), elements=SIZES)


@given(ERRORS)
def test_bias_is_the_mean_error_less_its_replication_bias(e):
    """‖ē‖² = estimate + (noise estimate)/n, exactly: what replication adds is what is taken off."""
    noise, _, bias, *_ = energies_of(torch.from_numpy(e))
    mean_energy = float(np.sum(e.mean(0) ** 2))
    assert math.isclose(mean_energy, bias + noise / len(e), rel_tol=1e-9, abs_tol=1e-9)
    assert math.isclose(noise, float(np.sum(e.var(0, ddof=1))), rel_tol=1e-9, abs_tol=1e-9)


@given(ERRORS, st.integers(-60, 120))
def test_energies_have_a_unit_and_no_size(e, k):
    """A power of 2 changes no digit; the variance of an energy has its square as unit, χ² dof have none."""
    unit = 2.0**k
    few = energies_of(torch.from_numpy(e))
    many = energies_of(torch.from_numpy(e * unit))
    powers = (2, 2, 2, 4, 2, 0)
    assert many == tuple(value * unit**power for value, power in zip(few, powers, strict=True))
    sizes = relative_sizes(torch.from_numpy(e))
    assert np.array_equal(sizes, relative_sizes(torch.from_numpy(e * unit))) and np.isfinite(sizes).all()


def test_the_errors_of_the_energies_are_right():
    """2000 samples: reported variances within 15 % of what the estimates, which are exact, scatter by."""
    rng = np.random.default_rng(0)
    beta, std = np.array([0.6, 0.0, -0.3]), np.array([1.0, 0.5, 0.2])
    found = np.array(
        [energies_of(torch.from_numpy(beta + std * rng.standard_normal((24, 3)))) for _ in range(2000)]
    )
    variance = float(np.mean(found[:, 3])) + 4 * float((beta**2) @ (std**2)) / 24
    assert abs(variance / found[:, 2].var() - 1) < 0.15
    assert abs(np.mean(found[:, 1] ** 2) / found[:, 0].var() - 1) < 0.15


POINTS = st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100)), min_size=1, max_size=25)


@given(POINTS, st.floats(0.01, 100))
def test_every_pair_of_the_frontier_covers_none_wastes_and_one_has_the_lowest_price(points, weight):
    """Oracle of the price: linear programming over all admissible pairs."""
    x, y = np.array([p[0] for p in points]), np.array([p[1] for p in points])
    pairs = frontier(x, y)
    for pair in pairs:
        assert pair.covers(x, y)
        if pair.s2 > 1e-9:
            assert not type(pair)(pair.P, pair.s2 * (1 - 1e-6)).covers(x, y)
    assert all(a.P < b.P and a.s2 > b.s2 for a, b in pairwise(pairs))
    assert pairs[0].P == 0 and pairs[0].s2 == y.max()
    # Where a relative part alone covers (no quotient overflows), the last vertex is that one, not nearly so.
    if np.all(x >= 1e-300):
        assert pairs[-1].s2 == 0
    found = min(weight * pair.P + pair.s2 for pair in pairs)
    oracle = linprog([weight, 1.0], A_ub=-np.column_stack([x, np.ones_like(x)]), b_ub=-y, method="highs")
    assert found <= oracle.fun * (1 + 1e-6) + 1e-6
    assert found >= oracle.fun * (1 - 1e-6) - 1e-5


def test_the_covering_slope_covers_where_the_quotient_is_rounded_down():
    """One float less no longer covers. About one random quotient in fourteen is rounded down."""
    x, y = np.random.default_rng(0).random((2, 500))
    assert np.any(x * (y / x) < y)
    for one_x, one_y in zip(x, y, strict=True):
        P = covering_slope(np.array([one_x]), np.array([one_y]))
        assert P * one_x >= one_y and (P == one_y / one_x or np.nextafter(P, 0) * one_x < one_y)


def test_noise_of_mini_batches_is_known_exactly():
    """With replacement: E‖ζ‖² = (mean of ‖∇ℓ_i‖² − ‖∇l_m‖²)/batch; the replicates must find it."""
    from empirical.observed.replicates import collect
    from empirical.observed.run_models import model_of
    from fpsverify.rng import numpy_generator
    from fpsverify.runs.loop import prepare

    config = small()
    _, setup, _ = prepare(config)
    model = model_of(setup.problem, config.local)
    W = 0.3 * torch.ones(model.M, model.d, dtype=torch.float64)
    full = model.full_gradients(W)
    draws = torch.stack([model.gradients(W, numpy_generator(1, "test", i)) for i in range(400)])
    points = [(0, 1.0, *energies_of(draws[:, m] - full[m])) for m in range(model.M)]
    found = collect(points, 400)
    for m, shard in enumerate(setup.problem.shards):
        each = torch.stack([model._gradient(W, m, np.array([i])) for i in shard])
        truth = float(each.square().sum(1).mean() - full[m].square().sum()) / config.local.batch
        assert abs(found.noise[m] - truth) < 5 * found.noise_se[m]
        assert abs(found.bias[m]) < 6 * math.sqrt(found.bias_variance0[m])


def test_the_slope_of_the_bias_variance_is_the_noise_along_the_bias():
    """Var of the bias estimate is 4βᵀΣβ/n + …; Σ = diag(4, 1, 1), β along the first axis: βᵀΣβ/‖β‖² = 4.

    200 replicates, 30 draws: the mean of the estimates is within a tenth of 4 by some five standard errors.
    """
    rng, n = np.random.default_rng(8), 200
    slopes = []
    for _ in range(30):
        e = rng.standard_normal((n, 3)) * [2.0, 1.0, 1.0] + [5.0, 0.0, 0.0]
        slopes.append(energies_of(torch.from_numpy(e))[4] * n / 4)
    error = np.std(slopes, ddof=1) / math.sqrt(len(slopes))
    assert abs(np.mean(slopes) - 4) < 0.1 * 4 + 5 * error and error < 0.1


@given(st.integers(4, 40), st.integers(1, 300), st.floats(1e-20, 1e20))
def test_replicates_that_are_all_the_same_have_no_noise(n: int, d: int, scale: float) -> None:
    """Their bias is all there is; no product that is summed in another order leaves a trace."""
    one = scale * torch.randn(d, generator=torch.Generator().manual_seed(d), dtype=torch.float64)
    noise, noise_se, bias, variance, slope, _ = energies_of(one.expand(n, -1))
    assert (noise, noise_se, variance, slope) == (0, 0, 0, 0)
    assert math.isclose(bias, float(one.square().sum()), rel_tol=300 * 2.0**-51)


def test_equal_products_of_different_replicates_are_one_direction():
    """n(n − 1) pairs and n(n − 1)(n − 2) triples of a product a: trΣ² = a² and (trΣ³)² = a⁶, one χ²."""
    for n, a in ((4, 2.0), (7, 0.5)):
        assert _spectrum(np.full((n, n), a - 1 / n), 1.0) == pytest.approx((a**2, 1.0), rel=1e-12)
