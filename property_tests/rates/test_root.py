"""The root finder of the search: it stays in its bracket and ends beside a sign change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from property_tests import laws
from theory.rates.root import root

SOURCE = laws.RATE


@given(st.floats(0.01, 0.99), st.integers(1, 9), st.floats(-6, 6), st.booleans())
def test_a_root_is_found_within_the_tolerance_in_few_calls(
    zero: float, power: int, size: float, falling: bool
) -> None:
    calls = []

    def function(x: float) -> float:
        calls.append(x)
        value = 10**size * (x**power - zero**power)
        return -value if falling else value

    assert abs(root(function, 0.001, 1.0, 1e-4) - zero) <= 1e-4
    assert all(0.001 <= x <= 1.0 for x in calls)
    assert len(calls) <= 48


@given(st.floats(0.01, 0.99))
def test_a_jump_is_found_like_a_root(zero: float) -> None:
    assert abs(root(lambda x: 1.0 if x < zero else -1e-3, 0.001, 1.0, 1e-4) - zero) <= 1e-4


def test_an_end_that_is_a_root_is_returned_and_equal_signs_are_refused() -> None:
    assert root(lambda x: x - 1, 1.0, 2.0, 1e-4) == 1.0
    assert root(lambda x: x - 2, 1.0, 2.0, 1e-4) == 2.0
    with pytest.raises(ValueError, match="same sign"):
        root(lambda x: x, 1.0, 2.0, 1e-4)
