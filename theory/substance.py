"""A statement has to say something, and only known methods decide it.

An entry could pass with a statement that is true by its form (X = X), with one that is among its own
hypotheses, or with a method that accepts everything. Each of these is a fault.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import sympy as sp

from theory import provers
from theory.entry import Entry
from theory.evidence import Citation
from theory.integers import Directly
from theory.replay import parts
from theory.statements import AnyClaim, Claim

METHODS = frozenset(
    {
        provers.AtPoint, provers.Cases, provers.Chain, provers.Contradiction, provers.Edge,
        provers.Exhaustive, provers.Identity, provers.Induction, provers.OnInstance, provers.Parts,
        provers.Positivity, provers.Solver, provers.SumOfSquares, provers.Telescoping, provers.Termwise,
        Citation, Directly,
    }
)  # fmt: skip


def without_substance(entry: Entry) -> list[str]:
    """What makes the evidence of an entry worthless, whatever the methods say."""
    faults = [*empty(entry.claim), *unknown_methods(entry)]
    for item in entry.evidence:
        if item.claim is not None:
            faults += [f"{item.role}: {fault}" for fault in empty(item.claim)]
    return faults


def empty(claim: AnyClaim) -> list[str]:
    """Is the statement true by its form, or one of the hypotheses again?"""
    if not isinstance(claim, Claim):
        assumed = [test.holds for test in claim.hypotheses]
        return ["the statement is one of the hypotheses"] if claim.statement.holds in assumed else []
    if claim.statement in (sp.true, sp.false) or any(_says_nothing(p) for p in parts(claim.statement)):
        return ["the statement is true or false by its form"]
    assumed = [h for h in claim.hypotheses if not _is_sign(h)]
    if all(any(same_relation(part, h) for h in assumed) for part in parts(claim.statement)):
        return ["the statement is one of the hypotheses"]
    return []


def _says_nothing(relation: sp.Basic) -> bool:
    return isinstance(relation, sp.core.relational.Relational) and relation.lhs == relation.rhs


def _is_sign(hypothesis: sp.Basic) -> bool:
    """letter ≥ number: then 2 letter ≤ 3 letter is a comparison of numbers, not the hypothesis again."""
    return len(hypothesis.free_symbols) == 1 and isinstance(hypothesis, sp.Ge | sp.Gt) and hypothesis.rhs == 0


def same_relation(one: sp.Basic, other: sp.Basic) -> bool:
    """The same equation or inequality up to a positive constant factor and to order."""
    if one == other:
        return True
    kinds = ((sp.Le, sp.Ge), (sp.Lt, sp.Gt), (sp.Eq,))
    kind = next((k for k in kinds if isinstance(one, k) and isinstance(other, k)), None)
    if kind is None:
        return False
    factor = _ratio(_slack(one), _slack(other))
    return factor is not None and bool(factor != 0 if kind == (sp.Eq,) else factor > 0)


def _slack(relation: sp.Basic) -> sp.Expr:
    return relation.lhs - relation.rhs if isinstance(relation, sp.Eq) else relation.gts - relation.lts


def _ratio(one: sp.Expr, other: sp.Expr) -> sp.Expr | None:
    """one/other where that is a number."""
    if one.free_symbols != other.free_symbols or other == 0:
        return None
    found = sp.cancel(sp.together(one / other))
    return found if found.is_number else None


def unknown_methods(entry: Entry) -> list[str]:
    """Methods that are not among those of the ledger, also inside other methods."""
    found = {
        type(m).__name__ for item in entry.evidence for m in _methods(item.method) if type(m) not in METHODS
    }
    return [f"{name} is not a method of the ledger" for name in sorted(found)]


def _methods(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for part in value:
            yield from _methods(part)
        return
    if hasattr(value, "decide"):
        yield value
    if is_dataclass(value) and not isinstance(value, type):
        for part in fields(value):
            if part.name not in ("data", "unlike"):  # instances of the claim, not methods
                yield from _methods(getattr(value, part.name))
