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
from property_tests.search.hunting import KEPT_EXAMPLES, root_down, root_up
from theory.rates.parameters import Parameters
from theory.rates.theorem_a import Sources, star

SOURCE = laws.PROOFS


@pytest.mark.parametrize(("theorem", "dropped"), controls.drops(), ids=lambda x: getattr(x, "name", str(x)))
def test_without_an_assumption_the_search_finds_a_violation(theorem: Theorem, dropped: str) -> None:
    """All other assumptions hold on what is found."""
    assert controls.find_violation(theorem, dropped) is not None


@pytest.mark.parametrize("theorem", controls.THEOREMS, ids=lambda theorem: theorem.name)
def test_with_all_assumptions_the_same_search_finds_none(theorem: Theorem) -> None:
    assert controls.find_violation(theorem, None, KEPT_EXAMPLES) is None


def test_a_violation_counts_only_where_exactly_the_dropped_assumption_fails() -> None:
    kept = {"a": True, "b": False}
    assert Trial(True, kept, "", {}).breaks_without("b")
    assert not Trial(True, kept, "", {}).breaks_without("a")
    assert not Trial(True, kept, "", {}).breaks_without(None)
    assert not Trial(False, kept, "", {}).breaks_without("b")
    assert not Trial(True, {"a": True}, "", {}).breaks_without("b")  # nothing shows that b fails


# ---------------------------------------------------------------- the trials measure what they say


unit = st.fractions(0, 1, max_denominator=40)
rates = st.fractions(Fraction(1, 50), Fraction(1, 5), max_denominator=50)


@given(st.tuples(unit, unit, unit, unit, unit), unit, st.integers(1, 4), rates)
def test_the_exact_right_side_is_never_below_the_calculators(
    errors: tuple[Fraction, ...], A: Fraction, E: int, gamma: Fraction
) -> None:
    G2, P_b, b2, P_n, s2 = errors
    told = runs.ClaimedConstants(Fraction(1), gamma, E, Fraction(4), *errors, Fraction(1, 3), Fraction(1), 50)
    sources = Sources(Delta=1, G2=G2, b2=b2, sigma2=s2)
    inequality = star(Parameters(1, 0, E, 2, P_b, P_n, nu=Fraction(1, 3)), gamma, 50, sources)
    exact = float(runs.star_up(runs.Case(A, told, {}, {})))
    assert inequality.at(float(A)).bound <= exact * (1 + 1e-12) + 1e-12  # rounding of some float operations


@given(st.fractions(0, 1000))
def test_roots_enclose(value: Fraction) -> None:
    assert root_down(value) ** 2 <= value <= root_up(value) ** 2


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
