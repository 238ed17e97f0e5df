"""Is a relation shown by others? z3 decides, and takes no quotient for one that may have 0 below."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import sympy as sp

from theory import smt
from theory.decided import shown_without_z3
from theory.naming import CONSTANTS
from theory.substance import same_relation
from theory.symbols import QUANTITIES

DECLARED = tuple(q.nonnegative for q in QUANTITIES if q.symbol in CONSTANTS and q.nonnegative != sp.true)


def shows(given: Sequence[sp.Basic], hypothesis: sp.Basic) -> bool:
    if hypothesis == sp.true or hypothesis in given:
        return True
    if not _is_rational(hypothesis):
        return any(same_relation(hypothesis, known) for known in given)
    known = tuple(filter(_is_rational, given))
    if not _proves(known, hypothesis):
        return False
    sure = _of_numbers(known)
    return sure == known or _proves(sure, hypothesis)


@lru_cache(maxsize=4096)
def _proves(known: tuple[sp.Basic, ...], hypothesis: sp.Basic) -> bool:
    return smt.prove(known, hypothesis, smt.QUICK).answer is smt.Answer.PROVED


@lru_cache(maxsize=256)
def _of_numbers(known: tuple[sp.Basic, ...]) -> tuple[sp.Basic, ...]:
    """Relations without a denominator that may be 0: R = ρ²/(1 − u) is no way to get u ≠ 1 for nothing."""
    plain = tuple(relation for relation in known if not smt.denominators(relation))
    return tuple(r for r in known if all(_is_nonzero(d, plain) for d in smt.denominators(r)))


def _is_nonzero(denominator: sp.Expr, known: tuple[sp.Basic, ...]) -> bool:
    return shown_without_z3(denominator, known, strictly=True) or _proves(known, sp.Ne(denominator, 0))


def _is_rational(relation: sp.Basic) -> bool:
    """Has it no letter in an exponent? z3 is given no other ones."""
    return not any(power.exp.free_symbols for power in relation.atoms(sp.Pow))
