"""Identities of rational functions: sympy expands them, own arithmetic evaluates them at one random point."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from theory.errors import EvidenceFailed
from theory.ledger.evidence import Outcome
from theory.ledger.statements import Claim, conjuncts
from theory.provers import recheck
from theory.provers.decided import Given, Using, demand_defined, inserted, vanishing
from theory.provers.trees import to_tree

SHOWN = "the difference expands to 0, and is 0 in exact fractions at a random point of 128-bit integers"
# To factor more than so many terms for the sake of a message may take minutes.
MOST_FACTORED = 40


def demand_same(left: sp.Expr, right: sp.Expr, given: Given = ()) -> None:
    """Both expressions are the same rational function, for both engines."""
    difference = inserted(left - right, given)
    numerator = sp.expand(sp.fraction(sp.together(difference))[0])
    by_sympy = numerator == 0
    definitions = {s.name: to_tree(e) for s, e in given}
    by_fractions = recheck.same_function(to_tree(left), to_tree(right), definitions)
    if by_sympy != by_fractions:
        raise EvidenceFailed(f"engines disagree on {left} = {right}")
    if not by_sympy:
        terms = len(sp.Add.make_args(numerator))
        shown = (
            sp.factor(difference) if terms <= MOST_FACTORED else f"with {terms} terms over one denominator"
        )
        raise EvidenceFailed(f"not an identity: difference {shown}")


@dataclass(frozen=True)
class Identity:
    """Both sides are the same rational function, after inserting the definitions in `given`.

    Equations of the hypotheses that define no letter are added with a factor (`using`).
    """

    given: Given = ()
    using: Using = ()

    def decide(self, claim: Claim) -> Outcome:
        self._demand_given(claim)
        demand_defined(claim, self.given)
        for relation in conjuncts(claim.statement):
            if not isinstance(relation, sp.Eq):
                raise EvidenceFailed(f"not an equation: {relation}")
            demand_same(relation.lhs, relation.rhs + vanishing(self.using, claim), self.given)
        return Outcome(True, ("sympy", "fractions"), "identity", SHOWN)

    def _demand_given(self, claim: Claim) -> None:
        for symbol, expression in self.given:
            if sp.Eq(symbol, expression) not in claim.hypotheses:
                raise EvidenceFailed(f"{symbol} = {expression} is not a hypothesis")
        replaced: set[sp.Symbol] = set()
        for symbol, expression in self.given:
            replaced.add(symbol)
            if replaced & expression.free_symbols:
                raise EvidenceFailed(f"{symbol} = {expression} brings back a letter already replaced")
