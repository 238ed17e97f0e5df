"""What the ledger is made of: a claim, the evidence for it, and an entry that ties a verdict to the
evidence.

An entry never asserts its own verdict. `judge` runs the evidence and accepts the verdict only if the
evidence that this verdict demands is there and checks out:

| verdict       | demands                                                                                   |
|---------------|-------------------------------------------------------------------------------------------|
| `valid`       | a proof of the statement from the hypotheses                                              |
| `conditional` | a proof under `condition`, and a counterexample at which the condition fails; the         |
|               | condition must not be the statement over again                                            |
| `absorbed`    | a counterexample or a proof that the derivation is wrong, and a cover: a proof that the   |
|               | line `absorbed_at` still follows from the corrected form (`theory.absorption` ties it to  |
|               | that line, which must not itself be refuted)                                              |
| `refuted`     | a counterexample, or a proof of the negation                                              |
| `cited`       | a citation, and nothing that claims to be a proof of the statement                        |

and, for all of them: a point that satisfies the hypotheses. Whether the statement is *true* is read off the
evidence (`truth`), it is not a field. Where the machine decides less than the printed line, `scope` says what
it decides, and `truth` says so too.

    entry = Entry(
        id="L2.10", place="Appendix C.2, second display, line 2", title="6/(16AE) ≤ 1/(2E)",
        printed=r"\\frac{6}{16(1+2B^2(P_b+P_n))E} \\le \\frac{1}{2E}",
        claim=Claim((x >= 0, y >= 0, E >= 1), Rational(6, 16) / (A * E) <= 1 / (2 * E)),
        verdict=Verdict.VALID, evidence=(proof(Positivity(shift(E, "e", 1))),), audit_rows=(20,),
    )
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction

import sympy as sp

from theory import recheck, smt
from theory.errors import EvidenceFailed
from theory.evidence import (
    Citation,
    Evidence,
    Method,
    Outcome,
    Role,
    cited,
    counterexample,
    cover,
    derivation_wrong,
    disproof,
    proof,
    proof_if,
    support,
)
from theory.statements import (
    AnyClaim,
    Claim,
    FiniteClaim,
    Point,
    Test,
    equal,
    exact,
    exact_point,
    one_of,
)
from theory.trees import to_tree

__all__ = [
    "AnyClaim", "Citation", "Claim", "Derivation", "Entry", "Evidence", "Finding", "FiniteClaim", "Judgement",
    "Method", "Outcome", "Point", "Role", "Test", "Verdict", "cited", "counterexample", "cover",
    "derivation_wrong", "disproof", "equal", "exact", "exact_point", "judge", "one_of", "proof", "proof_if",
    "support",
]  # fmt: skip


class Verdict(StrEnum):
    """What the ledger says of a line of the paper."""

    VALID = "valid"
    CONDITIONAL = "conditional"
    ABSORBED = "absorbed"
    REFUTED = "refuted"
    CITED = "cited"


class Derivation(StrEnum):
    """Does the line follow from the lines it is derived from?"""

    RIGHT = "right"
    WRONG = "wrong"
    NONE = "not derived"


@dataclass(frozen=True)
class Entry:
    """One displayed (in)equality of the paper, or one claim of its text."""

    id: str
    place: str
    title: str
    printed: str
    claim: AnyClaim
    verdict: Verdict
    evidence: tuple[Evidence, ...]
    derivation: Derivation = Derivation.RIGHT
    depends: tuple[str, ...] = ()
    condition: sp.Basic | Test | None = None
    absorbed_at: str | None = None
    corrected: str = ""
    corrected_tex: str = ""
    reduction: str = ""
    scope: str = ""  # what is decided, where that is less than the printed line
    assumes: tuple[str, ...] = ()
    audit_rows: tuple[int, ...] = ()
    note: str = ""
    model: Point = field(default_factory=dict)
    weight: int = 0  # consequence for Theorem 1, for the summary: 0 = none

    def claim_for(self, item: Evidence) -> AnyClaim:
        """The claim that a piece of evidence has to decide."""
        if item.role is Role.PROOF_IF:
            return self._under_condition()
        if item.role is Role.DISPROOF:
            if not isinstance(self.claim, Claim):
                raise EvidenceFailed(f"{self.id}: only a scalar claim can be disproved")
            return self.claim.negated()
        return item.claim if item.claim is not None else self.claim

    def _under_condition(self) -> AnyClaim:
        if isinstance(self.claim, Claim) and isinstance(self.condition, sp.Basic):
            return self.claim.under(self.condition)
        if isinstance(self.claim, FiniteClaim) and isinstance(self.condition, Test):
            return replace(self.claim, hypotheses=(*self.claim.hypotheses, self.condition))
        raise EvidenceFailed(f"{self.id}: a proof under a condition needs a condition of the claim's kind")


@dataclass(frozen=True)
class Finding:
    """One piece of evidence after it ran."""

    role: Role
    outcome: Outcome
    says: str
    claim_text: str


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
        found = [f for f in self.findings if f.outcome.ok]
        in_words = {f.role for f in found if f.outcome.in_words}
        return truth_of({f.role for f in found}, in_words, instance=bool(self.entry.scope))

    @property
    def engines(self) -> tuple[str, ...]:
        return tuple(sorted({e for f in self.findings for e in f.outcome.engines if e != "none"}))

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(f.outcome.kind for f in self.findings))


def truth_of(roles: set[Role], in_words: set[Role], instance: bool) -> str:
    """What a set of checked roles says about the statement itself."""
    if Role.PROOF in roles and instance:
        return "true (instance; general step in words)"
    if Role.PROOF in roles:
        return "true, combined in words" if Role.PROOF in in_words else "true"
    if Role.PROOF_IF in roles:
        words = ", combined in words" if Role.PROOF_IF in in_words else ""
        return "true under the condition" + words
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
    faults.extend(unrelated(entry))
    faults.extend(missing_evidence(entry, {f.role for f in findings if f.outcome.ok}))
    return Judgement(entry, tuple(findings), tuple(faults), time.perf_counter() - start, model_text)


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


def unrelated(entry: Entry) -> list[str]:
    """Evidence that speaks of something else: a condition that is the claim, a cover without its letters."""
    faults = []
    if restates(entry.condition, entry.claim.statement):
        faults.append("the condition restates the claim")
    for item in entry.evidence:
        if item.role in (Role.COVER, Role.DERIVATION) and not _shares_letters(item.claim, entry.claim):
            faults.append(f"{item.role}: it shares no letter with the claim")
    return faults


def _shares_letters(one: AnyClaim | None, other: AnyClaim) -> bool:
    if not isinstance(one, Claim) or not isinstance(other, Claim):
        return True  # finite claims have no letters
    return bool(one.statement.free_symbols & other.statement.free_symbols)


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


def show_satisfiable(entry: Entry) -> tuple[str, list[str]]:
    """Points at which the hypotheses of all claims of the entry hold; contradictory ones prove anything."""
    try:
        own = (
            _finite_model(entry)
            if isinstance(entry.claim, FiniteClaim)
            else _scalar_model(entry.claim, entry)
        )
        for item in entry.evidence:
            claim = entry.claim_for(item)
            if isinstance(claim, Claim) and claim.hypotheses != entry.claim.hypotheses:
                _scalar_model(claim, entry)
    except (EvidenceFailed, ZeroDivisionError) as error:
        return "", [f"hypotheses: {error}"]
    return own, []


def _scalar_model(claim: Claim, entry: Entry) -> str:
    """A rational point that satisfies the hypotheses, replayed exactly."""
    point = _given_model(claim, entry) or _found_model(claim)
    if not all(recheck.holds(to_tree(hypothesis), point) for hypothesis in claim.hypotheses):
        raise EvidenceFailed("the model fails its replay")
    return ", ".join(f"{name} = {value}" for name, value in sorted(point.items())) or "no symbols"


def _given_model(claim: Claim, entry: Entry) -> Mapping[str, Fraction] | None:
    """The entry's own point, where it speaks about this claim."""
    given, names = exact_point(entry.model), _names(claim)
    if not given or not names <= set(given):
        return None
    fits = all(recheck.holds(to_tree(hypothesis), given) for hypothesis in claim.hypotheses)
    return given if fits else None


def _found_model(claim: Claim) -> Mapping[str, Fraction]:
    found = smt.model(claim.hypotheses)
    if found is None:
        raise EvidenceFailed("no point satisfies them")
    return {name: found.get(name, Fraction(0)) for name in _names(claim)}


def _names(claim: Claim) -> set[str]:
    return {symbol.name for hypothesis in claim.hypotheses for symbol in hypothesis.free_symbols}


def _finite_model(entry: Entry) -> str:
    """The instances that the evidence names satisfy hypotheses and condition: they are the models."""
    shown = []
    for item in entry.evidence:
        instance = getattr(item.method, "data", None)
        if item.claim is not None or instance is None:
            continue
        if not all(test.holds(instance) for test in entry.claim_for(item).hypotheses):
            raise EvidenceFailed(f"the instance of the {item.role} violates them")
        shown.append(getattr(item.method, "text", "") or f"the instance {instance}"[:80])
    if not shown:
        raise EvidenceFailed("no instance satisfies them")
    return shown[0]
