"""Statements: relations over real symbols, named tests on finite instances, or words that Coq makes exact."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import sympy as sp

from theory.errors import EvidenceFailed
from theory.ledger.printer import PLAIN, letter, readable
from theory.letters import Letters

Point = Mapping[sp.Symbol, Any]


@dataclass(frozen=True)
class Claim:
    """Hypotheses and a statement over real symbols, true for all reals that satisfy the hypotheses.

    `letters` are those of the paper; they change how a claim is shown, never what it says.

    >>> a, b = sp.symbols("a b", real=True)
    >>> Claim((a >= 0, b >= a), a**2 <= b**2).text
    'a² ≤ b²'
    """

    hypotheses: tuple[sp.Basic, ...]
    statement: sp.Basic
    letters: Letters = field(default=PLAIN, compare=False, repr=False)

    def under(self, condition: sp.Basic) -> "Claim":
        return replace(self, hypotheses=(*self.hypotheses, condition))

    def negated(self) -> "Claim":
        return replace(self, statement=sp.Not(self.statement))

    @property
    def symbols(self) -> tuple[sp.Symbol, ...]:
        found = set().union(*(part.free_symbols for part in (*self.hypotheses, self.statement)))
        return tuple(sorted(found, key=lambda s: s.name))

    @property
    def text(self) -> str:
        return self.shown(self.statement)

    @property
    def tex(self) -> str:
        return self.letters.latex(self.letters.written_out(self.statement))

    def shown(self, expression: sp.Basic) -> str:
        """An expression of the claim as text, abbreviations written out."""
        return readable(self.letters.written_out(expression), self.letters)

    def brief(self, expression: sp.Basic) -> str:
        """The same with the abbreviations left as they are."""
        return readable(expression, self.letters)

    def letter(self, name: str) -> str:
        return letter(name, self.letters)


def conjuncts(relation: sp.Basic) -> tuple[sp.Basic, ...]:
    """The parts of a conjunction."""
    return relation.args if isinstance(relation, sp.And) else (relation,)


def equal(left: sp.Expr, right: sp.Expr) -> sp.Basic:
    """left = right, kept as an equation even where sympy sees at once that it holds."""
    return sp.Eq(left, right, evaluate=False)


@dataclass(frozen=True)
class Test:
    """A named predicate on a finite instance, evaluated in exact arithmetic."""

    __test__ = False  # not a pytest class

    text: str
    holds: Callable[[Any], bool]


@dataclass(frozen=True)
class FiniteClaim:
    """A claim about whole runs, which no scalar relation expresses."""

    hypotheses: tuple[Test, ...]
    statement: Test
    tex: str = ""

    @property
    def text(self) -> str:
        return self.statement.text


@dataclass(frozen=True)
class Stated:
    """A theorem about vectors, expectations and runs, in words and as a formula; Coq has the exact form."""

    text: str
    tex: str
    hypotheses: tuple[Test, ...] = ()


AnyClaim = Claim | FiniteClaim | Stated


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
