"""The GRIM test: counts over N samples always fit N, other numbers only by chance."""

from __future__ import annotations

from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fpsverify.reproduce.granularity import PLACES, fits, judge
from property_tests import laws

SOURCE = laws.EXPERIMENTS

sizes = st.integers(1, 9000)


@given(sizes.flatmap(lambda N: st.tuples(st.just(N), st.integers(0, N - 1))))
def test_a_count_fits_its_own_number_of_samples(pair):
    N, m = pair
    exact = Fraction(m, N) * PLACES
    assert fits(floor(exact), N, "cut")
    assert fits(floor(exact + Fraction(1, 2)), N, "rounded")


@given(sizes)
def test_no_more_values_fit_than_there_are_counts(N):
    """Exactly the values that some count prints as: each of the N counts below 100 % gives one of them."""
    printable = {floor(Fraction(m, N) * PLACES) for m in range(N)}
    assert {h for h in range(PLACES) if fits(h, N, "cut")} == printable
    assert judge([50.0], N).by_chance == pytest.approx(len(printable) / PLACES)


def test_the_rules_differ():
    """1/3 = 33.333 %: both print 33.33. 2/3 = 66.666 %: cut 66.66, rounded 66.67."""
    assert fits(3333, 3, "cut") and fits(3333, 3, "rounded")
    assert fits(6666, 3, "cut") and not fits(6666, 3, "rounded")
    assert fits(6667, 3, "rounded") and not fits(6667, 3, "cut")
