"""Printed formulas that were found in the source of the paper are still the ones that were found."""

from __future__ import annotations

import json

import pytest

from property_tests import laws
from property_tests.support.printed_source import STORED, digest, normalised, sides, stands_in
from theory.ledger import Kind
from theory.ledger import collection as ledger

SOURCE = laws.PROOFS

FOUND: dict[str, str] = json.loads(STORED.read_text(encoding="utf-8"))


def test_printed_formulas_are_those_found_in_the_paper() -> None:
    """Every printed line: each of its sides stands in the source, where "..." may leave terms out."""
    printed = {e.id: digest(e.printed) for e in ledger.entries() if e.kind is Kind.PRINTED}
    assert printed == FOUND


@pytest.mark.parametrize(
    "changed", [r"9\frac{a+b}{2}x\le y+z", r"\frac{a+b}{3}x\le y+z", r"\frac{a-b}{2}x\le y+z"]
)
def test_a_changed_formula_stands_nowhere_and_has_another_digest(changed: str) -> None:
    paper, own = r"&\frac{a+b}{2}\,x \notag \\ &\leq \left( y+z \right).", r"\tfrac{a+b}{2}x\le y+z"
    assert stands_in(normalised(paper), own) and digest(own) == digest(own.replace("x", "x "))
    assert not stands_in(normalised(paper), changed) and digest(changed) != digest(own)


def test_the_range_of_a_sum_is_no_relation() -> None:
    assert sides(r"\sum_{i=1}^d x_i = y \le z") == [r"\sum_i=1^dx_i", "y", "z"]
