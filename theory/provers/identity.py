"""Identities of rational functions: sympy expands them, own arithmetic evaluates them at one random point."""

from collections.abc import Sequence
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


def definitions(hypotheses: Sequence[sp.Basic]) -> Given:
    """The hypotheses letter = expression, in an order in which none brings back a letter already replaced."""
    given: Given = ()
    for equation in hypotheses:
        if isinstance(equation, sp.Eq) and isinstance(equation.lhs, sp.Symbol):
            value = inserted(equation.rhs, given)
            if equation.lhs not in {letter for letter, _ in given} | value.free_symbols:
                given = (*given, (equation.lhs, value))
    return given


@dataclass(frozen=True)
class Identity:
    """Both sides are the same rational function, after inserting what the hypotheses define.

    Equations of the hypotheses that define no letter are added with a factor (`using`).
    """

    using: Using = ()

    def decide(self, claim: Claim) -> Outcome:
        given = definitions(claim.hypotheses)
        demand_defined(claim, given)
        for relation in conjuncts(claim.statement):
            if not isinstance(relation, sp.Eq):
                raise EvidenceFailed(f"not an equation: {relation}")
            demand_same(relation.lhs, relation.rhs + vanishing(self.using, claim), given)
        return Outcome(True, ("sympy", "fractions"), "identity", SHOWN)
