"""Evidence: what a method found, and the role it plays for an entry."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

import sympy as sp

from theory.errors import EvidenceFailed
from theory.ledger.statements import AnyClaim


class Role(StrEnum):
    """What a piece of evidence is for."""

    PROOF = "proof"
    PROOF_IF = "proof under the condition"
    NECESSARY = "the condition is necessary"
    COUNTEREXAMPLE = "counterexample"
    DISPROOF = "proof of the negation"
    DERIVATION = "derivation is wrong"
    CORRECTED = "proof of the corrected form"
    COVER = "cover"
    READING = "fails in another reading"
    SUPPORT = "support"
    CITATION = "citation"

    @property
    def about_the_entry(self) -> bool:
        """Does it decide the entry's own statement? Then it cannot bring a claim of its own."""
        return self not in (Role.DERIVATION, Role.CORRECTED, Role.COVER, Role.SUPPORT, Role.READING)


@dataclass(frozen=True)
class Outcome:
    """What a method found: the engines that agreed, and one line of detail.

    `ok` says that the method did what it is for: a proof, or with `refutes` a point where the claim fails.
    """

    ok: bool
    engines: tuple[str, ...]
    kind: str
    detail: str
    seconds: float = 0.0
    certificate: str = ""
    refutes: bool = False


class Method(Protocol):
    """A way to decide a claim. `decide` raises EvidenceFailed when engines disagree."""

    def decide(self, claim: Any) -> Outcome: ...


@dataclass(frozen=True)
class Evidence:
    """A role and the method that discharges it; `claim` exactly where the role is not about the entry's own.

    Otherwise a true claim about something else would pass for a proof of the entry. `condition` belongs to a
    proof under a condition, and `line` (an id) to a cover.
    """

    role: Role
    method: Method
    claim: AnyClaim | None = None
    says: str = ""
    condition: sp.Basic | None = None
    line: str = ""

    def __post_init__(self) -> None:
        if self.role.about_the_entry and self.claim is not None:
            raise EvidenceFailed(f"a {self.role} decides the entry's statement, not a claim of its own")
        if not self.role.about_the_entry and self.claim is None:
            raise EvidenceFailed(f"evidence of the role {self.role} needs a claim")
        if (self.condition is not None) != (self.role is Role.PROOF_IF):
            raise EvidenceFailed("a condition belongs to a proof under a condition, and to nothing else")
        if bool(self.line) != (self.role is Role.COVER):
            raise EvidenceFailed("a cover names the later line, and nothing else does")


@dataclass(frozen=True)
class Finding:
    """One piece of evidence after it ran."""

    role: Role
    outcome: Outcome
    says: str
    claim_text: str


def proof(method: Method) -> Evidence:
    """Proof of the entry's own claim."""
    return Evidence(Role.PROOF, method)


def counterexample(method: Method) -> Evidence:
    """A point or an instance that satisfies the hypotheses and violates the statement."""
    return Evidence(Role.COUNTEREXAMPLE, method)


def derivation_wrong(claim: AnyClaim, method: Method, says: str) -> Evidence:
    """Proof that what the earlier lines give differs from what is printed."""
    return Evidence(Role.DERIVATION, method, claim, says)


def corrected_form(claim: AnyClaim, method: Method, says: str) -> Evidence:
    """Proof that the earlier lines give the corrected form of a wrong line."""
    return Evidence(Role.CORRECTED, method, claim, says)


def cover(line: str, claim: AnyClaim, method: Method, says: str) -> Evidence:
    """Proof of one implication: from the corrected form to the bound of the later line `line`."""
    return Evidence(Role.COVER, method, claim, says, line=line)


def other_reading(claim: AnyClaim, method: Method, says: str) -> Evidence:
    """A point where another reading of the same words fails: the text has to say which one it means."""
    return Evidence(Role.READING, method, claim, says)


def support(claim: AnyClaim, method: Method, says: str) -> Evidence:
    """A further fact worth showing; it decides nothing, but must check out."""
    return Evidence(Role.SUPPORT, method, claim, says)


@dataclass(frozen=True)
class Citation:
    """A named classical result, taken on trust and shown as such."""

    reference: str

    def decide(self, claim: AnyClaim) -> Outcome:
        return Outcome(bool(self.reference), ("none",), "cited", self.reference)


def cited(reference: str) -> Evidence:
    """The statement is taken from the literature."""
    return Evidence(Role.CITATION, Citation(reference))
