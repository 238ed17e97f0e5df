"""A relation that a line takes from an earlier one, and what the later line has to show for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from theory.errors import EvidenceFailed
from theory.letter_kinds import kinds
from theory.letter_names import names
from theory.naming import CONSTANTS, definition
from theory.said_in_words import SAID, said
from theory.showing import DECLARED, shows
from theory.statements import Claim
from theory.substance import same_relation

HIDDEN = "'"  # after a letter of an earlier line that is another one here


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
        return not named_letter(name) & self.bound

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
        spoken = {s for name in self.named for s in named_letter(name)}
        spoken |= {s for kind in self.kinds for s in kind.free_symbols}
        foreign = [s for s in spoken - letters - self.letters - CONSTANTS if self._is_another(s)]
        hidden = {s: sp.Symbol(f"{s.name}{HIDDEN}", real=True) for s in foreign}
        if not hidden:
            return self
        found: dict[str, Any] = {g: tuple(h.subs(hidden) for h in getattr(self, g)) for g in groups}
        return replace(self, **found)

    def _is_another(self, letter: sp.Symbol) -> bool:
        same_name = names(self.line).get(letter) == names(self.user).get(letter)
        return not same_name or kinds(self.line, (letter,)) != kinds(self.user, (letter,))

    def _demand_applies(self, claim: Claim, shown: Sequence[sp.Basic]) -> str:
        letters = set(claim.symbols)
        called = names(self.user)
        fresh = [name for name in self.named if not named_letter(name) & letters]
        gone = [kind for kind in self.kinds if not kind.free_symbols <= letters]
        given = [*DECLARED, *kinds(self.user, letters | self.letters), *called.values()]
        given += [*shown, *self.defined]
        given += [kind for kind in gone if not any(_speaks_of(kind, name, letters) for name in fresh)]
        for name in fresh:
            own = [r for r in (*self.asked, *gone) if _speaks_of(r, name, letters)]
            self._demand((found for r in own for found in of_the_value(r, name)), given, shown)
            given += [name, *own]
        here = [kind for kind in self.kinds if kind not in gone]
        kept = [name for name in (*self.named, *self.called) if named_letter(name) & letters]
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
                plain = str(hypothesis).replace(HIDDEN, "")
                raise EvidenceFailed(f"{self.line} asks for {plain}, which is not given here")


def apart(fact: Fact, number: int, claim: Claim) -> sp.Basic:
    """The relation, with letters that the line does not have kept apart from those of other facts."""
    told = {
        s for line in SAID.get(fact.user, {}) for _, new in said(fact.user, line) for s in new.free_symbols
    }
    shared = set(claim.symbols) | CONSTANTS | names(fact.user).keys() | told
    foreign = fact.relation.free_symbols - shared
    return fact.relation.subs({s: sp.Symbol(f"{s.name}__{number}", real=True) for s in foreign})


def named_letter(name: sp.Basic) -> set[sp.Symbol]:
    """The letter that an equation names."""
    found = definition(name)
    return {found[0]} if found else set()


def _speaks_of(relation: sp.Basic, name: sp.Basic, letters: set[sp.Symbol]) -> bool:
    """Is it about the named letter, alone or together with others where the line has what is named?"""
    if relation.free_symbols == named_letter(name):
        return True
    return named_letter(name) <= relation.free_symbols and bool(name.rhs.free_symbols & letters - CONSTANTS)


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
