"""Units: how a bound changes when the loss is multiplied by s and the parameters by r.

A true bound cannot depend on the unit of the loss. A rational expression is homogeneous of weight (a, b)
when scaling every letter by its own weight multiplies it by s^a r^b. Each letter gets a second one for its
value in the new units, γ_new = γ r²/s say, and the claim is bound(new letters) = s^a r^b bound(old letters)
under these equations: a claim like any other, proved by expansion, refuted by a point.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from theory.claim import Claim, equal
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


def claim(expression: sp.Expr, weight: Weight, hypotheses: tuple[sp.Basic, ...]) -> Claim:
    """The expression has this weight."""
    renamed = {q.symbol: in_new_units(q.symbol) for q in QUANTITIES if q.value or q.length}
    defined = (sp.Eq(*change) for change in changes(expression))
    statement = equal(expression.subs(renamed, simultaneous=True), factor(weight) * expression)
    return Claim((*UNITS, *hypotheses, *defined), statement)
