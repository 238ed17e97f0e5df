"""What a step has to be before anything is read from it: no key twice, letters of the ledger only."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from theory.entry import Entry, Step
from theory.errors import EvidenceFailed
from theory.letter_names import names
from theory.naming import CONSTANTS
from theory.statements import Claim


def demand_well_formed(step: Step, user: Entry) -> None:
    """One reading for each expression, a start for an induction only, real letters."""
    for found in (step.reads, step.base):
        keys = [old for old, _ in found]
        if len(set(keys)) < len(keys):
            raise EvidenceFailed(f"{step.line}: an expression is read in two ways")
    if step.base and step.line != user.id:
        raise EvidenceFailed(f"{step.line} has a start, and is no induction of {user.id}")
    demand_real(side for pair in (*step.reads, *step.base) for side in pair)


def demand_real(expressions: Iterable[sp.Basic]) -> None:
    """z3 tells letters by their names, sympy also by what it assumes of them: all are real, and no more."""
    for letter in (s for expression in expressions for s in expression.free_symbols):
        if letter != sp.Symbol(letter.name, real=True):
            raise EvidenceFailed(f"{letter} is not a letter of the ledger")


def demand_of_the_line(step: Step, claim: Claim) -> None:
    """What is read is an expression of the earlier line, or of the names of its part."""
    own = set(claim.symbols).union(*(name.free_symbols for name in names(step.line).values()))
    for old, _ in step.reads:
        if foreign := old.free_symbols - own - CONSTANTS:
            raise EvidenceFailed(f"{step.line} has no {', '.join(sorted(map(str, foreign)))}")
