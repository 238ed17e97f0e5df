"""What reaches a line through the dependency graph."""

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from theory.errors import EvidenceFailed
from theory.ledger import Claim, Entry, Kind, Verdict, cover, graph
from theory.papers.fps.paper import PAPER
from theory.provers import Solver

SIZE = 7


def node(number: int, verdict: Verdict, depends: tuple[int, ...], absorbed_at: int | None) -> Entry:
    """An entry without content, for the graph."""
    trivial = Claim((), sp.true)
    covers = () if absorbed_at is None else (cover(str(absorbed_at), trivial, Solver(), ""),)
    names = tuple(map(str, depends))
    return Entry(str(number), Kind.PRINTED, "", "", trivial, verdict, covers, depends=names)


@st.composite
def ledgers(draw: st.DrawFn) -> tuple[Entry, ...]:
    """A random proof: lines depend on earlier ones, some are wrong, some of those are absorbed later."""
    entries = []
    for number in range(SIZE):
        depends = tuple(sorted(draw(st.sets(st.integers(0, number - 1), max_size=3)))) if number else ()
        verdict = draw(st.sampled_from(list(Verdict)))
        later = draw(st.integers(number + 1, SIZE)) if verdict is Verdict.ABSORBED else None
        entries.append(node(number, verdict, depends, later if later != SIZE else None))
    return tuple(entries)


def reaches(entries: tuple[Entry, ...], fault: Entry, goal: Entry) -> bool:
    """Is there a path from the fault to the goal that avoids the line that absorbs it?"""
    if goal.id == fault.id:
        return True
    if goal.id == fault.absorbed_at:
        return False
    known = {entry.id: entry for entry in entries}
    return any(reaches(entries, fault, known[parent]) for parent in goal.depends)


@given(ledgers())
def test_a_line_falls_by_the_errors_that_reach_it_and_conditions_stay(
    entries: tuple[Entry, ...],
) -> None:
    nodes = graph.build(entries)
    wrong = [entry for entry in entries if entry.verdict in (Verdict.REFUTED, Verdict.ABSORBED)]
    for goal in entries:
        assert set(nodes[goal.id].faults) == {f.id for f in wrong if reaches(entries, f, goal)}
        assert (nodes[goal.id].status == "falls") == bool(nodes[goal.id].faults)
        above = set().union(*(nodes[parent].conditions for parent in goal.depends))
        own = {goal.id} if goal.verdict is Verdict.CONDITIONAL else set()
        assert set(nodes[goal.id].conditions) == above | own


def test_a_circular_proof_is_an_error() -> None:
    with pytest.raises(EvidenceFailed, match="circular"):
        graph.build((node(0, Verdict.VALID, (1,), None), node(1, Verdict.VALID, (0,), None)))


def test_what_brings_theorem_1_down_and_what_survives() -> None:
    nodes = graph.build(PAPER.entries)
    faults = set(nodes["T1"].faults)
    assert {"L1.5", "L1.7", "M.1", "T1.2", "T1.8", "T1.22", "T1.23", "T1.29", "T1.34", "T1.27"} <= faults
    healed = {"L2.3v", "M.11", "M.12", "M.17", "M.20", "M.21", "T1.12"}
    assert not faults & healed  # absorbed on the way
    assert nodes["L2"].status == nodes["M.10"].status == "stands"
    assert nodes["L1"].status == nodes["T1"].status == "falls"
    assert nodes["T1.35"].status == nodes["T1.22d"].status == "stands"
