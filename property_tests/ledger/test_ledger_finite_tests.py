"""Hypotheses that are written as tests in Python say what their text says: instances on both sides."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from property_tests import laws
from theory.ledger import FiniteClaim
from theory.ledger.collection import find

SOURCE = laws.LEMMA_1
KILLS = ("theory/paper/lemma1/proof.py",)
CORE = True


def hypothesis(entry: str, words: str) -> Any:
    claim = find(entry).claim
    assert isinstance(claim, FiniteClaim)
    (found,) = [test for test in claim.hypotheses if words in test.text]
    return found.holds


@pytest.mark.parametrize("p, first, expected", [(1, 2, True), (1, "3/2", False), (2, 4, True), (2, 3, False)])
def test_the_sorted_power_law_is_as_defined(p: int, first: str | int, expected: bool) -> None:
    """|w(2)| ≤ 2^{-p}‖w‖ for w = (a, 1) says 4^p − 1 ≤ a²: 3 for p = 1 and 15 for p = 2."""
    holds = hypothesis("L1", "power law")
    assert holds({"w": (Fraction(first), Fraction(1)), "p": p, "k": 1, "c": 1}) is expected
