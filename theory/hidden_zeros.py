"""Denominators of hypotheses do not vanish, by hypotheses that say so without dividing.

m = n/K says nothing at K = 0, so a statement that is false there would pass: the hypothesis hides the case.
What allows the division has to be among the hypotheses (K > 0, or x² + y² = 1), not in the division itself.
"""

from __future__ import annotations

import sympy as sp

from theory import smt
from theory.decided import shown_without_z3
from theory.denominators import relations
from theory.entry import Entry
from theory.errors import EvidenceFailed
from theory.evidence import Role
from theory.statements import Claim


def hidden(entry: Entry) -> list[str]:
    """The denominators of hypotheses, in all claims of the entry, that may be zero."""
    found = [*hidden_in(relations(entry.claim)), *hidden_in(_with_condition(entry))]
    for item in entry.evidence:
        if item.role is Role.NECESSARY:
            continue  # it starts from the statement, which holds only where it is defined
        try:
            claim = entry.claim_for(item)
        except EvidenceFailed:
            continue  # reported where the evidence runs
        if isinstance(claim, Claim):
            found += hidden_in(claim.hypotheses)
    unique = dict.fromkeys(found)
    return [f"a hypothesis divides by {d}, which no hypothesis keeps from being zero" for d in unique]


def _with_condition(entry: Entry) -> tuple[sp.Basic, ...]:
    condition = (entry.condition,) if isinstance(entry.condition, sp.Basic) else ()
    return (*relations(entry.claim), *condition)


def hidden_in(hypotheses: tuple[sp.Basic, ...]) -> tuple[sp.Expr, ...]:
    """Denominators that may be zero. A hypothesis counts once its own denominators cannot vanish."""
    known = tuple(h for h in hypotheses if not smt.denominators(h))
    waiting = [h for h in hypotheses if smt.denominators(h)]
    while ready := [h for h in waiting if all(_nonzero(d, known) for d in smt.denominators(h))]:
        known = (*known, *ready)
        waiting = [h for h in waiting if h not in ready]
    return tuple(dict.fromkeys(d for h in waiting for d in smt.denominators(h) if not _nonzero(d, known)))


def _nonzero(denominator: sp.Expr, known: tuple[sp.Basic, ...]) -> bool:
    if shown_without_z3(denominator, known, strictly=True):
        return True
    return smt.prove(known, sp.Ne(denominator, 0), smt.QUICK).answer is smt.Answer.PROVED
