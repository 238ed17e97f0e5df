"""Hypotheses that no earlier line has to give: ranges of letters, and names for expressions."""

from __future__ import annotations

import sympy as sp

from theory.decided import has_sign
from theory.statements import Claim
from theory.symbols import QUANTITIES

VARYING = {"G", "R2", "F0"}  # quantities of a run, not constants of the theory
CONSTANTS = {q.symbol for q in QUANTITIES if q.code not in VARYING}
Definition = tuple[sp.Symbol, sp.Expr, bool]  # letter, value, is it the letter's square?


def is_range(hypothesis: sp.Basic) -> bool:
    """A lower limit of one letter, one letter against 1, or a constant of the theory against a number.

    An upper limit such as Q ≤ 5 is a result of some line, so it is no range.
    """
    if not isinstance(hypothesis, sp.Le | sp.Lt | sp.Ge | sp.Gt):
        return False
    letter, number = hypothesis.lhs, hypothesis.rhs
    if not letter.is_Symbol or not number.is_number:
        return False
    lower = isinstance(hypothesis, sp.Ge | sp.Gt) and number >= 0
    return letter in CONSTANTS or lower or number == 1


def is_name(hypothesis: sp.Basic, claim: Claim) -> bool:
    """letter = expression, or letter² = expression for a letter ≥ 0, with a letter that is defined once."""
    found = definition(hypothesis)
    if found is None:
        return False
    letter, value, squared = found
    if letter in CONSTANTS or value.is_number or _circular(letter, claim):
        return False
    others = [definition(h) for h in claim.hypotheses if h != hypothesis]
    if any(other is not None and other[0] == letter for other in others):
        return False
    return not squared or _is_root(letter, value, claim)


def is_letter(value: sp.Expr) -> bool:
    """A letter, or a power of one."""
    return bool(value.is_Symbol or (value.is_Pow and value.base.is_Symbol and value.exp.is_number))


def definition(hypothesis: sp.Basic) -> Definition | None:
    """The letter that an equation can define on its left side."""
    if not isinstance(hypothesis, sp.Eq):
        return None
    left = hypothesis.lhs
    if left.is_Symbol:
        return left, hypothesis.rhs, False
    if left.is_Pow and left.base.is_Symbol and left.exp == 2:
        return left.base, hypothesis.rhs, True
    return None


def _is_root(letter: sp.Symbol, value: sp.Expr, claim: Claim) -> bool:
    """A root exists only of what is not negative."""
    others = tuple(h for h in claim.hypotheses if letter not in h.free_symbols)
    return sp.Ge(letter, 0) in claim.hypotheses and has_sign(value, others, strictly=False)


def _circular(letter: sp.Symbol, claim: Claim) -> bool:
    """Does the letter come back when definitions are followed?"""
    values = {d[0]: d[1] for h in claim.hypotheses if (d := definition(h)) is not None}
    reached: set[sp.Symbol] = set()
    frontier = {letter}
    while frontier:
        found = set().union(*(values[s].free_symbols for s in frontier if s in values))
        frontier = found - reached
        reached |= found
    return letter in reached
