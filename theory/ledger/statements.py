"""Statements: relations over real symbols, named tests on finite instances, or words that Coq makes exact."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from theory.errors import EvidenceFailed
from theory.ledger.printer import readable
from theory.symbols import in_paper_letters, latex

Point = Mapping[sp.Symbol, Any]


@dataclass(frozen=True)
class Claim:
    """Hypotheses and a statement over real symbols, true for all reals that satisfy the hypotheses."""

    hypotheses: tuple[sp.Basic, ...]
    statement: sp.Basic

    def under(self, condition: sp.Basic) -> "Claim":
        return Claim((*self.hypotheses, condition), self.statement)

    def negated(self) -> "Claim":
        return Claim(self.hypotheses, sp.Not(self.statement))

    @property
    def symbols(self) -> tuple[sp.Symbol, ...]:
        found = set().union(*(part.free_symbols for part in (*self.hypotheses, self.statement)))
        return tuple(sorted(found, key=lambda s: s.name))

    @property
    def text(self) -> str:
        return readable(in_paper_letters(self.statement))

    @property
    def tex(self) -> str:
        return latex(in_paper_letters(self.statement))


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
