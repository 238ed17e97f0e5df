"""Lines of the ledger, changed on purpose: what a derivation says of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from theory.said_in_words import SAID
from theory.same_letters import SAME

from theory import derivations
from theory.ledger import collection as ledger
from theory.ledger.entry import Entry, Step
from theory.ledger.statements import Claim


def entry(identifier: str) -> Entry:
    return ledger.find(identifier)


def status(line: Entry, **other: Entry) -> derivations.Basis:
    """The derivation of a true line, with some earlier lines exchanged."""
    changed = {line.id: line for line in other.values()}
    return derivations.decide(line, True, lambda name: changed.get(name) or entry(name))


def plain(claim: Claim, *steps: Step, depends: tuple[str, ...] = ()) -> Entry:
    """A line of its own, with no other evidence than its steps."""
    return replace(entry("L2.10"), claim=claim, depends=depends, steps=steps)


def say(patch: pytest.MonkeyPatch, user: str, line: str, readings: str = "", letters: str = "") -> None:
    """As if the tables said it: what a planted line reads as something else, and what stays the same."""
    patch.setitem(SAID, user, {**SAID.get(user, {}), line: readings})
    patch.setitem(SAME, user, {**SAME.get(user, {}), line: letters})
