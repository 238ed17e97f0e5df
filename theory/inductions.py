"""An induction goes one step on, and its start belongs to its step.

The step says what it moves (`spoiled + hits: spoiled, s + 1: s`): what is there after it, and what was there
before. The start gives values to all of that and to nothing else: an invariant such as ϑ set to 0 would start
an induction that never moves ϑ. A sum starts empty or with its first element, a product at 1; where it starts
at what was there already, that has a letter.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from theory import smt
from theory.entry import Step
from theory.errors import EvidenceFailed
from theory.letter_kinds import kinds
from theory.naming import definition, is_letter, is_range
from theory.statements import Claim, parts
from theory.substance import same_relation


def demand_induction(
    step: Step, claim: Claim, begun: Sequence[sp.Basic] = (), conditions: Sequence[sp.Basic] = ()
) -> None:
    """The step goes on, and the statement is proved at the start from the ranges of its letters.

    What moves starts at a value of its own, or it is left open (`after: after`) and earlier lines say what it
    is at the start (`begun`).
    """
    _demand_another(step, claim.statement)
    start = claim.statement.subs(dict(step.base), simultaneous=True)
    ranges = tuple(h for h in claim.hypotheses if is_range(h))
    known = (*ranges, *kinds(step.line, claim.symbols), *begun)
    shown = start == sp.true or _is_proved(known, start)
    if not step.base or not shown:
        raise EvidenceFailed(f"{step.line}: the statement is not shown at the start of the induction")
    _demand_forward(step)
    _demand_moved(step, claim.statement)
    _demand_empty_or_first(step)
    _demand_state_begun(step, claim)
    _demand_one_start(step, claim)
    _demand_ranges_kept(step, claim)
    _demand_held_before(step, claim, (*conditions, *_hidden_ranges(step, claim)))


def _demand_one_start(step: Step, claim: Claim) -> None:
    """All that the start sets belongs to one number of steps, and nothing that moves has another name."""
    first = {
        new: value - 1 for old, value in step.base if (new := dict(step.reads).get(old)) and old == new + 1
    }
    for old, value in step.base:
        if old.free_symbols <= first.keys() and sp.expand(old.subs(first) - value) != 0:
            raise EvidenceFailed(
                f"{step.line}: {old} does not start at {value} where {_texts(set(first))} does"
            )
    moved = {old for old, new in step.reads if old != new}
    for name in (h for h in claim.hypotheses if (found := definition(h)) is not None and found[0] in moved):
        begins = name.subs(dict(step.base), simultaneous=True).subs(first)
        if sp.true not in (begins, sp.simplify(begins)):
            raise EvidenceFailed(f"{step.line}: {name} does not hold at the start")


def _hidden_ranges(step: Step, claim: Claim) -> list[sp.Basic]:
    """Ranges of letters that are the names of what moves: v ≥ 0 for v = n − 5 says n ≥ 5."""
    moved = {s for old, new in step.reads if old != new for s in new.free_symbols}
    found = []
    for letter, value, squared in filter(None, map(definition, claim.hypotheses)):
        if value.free_symbols & moved and not squared:
            own = [h for h in claim.hypotheses if is_range(h) and h.lhs == letter]
            found += [limit.func(value, limit.rhs) for limit in {*own, *kinds(step.line, (letter,))}]
    return found


def _demand_held_before(step: Step, claim: Claim, conditions: Sequence[sp.Basic]) -> None:
    """A condition that the line states holds at all steps before, if it holds at the last one.

    Who uses the line shows the condition once: for the number of steps that it is used with.
    """
    base = dict(step.base)
    moved = {s for pair in step.reads if len(set(pair)) == 2 for s in _letters_of_a_state(pair)}
    counted = {new: base[old] for old, new in step.reads if old in base and old == new + 1}
    for condition in conditions:
        own = moved & condition.free_symbols & claim.statement.free_symbols
        earlier = condition.subs({s: s - 1 for s in counted}, simultaneous=True)
        others = (*claim.hypotheses, *kinds(step.line, claim.symbols), condition)
        known = (*others, *(s - 1 >= start for s, start in counted.items()))
        if own and not (own <= counted.keys() and _is_proved(known, earlier)):
            raise EvidenceFailed(f"{step.line}: {condition} is not shown of the steps before: {earlier}")


def _letters_of_a_state(pair: tuple[sp.Expr, sp.Expr]) -> set[sp.Symbol]:
    old, new = pair
    return new.free_symbols | ({old} if old.is_Symbol else set())


def _is_proved(known: tuple[sp.Basic, ...], wanted: sp.Basic) -> bool:
    return smt.prove(known, wanted, smt.QUICK).answer is smt.Answer.PROVED


def _demand_state_begun(step: Step, claim: Claim) -> None:
    """What the step is about starts at a number, at a letter that is nothing else, or where a line says."""
    before = [part.subs(dict(step.reads), simultaneous=True) for part in parts(claim.statement)]
    others = [h for h in claim.hypotheses if not any(same_relation(h, part) for part in before)]
    spoken = set().union(*(h.free_symbols for h in others)) - _letters_of_the_step(step)
    for old, value in step.base:
        if not old.is_Symbol or value.is_number or value == old:
            continue
        if not value.is_Symbol or value in spoken:
            raise EvidenceFailed(f"{step.line}: no line says that {old} starts at {value}")


def _letters_of_the_step(step: Step) -> set[sp.Symbol]:
    return set().union(*(old.free_symbols for old, _ in step.reads))


def _demand_ranges_kept(step: Step, claim: Claim) -> None:
    """A range of what moves holds at the start, and the step keeps it."""
    base = dict(step.base)
    for old, new in step.reads:
        if old == new or not is_letter(new):
            continue
        letter, power = (new, 1) if new.is_Symbol else (new.base, new.exp)
        own = [h for h in claim.hypotheses if is_range(h) and h.lhs == letter]
        for limit in {*own, *kinds(step.line, (letter,))}:
            raised = limit.func(old, limit.rhs**power)
            others = (*(h for h in claim.hypotheses), *kinds(step.line, claim.symbols))
            if not _is_proved(others, raised):
                raise EvidenceFailed(f"{step.line}: {limit} is not kept by the step: {raised}")
            first = limit.func(base[old], limit.rhs**power) if old in base else sp.true
            if first != sp.true and not _is_proved(others, first):
                raise EvidenceFailed(f"{step.line}: {limit} does not hold at the start: {first}")


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
        if new.is_Symbol and added.is_number and added not in (0, 1):
            raise EvidenceFailed(f"{step.line}: the step goes on from {new} to {old}, not by one")
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
