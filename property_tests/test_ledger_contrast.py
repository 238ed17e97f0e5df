"""`verify` itself refuses a finite statement that is true of everything, or of nothing."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

import pytest
from theory.contrast import FROM_A_FORM, one_sided
from theory.neighbours import neighbours

from theory.ledger import Entry, Evidence, FiniteClaim, Test, judge
from theory.ledger import collection as ledger
from theory.provers.replay import Exhaustive, OnInstance
from theory.repaired.small_sketches import Moved


def written(entry: Entry) -> list[Evidence]:
    """Evidence whose statement is a test written in Python."""
    found = (item for item in entry.evidence if isinstance(item.method, OnInstance | Exhaustive))
    return [i for i in found if not isinstance(entry.claim_for(i).statement.holds, FROM_A_FORM)]  # type: ignore[union-attr]


WRITTEN = [entry for entry in ledger.entries() if written(entry)]


def with_statement(entry: Entry, item: Evidence, answer: bool, except_on: Any = None) -> Entry:
    """The statement of this evidence, or the entry's own, says the same of every instance but one."""
    planted = Test("planted", lambda instance: answer is not (instance is except_on))
    if item.claim is None:
        assert isinstance(entry.claim, FiniteClaim)
        return replace(entry, claim=replace(entry.claim, statement=planted))
    assert isinstance(item.claim, FiniteClaim)
    said = replace(item, claim=replace(item.claim, statement=planted))
    return replace(entry, evidence=tuple(said if i is item else i for i in entry.evidence))


def test_many_entries_are_written_in_python() -> None:
    assert len(WRITTEN) > 30
    assert {type(item.method) for entry in WRITTEN for item in written(entry)} == {OnInstance, Exhaustive}


@pytest.mark.parametrize("entry", WRITTEN, ids=lambda e: e.id)
def test_a_statement_that_never_changes_is_one_sided(entry: Entry) -> None:
    assert not one_sided(entry)
    for item in written(entry):
        vacuous = isinstance(item.method, Exhaustive)  # the answer that the evidence itself would accept
        assert any(
            "on the instance that is stated" in f for f in one_sided(with_statement(entry, item, vacuous))
        )


@pytest.mark.parametrize("entry", WRITTEN, ids=lambda e: e.id)
def test_the_other_instance_must_be_stated(entry: Entry) -> None:
    bare = tuple(
        replace(item, method=replace(item.method, unlike=None)) if item in written(entry) else item  # type: ignore[type-var]
        for item in entry.evidence
    )
    assert any("no instance is stated" in fault for fault in one_sided(replace(entry, evidence=bare)))


@pytest.mark.parametrize("name", ["CS.3", "RS.c5", "L1.any", "RS.a6"])
def test_verify_refuses_a_vacuous_statement(name: str) -> None:
    """The enumeration, or the instance, accepts it; the judgement does not."""
    entry = ledger.find(name)
    (item,) = written(entry)
    planted = with_statement(entry, item, isinstance(item.method, Exhaustive))
    claim = planted.claim_for(next(i for i in planted.evidence if i.method is item.method))
    assert item.method.decide(claim).ok
    found = judge(planted)
    assert not found.ok and any("stated for it" in fault for fault in found.faults)


@pytest.mark.parametrize("entry", WRITTEN, ids=lambda e: e.id)
def test_a_statement_that_singles_out_one_instance_is_one_sided(entry: Entry) -> None:
    """True of everything but the stated instance, or false of everything but it."""
    for item in written(entry):
        planted = with_statement(entry, item, isinstance(item.method, Exhaustive), item.method.unlike)
        assert any("near the instance" in fault for fault in one_sided(planted))


@pytest.mark.parametrize("name", ["CS.3", "RS.a6", "L1.any"])
def test_verify_refuses_a_statement_that_singles_out_one_instance(name: str) -> None:
    entry = ledger.find(name)
    (item,) = written(entry)
    equal_to = item.method.unlike
    planted = Test("planted", lambda d: isinstance(item.method, Exhaustive) is not (d == equal_to))
    found = judge(replace(entry, claim=replace(entry.claim, statement=planted)))
    assert not found.ok and any("near the instance" in fault for fault in found.faults)


@dataclass(frozen=True)
class Sized:
    size: int
    share: Fraction
    rows: tuple[int, ...] = (0,)
    signs: frozenset[int] = frozenset({1})
    signed: bool = True
    name: str = "kept"


def test_neighbours_differ_in_one_number() -> None:
    start = Sized(2, Fraction(1, 2))
    found = list(neighbours(start))
    assert found == list(neighbours(start))
    assert [s.share for s in found[:3]] == [Fraction(3, 2), Fraction(-1, 2), 1]
    assert [s.size for s in found[3:6]] == [3, 1, 4]
    assert [s.rows for s in found[6:8]] == [(1,), (-1,)]
    assert [s.signs for s in found[8:10]] == [{2}, {0}]
    assert [s.signed for s in found[10:]] == [False]
    for near in found:
        assert sum(getattr(near, f.name) != getattr(start, f.name) for f in fields(near)) == 1


def test_neighbours_keep_the_kind_of_an_instance() -> None:
    assert all(type(near) is Moved for near in neighbours(Moved((1, 2))))
    assert [*neighbours({"k": 1, "w": "text"})] == [{"k": 2, "w": "text"}, {"k": 0, "w": "text"}]
    played = next(line for line in ledger.entries() if line.id.startswith("R.")).evidence[0].method.data
    lefts = [near.refutation.left - played.refutation.left for near in neighbours(played)]
    assert lefts[:2] == [1, -1]


def test_a_number_that_makes_no_instance_is_no_answer() -> None:
    def holds(n: Fraction) -> bool:
        return 1 / (n - 4) < 0 or n > 5

    entry = ledger.find("L2.14")
    claim = replace(entry.claim, statement=Test("planted", holds))
    assert any("near the instance" in fault for fault in one_sided(replace(entry, claim=claim)))
