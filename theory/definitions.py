"""Definitions that no line proves, and what they may be read as.

A definition speaks of what it defines, and of nothing else: `part ≤ most` holds for a maximum, not for any
two numbers. So what is defined is read as a letter (or its square) of its own, neither a constant of the
theory nor a letter that an equation of the line defines, and an indicator lies between 0 and 1.
"""

from __future__ import annotations

import sympy as sp

from theory.entry import Step
from theory.errors import EvidenceFailed
from theory.naming import CONSTANTS, definition
from theory.statements import Claim
from theory.symbols import E, real

out1, in1, f1, f_star, part1, most, least = real("out1 in1 f1 f_star part1 most least")
low, high, n_up, h, ind, amount, drift = real("low high n_up h ind amount drift")
noise2, nu, mean_z, E_bar = real("noise2 nu mean_z E_bar")
free, row, tail_row, inside, outside = real("free row tail_row inside outside")

DEFINITIONS: dict[str, tuple[sp.Basic, ...]] = {
    "MIN": (f1 >= f_star,),  # f* is a lower limit of f
    "TOPK": (out1**2 <= in1**2,),
    "MAX": (part1 <= most,),
    "LEAST": (part1 >= least,),
    "ORDER": (low <= high, n_up >= h),
    "IND": (
        *(ind * amount >= 0, (1 - ind) * amount <= 0),
        *(sp.Or(sp.Eq(ind, 0), amount > 0), sp.Or(sp.Eq(ind, 1), amount <= 0)),
    ),
    "REACHES": (
        *(ind * amount >= 0, (1 - ind) * amount <= 0),
        *(sp.Or(sp.Eq(ind, 0), amount >= 0), sp.Or(sp.Eq(ind, 1), amount < 0)),
    ),
    "START": (sp.Or(E > 1, sp.Eq(drift, 0)),),
    "NU": (noise2 <= nu * mean_z,),
    "WEIGHTS": (E_bar <= E,),
    "CLEAN": (sp.Eq(free * (row - tail_row), 0),),
    "WITHIN": (inside <= outside,),
}
DEFINED = {
    "MIN": (f_star,), "MAX": (most,), "LEAST": (least,), "ORDER": (low, high, n_up, h), "IND": (ind,),
    "REACHES": (ind,), "START": (drift,), "NU": (nu,), "WEIGHTS": (E_bar,), "CLEAN": (tail_row,),
    "WITHIN": (inside,),
}  # fmt: skip
INDICATORS = ("IND", "REACHES")  # of > and of ≥
MEANING = {
    "TOPK": "the definition of top-k: a kept estimate is at least as large as one left out",
    "MAX": "the definition of a maximum: none of those that it is taken over is larger",
    "LEAST": "the definition of a minimum: none of those that it is taken over is smaller",
    "ORDER": "the definition of a median: of J numbers in order, at least ⌈J/2⌉ reach the upper middle one",
    "IND": "the definition of an indicator: 1 where an amount is positive, 0 where it is not",
    "REACHES": "the definition of an indicator: 1 where an amount is not negative, 0 where it is",
    "NU": "the definition of ν: the noise of the mean over devices is at most ν times the mean noise of one "
    "device; 1 is always such a number (RA.T4b), 1/M is one for uncorrelated noises (RA.T4a)",
    "WEIGHTS": "the definition of Ē: a sum of E weights, none of them above 1",
    "CLEAN": "the definition of a clean row: the s largest do not meet i in it, so the tail is its error",
    "WITHIN": "an event is at most as probable as one that contains it: a row exceeds y only if one of the s "
    "largest meets i in it, or the rest exceeds y",
    "START": "the definition of the local steps: they start at the broadcast point",
}


def demand_defines(step: Step, claim: Claim) -> None:
    """What the definition is about is a letter of its own in the line that uses it."""
    reads = dict(step.reads)
    letters = {_letter(step.line, reads.get(s, s), claim) for s in DEFINED.get(step.line, ())}
    for old, new in step.reads:
        about = new.free_symbols
        if old not in DEFINED.get(step.line, ()) and (not about or about & letters):
            raise EvidenceFailed(f"{step.line} does not say anything of {new}")
    if step.line in INDICATORS and any(h not in claim.hypotheses for s in letters for h in (s >= 0, s <= 1)):
        raise EvidenceFailed("an indicator lies between 0 and 1")


def _letter(name: str, value: sp.Expr, claim: Claim) -> sp.Symbol:
    letter = value.base if value.is_Pow and value.exp == 2 else value
    if not letter.is_Symbol or letter in CONSTANTS:
        raise EvidenceFailed(f"{name} defines a letter of its own, not {value}")
    if any(found[0] == letter for h in claim.hypotheses if (found := definition(h)) is not None):
        raise EvidenceFailed(f"{name} defines {letter}, which an equation defines already")
    return letter
