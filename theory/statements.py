"""Statements: relations over real symbols with their hypotheses, or named tests on finite instances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from theory.errors import EvidenceFailed
from theory.symbols import in_paper_letters, latex

Point = Mapping[sp.Symbol, Any]


@dataclass(frozen=True)
class Claim:
    """Hypotheses and a statement over real symbols, true for all reals that satisfy the hypotheses."""

    hypotheses: tuple[sp.Basic, ...]
    statement: sp.Basic

    def under(self, condition: sp.Basic) -> Claim:
        return Claim((*self.hypotheses, condition), self.statement)

    def negated(self) -> Claim:
        return Claim(self.hypotheses, sp.Not(self.statement))

    @property
    def symbols(self) -> tuple[sp.Symbol, ...]:
        found = set().union(*(part.free_symbols for part in (*self.hypotheses, self.statement)))
        return tuple(sorted(found, key=lambda s: s.name))

    @property
    def text(self) -> str:
        return str(in_paper_letters(self.statement))

    @property
    def tex(self) -> str:
        return latex(in_paper_letters(self.statement))


def parts(statement: sp.Basic) -> tuple[sp.Basic, ...]:
    """The conjuncts."""
    return statement.args if isinstance(statement, sp.And) else (statement,)


def bounds(statement: sp.Basic, both: bool = False) -> set[sp.Expr]:
    """The larger side of an inequality (both sides of an equation) and its summands, without constants."""
    if isinstance(statement, sp.Eq) or (both and isinstance(statement, sp.core.relational.Relational)):
        sides: tuple[sp.Expr, ...] = (statement.lhs, statement.rhs)
    elif isinstance(statement, sp.Le | sp.Lt | sp.Ge | sp.Gt):
        sides = (statement.gts,)
    else:
        return set()
    found = {part for side in sides for part in (side, *sp.Add.make_args(side))}
    return {part for part in found if part.free_symbols}


def equal(left: sp.Expr, right: sp.Expr) -> sp.Basic:
    """left = right, kept as an equation even where sympy sees at once that it holds."""
    return sp.Eq(left, right, evaluate=False)


@dataclass(frozen=True)
class Test:
    """A named predicate on a finite instance, evaluated in exact arithmetic."""

    __test__ = False  # not a pytest class

    text: str
    holds: Callable[[Any], bool]
    listed: Callable[[], Iterable[Any]] | None = None  # only through `one_of`
    each: sp.Basic | None = None  # only through `theory.sums.each`


@dataclass(frozen=True)
class Listed:
    """Is an instance one of a finite list?"""

    instances: Callable[[], Iterable[Any]]

    def __call__(self, wanted: Any) -> bool:
        return any(wanted == found for found in self.instances())


def one_of(text: str, instances: Callable[[], Iterable[Any]]) -> Test:
    """The hypothesis that an instance is one of a finite list: the declared domain of an enumeration."""
    return Test(text, Listed(instances), instances)


@dataclass(frozen=True)
class FiniteClaim:
    """A claim about vectors, runs or random hashes, which no scalar relation expresses.

    `form` is the symbolic form that the tests were made from, where there is one (`theory.sums`,
    `theory.integers`): what proves the claim for all instances reads the form. `demand_made_from` ties both.
    """

    hypotheses: tuple[Test, ...]
    statement: Test
    tex: str = ""
    form: Any = None

    @property
    def text(self) -> str:
        return self.statement.text


AnyClaim = Claim | FiniteClaim


def demand_made_from(claim: FiniteClaim, again: FiniteClaim) -> None:
    """The tests of a claim are those made from its form: a form of something else would prove that instead.

    Tests made from a form are callable records, equal where the form is. Further hypotheses are allowed.
    """
    known = [test.holds for test in claim.hypotheses]
    if claim.statement.holds != again.statement.holds:
        raise EvidenceFailed("the statement was not made from the form that is proved")
    if any(test.holds not in known for test in again.hypotheses):
        raise EvidenceFailed("the form that is proved assumes what the claim does not")


def exact_point(point: Mapping[Any, Any]) -> dict[str, Fraction]:
    """A point as plain Fractions by name; floats are refused."""
    return {getattr(s, "name", str(s)): exact(value) for s, value in point.items()}


def exact(value: Any) -> Fraction:
    """An exact rational; a float is an error, because it would hide a rounding."""
    if isinstance(value, float):
        raise EvidenceFailed(f"{value} is a float; counterexamples are exact")
    if isinstance(value, sp.Rational):
        return Fraction(int(value.p), int(value.q))
    return Fraction(value)
