"""Sympy expressions as plain nested tuples, the only form that `theory.provers.recheck` reads."""

from typing import Any

import sympy as sp

from theory.errors import EvidenceFailed

Tree = tuple[Any, ...]

_RELATIONS = {sp.Le: "le", sp.Lt: "lt", sp.Ge: "ge", sp.Gt: "gt", sp.Eq: "eq", sp.Ne: "ne"}
_CONNECTIVES = {sp.And: "and", sp.Or: "or", sp.Not: "not"}
_FUNCTIONS = {sp.Add: "add", sp.Mul: "mul"}


def to_tree(expression: sp.Basic) -> Tree:
    """Translate an expression, a relation or a Boolean combination of relations."""
    if expression in (sp.true, sp.false):
        return ("bool", bool(expression))
    if isinstance(expression, sp.Rational):
        return ("num", int(expression.p), int(expression.q))
    if isinstance(expression, sp.Symbol):
        return ("sym", expression.name)
    if isinstance(expression, sp.Pow):
        return _power(expression)
    for table in (_RELATIONS, _CONNECTIVES, _FUNCTIONS):
        tag = table.get(expression.func)
        if tag is not None:
            return (tag, *map(to_tree, expression.args))
    raise EvidenceFailed(f"no exact form for {expression.func.__name__} in {expression}")


def _power(expression: sp.Pow) -> Tree:
    base, exponent = expression.as_base_exp()
    if not isinstance(exponent, sp.Integer):
        raise EvidenceFailed(f"no exact form for the exponent in {expression}")
    return ("pow", to_tree(base), int(exponent))
