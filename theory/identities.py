"""Identities of rational functions, expanded by sympy and by own arithmetic."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from theory import recheck
from theory.decided import Using, demand_defined, vanishing
from theory.errors import EvidenceFailed
from theory.evidence import Outcome
from theory.replay import parts
from theory.statements import Claim
from theory.trees import to_tree


def demand_same(left: sp.Expr, right: sp.Expr, given: tuple[tuple[sp.Symbol, sp.Expr], ...] = ()) -> None:
    """Both expressions are the same rational function, for both engines."""
    difference = left - right
    for symbol, expression in given:
        difference = difference.subs(symbol, expression)
    by_sympy = sp.expand(sp.fraction(sp.together(difference))[0]) == 0
    definitions = {s.name: to_tree(e) for s, e in given}
    by_fractions = recheck.same_function(to_tree(left), to_tree(right), definitions)
    if by_sympy != by_fractions:
        raise EvidenceFailed(f"engines disagree on {left} = {right}")
    if not by_sympy:
        raise EvidenceFailed(f"not an identity: difference {sp.factor(difference)}")


@dataclass(frozen=True)
class Identity:
    """Both sides are the same rational function, after inserting the definitions in `given`.

    Equations of the hypotheses that define no letter are added with a factor (`using`).
    """

    given: tuple[tuple[sp.Symbol, sp.Expr], ...] = ()
    using: Using = ()

    def decide(self, claim: Claim) -> Outcome:
        demand_defined(claim)
        self._demand_given(claim)
        for relation in parts(claim.statement):
            if not isinstance(relation, sp.Eq):
                raise EvidenceFailed(f"not an equation: {relation}")
            demand_same(relation.lhs, relation.rhs + vanishing(self.using, claim), self.given)
        return Outcome(True, ("sympy", "fractions"), "identity", "both sides expand to the same polynomial")

    def _demand_given(self, claim: Claim) -> None:
        for symbol, expression in self.given:
            if sp.Eq(symbol, expression) not in claim.hypotheses:
                raise EvidenceFailed(f"{symbol} = {expression} is not a hypothesis")
        inserted: set[sp.Symbol] = set()
        for symbol, expression in self.given:
            inserted.add(symbol)
            if inserted & expression.free_symbols:
                raise EvidenceFailed(f"{symbol} = {expression} brings back a letter already replaced")
