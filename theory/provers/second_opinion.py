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
    """Do the hypotheses hold, does the statement, and which numbers decided?"""

    admissible: bool
    holds: bool
    sides: tuple[Fraction, ...] = ()


@dataclass(frozen=True)
class Second:
    """An engine by name, and what it thinks of an instance."""

    engine: str
    opinion: Callable[[Any], Opinion]


def agreeing(second: Second | None, data: Any, sides: tuple[Fraction, ...]) -> tuple[str, ...]:
    """The engine's name if it finds a counterexample too; another finding is an error. None without one."""
    if second is None:
        return ()
    found = second.opinion(data)
    if not found.admissible:
        raise EvidenceFailed(f"engines disagree: {second.engine} finds that the hypotheses fail")
    if found.holds:
        raise EvidenceFailed(f"engines disagree: {second.engine} finds that the statement holds")
    if found.sides != sides:
        shown = " and ".join(str(float(side)) for side in found.sides)
        raise EvidenceFailed(f"engines disagree: {second.engine} finds other sides, {shown}")
    return (second.engine,)


def by_z3(claim: Claim, values: Mapping[sp.Symbol, Any]) -> Opinion:
    """z3 on the hypotheses and the statement with a number for every letter."""
    fixed = tuple(sp.Eq(letter, sp.Rational(exact(value))) for letter, value in values.items())
    parts = (sp.And(*claim.hypotheses), claim.statement)
    met, true = (smt.prove(fixed, part).answer for part in parts)
    if smt.Answer.UNKNOWN in (met, true) or set(claim.symbols) - set(values):
        raise EvidenceFailed("z3 leaves the claim open")
    return Opinion(met is smt.Answer.PROVED, true is smt.Answer.PROVED)
