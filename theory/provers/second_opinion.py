"""A second opinion on an instance, and z3 as the one who gives it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from theory.errors import EvidenceFailed
from theory.ledger.statements import Claim, exact
from theory.provers import smt


@dataclass(frozen=True)
class Opinion:
    """Do the hypotheses hold, does the statement, and which numbers decided (none: not compared)?"""

    admissible: bool
    holds: bool
    sides: tuple[Fraction, ...] = ()


@dataclass(frozen=True)
class Second:
    """An engine by name, and what it thinks of an instance."""

    engine: str
    opinion: Callable[[Any], Opinion]


def agreeing(
    second: Second | None, data: Any, holds: bool, sides: tuple[Fraction, ...] = ()
) -> tuple[str, ...]:
    """The engine's name if it finds the same; another finding is an error. No engine without a second."""
    if second is None:
        return ()
    found = second.opinion(data)
    if not found.admissible:
        raise EvidenceFailed(f"engines disagree: {second.engine} finds that the hypotheses fail")
    if found.holds != holds:
        word = "holds" if found.holds else "fails"
        raise EvidenceFailed(f"engines disagree: {second.engine} finds that the statement {word}")
    if found.sides and found.sides != sides:
        shown = " and ".join(str(float(side)) for side in found.sides)
        raise EvidenceFailed(f"engines disagree: {second.engine} finds other sides, {shown}")
    return (second.engine,)


def by_z3(claim: Claim, values: Mapping[sp.Symbol, Any]) -> Opinion:
    """z3 on the hypotheses and the statement with the numbers inserted.

    Letters without a number are what the hypotheses make of the others (the result of top-k, say). The
    statement has to be true for all of their values, or false for all.
    """
    fixed = tuple(sp.Eq(letter, sp.Rational(exact(value))) for letter, value in values.items())
    known = (*fixed, *claim.hypotheses)
    if not smt.consistent(known):
        return Opinion(False, False)
    true = smt.consistent((*known, claim.statement))
    if true == smt.consistent((*known, sp.Not(claim.statement))):
        raise EvidenceFailed("z3 leaves the statement open: the hypotheses do not fix its letters")
    return Opinion(True, true)
