"""Two engines decide every entry, or the entry says why not; a disagreement is an error."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from fpsverify.cli import ledger as commands
from property_tests import laws
from theory.errors import EvidenceFailed
from theory.ledger import Entry, Evidence, Kind, Role, Verdict, cards, graph
from theory.ledger import collection as ledger
from theory.ledger import report as render
from theory.ledger.guards import engines_that_decided
from theory.ledger.judge import Judgement, judge
from theory.ledger.statements import Claim
from theory.provers.replay import Exhaustive, OnInstance
from theory.provers.second_opinion import Opinion, Second, agreeing, by_z3
from theory.symbols import real

SOURCE = laws.PROOFS
KILLS = (
    "theory/provers/second_opinion.py",
    "theory/counterexamples/second/selections.py",
    "theory/counterexamples/second/drifts.py",
    "theory/counterexamples/second/hashes.py",
    "theory/counterexamples/second/algorithm1.py",
    "theory/counterexamples/second/theorem1.py",
    "theory/counterexamples/second/cases.py",
)

x, y = real("x y")
ONE_ENGINE = {"L2.11"}  # with a reason of its own; cited lines share one


def replays(line: Entry) -> list[Evidence]:
    """The evidence about the entry itself that an instance or an enumeration decides."""
    return [
        item
        for item in line.evidence
        if item.role.about_the_entry and isinstance(item.method, OnInstance | Exhaustive)
    ]


def with_second(line: Entry, second: Second | None) -> Entry:
    """The entry with another second judge wherever it has one."""
    items = tuple(
        replace(item, method=replace(item.method, second=second)) if item in replays(line) else item
        for item in line.evidence
    )
    return replace(line, evidence=items)


REPLAYED = [line.id for line in ledger.entries() if replays(line)]
QUICK = ("CS.2", "CS.3", "L1", "L1.10", "T1.2", "Lemma1r.selection")


def test_every_entry_has_two_engines_or_says_why(judged: Sequence[Judgement]) -> None:
    """Step by step: two engines decide each piece of evidence about the entry, and the reason is shown."""
    nodes, lone = graph.build(ledger.entries()), set()
    for j in (j for j in judged if j.entry.kind is not Kind.REPAIRED):  # Coq's kernel decides those
        own = [f for f in j.findings if f.role.about_the_entry and f.role is not Role.CITATION]
        twice = all(len(engines_that_decided(f)) >= 2 for f in own) and j.entry.verdict is not Verdict.CITED
        reason = render.entry_json(j)["why_one_engine"]
        assert twice == (reason is None), j.entry.id
        if reason:
            assert " ".join(reason.split()[:6]) in cards.claim_text(j, nodes[j.entry.id])
            lone |= set() if j.entry.verdict is Verdict.CITED else {j.entry.id}
    assert lone == ONE_ENGINE


def test_at_least_two_engines_take_part_in_every_entry(judged: Sequence[Judgement]) -> None:
    own = [j for j in judged if j.entry.kind is not Kind.REPAIRED]
    assert {j.entry.id: j.engines for j in own if len(set(j.engines) - {"sampling"}) < 2} == {}


def test_every_replay_and_enumeration_has_a_second_judge() -> None:
    assert len(REPLAYED) >= 22
    bare = [i for i in REPLAYED for item in replays(ledger.find(i)) if item.method.second is None]  # type: ignore[attr-defined]
    assert bare == []


@pytest.mark.parametrize("identifier", QUICK)
def test_one_engine_without_a_reason_is_rejected(identifier: str) -> None:
    line = with_second(ledger.find(identifier), None)
    assert any("only one engine" in fault for fault in judge(line).faults)
    told = replace(line, evidence=tuple(replace(item, alone="a reason") for item in line.evidence))
    assert judge(told).ok and "a reason" in judge(told).why_one_engine


@pytest.mark.parametrize("identifier", QUICK)
@pytest.mark.parametrize("outside", [True, False])
def test_two_engines_that_disagree_are_an_error(identifier: str, outside: bool) -> None:
    """The planted judge finds the opposite, or that the hypotheses fail."""
    line = ledger.find(identifier)
    refuted = line.verdict is Verdict.REFUTED or line.verdict is Verdict.CONDITIONAL
    found = Opinion(False, not refuted) if outside else Opinion(True, refuted)
    faults = judge(with_second(line, Second("planted", lambda _: found))).faults
    assert any("engines disagree" in fault for fault in faults)
    assert any("hypotheses fail" in fault for fault in faults) == outside


def test_a_disagreement_ends_with_a_nonzero_exit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    planted = with_second(ledger.find("T1.2"), Second("planted", lambda _: Opinion(True, True)))
    monkeypatch.setattr(ledger, "select", lambda prefix: (planted,))
    parser = argparse.ArgumentParser()
    commands.add_commands(parser.add_subparsers())
    args = parser.parse_args(["verify", "--only", "T1.2", "--jobs", "1"])
    assert args.func(args) == commands.EXIT_EVIDENCE_FAILED
    assert "engines disagree" in capsys.readouterr().out


def test_other_numbers_are_a_disagreement() -> None:
    half = (Fraction(1, 2),)
    assert agreeing(Second("planted", lambda _: Opinion(True, False, half)), None, False, half) == (
        "planted",
    )
    with pytest.raises(EvidenceFailed, match="other sides"):
        agreeing(Second("planted", lambda _: Opinion(True, False, half)), None, False, (Fraction(1, 3),))
    assert agreeing(None, None, False) == ()


@pytest.mark.parametrize("identifier", ["T1", "R.range-without-L", "R.local-steps-any-reading", "CS.2"])
def test_both_sides_of_the_second_run_are_compared(identifier: str) -> None:
    line = ledger.find(identifier)
    (item,) = replays(line)
    method = item.method
    assert isinstance(method, OnInstance) and method.second is not None
    assert method.second.opinion(method.data).sides == method.numbers(method.data) != ()


def test_z3_decides_an_instance() -> None:
    claim = Claim((x > 0, y * x >= 1), y >= x)
    assert by_z3(claim, {x: 2, y: 1}) == Opinion(True, False)
    assert by_z3(claim, {x: 2, y: 3}) == Opinion(True, True)
    assert not by_z3(claim, {x: 2, y: 0}).admissible
    with pytest.raises(EvidenceFailed, match="open"):
        by_z3(claim, {x: 2})
