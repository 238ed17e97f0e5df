"""An entry of the ledger: what is claimed, where, with which verdict, and the evidence for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeVar

import sympy as sp

from theory.errors import EvidenceFailed
from theory.ledger.evidence import Evidence, Role
from theory.ledger.statements import AnyClaim, Claim
from theory.letters import Letters

Claimed = TypeVar("Claimed")


class Kind(StrEnum):
    """What an entry is about. Counts never mix these."""

    PRINTED = "printed line"
    SILENT = "silent step"
    QUESTION = "question of ours"
    RUN = "exact run"
    REPAIRED = "repaired result"


class Verdict(StrEnum):
    """What the ledger says of a statement."""

    VALID = "valid"
    CONDITIONAL = "conditional"
    ABSORBED = "absorbed"
    REFUTED = "refuted"
    CITED = "cited"
    UNDERIVED = "underived"
    UNDEFINED = "undefined"


class Severity(StrEnum):
    """What an error of the paper does to its main result."""

    FATAL = "fatal"  # its proof falls through it; it needs an assumption that the paper does not state
    FIXABLE = "fixable"  # a corrected form keeps its use; what is printed may still be false
    COSMETIC = "cosmetic"  # nothing after it changes


@dataclass(frozen=True)
class Corrected:
    """What is right in place of a wrong line, in words and, where it is short, as a formula."""

    words: str = ""
    tex: str = ""


@dataclass(frozen=True)
class Entry:
    """One line of the paper, one step that it uses silently, one question of ours, or one repaired result.

    `depends` names earlier entries and assumptions. `letters` defines the letters of the claims that are not
    letters of the paper. `scope` says what is decided, where that is less than the printed line. `reading` is
    the most charitable reading of a line that is not valid, and what survives in it. `file` holds the entry.
    """

    id: str
    kind: Kind
    place: str
    title: str
    claim: AnyClaim
    verdict: Verdict
    evidence: tuple[Evidence, ...]
    printed: str = ""
    depends: tuple[str, ...] = ()
    corrected: Corrected = field(default_factory=Corrected)
    severity: Severity | None = None
    letters: Mapping[str, str] = field(default_factory=dict)
    scope: str = ""
    note: str = ""
    reading: str = ""
    file: str = ""

    def in_letters(self, letters: Letters, file: str) -> "Entry":
        """The entry with its claims shown in the letters of a paper, and the file that it comes from."""
        evidence = tuple(replace(item, claim=_dressed(item.claim, letters)) for item in self.evidence)
        return replace(self, claim=_dressed(self.claim, letters), evidence=evidence, file=file)

    @property
    def condition(self) -> sp.Basic | None:
        """The condition under which a conditional entry is proved."""
        found = [item.condition for item in self.evidence if item.role is Role.PROOF_IF]
        return found[0] if found else None

    @property
    def absorbed_at(self) -> str | None:
        """The later line that no longer feels an absorbed error."""
        found = [item.line for item in self.evidence if item.role is Role.COVER]
        return found[0] if found else None

    @property
    def claims(self) -> tuple[AnyClaim, ...]:
        """The entry's own claim, and those that its evidence brings."""
        return (self.claim, *(item.claim for item in self.evidence if item.claim is not None))

    @property
    def symbols(self) -> set[str]:
        """Every letter that occurs in a claim of the entry."""
        return {s.name for claim in self.claims if isinstance(claim, Claim) for s in claim.symbols}

    @property
    def paper_letters(self) -> Letters:
        """The letters of the paper, which its scalar claims carry."""
        return next((claim.letters for claim in self.claims if isinstance(claim, Claim)), Letters())

    def claim_for(self, item: Evidence) -> AnyClaim:
        """The claim that a piece of evidence has to decide: the entry's own, or one made from it."""
        if item.role not in (Role.PROOF_IF, Role.NECESSARY, Role.DISPROOF):
            return self.claim if item.claim is None else item.claim
        if not isinstance(self.claim, Claim):
            raise EvidenceFailed(f"{self.id}: only a scalar claim is disproved or has a condition")
        if item.role is Role.DISPROOF:
            return self.claim.negated()
        if item.role is Role.PROOF_IF:
            return self.claim.under(item.condition)
        if self.condition is None:
            raise EvidenceFailed(f"{self.id}: there is no condition that could be necessary")
        assumed = (*self.claim.hypotheses, self.claim.statement)
        return replace(self.claim, hypotheses=assumed, statement=self.condition)


def _dressed(claim: Claimed, letters: Letters) -> Claimed:
    return replace(claim, letters=letters) if isinstance(claim, Claim) else claim
