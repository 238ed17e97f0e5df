"""Every refuted claim has a counterexample that a search finds without being told, and shrinks."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from benchmarks.search import negative_controls as controls
from benchmarks.search import points as search_points
from benchmarks.search.hunting import hunt
from theory.ledger import Claim, Entry, Verdict
from theory.papers.fps.paper import PAPER

STORED = Path(__file__).parents[2] / "book" / "results" / "found_counterexamples.json"


@pytest.mark.parametrize("entry", controls.refuted(), ids=lambda entry: entry.id)
def test_the_search_finds_a_counterexample_to_every_refuted_claim(entry: Entry) -> None:
    assert controls.find_counterexample(entry) is not None


def scalar(verdict: Verdict) -> list[tuple[Entry, Claim]]:
    return [(e, e.claim) for e in PAPER.entries if e.verdict is verdict and isinstance(e.claim, Claim)]


@pytest.mark.parametrize(("entry", "claim"), scalar(Verdict.CONDITIONAL), ids=lambda x: getattr(x, "id", ""))
def test_without_its_condition_a_conditional_line_fails(entry: Entry, claim: Claim) -> None:
    """The point lies outside the condition; the statement is false there, or not defined."""
    found = controls.find_outside_condition(entry)
    assert found is not None, claim.text


def test_the_same_search_finds_nothing_against_what_is_proved() -> None:
    """Few candidates each, and nearly all lines must be reached: points that satisfy the hypotheses."""
    unreached = []
    for entry, claim in scalar(Verdict.VALID):
        exact, admitted = search_points.Exactly.of(claim), []

        def violated(point: dict[str, Fraction], exact=exact, admitted=admitted) -> bool:  # type: ignore[no-untyped-def]
            admitted.append(exact.admits(point))
            return exact.violated(point)

        for examples in (8, 64):  # narrow hypotheses need more candidates
            assert any(admitted) or hunt(search_points.points(claim), violated, examples) is None, entry.id
        unreached += [] if any(admitted) else [entry.id]
    assert len(unreached) <= len(scalar(Verdict.VALID)) / 20, unreached


def test_the_stored_table_is_complete() -> None:
    """Made by `python -m benchmarks.search.negative_controls --out FILE`."""
    table = json.loads(STORED.read_text(encoding="utf-8"))
    assert [row["id"] for row in table["refuted"]] == [entry.id for entry in controls.refuted()]
    assert [(row["title"], row["claim"]) for row in table["dropped"]] == [
        (theorem.name, name) for theorem, name in controls.drops()
    ]
    assert all(row["where"] and row["sides"] for row in (*table["refuted"], *table["dropped"]))
