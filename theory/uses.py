"""What a line asks of the lines that use it.

A line is proved under its hypotheses. Who uses it shows what it asks for, in the letters that it is read in:
its conditions (ranges beyond the kinds of its letters, relations between constants, what it states) and the
kinds of the letters that are read as something else. That holds also of letters that the later line no longer
has: a condition does not go away because nobody looks. Where an expression of one letter gets a name, the
name says what the letter is (`E` for num + 1: num is E − 1), and the letter stays of its kind.

For sums over coordinates a condition would have to hold of each coordinate: the kind of a letter does, more
is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sympy as sp

from theory.entry import Entry, Step
from theory.errors import EvidenceFailed
from theory.fact import named_letter
from theory.letter_kinds import WHOLE, is_of_its_kind, kinds
from theory.letter_names import COORDINATES, names
from theory.naming import CONSTANTS, is_letter, is_range
from theory.said_in_words import said
from theory.statements import Claim, parts
from theory.substance import same_relation


def read(step: Step, relation: sp.Basic) -> sp.Basic:
    """The relation in the letters of the later line."""
    return relation.subs(dict(step.reads), simultaneous=True)


def conditions(
    source: Entry, claim: Claim, given: Sequence[sp.Basic] = ()
) -> tuple[list[sp.Basic], list[sp.Basic]]:
    """What the line itself asks for beyond the kinds of its letters, and what earlier lines gave to it."""
    left = [h for h in claim.hypotheses if not any(same_relation(h, earlier) for earlier in given)]
    own = [h for h in claim.hypotheses if h in source.stated or (h in left and _is_limit(h))]
    condition = [source.condition] if isinstance(source.condition, sp.Basic) else []
    asked = [h for h in own + condition if not is_of_its_kind(source.id, h)]
    return asked, [h for h in claim.hypotheses if h not in own]


def names_as_read(
    step: Step, source: Entry, claim: Claim, stated: Sequence[sp.Basic]
) -> tuple[list[sp.Basic], ...]:
    """The names that a line states and those of its part, as they are read; and those of other letters.

    Sums over coordinates have their own names.
    """
    summed = summed_letters(step, claim.statement) if step.summed else set()
    letters = set(claim.symbols)
    called = [
        name for name in names(source.id).values() if named_letter(name) <= letters and name not in stated
    ]
    kept: tuple[list[sp.Basic], list[sp.Basic]] = ([], [])
    renamed: list[sp.Basic] = []
    for group, found in zip(kept, (stated, called), strict=True):
        for name in found:
            if name.free_symbols & summed:
                _demand_no_weight(step, name, summed)
            elif (new := read(step, name)) == sp.false:
                raise EvidenceFailed(f"{step.line} says {name}, which is false as it is read")
            elif read(step, name.lhs) != name.lhs or name.free_symbols & COORDINATES:
                renamed.append(name)
            elif new != sp.true:
                group.append(new)
    return *kept, renamed


def _demand_no_weight(step: Step, name: sp.Basic, summed: set[sp.Symbol]) -> None:
    weights = {old for old, _ in step.reads if old.is_Symbol} - summed
    if name.free_symbols & summed and name.free_symbols & weights:
        raise EvidenceFailed(f"{step.line}: {name} ties a weight to one coordinate")


def _is_limit(hypothesis: sp.Basic) -> bool:
    return is_range(hypothesis) or hypothesis.free_symbols <= CONSTANTS


def asked(
    step: Step, source: Entry, claim: Claim, given: Sequence[sp.Basic] = (), user: str = ""
) -> tuple[sp.Basic, ...]:
    """The conditions of a line, and the kinds of its letters that are read as something else.

    `given` is what earlier lines gave to it: that is no condition.
    """
    own, _ = conditions(source, claim, given)
    if step.summed:
        summed = summed_letters(step, claim.statement)
        weights = [kind for kind in kinds(source.id, claim.symbols) if not kind.free_symbols & summed]
        sums = [s for s in summed if read(step, s) != s and is_of_its_kind(source.id, s >= 0)]
        moved_weights = [w for w in weights if read(step, w) != w]
        return (
            *(_of_each(step, h, summed) for h in (*own, *moved_weights)),
            *(read(step, s) >= 0 for s in sums),
        )
    moved = [(kind, read(step, kind)) for kind in kinds(source.id, claim.symbols)]
    named = _letters_behind_names(step, source, user)
    return (*(read(step, h) for h in own), *(new for kind, new in moved if new != kind), *named)


def compounds(step: Step, source: Entry, claim: Claim, user: str) -> tuple[sp.Basic, ...]:
    """Names for expressions as equations: the later line has these, unless it is said in words.

    An expression of one letter that stands nowhere else may be any number that it can be.
    """
    if step.summed or step.base:
        return ()
    states = {old for again in source.steps if again.line == source.id for old, _ in again.reads}
    letters = {old: new for old, new in step.reads if old.is_Symbol}
    found = []
    for old, new in step.reads:
        image = old.subs(letters, simultaneous=True)
        if old.is_Symbol or image == new or (old, new) in said(user, step.line):
            continue
        if not (_counts(old, new) if old in states else _is_free(step, old, claim)):
            found.append(sp.Eq(new, image, evaluate=False))
    return tuple(found)


def _counts(old: sp.Expr, new: sp.Expr) -> bool:
    """Is it the number of steps after one more, read as a whole number, which an induction lets be any?"""
    one_more = len(old.free_symbols) == 1 and (old - next(iter(old.free_symbols))).is_number
    return bool(one_more) and {s.name for s in new.free_symbols} <= WHOLE


def _is_free(step: Step, old: sp.Expr, claim: Claim) -> bool:
    """Does the one letter of an expression stand only in it, and in ranges?"""
    own = old.free_symbols - CONSTANTS
    if len(own) != 1 or any(own & key.free_symbols for key, _ in step.reads if key != old):
        return False
    others = [h for h in claim.hypotheses if not is_range(h)]
    return not any(own & h.subs(old, sp.Dummy()).free_symbols for h in (*others, claim.statement))


def _of_each(step: Step, condition: sp.Basic, summed: set[sp.Symbol]) -> sp.Basic:
    if condition.free_symbols & summed:
        raise EvidenceFailed(f"{step.line} asks for {condition} of each coordinate; sums do not show it")
    return read(step, condition)


def _letters_behind_names(step: Step, source: Entry, user: str) -> Iterator[sp.Basic]:
    """What a name for a·letter + b or a·letter² + b says of the letter, if that is more than any real."""
    if step.base:
        return  # an induction goes one step back, no further than its start
    told = [pair for pair in said(user, step.line) if not is_letter(pair[1])]
    starts = {old: value for again in source.steps if again.line == source.id for old, value in again.base}
    for old, new in step.reads:
        letters = old.free_symbols - CONSTANTS
        if old.is_Symbol or len(letters) != 1 or (old, new) in told:
            continue
        (letter,) = letters
        if old in starts:  # an induction holds from its start on
            if sp.expand(old - letter).is_number:
                yield new >= starts[old]
            continue
        polynomial = sp.Poly(old, letter)
        value = (new - polynomial.nth(0)) / polynomial.LC()
        if not polynomial.LC().is_number:
            yield sp.Ne(polynomial.LC(), 0)
        if polynomial.degree() == 1:
            yield from (kind.subs(letter, value) for kind in kinds(source.id, letters))
        elif polynomial.monoms() in ([(2,)], [(2,), (0,)]):
            yield value >= 0
            yield from (kind.func(value, kind.rhs**2) for kind in kinds(source.id, letters))
        elif letter not in {key for key, _ in step.reads}:
            raise EvidenceFailed(f"{step.line}: {new} for {old} leaves open what {letter} is")


def summed_letters(step: Step, statement: sp.Basic) -> set[sp.Symbol]:
    """Letters of one coordinate: a relation holds for sums if it is linear in what is summed.

    Letters by themselves may be weights, the same number for each coordinate; then the rest is summed.
    """
    keys = [old for old, new in step.reads if not new.free_symbols <= CONSTANTS and _has(statement, old)]
    for summed in (keys, [old for old in keys if not old.is_Symbol]):
        if summed and all(_is_linear(relation, step, summed) for relation in parts(statement)):
            return {s for old in summed for s in old.free_symbols} - CONSTANTS
    raise EvidenceFailed(f"{step.line}: not linear in what is summed")


def _has(statement: sp.Basic, expression: sp.Expr) -> bool:
    return bool(statement.subs(expression, sp.Dummy()) != statement)


def _is_linear(relation: sp.Basic, step: Step, summed: Sequence[sp.Expr]) -> bool:
    marks = {old: sp.Dummy() for old in summed}
    others = {old: new for old, new in step.reads if old not in marks}
    left, right = (side.subs(others | marks, simultaneous=True) for side in (relation.lhs, relation.rhs))
    slack = left - right
    if slack.free_symbols & {s for old in summed for s in old.free_symbols} - CONSTANTS:
        return False
    return set(map(sum, sp.Poly(slack, *marks.values()).monoms())) == {1}
