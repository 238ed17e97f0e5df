"""Positivity certificates: nonnegative coefficients after a change of variables onto [0, ∞)^n."""

from collections.abc import Mapping
from dataclasses import dataclass

import sympy as sp

from theory.errors import EvidenceFailed
from theory.ledger.evidence import Outcome
from theory.ledger.statements import Claim, conjuncts
from theory.provers import certificates, recheck
from theory.provers.certificates import Change
from theory.provers.decided import cross_check, demand_defined, gap, has_sign
from theory.provers.identity import demand_same


@dataclass(frozen=True, init=False)
class Positivity:
    """larger − smaller has only nonnegative coefficients after the changes of variables."""

    changes: tuple[Change, ...]

    def __init__(self, *changes: Change) -> None:
        object.__setattr__(self, "changes", tuple(changes))

    def decide(self, claim: Claim) -> Outcome:
        demand_defined(claim)
        self._demand_covers(claim)
        shown = []
        for relation in conjuncts(claim.statement):
            difference, strictly = gap(relation)
            record = certificates.build(difference, self.changes, self._strict(claim))
            faults = recheck.faults_of_positivity(record, strictly)
            if faults:
                raise EvidenceFailed("; ".join(faults) + f" in {certificates.text(record, claim)}")
            shown.append(certificates.text(record, claim))
        engines = ("sympy", "fractions", *cross_check(claim))
        change = (
            ", ".join(f"{claim.brief(c.old)} = {claim.brief(c.formula)}" for c in self.changes)
            or "no change of variables"
        )
        return Outcome(True, engines, "positivity certificate", change, certificate="; ".join(shown))

    def _strict(self, claim: Claim) -> tuple[sp.Symbol, ...]:
        """Variables that are strictly positive: by a hypothesis s > 0, or by a strict change."""
        own = tuple(
            h.lhs for h in claim.hypotheses if isinstance(h, sp.Gt) and h.lhs.is_Symbol and h.rhs == 0
        )
        return (*own, *(c.new for c in self.changes if c.strict))

    def _demand_covers(self, claim: Claim) -> None:
        """Every admissible point is the image of nonnegative new variables."""
        self._demand_fresh(claim)
        back = {change.new: change.inverse for change in self.changes}
        for change in self.changes:
            self._demand_inverse(change, back)
        for change in self.changes:
            self._demand_sign(claim, change.inverse, change.new in self._strict(claim))
        letters = set(claim.statement.free_symbols).union(*(c.formula.free_symbols for c in self.changes))
        for symbol in letters - set(back) - {change.old for change in self.changes}:
            self._demand_sign(claim, symbol, symbol in self._strict(claim))

    def _demand_fresh(self, claim: Claim) -> None:
        """A new letter that the claim already uses would tie two independent quantities together."""
        taken = {symbol.name for symbol in claim.symbols}
        for change in self.changes:
            if change.new.name in taken:
                raise EvidenceFailed(f"the new letter {change.new} is not fresh")
            taken |= {change.new.name, change.old.name}

    def _demand_inverse(self, change: Change, back: Mapping[sp.Symbol, sp.Expr]) -> None:
        try:
            demand_same(change.formula.subs(back), change.old)
        except EvidenceFailed as error:
            raise EvidenceFailed(
                f"{change.inverse} does not invert {change.old} = {change.formula}"
            ) from error

    def _demand_sign(self, claim: Claim, expression: sp.Expr, strictly: bool) -> None:
        if not has_sign(expression, claim.hypotheses, strictly):
            sign = ">" if strictly else ">="
            raise EvidenceFailed(f"{expression} {sign} 0 is not shown under the hypotheses")
