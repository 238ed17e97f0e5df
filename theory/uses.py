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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import sympy as sp

from theory import smt
from theory.decided import shown_without_z3
from theory.entry import Entry, Step
from theory.errors import EvidenceFailed
from theory.letter_kinds import WHOLE, is_of_its_kind, kinds
from theory.letter_names import COORDINATES, names
from theory.naming import CONSTANTS, definition, is_letter, is_range
from theory.said_in_words import SAID, said
from theory.statements import Claim, parts
from theory.substance import same_relation
from theory.symbols import QUANTITIES

DECLARED = tuple(q.nonnegative for q in QUANTITIES if q.symbol in CONSTANTS and q.nonnegative != sp.true)


@dataclass(frozen=True)
class Fact:
    """A relation, the line that states it, and what that line asks for.

    Of its names, those that it states (`named`) and those of its part (`called`) keep their letters,
    `renamed` ones do not; `compounds` are names for its expressions. `instances` is what earlier lines gave
    to it, in other letters: it is shown again, unless it is said which letter is which. Definitions
    (`defined`) hold under no condition. `kinds` are those of its letters that keep their names, `letters`
    those of the later line that others are read as; `bound` are letters of the later line that this one got
    something of.
    """

    line: str
    relation: sp.Basic
    user: str = ""
    letters: frozenset[sp.Symbol] = frozenset()
    refused: str = ""
    asked: tuple[sp.Basic, ...] = ()
    instances: tuple[sp.Basic, ...] = ()
    compounds: tuple[sp.Basic, ...] = ()
    defined: tuple[sp.Basic, ...] = ()
    named: tuple[sp.Basic, ...] = ()
    called: tuple[sp.Basic, ...] = ()
    renamed: tuple[sp.Basic, ...] = ()
    kinds: tuple[sp.Basic, ...] = ()
    bound: frozenset[sp.Symbol] = frozenset()

    def may_be_called(self, name: sp.Basic) -> bool:
        """May the later line give this name to a letter? Not if this line got something of the letter.

        A letter that the line says nothing of, or that is any number in it, is free; and it may keep the
        name that it has here.
        """
        own = (*self.named, *self.called, *self.renamed, *self.compounds)
        if any(same_relation(name, other) for other in own):
            return True
        return not _letter(name) & self.bound

    def demand_applies(self, claim: Claim, shown: Sequence[sp.Basic]) -> str:
        """The line's id, if what it asks for holds in the claim.

        `shown` are the hypotheses that are accounted for without the one that is traced: nothing is shown
        from itself, nor from what is shown from it.
        """
        if self.refused:
            raise EvidenceFailed(f"{self.line} is {self.refused}")
        return self._hiding(set(claim.symbols))._demand_applies(claim, shown)

    def _hiding(self, letters: set[sp.Symbol]) -> Fact:
        """The same with other letters for its own ones that mean something else in the later line's part."""
        groups = ("asked", "instances", "compounds", "named", "called", "kinds")
        spoken = {s for name in self.named for s in _letter(name)}
        spoken |= {s for kind in self.kinds for s in kind.free_symbols}
        foreign = [s for s in spoken - letters - self.letters - CONSTANTS if self._is_another(s)]
        hidden = {s: sp.Symbol(f"{s.name}'", real=True) for s in foreign}
        if not hidden:
            return self
        return replace(self, **{g: tuple(h.subs(hidden) for h in getattr(self, g)) for g in groups})

    def _is_another(self, letter: sp.Symbol) -> bool:
        same_name = names(self.line).get(letter) == names(self.user).get(letter)
        return not same_name or kinds(self.line, (letter,)) != kinds(self.user, (letter,))

    def _demand_applies(self, claim: Claim, shown: Sequence[sp.Basic]) -> str:
        letters = set(claim.symbols)
        called = names(self.user)
        fresh = [name for name in self.named if not _letter(name) & letters]
        gone = [kind for kind in self.kinds if not kind.free_symbols <= letters]
        given = [*DECLARED, *kinds(self.user, letters | self.letters), *called.values()]
        given += [*shown, *self.defined]
        given += [kind for kind in gone if not any(_speaks_of(kind, name, letters) for name in fresh)]
        for name in fresh:
            own = [r for r in (*self.asked, *gone) if _speaks_of(r, name, letters)]
            self._demand((found for r in own for found in of_the_value(r, name)), given, shown)
            given += [name, *own]
        here = [kind for kind in self.kinds if kind not in gone]
        kept = [name for name in (*self.named, *self.called) if _letter(name) & letters]
        self._demand((*self.asked, *here), given, shown)
        self._demand((name for name in kept if name not in called.values()), given, shown)
        self._demand((*self.instances, *self.compounds), given, shown)
        part = {s: name for s, name in names(self.line).items() if called.get(s) == name}
        self._demand((found for equal in self.compounds for found in _unnamed(equal, part)), given, shown)
        return self.line

    def _demand(
        self, wanted: Iterable[sp.Basic], given: Sequence[sp.Basic], shown: Sequence[sp.Basic]
    ) -> None:
        """Kinds and names of a line's own letters say nothing of the constants by themselves."""
        for hypothesis in wanted:
            known = [*DECLARED, *shown] if hypothesis.free_symbols <= CONSTANTS else given
            if not shows(known, hypothesis):
                raise EvidenceFailed(f"{self.line} asks for {hypothesis}, which is not given here")


def apart(fact: Fact, number: int, claim: Claim) -> sp.Basic:
    """The relation, with letters that the line does not have kept apart from those of other facts."""
    told = {
        s for line in SAID.get(fact.user, {}) for _, new in said(fact.user, line) for s in new.free_symbols
    }
    shared = set(claim.symbols) | CONSTANTS | names(fact.user).keys() | told
    foreign = fact.relation.free_symbols - shared
    return fact.relation.subs({s: sp.Symbol(f"{s.name}__{number}", real=True) for s in foreign})


def shows(given: Sequence[sp.Basic], hypothesis: sp.Basic) -> bool:
    if hypothesis == sp.true or hypothesis in given:
        return True
    if not _is_rational(hypothesis):
        return any(same_relation(hypothesis, known) for known in given)
    known = tuple(filter(_is_rational, given))
    if not _proves(known, hypothesis):
        return False
    sure = _of_numbers(known)
    return sure == known or _proves(sure, hypothesis)


@lru_cache(maxsize=4096)
def _proves(known: tuple[sp.Basic, ...], hypothesis: sp.Basic) -> bool:
    return smt.prove(known, hypothesis, smt.QUICK).answer is smt.Answer.PROVED


@lru_cache(maxsize=256)
def _of_numbers(known: tuple[sp.Basic, ...]) -> tuple[sp.Basic, ...]:
    """Relations without a denominator that may be 0: R = ρ²/(1 − u) is no way to get u ≠ 1 for nothing."""
    plain = tuple(relation for relation in known if not smt.denominators(relation))
    return tuple(r for r in known if all(_is_nonzero(d, plain) for d in smt.denominators(r)))


def _is_nonzero(denominator: sp.Expr, known: tuple[sp.Basic, ...]) -> bool:
    return shown_without_z3(denominator, known, strictly=True) or _proves(known, sp.Ne(denominator, 0))


def _is_rational(relation: sp.Basic) -> bool:
    """Has it no letter in an exponent? z3 is given no other ones."""
    return not any(power.exp.free_symbols for power in relation.atoms(sp.Pow))


def _letter(name: sp.Basic) -> set[sp.Symbol]:
    found = definition(name)
    return {found[0]} if found else set()


def _speaks_of(relation: sp.Basic, name: sp.Basic, letters: set[sp.Symbol]) -> bool:
    """Is it about the named letter, alone or together with others where the line has what is named?"""
    if relation.free_symbols == _letter(name):
        return True
    return _letter(name) <= relation.free_symbols and bool(name.rhs.free_symbols & letters - CONSTANTS)


def of_the_value(limit: sp.Basic, name: sp.Basic) -> Iterator[sp.Basic]:
    """What a range of a named letter says of its value: v = x − y and v ≥ 0 say x ≥ y."""
    found = definition(name)
    assert found is not None
    letter, value, squared = found
    if not squared:
        yield limit.subs(letter, value)
        return
    yield value >= 0
    yield limit.func(value, limit.rhs**2)


def _unnamed(equal: sp.Basic, part: Mapping[sp.Symbol, sp.Basic]) -> Iterator[sp.Basic]:
    """The name of a letter's square, with what the letter is the name of: q = r² and r = x say q = x²."""
    old = equal.rhs
    if not (old.is_Pow and old.base in part and old.exp == 2):
        return
    found = definition(part[old.base])
    assert found is not None
    _, value, squared = found
    yield sp.Eq(equal.lhs, value if squared else value**2, evaluate=False)


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
    called = [name for name in names(source.id).values() if _letter(name) <= letters and name not in stated]
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
    return len(old.free_symbols) == 1 and {s.name for s in new.free_symbols} <= WHOLE


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
