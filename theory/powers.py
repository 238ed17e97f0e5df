"""Products of powers such as (1 + 1/n)^(n+1), compared for all integers n.

Bases are factored into primes and irreducible polynomials. Two products are equal if every factor has the
same exponent, as a polynomial in n. Exponents are integers, so the laws of powers hold for nonzero bases.
Exact values at several integers are a second judge.
"""

from __future__ import annotations

import sympy as sp

from theory.errors import EvidenceFailed

TRIED = 6  # integers from the start on, each with two values of every other letter


def product_of_powers(expression: sp.Expr) -> dict[sp.Expr, sp.Expr]:
    """{irreducible factor: exponent}; an exponent may contain letters."""
    found: dict[sp.Expr, sp.Expr] = {}
    _collect(sp.sympify(expression), sp.Integer(1), found)
    return {base: power for base, total in found.items() if (power := sp.expand(total)) != 0}


def _collect(expression: sp.Expr, power: sp.Expr, found: dict[sp.Expr, sp.Expr]) -> None:
    if isinstance(expression, sp.Rational):
        for prime, count in sp.factorrat(expression).items():
            _add(sp.Integer(prime), count * power, found)
    elif isinstance(expression, sp.Pow):
        _collect(expression.base, expression.exp * power, found)
    elif isinstance(expression, sp.Mul):
        for factor in expression.args:
            _collect(factor, power, found)
    elif isinstance(expression, sp.Symbol):
        _add(expression, power, found)
    else:
        _collect_sum(expression, power, found)


def _collect_sum(expression: sp.Expr, power: sp.Expr, found: dict[sp.Expr, sp.Expr]) -> None:
    if not expression.is_rational_function(*expression.free_symbols):
        raise EvidenceFailed(f"{expression} is no product of powers")
    for part, sign in zip(sp.fraction(sp.together(expression)), (1, -1), strict=True):
        content, factors = sp.factor_list(part)
        _collect(content, sign * power, found)
        for factor, count in factors:
            _add(factor, sign * count * power, found)


def _add(base: sp.Expr, power: sp.Expr, found: dict[sp.Expr, sp.Expr]) -> None:
    found[base] = found.get(base, sp.Integer(0)) + power


def is_same_value(left: sp.Expr, right: sp.Expr, letter: sp.Symbol, start: int) -> bool:
    """Are the products equal for every integer from the start on? Both engines must say so."""
    if left == right:
        return True
    if 0 in (left, right):
        return False
    by_factors = product_of_powers(left) == product_of_powers(right)
    points = _points((left.free_symbols | right.free_symbols) - {letter}, letter, start)
    by_values = all(_agree(left.subs(point), right.subs(point)) for point in points)
    if by_factors and not by_values:
        raise EvidenceFailed(f"engines disagree on {left} = {right}")
    return by_factors


def _agree(left: sp.Expr, right: sp.Expr) -> bool:
    """Equal numbers; a vanishing base under a negative exponent gives none."""
    return isinstance(left, sp.Rational) and left == right


def demand_same_value(left: sp.Expr, right: sp.Expr, letter: sp.Symbol, start: int) -> None:
    """Raise unless the products are equal for every integer."""
    if not is_same_value(left, right, letter, start):
        raise EvidenceFailed(f"{left} is not {right} for every integer {letter}")


def _points(others: set[sp.Symbol], letter: sp.Symbol, start: int) -> list[dict[sp.Symbol, sp.Rational]]:
    values = [sp.Rational(1, 3), sp.Rational(5, 2)] if others else [sp.Integer(1)]
    return [
        {letter: sp.Integer(n), **dict.fromkeys(others, value)}
        for n in range(start, start + TRIED)
        for value in values
    ]
