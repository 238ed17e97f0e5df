"""Is an earlier line used of what it was proved of? That is shown, or listed as said in words.

A line holds for all letters that satisfy its hypotheses. Who uses it shows these hypotheses, in the letters
that it is read in. A hypothesis that came from an earlier line (or a name) is often about things that the
later line does not go into; then it is enough to say which letter is which: `said_in_words` lists what is
read as something else, `same_letters` what stays the same. All other readings are refused.
"""

from __future__ import annotations

from collections.abc import Collection

import sympy as sp

from theory.entry import Entry, Step
from theory.errors import EvidenceFailed
from theory.naming import CONSTANTS, is_letter
from theory.said_in_words import said
from theory.same_letters import same
from theory.statements import Claim


def demand_said(step: Step, user: str, summed: Collection[sp.Symbol]) -> None:
    """Expressions are read as letters; as expressions, or as sums over coordinates, if it is said."""
    if step.base:
        return  # an induction goes one step back, and `theory.inductions` says how
    for old, new in step.reads:
        plain = not old.free_symbols & set(summed) and (old.is_Symbol or is_letter(new))
        if not plain and (old, new) not in said(user, step.line):
            raise EvidenceFailed(f"{step.line}: {old} is read as {new}, which is not said anywhere")


def is_open(
    step: Step, user: Entry, hypothesis: sp.Basic, summed: Collection[sp.Symbol] = frozenset()
) -> bool:
    """Does the line have to show a hypothesis of the earlier one, since it is not said which letter is which?

    Of letters that it no longer has, and that are read as nothing else, it says nothing; nor of one
    coordinate of a sum.
    """
    if step.base or hypothesis.free_symbols & set(summed):
        return False
    told = {s for old, new in set(said(user.id, step.line)) & set(step.reads) for s in old.free_symbols}
    other = {s for old, _ in step.reads for s in old.free_symbols}
    other |= {s for old, new in step.reads if is_letter(new) for s in new.free_symbols}
    return bool(moved(step, user, hypothesis) - told - (same(user.id, step.line) - other))


def moved(step: Step, user: Entry, hypothesis: sp.Basic) -> set[sp.Symbol]:
    """Letters of a hypothesis that are read as something else, or that the later line has too.

    A constant is the same everywhere, unless it is read as something else.
    """
    found = set(user.claim.symbols) - CONSTANTS if isinstance(user.claim, Claim) else set()
    if hypothesis.subs(dict(step.reads), simultaneous=True) != hypothesis:
        found |= {s for old, new in step.reads if old != new for s in old.free_symbols}
    return found & hypothesis.free_symbols
