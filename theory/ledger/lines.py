"""Entries by verdict. A line is printed unless `kind` says otherwise; `right` is what is right in its place.

`method` proves, `fails` is a counterexample, `always` proves the negation, `needs` shows that a condition is
necessary, and `beside` is further evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import sympy as sp

from theory.ledger.entry import Corrected, Entry, Kind, Severity, Verdict
from theory.ledger.evidence import Evidence, Method, Role, counterexample, proof

SILENT, QUESTION = Kind.SILENT, Kind.QUESTION
Beside = Evidence | tuple[Evidence, ...]


def _entry(
    verdict: Verdict,
    evidence: Iterable[Evidence],
    beside: Beside = (),
    kind: Kind = Kind.PRINTED,
    right: str | tuple[str, str] = "",
    severity: str = "",
    **rest: Any,
) -> Entry:
    corrected = Corrected(right) if isinstance(right, str) else Corrected(*right)
    graded = Severity(severity) if severity else None
    further = (beside,) if isinstance(beside, Evidence) else beside
    found = (*evidence, *further)
    return Entry(kind=kind, verdict=verdict, evidence=found, corrected=corrected, severity=graded, **rest)


def printed_line(*, method: Method, **rest: Any) -> Entry:
    """A line that the paper prints and that `method` proves."""
    return _entry(Verdict.VALID, [proof(method)], **rest)


def silent_step(**rest: Any) -> Entry:
    """A step that the paper uses silently and that `method` proves."""
    return printed_line(kind=SILENT, **rest)


def question(**rest: Any) -> Entry:
    """A question of ours, answered with yes by `method`."""
    return printed_line(kind=QUESTION, **rest)


def conditional(
    *,
    condition: sp.Basic,
    method: Method,
    fails: Method,
    needs: Method | None = None,
    alone: str = "",
    **rest: Any,
) -> Entry:
    """A line that holds under a condition which the paper does not state."""
    under = Evidence(Role.PROOF_IF, method, condition=condition)
    sharp = [Evidence(Role.NECESSARY, needs, alone=alone)] if needs else []
    return _entry(Verdict.CONDITIONAL, (under, counterexample(fails), *sharp), **rest)


def refuted(*, fails: Method | None = None, always: Method | None = None, **rest: Any) -> Entry:
    """A line that is false."""
    return _entry(Verdict.REFUTED, _wrong(fails, always), **rest)


def absorbed(
    *, fails: Method | None = None, always: Method | None = None, method: Method | None = None, **rest: Any
) -> Entry:
    """A wrong line that a later one has room for, so nothing after it changes.

    `method` proves it where only its derivation is wrong.
    """
    own = [proof(method)] if method else _wrong(fails, always)
    return _entry(Verdict.ABSORBED, own, severity="cosmetic", **rest)


def _wrong(fails: Method | None, always: Method | None) -> list[Evidence]:
    roles = ((Role.COUNTEREXAMPLE, fails), (Role.DISPROOF, always))
    return [Evidence(role, method) for role, method in roles if method]


def defined(letters: Mapping[str, str], *entries: Entry) -> tuple[Entry, ...]:
    """The entries with the meaning of those letters that they use; an entry's own meaning goes first."""
    return tuple(
        replace(e, letters={n: m for n, m in {**letters, **e.letters}.items() if n in e.symbols})
        for e in entries
    )
