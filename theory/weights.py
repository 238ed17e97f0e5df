"""The weight of an expression under a change of units, and whether a relation is homogeneous.

A rational function in lowest terms has a weight exactly when all monomials of its numerator have one weight,
and all of its denominator another. Roots, powers with a letter in the exponent, absolute values, maxima and
minima count as letters with a weight of their own. Between such letters there are relations that no
comparison of monomials sees (max + min is the sum), so `inhomogeneous` needs a witness: two points that
gain different factors. Without one the answer is `undecided`, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from random import Random

import sympy as sp

from theory.homogeneity import NONE, Weight
from theory.symbols import quantity

DIGITS, POINTS = 40, 12
TINY = sp.Float(10) ** (-20)
VALUE_FACTOR, LENGTH_FACTOR = sp.Integer(2), sp.Integer(3)


class Units(StrEnum):
    """Does a statement mean the same in all units of the loss and of the parameters?"""

    HOMOGENEOUS = "homogeneous"
    INHOMOGENEOUS = "inhomogeneous"
    UNDECIDED = "undecided"
    NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True)
class Decision:
    """An answer, and the reason where there is none."""

    units: Units
    why: str = ""

    def __str__(self) -> str:
        return f"{self.units}: {self.why}" if self.why else str(self.units)


class Mixed(Exception):
    """No weight: terms differ, or a part is not understood."""


def decide(statement: sp.Basic) -> Decision:
    """Of a relation, or of several relations together."""
    if isinstance(statement, sp.And | sp.Or | sp.Not):
        return _together([decide(part) for part in statement.args])
    if not isinstance(statement, sp.core.relational.Relational):
        return Decision(Units.NOT_APPLICABLE, "no scalar relation")
    unknown = sorted(s.name for s in statement.free_symbols if not _has_units(s))
    if unknown:
        return Decision(Units.NOT_APPLICABLE, f"no declared units: {', '.join(unknown)}")
    if not statement.free_symbols:
        return Decision(Units.NOT_APPLICABLE, "numbers only")
    return _of_bound(statement.lhs, statement.rhs)


def _together(parts: list[Decision]) -> Decision:
    for units in (Units.INHOMOGENEOUS, Units.UNDECIDED, Units.NOT_APPLICABLE):
        found = [part for part in parts if part.units is units]
        if found:
            return found[0]
    return Decision(Units.HOMOGENEOUS)


def _of_bound(left: sp.Expr, right: sp.Expr) -> Decision:
    """Both sides gain the same factor; what both sides share as a summand does not matter."""
    sides = [_read_off(side) for side in (left, right) if side != 0]
    if sides[0] is not None and len(set(sides)) == 1:
        return Decision(Units.HOMOGENEOUS)
    compared = left if _vanishes(left - right) else left - right
    if _witness(compared):
        return Decision(Units.INHOMOGENEOUS)
    try:
        weight(compared)
        return Decision(Units.HOMOGENEOUS)
    except Mixed as reason:
        return Decision(Units.UNDECIDED, str(reason))


def _vanishes(difference: sp.Expr) -> bool:
    """Is it zero wherever we look? Then the statement is an identity, and one side stands for both."""
    return all(abs(value) < TINY for value, _ in _values(difference))


def _read_off(expression: sp.Expr) -> Weight | None:
    """The weight, where every sum has summands of one weight: without cancelling anything."""
    letters: dict[sp.Symbol, Weight] = {}
    try:
        return _by_form(_replaced(sp.sympify(expression), letters), letters)
    except Mixed:
        return None


def _by_form(expression: sp.Expr, letters: dict[sp.Symbol, Weight]) -> Weight:
    if expression.is_Symbol:
        return letters[expression]
    if isinstance(expression, sp.Pow):
        inside = _by_form(expression.base, letters)
        return _product((int(expression.exp),), [inside])
    parts = [_by_form(part, letters) for part in expression.args]
    if isinstance(expression, sp.Add):
        return _common(parts, expression)
    return _product((1,) * len(parts), parts) if parts else NONE


def weight_of(expression: sp.Expr) -> Weight | None:
    """The weight of an expression; None where it has none, or where none is found."""
    try:
        return weight(expression)
    except Mixed:
        return None


def weight(expression: sp.Expr) -> Weight:
    """The weight of an expression that is not 0; `Mixed` says why there is none."""
    found = _read_off(expression)
    if found is not None:
        return found
    letters: dict[sp.Symbol, Weight] = {}
    rational = _replaced(sp.sympify(expression), letters)
    top, bottom = sp.fraction(sp.cancel(sp.together(rational)))
    return _minus(_of_polynomial(top, letters), _of_polynomial(bottom, letters))


def _replaced(expression: sp.Expr, letters: dict[sp.Symbol, Weight]) -> sp.Expr:
    """Every part that is no rational function becomes a letter; the letters get their weights."""
    if expression.is_Symbol:
        letters[expression] = _letter(expression)
        return expression
    if expression.is_Rational:
        return expression
    if isinstance(expression, sp.Add | sp.Mul):
        return expression.func(*(_replaced(part, letters) for part in expression.args))
    if isinstance(expression, sp.Pow) and expression.exp.is_Integer:
        return _replaced(expression.base, letters) ** expression.exp
    found = sp.Dummy(str(expression))
    letters[found] = _of_part(expression)
    return found


def _of_part(part: sp.Expr) -> Weight:
    if part.is_number:
        return NONE
    if isinstance(part, sp.Abs):
        return weight(part.args[0])
    if isinstance(part, sp.Max | sp.Min):
        return _common([weight(arg) for arg in part.args if arg != 0], part)
    if isinstance(part, sp.Pow):
        return _of_power(part.base, part.exp)
    if all(weight(arg) == NONE for arg in part.args):
        return NONE
    raise Mixed(f"{part.func} of a quantity with units")


def _of_power(base: sp.Expr, exponent: sp.Expr) -> Weight:
    if not exponent.is_number and weight(exponent) != NONE:
        raise Mixed(f"the exponent {exponent} has units")
    inside = weight(base)
    return Weight(_exact(inside.value * exponent), _exact(inside.length * exponent))


def _of_polynomial(polynomial: sp.Expr, letters: dict[sp.Symbol, Weight]) -> Weight:
    if not polynomial.free_symbols:
        return NONE
    read = sp.Poly(polynomial, *sorted(polynomial.free_symbols, key=str))
    own = [letters[generator] for generator in read.gens]
    weights = [_product(powers, own) for powers in read.monoms()]
    return _common(weights, polynomial)


def _product(powers: tuple[int, ...], weights: list[Weight]) -> Weight:
    pairs = list(zip(powers, weights, strict=True))
    value = sum((n * sp.sympify(w.value) for n, w in pairs), sp.Integer(0))
    return Weight(_exact(value), _exact(sum((n * sp.sympify(w.length) for n, w in pairs), sp.Integer(0))))


def _minus(one: Weight, other: Weight) -> Weight:
    return _product((1, -1), [one, other])


def _common(weights: list[Weight], of: sp.Expr) -> Weight:
    if len(set(weights)) != 1:
        raise Mixed(f"the terms of {of} differ in weight")
    return weights[0]


def _exact(number: sp.Expr | Fraction) -> Fraction | sp.Expr:
    """A Fraction where it is a number; with a letter in an exponent it stays an expression."""
    found = sp.expand(sp.sympify(number))
    return Fraction(int(found.p), int(found.q)) if found.is_Rational else found


def _has_units(symbol: sp.Symbol) -> bool:
    try:
        quantity(symbol.name)
    except KeyError:
        return False
    return True


def _letter(symbol: sp.Symbol) -> Weight:
    if not _has_units(symbol):
        raise Mixed(f"{symbol} has no declared units")
    found = quantity(symbol.name)
    return Weight(found.value, found.length)


def _witness(expression: sp.Expr) -> bool:
    """Do two points gain different factors from the same change of units?"""
    factors = (after / before for before, after in _values(expression) if abs(before) > TINY)
    first = next(factors, None)
    return first is not None and any(abs(f - first) > TINY * (1 + abs(f)) for f in factors)


def _values(expression: sp.Expr) -> Iterator[tuple[sp.Expr, sp.Expr]]:
    """Values before and after a change of units, at points that agree in what has no units."""
    letters = sorted(expression.free_symbols, key=lambda s: s.name)
    with_units = [s for s in letters if (q := quantity(s.name)).value or q.length]
    plain = {s: sp.Rational(n + 3, 2) for n, s in enumerate(letters) if s not in with_units}
    draw = Random(1)
    for _ in range(POINTS):
        point = plain | {s: sp.Rational(draw.randint(1, 999), draw.randint(1, 999)) for s in with_units}
        moved = plain | {s: point[s] * _gain(s) for s in with_units}
        values = tuple(sp.N(expression.subs(at), DIGITS) for at in (point, moved))
        if all(value.is_real and value.is_finite for value in values):
            yield values


def _gain(symbol: sp.Symbol) -> sp.Expr:
    found = quantity(symbol.name)
    return VALUE_FACTOR ** sp.Rational(found.value) * LENGTH_FACTOR ** sp.Rational(found.length)
