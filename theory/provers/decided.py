"""What the certificate methods share: the slack of an inequality, signs under hypotheses, and z3 as judge."""

from collections.abc import Sequence

import sympy as sp

from theory.errors import EvidenceFailed
from theory.ledger.statements import Claim
from theory.provers import certificates, recheck, smt
from theory.provers.certificates import Change, shift

Using = tuple[tuple[sp.Expr | int, sp.Eq], ...]  # equations of the hypotheses, each with a factor


def gap(relation: sp.Basic) -> tuple[sp.Expr, bool]:
    """(larger − smaller, strict?) of an inequality."""
    if isinstance(relation, sp.Le | sp.Lt):
        return relation.rhs - relation.lhs, isinstance(relation, sp.Lt)
    if isinstance(relation, sp.Ge | sp.Gt):
        return relation.lhs - relation.rhs, isinstance(relation, sp.Gt)
    raise EvidenceFailed(f"not an inequality: {relation}")


def cross_check(claim: Claim) -> tuple[str, ...]:
    """Let z3 decide what two engines proved: a refutation is a disagreement, unknown adds nothing."""
    reply = smt.prove(claim.hypotheses, claim.statement, smt.QUICK)
    if reply.answer is smt.Answer.REFUTED:
        raise EvidenceFailed(f"engines disagree: z3 refutes a proved claim at {dict(reply.model or {})}")
    return ("z3",) if reply.answer is smt.Answer.PROVED else ()


def vanishing(using: Using, claim: Claim) -> sp.Expr:
    """Σ factor · (left − right) over equations among the hypotheses."""
    missing = [equation for _, equation in using if equation not in claim.hypotheses]
    if missing:
        raise EvidenceFailed(f"not a hypothesis: {missing}")
    for factor, _ in using:
        _, denominator = sp.fraction(sp.together(factor))
        demand_nonzero(denominator, claim)  # 0 = (1/0)·0 would prove anything
    return sp.Add(*(factor * (equation.lhs - equation.rhs) for factor, equation in using))


Given = tuple[tuple[sp.Symbol, sp.Expr], ...]  # letters and the expressions that define them


def demand_defined(claim: Claim, given: Given = ()) -> None:
    """Every denominator of the statement is nonzero under the hypotheses, the definitions inserted."""
    for printed in smt.denominators(claim.statement):
        demand_nonzero(inserted(printed, given), claim)


def demand_nonzero(denominator: sp.Expr, claim: Claim) -> None:
    if not nonzero(denominator, claim.hypotheses, smt.EFFORT):
        raise EvidenceFailed(f"{denominator} is not shown to be nonzero")


def nonzero(expression: sp.Expr, hypotheses: Sequence[sp.Basic], effort: int) -> bool:
    """Is the expression nonzero under the hypotheses? Own arithmetic first, then z3."""
    if shown_without_z3(expression, hypotheses, strictly=True):
        return True
    return smt.prove(hypotheses, sp.Ne(expression, 0), effort).answer is smt.Answer.PROVED


def inserted(expression: sp.Expr, given: Given) -> sp.Expr:
    """The expression with the definitions in place of their letters, one after the other."""
    for symbol, value in given:
        expression = expression.subs(symbol, value)
    return expression


def has_sign(expression: sp.Expr, hypotheses: Sequence[sp.Basic], strictly: bool) -> bool:
    """Is the expression ≥ 0 (> 0) under the hypotheses? Own arithmetic first, then z3."""
    wanted = expression > 0 if strictly else expression >= 0
    if wanted in (sp.true, sp.false):
        return bool(wanted)
    if shown_without_z3(expression, hypotheses, strictly):
        return True
    return smt.prove(tuple(hypotheses), wanted).answer is smt.Answer.PROVED


def shown_without_z3(expression: sp.Expr, hypotheses: Sequence[sp.Basic], strictly: bool) -> bool:
    """Nonnegative coefficients once each letter starts from the number that a hypothesis puts below it."""
    starts = [start for h in hypotheses if (start := _start(h)) is not None]
    letters = sorted(expression.free_symbols, key=lambda s: s.name)
    changes: list[Change] = []
    strict: list[sp.Symbol] = []
    for n, letter in enumerate(letters):
        own = [(low, above) for symbol, low, above in starts if symbol == letter and low >= 0]
        if not own:
            return False
        low, above = max(own)
        changes.append(shift(letter, f"start_{n}", low))
        strict += [changes[-1].new] if above else []
    try:
        record = certificates.build(sp.sympify(expression), changes, strict)
        return not recheck.faults_of_positivity(record, strictly)
    except (EvidenceFailed, ZeroDivisionError, sp.PolynomialError):
        return False  # not a rational function of the letters: z3 has to tell


def _start(hypothesis: sp.Basic) -> tuple[sp.Symbol, sp.Rational, bool] | None:
    """(letter, number, strict) of a hypothesis letter ≥ number."""
    if isinstance(hypothesis, sp.Ge | sp.Gt | sp.Le | sp.Lt):
        small, large = hypothesis.lts, hypothesis.gts
        if isinstance(large, sp.Symbol) and isinstance(small, sp.Rational):
            return large, small, isinstance(hypothesis, sp.Gt | sp.Lt)
    return None
