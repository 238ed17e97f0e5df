"""Methods that put others together, and z3 on its own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import sympy as sp

from theory.errors import EvidenceFailed
from theory.ledger.evidence import Method, Outcome
from theory.ledger.statements import Claim, conjuncts
from theory.provers import smt


def _each(methods: Sequence[Method], claims: Sequence[Claim], labels: Sequence[str], how: str) -> Outcome:
    """One method per claim; the engines are those that all of them had."""
    found = [method.decide(claim) for claim, method in zip(claims, methods, strict=True)]
    engines = tuple(e for e in found[0].engines if all(e in o.engines for o in found))
    shown = "; ".join(f"{label}: {o.detail}" for label, o in zip(labels, found, strict=True))
    certificate = "; ".join(f"{label}: {o.certificate}" for label, o in zip(labels, found, strict=True))
    return Outcome(
        all(o.ok for o in found), engines, f"{found[0].kind}, {how}", shown, certificate=certificate
    )


@dataclass(frozen=True)
class Cases:
    """One hypothesis is a disjunction: one method per case, in the order of the printed cases."""

    methods: tuple[Method, ...]

    def decide(self, claim: Claim) -> Outcome:
        either = [h for h in claim.hypotheses if isinstance(h, sp.Or)]
        if len(either) != 1:
            raise EvidenceFailed("cases need exactly one disjunction among the hypotheses")
        others = tuple(h for h in claim.hypotheses if h not in either)
        ordered = sorted(either[0].args, key=str)
        claims = [replace(claim, hypotheses=(*others, *conjuncts(case))) for case in ordered]
        return _each(self.methods, claims, [f"if {case}" for case in ordered], "by cases")


@dataclass(frozen=True)
class Parts:
    """The statement is a conjunction: one method per part, in the order of their texts."""

    methods: tuple[Method, ...]

    def decide(self, claim: Claim) -> Outcome:
        ordered = sorted(conjuncts(claim.statement), key=str)
        claims = [replace(claim, statement=part) for part in ordered]
        return _each(self.methods, claims, [str(part) for part in ordered], "by parts")


@dataclass(frozen=True)
class Solver:
    """z3 finds the negation unsatisfiable: one engine, which the evidence has to explain."""

    def decide(self, claim: Claim) -> Outcome:
        reply = smt.prove(claim.hypotheses, claim.statement)
        if reply.answer is smt.Answer.PROVED:
            return Outcome(True, ("z3",), "z3 unsat", "negation unsatisfiable")
        where = f" at {dict(reply.model)}" if reply.model else ""
        raise EvidenceFailed(f"z3: {reply.answer}{where} {reply.detail}".rstrip())
