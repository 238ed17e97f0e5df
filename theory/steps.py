"""Short forms for the steps of a derivation: a line, and how its letters read in a later one."""

from __future__ import annotations

import re

import sympy as sp

from theory.entry import Step

LETTER = re.compile(r"[A-Za-z_]\w*")


def expression(text: str) -> sp.Expr:
    """An expression in real letters."""
    letters = {f"{name}_": sp.Symbol(name, real=True) for name in LETTER.findall(text)}
    return sp.parse_expr(
        LETTER.sub(r"\g<0>_", text), local_dict=letters
    )  # lambda is a keyword, lambda_ is not


def pairs(text: str) -> tuple[tuple[sp.Expr, sp.Expr], ...]:
    """`old: new, old: new` as expressions."""
    return tuple(
        (expression(old), expression(new))
        for old, new in (part.split(":") for part in text.split(",") if part.strip())
    )


def given(line: str, reads: str = "", summed: bool = False, base: str = "", start: bool = False) -> Step:
    """An earlier line with its reading; `base` where the line is this one, at the step before."""
    return Step(line, pairs(reads), summed, pairs(base), start)


def at_points(text: str) -> str:
    """The same at a mixed point and at the two that it lies between."""
    return ", ".join(text.format(point) for point in "m12")


def roots(text: str) -> str:
    """`p: …, q: …` for φ and χ of the concavity lines at all three points."""
    return ", ".join(
        part.format(point).replace(":", f"{point}:", 1) for point in "m12" for part in text.split(", ")
    )
