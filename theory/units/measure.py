"""How a bound changes when the loss is multiplied by s and the parameters by r.

A true bound cannot depend on the unit of the loss. A rational expression is homogeneous of weight (a, b)
when scaling every letter by its own weight multiplies it by s^a r^b. Each letter gets a second one for its
value in the new units, γ_new = γ r²/s say, and the claim is bound(new letters) = s^a r^b bound(old letters)
under these equations: a claim like any other, proved by expansion, refuted by a point.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from theory.ledger import Claim, Entry, Evidence, Kind, Point, Verdict, equal
from theory.symbols import QUANTITIES, in_new_units, real

s, r = real("s_f s_w")
UNITS = (s > 0, r > 0)


@dataclass(frozen=True)
class Weight:
    """Exponents under f → s f and w → s w."""

    value: Fraction
    length: Fraction

    def __str__(self) -> str:
        return f"value^{self.value} length^{self.length}"


NONE = Weight(Fraction(0), Fraction(0))
VALUE = Weight(Fraction(1), Fraction(0))
RATE = Weight(Fraction(-1), Fraction(2))
LENGTH2 = Weight(Fraction(0), Fraction(2))
GRADIENT2 = Weight(Fraction(2), Fraction(-2))


def factor(weight: Weight) -> sp.Expr:
    """s^a r^b."""
    return s ** sp.Rational(weight.value) * r ** sp.Rational(weight.length)


def changes(expression: sp.Expr) -> tuple[tuple[sp.Symbol, sp.Expr], ...]:
    """(new letter, its value) for every letter of the expression that has units."""
    own = [q for q in QUANTITIES if q.symbol in expression.free_symbols and (q.value or q.length)]
    return tuple((in_new_units(q.symbol), q.symbol * factor(Weight(q.value, q.length))) for q in own)


def claim(expression: sp.Expr, weight: Weight, hypotheses: tuple[sp.Basic, ...], point: Point) -> Claim:
    """The expression has this weight; `point` gives each letter a value in old units."""
    renamed = {q.symbol: in_new_units(q.symbol) for q in QUANTITIES if q.value or q.length}
    defined = (sp.Eq(*change) for change in changes(expression))
    statement = equal(expression.subs(renamed, simultaneous=True), factor(weight) * expression)
    stated = Claim((*UNITS, *hypotheses, *defined), statement)
    return Claim(stated.hypotheses, statement, tuple(at(stated, expression, point).items()))


def at(stated: Claim, expression: sp.Expr, point: Point) -> dict[sp.Symbol, sp.Expr]:
    """The point with the values in new units; letters that no hypothesis mentions may be missing from it."""
    moved = {letter: value.subs(point) for letter, value in changes(expression)}
    return {symbol: moved.get(symbol, point.get(symbol, 0)) for symbol in stated.symbols}


def entry(identifier: str, what: str, place: str, stated: Claim, fine: bool, evidence: Evidence) -> Entry:
    """One bound of the ledger, homogeneous or not."""
    return Entry(
        id=identifier,
        kind=Kind.QUESTION,
        place=place,
        title=f"{what}: {'homogeneous' if fine else 'depends on the units'}",
        claim=stated,
        verdict=Verdict.VALID if fine else Verdict.REFUTED,
        evidence=(evidence,),
        note="The loss is measured in a new unit, s_f times as small, and the parameters in one that is s_w "
        "times as small. A letter with the ending _new is the same quantity in new units.",
    )
