"""Entries by verdict. A line is printed unless `kind` says otherwise; `right` is what is right in its place.

`method` proves, under the `condition` if there is one; `fails` is a counterexample, `always` proves the
negation, `needs` shows that the condition is necessary, and `beside` is further evidence. What a verdict
demands of these, the judge checks.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import sympy as sp

from theory.ledger.entry import Corrected, Entry, Kind, Severity, Verdict
from theory.ledger.evidence import Evidence, Method, Role

SILENT, QUESTION = Kind.SILENT, Kind.QUESTION


def _entry(
    verdict: Verdict,
    *,
    method: Method | None = None,
    condition: sp.Basic | None = None,
    fails: Method | None = None,
    always: Method | None = None,
    needs: Method | None = None,
    beside: Evidence | tuple[Evidence, ...] = (),
    kind: Kind = Kind.PRINTED,
    right: str | tuple[str, str] = "",
    severity: str = "",
    **rest: Any,
) -> Entry:
    main = Role.PROOF if condition is None else Role.PROOF_IF
    own = [Evidence(main, method, condition=condition)] if method else []
    others = ((Role.COUNTEREXAMPLE, fails), (Role.DISPROOF, always), (Role.NECESSARY, needs))
    own += [Evidence(role, by) for role, by in others if by]
    further = (beside,) if isinstance(beside, Evidence) else beside
    corrected = Corrected(right) if isinstance(right, str) else Corrected(*right)
    graded = Severity(severity) if severity else None
    evidence = (*own, *further)
    return Entry(kind=kind, verdict=verdict, evidence=evidence, corrected=corrected, severity=graded, **rest)


printed_line = partial(_entry, Verdict.VALID)
silent_step = partial(_entry, Verdict.VALID, kind=SILENT)
question = partial(_entry, Verdict.VALID, kind=QUESTION)  # answered with yes
conditional = partial(_entry, Verdict.CONDITIONAL)
refuted = partial(_entry, Verdict.REFUTED)
underived = partial(_entry, Verdict.UNDERIVED, severity="cosmetic")  # true, but not by the lines before it
undefined = partial(_entry, Verdict.UNDEFINED, severity="cosmetic")  # a definition is missing, and it matters
absorbed = partial(_entry, Verdict.ABSORBED, severity="cosmetic")  # a later line has room for it


def defined(letters: Mapping[str, str], *entries: Entry) -> tuple[Entry, ...]:
    """The entries with the meaning of those letters that they use; an entry's own meaning goes first."""
    return tuple(
        replace(e, letters={n: m for n, m in {**letters, **e.letters}.items() if n in e.symbols})
        for e in entries
    )
