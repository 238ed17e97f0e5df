"""Certificates that are sums: every summand is a nonnegative product of multipliers, slacks and a square.

`Contradiction` writes 0 as a sum in which one summand is positive, using the negated statement among the
slacks; it also proves strict inequalities, disjunctions, and inequalities between square roots.
`SumOfSquares` writes the slack of the statement as such a sum. Equations of the hypotheses may be added with
any factor.
"""

from dataclasses import dataclass, replace

import sympy as sp

from theory.errors import EvidenceFailed
from theory.ledger.evidence import Outcome
from theory.ledger.statements import Claim
from theory.provers.decided import Using, cross_check, demand_defined, gap, has_sign, vanishing
from theory.provers.identity import demand_same


@dataclass(frozen=True)
class Term:
    """multiplier · Π (slack of a hypothesis) · square². The multiplier is nonnegative."""

    multiplier: sp.Expr
    square: sp.Expr
    slacks: tuple[sp.Basic, ...]

    @property
    def expression(self) -> sp.Expr:
        return self.multiplier * self.square**2 * sp.Mul(*(gap(h)[0] for h in self.slacks))

    def text(self, claim: Claim) -> str:
        slacks = " ".join(f"[{claim.brief(gap(h)[0])}]" for h in self.slacks)
        return f"({claim.brief(self.multiplier)})·{slacks}({claim.brief(self.square)})²"


def term(multiplier: sp.Expr | int, square: sp.Expr | int = 1, *slacks: sp.Basic) -> Term:
    """A summand of a certificate."""
    return Term(sp.sympify(multiplier), sp.sympify(square), tuple(slacks))


def _demand_nonnegative(item: Term, hypotheses: tuple[sp.Basic, ...], *negation: sp.Basic) -> None:
    """Signs of multipliers follow from the hypotheses: with the negation added, z3 would prove anything."""
    missing = [h for h in item.slacks if h not in (*hypotheses, *negation)]
    if missing:
        raise EvidenceFailed(f"not a hypothesis: {missing}")
    if item.multiplier.is_number:
        if not item.multiplier >= 0:
            raise EvidenceFailed(f"negative multiplier {item.multiplier}")
    elif not has_sign(item.multiplier, hypotheses, strictly=False):
        raise EvidenceFailed(f"the multiplier {item.multiplier} is not shown to be nonnegative")


def _shown(terms: tuple[Term, ...], using: Using, claim: Claim) -> str:
    equations = "".join(
        f" + ({claim.brief(sp.sympify(factor))})·[{claim.brief(e.lhs)} - ({claim.brief(e.rhs)}) = 0]"
        for factor, e in using
    )
    return " + ".join(item.text(claim) for item in terms) + equations


@dataclass(frozen=True)
class Contradiction:
    """0 = Σ terms, the first of them positive, all slacks from the hypotheses and the negated statement."""

    terms: tuple[Term, ...]
    using: Using = ()

    def decide(self, claim: Claim) -> Outcome:
        demand_defined(claim)
        parts = claim.statement.args if isinstance(claim.statement, sp.Or) else (claim.statement,)
        negation = tuple(map(sp.Not, parts))
        total = sp.Add(*(item.expression for item in self.terms)) + vanishing(self.using, claim)
        demand_same(total, sp.Integer(0))
        for item in self.terms:
            _demand_nonnegative(item, claim.hypotheses, *negation)
        self._demand_positive(claim)
        shown = "assume the opposite; then 0 = " + _shown(self.terms, self.using, claim) + " > 0"
        engines = ("sympy", "fractions", *cross_check(claim))
        return Outcome(True, engines, "sum of squares (by contradiction)", shown, certificate=shown)

    def _demand_positive(self, claim: Claim) -> None:
        first = self.terms[0]
        if first.square != 1 or not all(gap(h)[1] for h in first.slacks):
            raise EvidenceFailed(f"the first term {first.text(claim)} is not strictly positive")
        if not has_sign(first.multiplier, claim.hypotheses, strictly=True):
            raise EvidenceFailed(f"the multiplier {first.multiplier} is not shown to be positive")


@dataclass(frozen=True)
class SumOfSquares:
    """larger − smaller = Σ terms, each of which is nonnegative under the hypotheses. Proves ≤, never <.

    If larger < smaller, then 0 = (smaller − larger) + Σ terms has a positive term.
    """

    terms: tuple[Term, ...]
    using: Using = ()

    def decide(self, claim: Claim) -> Outcome:
        opposite = term(1, 1, sp.Not(claim.statement))
        found = Contradiction((opposite, *self.terms), self.using).decide(claim)
        shown = _shown(self.terms, self.using, claim)
        return replace(found, kind="sum of squares", detail=shown, certificate=shown)
