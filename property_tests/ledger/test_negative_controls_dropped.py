"""Every repaired theorem needs its assumptions: without one of them the search finds a violation."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from property_tests import laws
from property_tests.search import negative_controls as controls
from property_tests.search import theorem_a as runs
from property_tests.search.drift import BIAS, CENTRED, PAST
from property_tests.search.dropped import Theorem, Trial
from property_tests.search.hunting import KEPT_EXAMPLES
from property_tests.search.theorems import star_up
from theory.counterexamples.dropped.exact_star import right_side_up

SOURCE = laws.PROOFS


@pytest.mark.parametrize(("theorem", "dropped"), controls.drops(), ids=lambda x: getattr(x, "name", str(x)))
def test_without_an_assumption_the_search_finds_a_violation(theorem: Theorem, dropped: str) -> None:
    """All other assumptions hold on what is found."""
    assert controls.find_violation(theorem, dropped) is not None


@pytest.mark.parametrize("theorem", controls.THEOREMS, ids=lambda theorem: theorem.name)
def test_with_all_assumptions_the_same_search_finds_none(theorem: Theorem) -> None:
    assert controls.find_violation(theorem, None, KEPT_EXAMPLES) is None


def test_assumptions_that_are_not_needed_are_few_and_explained() -> None:
    known = {(theorem.name, name) for theorem in controls.THEOREMS for name in theorem.assumptions}
    assert set(controls.NOT_NEEDED) <= known and len(controls.NOT_NEEDED) <= 2
    assert all(len(reason) > 40 for reason in controls.NOT_NEEDED.values())


def test_a_violation_counts_only_where_exactly_the_dropped_assumption_fails() -> None:
    kept = {"a": True, "b": False}
    assert Trial(True, kept, "", {}).breaks_without("b")
    assert not Trial(True, kept, "", {}).breaks_without("a")
    assert not Trial(True, kept, "", {}).breaks_without(None)
    assert not Trial(False, kept, "", {}).breaks_without("b")
    assert not Trial(True, {"a": True}, "", {}).breaks_without("b")  # nothing shows that b fails


# ---------------------------------------------------------------- the trials measure what they say


@given(runs.one_device(None), runs.one_device(None, 2, Fraction(1)))
def test_the_right_side_is_the_ledgers(one: runs.Case, two: runs.Case) -> None:
    """Without residual and proximal term both writings of (★) agree, for one local step and for two.

    At E = 2 ours rounds √N up once more, by at most 1e-15; u²·2√N/(1−u) is below 1000 here.
    """
    assert star_up(one) == right_side_up(one.told, one.A)
    assert 0 <= star_up(two) - right_side_up(two.told, two.A) <= Fraction(1, 10**12)


small = st.integers(-2, 2).map(Fraction)


@given(
    st.sampled_from([None, PAST, CENTRED, BIAS]), st.integers(1, 3), st.integers(1, 2), small, small, small
)
def test_moments_by_recursion_are_those_of_all_coins(
    dropped: str | None, T: int, E: int, start: Fraction, b: Fraction, s: Fraction
) -> None:
    steps = runs.Steps(Fraction(2), Fraction(1, 3), E, T, start, b=b, s=s)
    total = Fraction(0)
    for coins in product((1, -1), repeat=E * T):
        w = start
        for step, coin in enumerate(coins):
            total += (2 * w) ** 2 if step % E == 0 else 0
            error = b * (coin if dropped == PAST else 1) + s * (1 if dropped == CENTRED else coin)
            w -= (2 * w + error) / 3
    assert steps.mean_squared_gradient(dropped) == total / (T * 2 ** (E * T))
