"""Nonlinear real arithmetic with z3: is a claim true for all reals, and is a set of hypotheses satisfiable?

Denominators are cleared before z3 sees a formula, because its total division gives x/0 a value of its own
choice: a hypothesis a/b ≤ c brings b ≠ 0 with it; the statement's denominators must be proved nonzero
first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from math import prod

import sympy as sp
import z3

from theory.errors import EvidenceFailed

EFFORT = 8_000_000  # z3's own count of work: the same answer on an idle and on a busy machine
QUICK = 2_000_000  # six times what the hardest step of the ledger takes
STUCK = 120.0  # seconds, against a step that z3 does not count; an idle machine needs one second at most
_SIGNS = {
    sp.Le: lambda v: v <= 0,
    sp.Lt: lambda v: v < 0,
    sp.Ge: lambda v: v >= 0,
    sp.Gt: lambda v: v > 0,
    sp.Eq: lambda v: v == 0,
    sp.Ne: lambda v: v != 0,
}


class Answer(StrEnum):
    """What a solver may say. `UNKNOWN` is never read as either of the others."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Reply:
    """An answer with the model that refutes, when there is a rational one."""

    answer: Answer
    model: Mapping[str, Fraction] | None = None
    detail: str = ""


def prove(hypotheses: Sequence[sp.Basic], statement: sp.Basic, effort: int = EFFORT) -> Reply:
    """Do the hypotheses imply the statement over the reals?"""
    facts = [fact for hypothesis in hypotheses for fact in _facts(hypothesis)]
    for denominator in denominators(statement):
        if _check([*facts, _term(denominator) == 0], effort).answer is not Answer.PROVED:
            return Reply(Answer.UNKNOWN, detail=f"{denominator} is not shown to be nonzero")
    return _check([*facts, z3.Not(_formula(statement))], effort)


def model(hypotheses: Iterable[sp.Basic], effort: int = EFFORT) -> Mapping[str, Fraction] | None:
    """A rational point where all hypotheses hold, or None when z3 gives none."""
    facts = [fact for hypothesis in hypotheses for fact in _facts(hypothesis)]
    return _check(facts, effort).model


@lru_cache(maxsize=4096)
def denominators(statement: sp.Basic) -> tuple[sp.Expr, ...]:
    """The non-constant denominators of every expression in a relation or a combination of relations."""
    bases = {f.base for f in statement.atoms(sp.Pow) if f.exp.is_negative and not f.base.is_number}
    found = {sp.fraction(sp.together(base))[0] for base in bases}
    return tuple(sorted(found, key=sp.default_sort_key))


@lru_cache(maxsize=4096)
def _facts(hypothesis: sp.Basic) -> tuple[z3.BoolRef, ...]:
    """A hypothesis with its denominators nonzero, in a disjunction only for the case they occur in."""
    if isinstance(hypothesis, sp.And | sp.Or):
        join = z3.And if isinstance(hypothesis, sp.And) else z3.Or
        return (join(*(z3.And(*_facts(part)) for part in hypothesis.args)),)
    guards = (_term(d) != 0 for d in denominators(hypothesis))
    return (*guards, _formula(hypothesis))


def _check(facts: list[z3.BoolRef], effort: int) -> Reply:
    """PROVED means unsatisfiable. A context of its own: answers must not depend on what was asked before."""
    context = z3.Context()
    solver = z3.SolverFor("QF_NRA", ctx=context)
    solver.set("rlimit", effort)
    solver.set("timeout", int(1000 * STUCK))
    solver.add(*(fact.translate(context) for fact in facts))
    result = solver.check()
    if result == z3.unsat:
        return Reply(Answer.PROVED)
    if result == z3.sat:
        return Reply(Answer.REFUTED, _rational(solver.model()))
    return Reply(Answer.UNKNOWN, detail=solver.reason_unknown())


def _rational(found: z3.ModelRef) -> Mapping[str, Fraction] | None:
    values = {}
    for symbol in found.decls():
        value = found[symbol]
        if not z3.is_rational_value(value):
            return None
        values[symbol.name()] = Fraction(value.numerator_as_long(), value.denominator_as_long())
    return values


def _formula(statement: sp.Basic) -> z3.BoolRef:
    if statement in (sp.true, sp.false):
        return z3.BoolVal(bool(statement))
    if isinstance(statement, sp.Not):
        return z3.Not(_formula(statement.args[0]))
    if isinstance(statement, sp.And | sp.Or):
        join = z3.And if isinstance(statement, sp.And) else z3.Or
        return join(*map(_formula, statement.args))
    return _relation(statement)


def _relation(relation: sp.Basic) -> z3.BoolRef:
    """Numerator times denominator has the sign of their quotient."""
    numerator, denominator = sp.fraction(sp.together(relation.lhs - relation.rhs))
    return _SIGNS[relation.func](_term(numerator) * _term(denominator))


def _term(expression: sp.Basic) -> z3.ArithRef:
    if isinstance(expression, sp.Rational):
        return z3.Q(int(expression.p), int(expression.q))
    if isinstance(expression, sp.Symbol):
        return z3.Real(expression.name)
    if isinstance(expression, sp.Pow) and isinstance(expression.exp, sp.Integer) and expression.exp > 0:
        return prod([_term(expression.base)] * (int(expression.exp) - 1), start=_term(expression.base))
    if isinstance(expression, sp.Add):
        return z3.Sum([_term(part) for part in expression.args])
    if isinstance(expression, sp.Mul):
        first, *others = map(_term, expression.args)
        return prod(others, start=first)
    raise EvidenceFailed(f"z3 is not given {expression}")
