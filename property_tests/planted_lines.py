"""Lines of the ledger, changed on purpose: what a derivation says of them."""

from __future__ import annotations

from dataclasses import replace

from theory import derivations, ledger
from theory.entry import Entry, Step
from theory.statements import Claim


def entry(identifier: str) -> Entry:
    return ledger.find(identifier)


def status(line: Entry, **other: Entry) -> derivations.Basis:
    """The derivation of a true line, with some earlier lines exchanged."""
    changed = {line.id: line for line in other.values()}
    return derivations.decide(line, True, lambda name: changed.get(name) or entry(name))


def plain(claim: Claim, *steps: Step, depends: tuple[str, ...] = ()) -> Entry:
    """A line of its own, with no other evidence than its steps."""
    return replace(entry("L2.10"), claim=claim, depends=depends, steps=steps)
