"""Methods that put others together, and z3 on its own."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from theory.errors import EvidenceFailed
from theory.ledger.evidence import Method, Outcome
from theory.ledger.statements import Claim, conjuncts
from theory.provers import smt


def _together(outcomes: list[Outcome], labels: list[str], kind: str) -> Outcome:
    engines = tuple(e for e in outcomes[0].engines if all(e in o.engines for o in outcomes))
    shown = "; ".join(f"{label}: {o.detail}" for label, o in zip(labels, outcomes, strict=True))
    certificate = "; ".join(f"{label}: {o.certificate}" for label, o in zip(labels, outcomes, strict=True))
    return Outcome(all(o.ok for o in outcomes), engines, kind, shown, certificate=certificate)


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
        outcomes = [
            method.decide(Claim((*others, *conjuncts(case)), claim.statement))
            for case, method in zip(ordered, self.methods, strict=True)
        ]
        return _together(outcomes, [f"if {case}" for case in ordered], f"{outcomes[0].kind}, by cases")


@dataclass(frozen=True)
class Parts:
    """The statement is a conjunction: one method per part, in the order of their texts."""

    methods: tuple[Method, ...]

    def decide(self, claim: Claim) -> Outcome:
        ordered = sorted(conjuncts(claim.statement), key=str)
        outcomes = [
            method.decide(Claim(claim.hypotheses, part))
            for part, method in zip(ordered, self.methods, strict=True)
        ]
        return _together(outcomes, [str(part) for part in ordered], f"{outcomes[0].kind}, by parts")


@dataclass(frozen=True)
class Solver:
    """z3 finds the negation unsatisfiable: one engine, which the evidence has to explain."""

    def decide(self, claim: Claim) -> Outcome:
        reply = smt.prove(claim.hypotheses, claim.statement)
        if reply.answer is smt.Answer.PROVED:
            return Outcome(True, ("z3",), "z3 unsat", "negation unsatisfiable")
        where = f" at {dict(reply.model)}" if reply.model else ""
        raise EvidenceFailed(f"z3: {reply.answer}{where} {reply.detail}".rstrip())
