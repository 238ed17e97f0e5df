"""Does a line speak of an expression of an earlier one? A side or a summand in common."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from theory.entry import Step
from theory.naming import CONSTANTS, is_range
from theory.statements import AnyClaim, Claim, bounds, parts
from theory.uses import read

LARGE = 80  # operations; longer sides are not expanded


def tied(claim: Claim, earlier: AnyClaim, steps: Sequence[Step]) -> bool:
    """A side or summand of the earlier statement, read in the letters here, comes back in the claim."""
    if not isinstance(earlier, Claim):
        return False
    own = set().union(*(expressions(r) for r in (claim.statement, *claim.hypotheses) if not is_range(r)))
    theirs = set().union(*(expressions(read(step, earlier.statement)) for step in steps))
    return bool(own & theirs) or any(_akin(a, b) for a in own for b in theirs)


def expressions(statement: sp.Basic) -> set[sp.Expr]:
    """Sides and summands without numeric factors, with and without factors that are constants."""
    found: set[sp.Expr] = set()
    for side in set().union(*(bounds(part, both=True) for part in parts(statement))):
        expanded = sp.expand(side) if side.count_ops() < LARGE else side
        for part in (side, *sp.Add.make_args(expanded)):
            found |= {_product(part, lambda f: bool(f.free_symbols)), _product(part, _varies)}
    return {part for part in found if part.free_symbols and not part.is_Symbol}


def _varies(factor: sp.Expr) -> bool:
    return not factor.free_symbols <= CONSTANTS


def _product(expression: sp.Expr, keep) -> sp.Expr:  # type: ignore[no-untyped-def]
    return sp.Mul(*(factor for factor in sp.Mul.make_args(expression) if keep(factor)))


def _akin(one: sp.Expr, other: sp.Expr) -> bool:
    """The same sum of several terms up to powers of constants: a coefficient before and after ·γ."""
    if one.free_symbols != other.free_symbols or not (one.has(sp.Add) and other.has(sp.Add)):
        return False
    ratio = sp.Mul.make_args(sp.cancel(one / other))
    return all(f.is_number or f.as_base_exp()[0] in CONSTANTS for f in ratio)
