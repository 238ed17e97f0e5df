"""Judging an entry: run its evidence and accept its verdict only if that evidence is what it demands."""

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from theory.errors import EvidenceFailed
from theory.ledger import guards
from theory.ledger.entry import Entry, Verdict
from theory.ledger.evidence import Evidence, Finding, Outcome, Role

if TYPE_CHECKING:
    from theory.ledger.paper import Paper

CITED = "the line is cited: no engine decides it in general, at most the case shown"


@dataclass(frozen=True)
class Judgement:
    """An entry after its evidence ran. `faults` is empty exactly when the verdict stands."""

    entry: Entry
    findings: tuple[Finding, ...]
    faults: tuple[str, ...]
    seconds: float
    model: str

    @property
    def ok(self) -> bool:
        return not self.faults

    @property
    def truth(self) -> str:
        """Is the statement true? Read off the evidence, not asserted."""
        roles = {f.role for f in self.findings if f.outcome.ok}
        if Role.PROOF in roles:
            if Role.READING in roles:
                return "true in one reading"
            return "true (in the scope shown)" if self.entry.scope else "true"
        if Role.PROOF_IF in roles:
            return "true exactly under the condition" if self.sharp else "true under the condition"
        if roles & {Role.COUNTEREXAMPLE, Role.DISPROOF}:
            return "false"
        return "taken on trust" if Role.CITATION in roles else "not decided"

    @property
    def sharp(self) -> bool:
        """Is the condition shown to be necessary as well as sufficient?"""
        return any(f.role is Role.NECESSARY and f.outcome.ok for f in self.findings)

    @property
    def engines(self) -> tuple[str, ...]:
        return tuple(sorted({e for f in self.findings for e in f.outcome.engines if e != "none"}))

    @property
    def why_one_engine(self) -> str:
        """The reason where fewer than two engines decide; empty where two do."""
        return CITED if self.entry.verdict is Verdict.CITED else ""


def judge(entry: Entry, paper: "Paper") -> Judgement:
    """Run all evidence of an entry of a paper and decide whether its verdict stands."""
    start = time.perf_counter()
    findings, faults = [], []
    try:
        plain, roots = guards.without_roots(entry)
    except EvidenceFailed as error:
        return Judgement(entry, (), (f"roots: {error}",), time.perf_counter() - start, "")
    for item, shown in zip(plain.evidence, entry.evidence, strict=True):
        finding, fault = _run(plain, item, entry.claim_for(shown).text, roots.text)
        findings.append(finding)
        faults.extend(fault)
    model, fault = guards.show_satisfiable(plain)
    roles = {f.role for f in findings if f.outcome.ok}
    faults += [
        *fault,
        *_guarded(entry, plain, paper),
        *guards.one_engine(findings),
        *missing_evidence(entry, roles),
    ]
    return Judgement(entry, tuple(findings), tuple(faults), time.perf_counter() - start, model)


def _guarded(entry: Entry, plain: Entry, paper: "Paper") -> list[str]:
    return [
        *(fault for claim in plain.claims for fault in guards.empty(claim)),
        *guards.condition_is_the_claim(plain),
        *guards.wrong_covers(entry, paper.known),
        *guards.hidden_zeros(plain),
        *guards.wrong_severity(entry),
        *guards.undefined_letters(entry),
    ]


def _run(entry: Entry, item: Evidence, text: str, roots: str) -> tuple[Finding, list[str]]:
    start = time.perf_counter()
    try:
        outcome = item.method.decide(entry.claim_for(item))
        _demand_kind(item.role, outcome)
        if roots:
            outcome = replace(outcome, detail=f"with {roots}: {outcome.detail}")
        if item.role is Role.COUNTEREXAMPLE and guards.inside_the_condition(entry, item):
            raise EvidenceFailed(f"{entry.id}: the counterexample satisfies the condition")
    except (EvidenceFailed, ArithmeticError, ValueError, KeyError) as error:
        outcome = Outcome(False, (), type(item.method).__name__, f"{type(error).__name__}: {error}")
    outcome = replace(outcome, seconds=time.perf_counter() - start)
    faults = [] if outcome.ok else [f"{item.role}: {outcome.detail}"]
    return Finding(item.role, outcome, item.says, text), faults


def _demand_kind(role: Role, outcome: Outcome) -> None:
    """A point proves nothing, and a proof refutes nothing; a wrong derivation may be shown by either."""
    if role is not Role.DERIVATION and outcome.refutes != (role in (Role.COUNTEREXAMPLE, Role.READING)):
        raise EvidenceFailed(f"a {outcome.kind} cannot be a {role}")


def missing_evidence(entry: Entry, roles: set[Role]) -> list[str]:
    """What the verdict demands and the checked evidence does not give."""
    wrong = bool(roles & {Role.COUNTEREXAMPLE, Role.DISPROOF})
    rules = {
        Verdict.VALID: [(Role.PROOF in roles, "a proof"), (not wrong, "no counterexample")],
        Verdict.CONDITIONAL: [
            (Role.PROOF_IF in roles, "a proof under the condition"),
            (Role.COUNTEREXAMPLE in roles, "a counterexample without it"),
        ],
        Verdict.ABSORBED: [
            (wrong or Role.DERIVATION in roles, "a counterexample or a wrong derivation"),
            (Role.COVER in roles, "a cover"),
        ],
        Verdict.REFUTED: [(wrong, "a counterexample"), (Role.PROOF not in roles, "no proof")],
        Verdict.UNDERIVED: [
            (Role.PROOF in roles, "a proof"),
            (Role.DERIVATION in roles, "a wrong derivation"),
            (not wrong, "no counterexample"),
        ],
        Verdict.UNDEFINED: [
            (Role.PROOF in roles, "a proof in one reading"),
            (Role.READING in roles, "another reading that fails"),
            (not wrong, "no counterexample"),
        ],
        Verdict.CITED: [(Role.CITATION in roles, "a citation"), (Role.PROOF not in roles, "no proof")],
    }[entry.verdict]
    rules += [
        (Role.COVER not in roles or entry.verdict is Verdict.ABSORBED, "no cover, unless it is absorbed"),
        (Role.READING not in roles or entry.verdict is Verdict.UNDEFINED, "no other reading"),
        (Role.PROOF_IF not in roles or entry.verdict is Verdict.CONDITIONAL, "no condition"),
        (not (Role.PROOF in roles and wrong), "a statement that is not both proved and refuted"),
    ]
    return [f"verdict {entry.verdict} demands {what}" for met, what in rules if not met]
