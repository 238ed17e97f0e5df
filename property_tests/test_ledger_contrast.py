"""`verify` itself refuses a finite statement that is true of everything, or of nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from theory import ledger
from theory.claim import Entry, Evidence, FiniteClaim, Test, judge
from theory.contrast import FROM_A_FORM, one_sided
from theory.replay import Exhaustive, OnInstance


def written(entry: Entry) -> list[Evidence]:
    """Evidence whose statement is a test written in Python."""
    found = (item for item in entry.evidence if isinstance(item.method, OnInstance | Exhaustive))
    return [i for i in found if not isinstance(entry.claim_for(i).statement.holds, FROM_A_FORM)]  # type: ignore[union-attr]


WRITTEN = [entry for entry in ledger.entries() if written(entry)]


def with_statement(entry: Entry, item: Evidence, answer: bool) -> Entry:
    """The statement of this evidence, or the entry's own, says the same of every instance."""
    planted = Test("planted", lambda _: answer)
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
