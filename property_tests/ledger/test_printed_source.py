"""Printed formulas that were found in the source of the paper are still the ones that were found."""

import json

from property_tests.support.printed_source import STORED, digest
from theory.ledger import Kind
from theory.papers.fps.paper import PAPER

FOUND: dict[str, str] = json.loads(STORED.read_text(encoding="utf-8"))


def test_printed_formulas_are_those_found_in_the_paper() -> None:
    """Every printed line: each of its sides stands in the source, where "..." may leave terms out."""
    printed = {e.id: digest(e.printed) for e in PAPER.entries if e.kind is Kind.PRINTED}
    assert printed == FOUND
