"""An entry of the ledger: a line of the paper, its claim, its verdict, and the evidence for both."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

import sympy as sp

from theory.errors import EvidenceFailed
from theory.evidence import Evidence, Role
from theory.statements import AnyClaim, Claim, FiniteClaim, Point, Test


class Verdict(StrEnum):
    """What the ledger says of a line of the paper."""

    VALID = "valid"
    CONDITIONAL = "conditional"
    ABSORBED = "absorbed"
    REFUTED = "refuted"
    CITED = "cited"


class Derivation(StrEnum):
    """Does the line follow from the lines it is derived from?"""

    DERIVED = "derived"  # an entry says so; `theory.derivations` decides which of the next three it is
    RIGHT = "right"
    CONDITIONAL = "conditional"
    WORDS = "in words"
    WRONG = "wrong"
    NONE = "not derived"


@dataclass(frozen=True)
class Step:
    """An earlier line (or assumption) that gives hypotheses of this one.

    `reads` says what its letters or expressions are here. `summed`: the earlier line is about one coordinate,
    and letters of this one are sums over coordinates. `base`: the line is this one, one step before (an
    induction), and `base` reads it at the start. `start`: the earlier line says only how an induction begins.
    """

    line: str
    reads: tuple[tuple[sp.Expr, sp.Expr], ...] = ()
    summed: bool = False
    base: tuple[tuple[sp.Expr, sp.Expr], ...] = ()
    start: bool = False


@dataclass(frozen=True)
class Correction:
    """What the lines after an absorbed one take from it, and the relation that holds instead.

    Both are written in the letters of those lines; `reads` says what expressions of the wrong line are there.
    `through` are the lines on the way to the one that absorbs the error. `steps` give `right`, or what its
    proof assumes.
    """

    printed: sp.Basic
    right: sp.Basic
    through: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    reads: tuple[tuple[sp.Expr, sp.Expr], ...] = ()


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
    derivation: Derivation = Derivation.DERIVED
    depends: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    stated: tuple[sp.Basic, ...] = ()  # hypotheses that the printed line itself states: `… \\Rightarrow …`
    condition: sp.Basic | Test | None = None
    absorbed_at: str | None = None
    correction: Correction | None = None  # of an absorbed line
    corrected: str = ""
    corrected_tex: str = ""
    reduction: str = ""
    scope: str = ""  # what is decided, where that is less than the printed line
    alone: str = ""  # why one engine only decides a step, where a second one would be expected
    assumes: tuple[str, ...] = ()
    audit_rows: tuple[int, ...] = ()
    note: str = ""
    model: Point = field(default_factory=dict)
    reading: str = ""  # of the paper's assumptions, where a run refutes it
    qualification: str = ""  # what such a run does not meet as printed
    weight: int = 0  # consequence for Theorem 1, for the summary: 0 = none

    def claim_for(self, item: Evidence) -> AnyClaim:
        """The claim that a piece of evidence has to decide: the entry's own, or one made from it."""
        if item.role is Role.PROOF_IF:
            return self._under_condition()
        if item.role is Role.DISPROOF:
            if not isinstance(self.claim, Claim):
                raise EvidenceFailed(f"{self.id}: only a scalar claim can be disproved")
            return self.claim.negated()
        if item.role is Role.NECESSARY:
            return self._converse()
        if item.role.about_the_entry or item.claim is None:
            return self.claim
        return item.claim

    def _converse(self) -> Claim:
        """Where the statement holds, the condition does."""
        if isinstance(self.claim, Claim) and isinstance(self.condition, sp.Basic):
            return Claim((*self.claim.hypotheses, self.claim.statement), self.condition)
        raise EvidenceFailed(f"{self.id}: only a scalar condition is shown to be necessary")

    def _under_condition(self) -> AnyClaim:
        if isinstance(self.claim, Claim) and isinstance(self.condition, sp.Basic):
            return self.claim.under(self.condition)
        if isinstance(self.claim, FiniteClaim) and isinstance(self.condition, Test):
            return replace(self.claim, hypotheses=(*self.claim.hypotheses, self.condition))
        raise EvidenceFailed(f"{self.id}: a proof under a condition needs a condition of the claim's kind")
