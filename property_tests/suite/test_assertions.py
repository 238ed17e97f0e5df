"""The tolerances themselves: right on known values, and able to fail."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from property_tests import laws
from property_tests.support import assertions as A
from property_tests.support.oracles import oracle_top_k

SOURCE = laws.TOOLS


def test_clopper_pearson_known_values() -> None:
    """0 of n: the upper limit solves (1 - p)^n = alpha/2. 5 of 20 at 95 %: 0.0866 to 0.4910 (in print)."""
    low, high = A.clopper_pearson(0, 50, 0.1)
    assert low == 0
    assert math.isclose((1 - high) ** 50, 0.05, rel_tol=1e-9)
    assert A.clopper_pearson(5, 20, 0.05) == pytest.approx((0.0866, 0.4910), abs=1e-4)


@given(st.integers(1, 60), st.floats(0.01, 0.99))
def test_clopper_pearson_covers(trials: int, p: float) -> None:
    """Exact coverage, by summing the binomial over all counts."""
    inside = 0.0
    for count in range(trials + 1):
        low, high = A.clopper_pearson(count, trials, 0.1)
        inside += stats.binom.pmf(count, trials, p) * (low <= p <= high)
    assert inside >= 0.9 - 1e-9


def test_rate_tests_reject_wrong_rates() -> None:
    A.assert_rate_is(250, 1000, 0.25, "fair")
    A.assert_rate_at_most(250, 1000, 0.25, "fair")
    with pytest.raises(AssertionError):
        A.assert_rate_is(250, 1000, 0.15, "too small")
    with pytest.raises(AssertionError):
        A.assert_rate_is(250, 1000, 0.35, "too large")
    with pytest.raises(AssertionError):
        A.assert_rate_at_most(250, 1000, 0.15, "too small")


def test_hoeffding_and_bernstein_solve_their_equations() -> None:
    n, alpha = 700, 1e-4
    t = A.hoeffding_radius(n, 3.0, alpha)
    assert math.isclose(2 * math.exp(-2 * n * t * t / 9), alpha)
    t = A.bernstein_radius(n, 2.0, 5.0, alpha)
    assert math.isclose(2 * math.exp(-n * t * t / (2 * (2.0 + 5.0 * t / 3))), alpha)


def test_assert_mean_rejects_a_shifted_mean() -> None:
    coins = torch.tensor([1.0, -1.0]).repeat(2000)
    A.assert_mean(coins, 0.0, 1.0, 1.0, "fair coin")
    with pytest.raises(AssertionError):
        A.assert_mean(coins + 0.2, 0.0, 1.0, 1.0, "shifted coin")


def test_assert_uniform_rejects_bias_and_too_much_order() -> None:
    rng = np.random.Generator(np.random.Philox(3))
    A.assert_uniform(np.bincount(rng.integers(0, 20, 20_000), minlength=20), "uniform")
    with pytest.raises(AssertionError):
        A.assert_uniform(np.bincount(rng.integers(0, 20, 20_000) // 2 * 2, minlength=20), "even only")
    with pytest.raises(AssertionError):
        A.assert_uniform(np.full(64, 1000), "no variation at all")


@given(st.lists(st.floats(-1e3, 1e3, width=32), min_size=1, max_size=200))
def test_summation_bound_holds_and_is_not_vacuous(values: list[float]) -> None:
    x = torch.tensor(values, dtype=torch.float32)
    total = torch.zeros((), dtype=torch.float32)
    for v in x:
        total = total + v
    bound = A.summation_error(len(values), float(x.double().abs().sum()), torch.float32)
    A.assert_within(total, torch.tensor(math.fsum(values)), bound, "sequential sum")
    assert bound <= 2**-24 * 201 * 200 * 1e3


def test_assert_within_rejects_nan_and_excess() -> None:
    one = torch.ones(3)
    for bad in (one * 1.1, one * float("nan")):
        with pytest.raises(AssertionError, match="law"):
            A.assert_within(bad, one, 0.05, "law")


def test_oracle_top_k_rules() -> None:
    assert oracle_top_k([1.0, -3.0, 0.0, 3.0, 3.0], 2) == [1, 3]
    assert oracle_top_k([0.0, 0.0, 2.0], 2) == [2]
