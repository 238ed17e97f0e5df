"""What reaches a line through the dependency graph, and which bounds are homogeneous."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from theory.ultimate import conditions_text, rests_on
from theory.weights import weight_of

from theory.errors import EvidenceFailed
from theory.ledger import Claim, Entry, Verdict, graph
from theory.ledger import collection as ledger
from theory.provers import Identity
from theory.symbols import QUANTITIES, G, Lam, gamma
from theory.units import measure as homogeneity
from theory.units.measure import Weight

SIZE = 7


def node(number: int, verdict: Verdict, depends: tuple[int, ...], absorbed_at: int | None) -> Entry:
    """An entry without content, for the graph."""
    return Entry(
        id=str(number),
        place="",
        title="",
        printed="",
        claim=Claim((), sp.true),
        verdict=verdict,
        evidence=(),
        depends=tuple(map(str, depends)),
        absorbed_at=None if absorbed_at is None else str(absorbed_at),
    )


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
def test_a_line_falls_through_exactly_the_errors_that_reach_it(entries: tuple[Entry, ...]) -> None:
    nodes = graph.build(entries)
    wrong = [entry for entry in entries if entry.verdict in (Verdict.REFUTED, Verdict.ABSORBED)]
    for goal in entries:
        assert set(nodes[goal.id].faults) == {f.id for f in wrong if reaches(entries, f, goal)}
        assert (nodes[goal.id].status == "falls") == bool(nodes[goal.id].faults)


@given(ledgers())
def test_conditions_are_never_discharged(entries: tuple[Entry, ...]) -> None:
    nodes = graph.build(entries)
    for entry in entries:
        above = set().union(*(nodes[parent].conditions for parent in entry.depends))
        own = {entry.id} if entry.verdict is Verdict.CONDITIONAL else set()
        assert set(nodes[entry.id].conditions) == above | own


def test_a_circular_proof_is_an_error() -> None:
    with pytest.raises(EvidenceFailed, match="circular"):
        graph.build((node(0, Verdict.VALID, (1,), None), node(1, Verdict.VALID, (0,), None)))


def test_what_brings_theorem_1_down() -> None:
    entries = ledger.entries()
    nodes = graph.build(entries)
    rows = {row for e in entries if e.id in nodes["T1"].faults for row in e.audit_rows}
    assert {13, 14, 25, 30, 33, 37, 38, 39, 41, 42} <= rows
    assert not rows & {18, 20, 22, 27, 28, 29, 34}  # absorbed on the way, or valid
    for fault in nodes["T1"].faults:
        assert fault == "T1" or graph.path(nodes, fault, "T1")[0] == fault


def test_what_survives() -> None:
    nodes = graph.build(ledger.entries())
    assert nodes["L2"].status == nodes["M.10"].status == "stands under conditions"
    assert nodes["L1"].status == nodes["T1"].status == "falls"
    assert nodes["T1.35"].status == nodes["T1.22d"].status == "stands"


def test_repairing_every_error_makes_the_theorem_stand() -> None:
    entries = tuple(
        replace(e, verdict=Verdict.VALID) if e.verdict in (Verdict.REFUTED, Verdict.ABSORBED) else e
        for e in ledger.entries()
    )
    assert graph.build(entries)["T1"].faults == ()


def test_repairing_one_error_is_not_enough() -> None:
    faults = [f for f in graph.build(ledger.entries())["T1"].faults if f != "T1"]
    for repaired in faults:
        entries = tuple(
            replace(e, verdict=Verdict.VALID) if e.id == repaired else e for e in ledger.entries()
        )
        assert len(graph.build(entries)["T1"].faults) > 1


# ------------------------------------------------------------------ units

LETTERS = [q.symbol for q in QUANTITIES]


@given(st.lists(st.tuples(st.sampled_from(LETTERS), st.integers(-2, 2)), min_size=1, max_size=4))
def test_a_monomial_has_the_weight_of_its_letters(powers: list) -> None:
    monomial = sp.Mul(*(letter**n for letter, n in powers))
    weight = weight_of(monomial)
    assert weight is not None
    positive = tuple(letter > 0 for letter in LETTERS)
    method = Identity(homogeneity.changes(monomial))
    assert method.decide(homogeneity.claim(monomial, weight, positive)).ok
    wrong = replace(weight, value=weight.value + 1)
    with pytest.raises(EvidenceFailed):
        method.decide(homogeneity.claim(monomial, wrong, positive))


@given(st.sampled_from(LETTERS), st.sampled_from(LETTERS))
def test_a_sum_has_a_weight_exactly_when_its_terms_agree(one: sp.Symbol, two: sp.Symbol) -> None:
    same = weight_of(one) == weight_of(two)
    assert (weight_of(one + two) is not None) == same


def test_known_weights() -> None:
    assert weight_of(gamma * Lam) == homogeneity.NONE
    assert weight_of(gamma * G) == Weight(Fraction(1), Fraction(0))
    assert weight_of(1 + gamma) is None


def test_which_bounds_depend_on_the_units() -> None:
    units = {e.id: e.verdict for e in ledger.entries() if e.id.startswith("U.")}
    wrong = {name for name, verdict in units.items() if verdict is Verdict.REFUTED}
    assert wrong == {"U.7", "U.8", "U.9", "U.12", "U.13", "U.14", "U.15"}  # (d), ρ, both ranges, b², σ², all


def test_a_path_does_not_lead_through_a_line_that_was_healed() -> None:
    """The short way passes a line that does not carry the fault; only the long way counts."""
    lines = {"bad": ((), ("bad",)), "healed": (("bad",), ()), "next": (("bad",), ("bad",))}
    lines |= {"then": (("next",), ("bad",)), "goal": (("healed", "then"), ("bad",))}
    nodes = {n: graph.Node(n, Verdict.VALID, up, faults, (), (), ()) for n, (up, faults) in lines.items()}
    assert graph.path(nodes, "bad", "goal") == ("bad", "next", "then", "goal")
    assert graph.path(nodes, "bad", "healed") == ()


@given(st.data())
def test_a_path_is_a_shortest_chain_of_lines_that_carry_the_fault(data) -> None:
    """On random graphs: against all simple chains, found without cleverness."""
    names = [f"n{i}" for i in range(data.draw(st.integers(2, 6)))]
    nodes = {}
    for i, name in enumerate(names):
        parents = data.draw(st.lists(st.sampled_from(names[:i]), unique=True)) if i else []
        faults = tuple(data.draw(st.lists(st.sampled_from(names), unique=True)))
        nodes[name] = graph.Node(name, Verdict.VALID, tuple(parents), faults, (), (), ())
    start, goal = data.draw(st.sampled_from(names)), data.draw(st.sampled_from(names))
    found, best = graph.path(nodes, start, goal), shortest(nodes, start, goal)
    assert len(found) == len(best)
    for parent, child in pairwise(found):
        assert parent in nodes[child].depends and start in nodes[child].faults


def shortest(nodes, at: str, goal: str, start: str | None = None) -> tuple[str, ...]:
    start = start or at
    if at == goal:
        return (at,)
    below = [n.id for n in nodes.values() if at in n.depends and start in n.faults]
    tails = [tail for child in below if (tail := shortest(nodes, child, goal, start))]
    return (at, *min(tails, key=len)) if tails else ()


def test_the_summary_of_the_whole_ledger_names_milestones_errors_and_runs(judged) -> None:
    """What `fpsverify verify` prints at its end: counts, milestones, runs, on one screen."""
    from theory.ledger import report as render

    nodes = graph.build(ledger.entries())
    shown = render.summary(judged, nodes)
    assert f"{len(judged)} of {len(judged)} check out" in shown
    for milestone in graph.MILESTONES:
        assert any(line.split()[:1] == [milestone] for line in shown.splitlines()), milestone
    assert "falls through: " in shown and "What survives of the paper's proof" in shown
    assert "Runs that break Theorem 1 as stated" in shown
    assert len(shown.splitlines()) <= 60


# ------------------------------------------------------------------ what a line rests on in the end


def test_the_end_of_corollary_2_rests_on_its_step_size_conditions() -> None:
    found = rests_on(ledger.find("RC2.17"), ledger.find)
    assert {"A1", "A2", "A3", "A5", "K1", "K2", "K3", "MU", "MIN", "NU"} <= set(found)
    assert "K2: 16*B**2*P_n*g*nu <= 1 - P" in conditions_text(found)
    assert rests_on(ledger.find("V.4"), ledger.find) == ("A1",)
    assert rests_on(ledger.find("V.1"), ledger.find) == ()
