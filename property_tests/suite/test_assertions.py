"""The tolerances themselves: able to fail."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from property_tests import laws
from property_tests.support import assertions as A

SOURCE = laws.TOOLS


def test_wrong_rates_are_rejected() -> None:
    A.assert_rate_is(250, 1000, 0.25, "fair")
    for rate in (0.15, 0.35):
        with pytest.raises(AssertionError):
            A.assert_rate_is(250, 1000, rate, "wrong")


@given(st.lists(st.floats(-1e3, 1e3, width=32), min_size=1, max_size=200))
def test_summation_bound_holds_and_is_not_vacuous(values: list[float]) -> None:
    x = torch.tensor(values, dtype=torch.float32)
    total = torch.zeros((), dtype=torch.float32)
    for v in x:
        total = total + v
    bound = A.summation_error(len(values), float(x.double().abs().sum()), torch.float32)
    A.assert_within(total, torch.tensor(math.fsum(values)), bound, "sequential sum")
    assert bound <= 2**-24 * 201 * 200 * 1e3


def test_nan_and_excess_are_rejected() -> None:
    one = torch.ones(3)
    for bad in (one * 1.1, one * float("nan")):
        with pytest.raises(AssertionError, match="law"):
            A.assert_within(bad, one, 0.05, "law")
