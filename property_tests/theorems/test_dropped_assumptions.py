"""Every repaired theorem needs its assumptions: without one of them the search finds a violation."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.search import negative_controls as controls
from benchmarks.search.dropped import Theorem, Trial
from benchmarks.search.hunting import KEPT_EXAMPLES
from benchmarks.search.local_steps import CENTRED, PAST, Device, Errors


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


small = st.integers(-2, 2).map(Fraction)


@given(
    st.sampled_from([None, PAST, CENTRED]), st.integers(1, 4),
    st.builds(Device, small, small, st.just(Fraction(1, 3)), small), st.builds(Errors, *[small] * 4), small,
)  # fmt: skip
def test_moments_by_recursion_are_those_of_all_coins(
    dropped: str | None, steps: int, device: Device, errors: Errors, start: Fraction
) -> None:
    """With a bias that knows the coin, and with noise that has a mean, too."""
    ends = []
    for coins in product((1, -1), repeat=steps):
        w = start
        for coin in coins:
            slope = device.a * w + device.g
            beta = (errors.p * slope + errors.b) * (coin if dropped == PAST else 1)
            zeta = (errors.n * slope + errors.s) * (1 if dropped == CENTRED else coin)
            w -= device.gamma * (slope + beta + zeta + device.mu * w)
        ends.append(w)
    moments = start, start**2
    for _ in range(steps):
        moments = device.after(moments, errors.without(dropped))
    assert moments == (sum(ends) / len(ends), sum(w**2 for w in ends) / len(ends))
