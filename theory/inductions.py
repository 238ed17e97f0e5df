"""An induction goes one step on, and its start belongs to its step.

The step says what it moves (`spoiled + hits: spoiled, s + 1: s`): what is there after it, and what was there
before. The start gives values to all of that and to nothing else: an invariant such as ϑ set to 0 would start
an induction that never moves ϑ. A sum starts empty or with its first element, a product at 1; where it starts
at what was there already, that has a letter.
"""

from __future__ import annotations

import sympy as sp

from theory import smt
from theory.entry import Step
from theory.errors import EvidenceFailed
from theory.naming import is_letter, is_range
from theory.statements import Claim, parts
from theory.substance import same_relation


def demand_induction(step: Step, claim: Claim) -> None:
    """The step goes on, and the statement is proved at the start from the ranges of its letters."""
    _demand_another(step, claim.statement)
    start = claim.statement.subs(dict(step.base), simultaneous=True)
    ranges = tuple(h for h in claim.hypotheses if is_range(h))
    shown = start == sp.true or smt.prove(ranges, start, smt.QUICK).answer is smt.Answer.PROVED
    if not step.base or not shown:
        raise EvidenceFailed(f"{step.line}: the statement is not shown at the start of the induction")
    _demand_forward(step)
    _demand_moved(step, claim.statement)
    _demand_empty_or_first(step)


def _demand_another(step: Step, statement: sp.Basic) -> None:
    before = [part.subs(dict(step.reads), simultaneous=True) for part in parts(statement)]
    if any(same_relation(earlier, part) for earlier in before for part in parts(statement)):
        raise EvidenceFailed(f"{step.line}: its own conclusion is no hypothesis of an induction")


def _demand_forward(step: Step) -> None:
    """What was there before is a letter, or the same form with a letter one less; none comes back."""
    for old, new in step.reads:
        if not (is_letter(new) or _is_one_less(old, new)):
            raise EvidenceFailed(f"{step.line}: {new} is not what was there before {old}")
        if (added := sp.expand(old - new)).is_number and added < 0:
            raise EvidenceFailed(f"{step.line}: the step goes back from {new} to {old}")
    earlier = {old: new for old, new in step.reads if old != new}
    for old in earlier:
        before, passed = earlier[old], {old}
        while before in earlier and before not in passed:
            passed.add(before)
            before = earlier[before]
        if before in passed:
            raise EvidenceFailed(f"{step.line}: {before} comes before itself")


def _is_one_less(old: sp.Expr, new: sp.Expr) -> bool:
    return any(sp.expand(new.subs(s, s + 1) - old) == 0 for s in new.free_symbols)


def _demand_moved(step: Step, statement: sp.Basic) -> None:
    marks = {old: sp.Dummy() for old, new in step.reads if old != new}
    left = statement.subs(marks, simultaneous=True).free_symbols
    moved = {old for old, mark in marks.items() if mark in left}
    begun = {old for old, _ in step.base}
    if begun - moved:
        raise EvidenceFailed(f"{step.line}: the start sets {_texts(begun - moved)}, which no step moves")
    if moved - begun:
        raise EvidenceFailed(
            f"{step.line}: the start leaves open {_texts(moved - begun)}, which a step moves"
        )


def _texts(found: set[sp.Expr]) -> str:
    return ", ".join(sorted(map(str, found)))


def _demand_empty_or_first(step: Step) -> None:
    """One start for all sums: before the first element, or after it."""
    before = dict(step.reads)
    starts = set()
    for old, value in step.base:
        if value.is_Symbol:
            continue
        if _is_free_of(sp.cancel(old / before[old]), before[old]) and value != 1:
            raise EvidenceFailed(f"{step.line}: the product {old} starts at {value}, not at 1")
        added = sp.expand(old - before[old])
        if _is_free_of(added, before[old]):
            starts.add({sp.Integer(0): "empty", added: "first"}.get(sp.expand(value), f"{old} at {value}"))
    if len(starts) > 1 or starts - {"empty", "first"}:
        raise EvidenceFailed(f"{step.line}: the sums do not start together: {', '.join(sorted(starts))}")


def _is_free_of(expression: sp.Expr, before: sp.Expr) -> bool:
    return not expression.free_symbols & before.free_symbols
