"""Judging an entry: run its evidence and accept its verdict only if that evidence is what it demands."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from theory import absorption, derivations, recheck
from theory.contrast import one_sided
from theory.denominators import undefined
from theory.derivations import Basis
from theory.entry import Derivation, Entry, Verdict
from theory.errors import EvidenceFailed, InvalidParameter
from theory.evidence import Evidence, Finding, Outcome, Role
from theory.hidden_zeros import hidden
from theory.models import show_satisfiable
from theory.scrutiny import one_engine, unlabelled_equivalence, unrelated, why_one_engine
from theory.statements import Test, exact_point
from theory.substance import without_substance
from theory.trees import to_tree


@dataclass(frozen=True)
class Judgement:
    """An entry after its evidence ran. `faults` is empty exactly when the verdict stands."""

    entry: Entry
    findings: tuple[Finding, ...]
    faults: tuple[str, ...]
    seconds: float
    model: str
    basis: Basis

    @property
    def derivation(self) -> Derivation:
        """Is it derived rightly from the lines before it? Decided by `theory.derivations`."""
        return self.basis.status

    @property
    def ok(self) -> bool:
        return not self.faults

    @property
    def truth(self) -> str:
        """Is the statement true? Read off the evidence, not asserted."""
        return truth_of({f.role for f in self.findings if f.outcome.ok}, instance=bool(self.entry.scope))

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
        return why_one_engine(self.entry, self.findings)


def truth_of(roles: set[Role], instance: bool) -> str:
    """What a set of checked roles says about the statement itself."""
    if Role.PROOF in roles and instance:
        return "true (instance; general step in words)"
    if Role.PROOF in roles:
        return "true"
    if Role.PROOF_IF in roles:
        return "true exactly under the condition" if Role.NECESSARY in roles else "true under the condition"
    if roles & {Role.COUNTEREXAMPLE, Role.DISPROOF}:
        return "false"
    return "taken on trust" if Role.CITATION in roles else "not decided"


def judge(entry: Entry) -> Judgement:
    """Run all evidence of an entry and decide whether its verdict stands."""
    start = time.perf_counter()
    findings, faults = [], []
    for item in entry.evidence:
        finding, fault = _run(entry, item)
        findings.append(finding)
        faults.extend(fault)
    model_text, fault = show_satisfiable(entry)
    faults.extend(fault)
    faults.extend(without_substance(entry))
    faults.extend(one_sided(entry))
    faults.extend(unrelated(entry))
    faults.extend(unlabelled_equivalence(entry))
    faults.extend(one_engine(entry, findings))
    faults.extend(undefined(entry))
    faults.extend(hidden(entry))
    roles = {f.role for f in findings if f.outcome.ok}
    faults.extend(missing_evidence(entry, roles))
    faults.extend(absorption.faults(entry, _find))
    basis, fault = _derivation(entry, roles)
    faults.extend(fault)
    return Judgement(entry, tuple(findings), tuple(faults), time.perf_counter() - start, model_text, basis)


def _find(identifier: str) -> Entry:
    from theory import ledger  # here, because the ledger is made of judgements

    return ledger.find(identifier)


def _derivation(entry: Entry, roles: set[Role]) -> tuple[Basis, list[str]]:
    if entry.derivation not in (Derivation.DERIVED, Derivation.WRONG, Derivation.NONE):
        return Basis(Derivation.WORDS), [f"derivation: {entry.derivation} is decided, not asserted"]
    try:
        return derivations.decide(entry, bool(roles & {Role.PROOF, Role.PROOF_IF}), _find), []
    except (EvidenceFailed, InvalidParameter) as error:
        return Basis(Derivation.WORDS), [f"derivation: {error}"]


def _run(entry: Entry, item: Evidence) -> tuple[Finding, list[str]]:
    start = time.perf_counter()
    try:
        claim = entry.claim_for(item)
        text = claim.text
        outcome = item.method.decide(claim)
        if item.role is Role.COUNTEREXAMPLE:
            _demand_condition_fails(entry, item)
    except (EvidenceFailed, ZeroDivisionError, ArithmeticError, ValueError, KeyError) as error:
        text, outcome = "", Outcome(False, (), type(item.method).__name__, f"{type(error).__name__}: {error}")
    outcome = replace(outcome, seconds=time.perf_counter() - start)
    faults = [] if outcome.ok else [f"{item.role}: {outcome.detail}"]
    return Finding(item.role, outcome, item.says, text), faults


def _demand_condition_fails(entry: Entry, item: Evidence) -> None:
    """A counterexample to a conditional line must lie outside the condition."""
    if entry.condition is None:
        return
    where = getattr(item.method, "data", None)
    if isinstance(entry.condition, Test):
        outside = not entry.condition.holds(where)
    else:
        outside = not recheck.holds(to_tree(entry.condition), exact_point(item.method.point))  # type: ignore[attr-defined]
    if not outside:
        raise EvidenceFailed(f"{entry.id}: the counterexample satisfies the condition")


ONLY_ABSORBED = "an absorbing line exactly when it is absorbed"
ONLY_CONDITIONAL = "a condition exactly when it is conditional"


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
            (Role.COVER in roles and bool(entry.absorbed_at), "a cover and the line that absorbs"),
        ],
        Verdict.REFUTED: [(wrong, "a counterexample"), (Role.PROOF not in roles, "no proof")],
        Verdict.CITED: [(Role.CITATION in roles, "a citation"), (Role.PROOF not in roles, "no proof")],
    }[entry.verdict]
    if entry.derivation is Derivation.WRONG:
        rules.append((wrong or Role.DERIVATION in roles, "evidence that the derivation is wrong"))
    rules.append(((entry.absorbed_at is not None) == (entry.verdict is Verdict.ABSORBED), ONLY_ABSORBED))
    rules.append(((entry.condition is not None) == (entry.verdict is Verdict.CONDITIONAL), ONLY_CONDITIONAL))
    faults = [f"verdict {entry.verdict} demands {what}" for met, what in rules if not met]
    if Role.PROOF in roles and wrong:
        faults.append("the statement is both proved and refuted")
    return faults
