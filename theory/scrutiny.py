"""What evidence that checks out may still hide: a condition that is the claim, a cover about something else,
a step that one engine decides although two could.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from theory import smt
from theory.entry import Entry, Verdict
from theory.evidence import Finding, Role
from theory.statements import AnyClaim, Claim, Test

CITED = "the line is cited: no engine decides it in general, at most the case shown"
CERTIFIED = ("sum of squares", "positivity certificate", "identity at the edge", "chain")


def unrelated(entry: Entry) -> list[str]:
    """Evidence that speaks of something else: a condition that is the claim, a cover without its letters."""
    faults = []
    if restates(entry.condition, entry.claim.statement):
        faults.append("the condition restates the claim")
    for item in entry.evidence:
        if item.role in (Role.COVER, Role.DERIVATION) and not _shares_letters(item.claim, entry.claim):
            faults.append(f"{item.role}: it shares no letter with the claim")
        elif item.role is Role.DERIVATION and not _shares_bound(item.claim, entry.claim):
            faults.append(f"{item.role}: it does not speak of what is printed")
    return faults


def _shares_letters(one: AnyClaim | None, other: AnyClaim) -> bool:
    if not isinstance(one, Claim) or not isinstance(other, Claim):
        return True  # finite claims have no letters
    return bool(one.statement.free_symbols & other.statement.free_symbols)


def _shares_bound(one: AnyClaim | None, other: AnyClaim) -> bool:
    """A side of one is a side of the other, up to a number and one letter (a coefficient and its b²)."""
    if not isinstance(one, Claim) or not isinstance(other, Claim):
        return False
    ratios = (sp.cancel(sp.together(b / a)) for a in sides(one.statement) for b in sides(other.statement))
    return any(ratio.is_number or ratio.is_Symbol for ratio in ratios)


def sides(statement: sp.Basic) -> tuple[sp.Expr, ...]:
    """Both sides of a relation, where they contain a letter."""
    if not isinstance(statement, sp.core.relational.Relational):
        return ()
    return tuple(side for side in (statement.lhs, statement.rhs) if side.free_symbols)


def restates(condition: sp.Basic | Test | None, statement: sp.Basic | Test) -> bool:
    """Is the condition, or a part of it, the statement up to a constant factor, or its equality case?"""
    if isinstance(condition, Test) or isinstance(statement, Test) or condition is None:
        return isinstance(condition, Test) and condition.holds == getattr(statement, "holds", None)
    if not isinstance(statement, sp.core.relational.Relational):
        return condition == statement
    parts = condition.args if isinstance(condition, sp.And) else (condition,)
    differences = [p.lhs - p.rhs for p in parts if isinstance(p, sp.core.relational.Relational)]
    wanted = statement.lhs - statement.rhs
    return wanted != 0 and any(sp.cancel(sp.together(found / wanted)).is_number for found in differences)


def unlabelled_equivalence(entry: Entry) -> list[str]:
    """A condition that is equivalent to the claim is the claim solved for a letter, and has to say so.

    Entries say it by a proof that the condition is necessary; z3 looks for the others, and for the claim
    hidden in one part of a condition. A condition that is a test on instances has no letters to solve for:
    there `restates` compares the predicates only.
    """
    told = any(item.role is Role.NECESSARY for item in entry.evidence)
    if told or not isinstance(entry.claim, Claim) or not isinstance(entry.condition, sp.Basic):
        return []
    assumed = (*entry.claim.hypotheses, entry.claim.statement)
    if smt.prove(assumed, entry.condition, smt.QUICK).answer is smt.Answer.PROVED:
        return ["the condition is equivalent to the claim: show that it is necessary and sufficient"]
    if isinstance(entry.condition, sp.And) and any(_solved(p, entry.claim) for p in entry.condition.args):
        return ["a part of the condition is the claim solved for a letter"]
    return []


def _solved(part: sp.Basic, claim: Claim) -> bool:
    """Does this part alone give the claim, and the claim this part?"""
    ways = (((*claim.hypotheses, claim.statement), part), ((*claim.hypotheses, part), claim.statement))
    return all(smt.prove(given, wanted, smt.QUICK).answer is smt.Answer.PROVED for given, wanted in ways)


def without_certificate(findings: Sequence[Finding]) -> list[str]:
    """Steps that rest on z3 alone."""
    return [f"{f.role}: {f.claim_text}" for f in findings if f.outcome.ok and "z3 unsat" in f.outcome.kind]


def without_z3(findings: Sequence[Finding]) -> list[str]:
    """Certified inequalities that z3 did not decide with the effort of a cross-check."""
    certified = [f for f in findings if f.outcome.ok and f.outcome.kind.startswith(CERTIFIED)]
    return [f"{f.role}: {f.claim_text}" for f in certified if "z3" not in f.outcome.engines]


def deciding(finding: Finding) -> tuple[str, ...]:
    """The engines that decided a step: random points look for an error, they decide nothing."""
    return tuple(engine for engine in finding.outcome.engines if engine not in ("none", "sampling"))


def decided_once(findings: Sequence[Finding]) -> list[str]:
    """Steps about the entry itself that fewer than two engines decided."""
    own = [f for f in findings if f.outcome.ok and f.role.about_the_entry and f.role is not Role.CITATION]
    return [f"{f.role}: {f.claim_text}" for f in own if len(set(deciding(f))) < 2]


def one_engine(entry: Entry, findings: Sequence[Finding]) -> list[str]:
    """A step that one engine decides is a fault unless the entry says why.

    A certificate that z3 did not confirm is no fault here: sympy and own arithmetic agree on it.
    """
    if entry.alone:
        return []
    by_z3, once = without_certificate(findings), decided_once(findings)
    faults = [f"only z3 decides, and the entry does not say why: {step}" for step in by_z3]
    rest = [step for step in once if step not in by_z3]
    return faults + [f"only one engine decides, and the entry does not say why: {step}" for step in rest]


def why_one_engine(entry: Entry, findings: Sequence[Finding]) -> str:
    """Why fewer than two engines decide the entry, or a step of it; empty where two do."""
    if entry.verdict is Verdict.CITED:
        return CITED
    return entry.alone if decided_once(findings) or without_certificate(findings) else ""
