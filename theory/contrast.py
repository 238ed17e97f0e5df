"""A statement that is written as a test in Python has to be able to come out the other way.

`lambda instance: True` passes every enumeration, `lambda instance: False` every counterexample. So evidence
states one instance more, on which the statement is false where it is enumerated and true where it is refuted:
a sketch without signs, a median that is moved. A test could still single out that instance, so near it the
statement has to come out the same way: on `ENOUGH` of the first `TRIED` instances that differ from it in one
number (`theory.neighbours`). A test that is made from a symbolic form needs none of this.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from theory.entry import Entry
from theory.errors import EvidenceFailed
from theory.evidence import Evidence
from theory.integers import HoldsAt
from theory.neighbours import neighbours
from theory.replay import Exhaustive, OnInstance
from theory.statements import FiniteClaim, Test
from theory.sums import BoundsSum, SumsCompare

FROM_A_FORM = (HoldsAt, SumsCompare, BoundsSum)
ENOUGH, TRIED = 3, 12
NO_INSTANCE = (ArithmeticError, IndexError, EvidenceFailed, KeyError, StopIteration, TypeError, ValueError)


def one_sided(entry: Entry) -> list[str]:
    """Evidence whose statement is not shown to be able to fail, or to hold."""
    return [f"{item.role}: {fault}" for item in entry.evidence if (fault := _fault(entry, item))]


def _fault(entry: Entry, item: Evidence) -> str:
    method = item.method
    if not isinstance(method, OnInstance | Exhaustive):
        return ""
    try:
        claim = entry.claim_for(item)
    except EvidenceFailed:
        return ""  # reported where the evidence runs
    if not isinstance(claim, FiniteClaim) or isinstance(claim.statement.holds, FROM_A_FORM):
        return ""
    wanted = isinstance(method, OnInstance)
    word = "true" if wanted else "false"
    if method.unlike is None:
        return f"no instance is stated on which the statement is {word}"
    if bool(claim.statement.holds(method.unlike)) is not wanted:
        return f"the statement is not {word} on the instance that is stated for it"
    alike = sum(_says(claim.statement, near, wanted) for near in islice(neighbours(method.unlike), TRIED))
    if alike < ENOUGH:
        return f"near the instance that is stated for it the statement is {word} {alike} times, not {ENOUGH}"
    return ""


def _says(statement: Test, instance: Any, wanted: bool) -> bool:
    """The answer on an instance; a changed number may make it none."""
    try:
        return bool(statement.holds(instance)) is wanted
    except NO_INSTANCE:
        return False
