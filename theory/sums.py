"""Claims about sums whose number of terms is open, proved from one term.

`over_coordinates`: Σ_i l_i = Σ_i r_i (or ≤) over the coordinates of a vector, proved for one coordinate.
`power_sums`: Σ_{i=k+1}^d t(i) ≤ bound(k, d) (or >), proved by t(i) ≤ b(i−1) − b(i), whose right sides add up
to b(k) − b(d), and by comparing that with the bound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from theory import recheck
from theory.errors import EvidenceFailed
from theory.evidence import Method, Outcome
from theory.statements import Claim, FiniteClaim, Test, demand_made_from, exact_point
from theory.trees import to_tree

LOW, HIGH, INDEX = sp.symbols("k d i", real=True)


# ---------------------------------------------------------------- sums over coordinates


@dataclass(frozen=True)
class CoordinateSum:
    """The relation of one coordinate; the claim adds both sides up."""

    relation: sp.Basic


def _coordinates(instance: Mapping[str, Any]) -> list[dict[str, Fraction]]:
    return [exact_point(coordinate) for coordinate in instance["coordinates"]]


def each(text: str, relation: sp.Basic) -> Test:
    """The relation holds for every coordinate."""
    return Test(text, Each(relation), each=relation)


@dataclass(frozen=True)
class Each:
    """Does the relation hold for every coordinate?"""

    relation: sp.Basic

    def __call__(self, instance: Mapping[str, Any]) -> bool:
        return all(recheck.holds(to_tree(self.relation), point) for point in _coordinates(instance))


def both_sums(relation: sp.Basic, instance: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    """Both sides, added over the coordinates."""
    sides = [to_tree(side) for side in (relation.lhs, relation.rhs)]
    left, right = (
        sum((recheck.evaluate(side, point) for point in _coordinates(instance)), Fraction(0))
        for side in sides
    )
    return left, right


def over_coordinates(text: str, relation: sp.Basic, hypotheses: tuple[Test, ...]) -> FiniteClaim:
    """Σ left = Σ right (or ≤) over the coordinates of `instance["coordinates"]`."""
    return FiniteClaim(hypotheses, Test(text, SumsCompare(relation)), form=CoordinateSum(relation))


@dataclass(frozen=True)
class SumsCompare:
    """Does the relation hold between the sums of its sides?"""

    relation: sp.Basic

    def __call__(self, instance: Mapping[str, Any]) -> bool:
        tag = {sp.Eq: "eq", sp.Le: "le", sp.Ge: "ge"}[self.relation.func]
        return recheck.compare(tag, *both_sums(self.relation, instance))


@dataclass(frozen=True)
class Termwise:
    """The relation holds for one coordinate under what holds for each; `data` is an admissible instance."""

    method: Method
    data: Any
    text: str

    def decide(self, claim: FiniteClaim) -> Outcome:
        if not isinstance(getattr(claim, "form", None), CoordinateSum):
            raise EvidenceFailed("only a sum over coordinates is proved term by term")
        demand_made_from(claim, over_coordinates("", claim.form.relation, ()))
        assumed = tuple(test.each for test in claim.hypotheses if test.each is not None)
        if any(test.each is not None and test.holds != Each(test.each) for test in claim.hypotheses):
            raise EvidenceFailed("a hypothesis does not say what is assumed of each coordinate")
        found = self.method.decide(Claim(assumed, claim.form.relation))
        detail = f"each coordinate: {claim.form.relation}; {found.detail}"
        kind = f"{found.kind}, per coordinate"
        return Outcome(found.ok, found.engines, kind, detail, certificate=found.certificate)


# ---------------------------------------------------------------- sums of powers


@dataclass(frozen=True)
class PowerSum:
    """For each member: Σ_{i=k+1}^d term(i) against bound(k, d), all integers start ≤ k < d."""

    terms: Mapping[int, sp.Expr]
    bounds: Mapping[int, sp.Expr]
    above: bool  # the sum exceeds the bound, else it is at most the bound
    start: int = 1


def power_sums(text: str, form: PowerSum, member: str) -> FiniteClaim:
    """The claim for instances {"k", "d", "n"} with n a member."""
    return FiniteClaim(
        (
            Test(f"{form.start} <= k < d", Ordered(form.start)),
            Test(member, Member(tuple(form.terms))),
        ),
        Test(text, BoundsSum(form)),
        form=form,
    )


@dataclass(frozen=True)
class Ordered:
    """start ≤ k < d."""

    start: int

    def __call__(self, d: Mapping[str, int]) -> bool:
        return self.start <= d["k"] < d["d"]


@dataclass(frozen=True)
class Member:
    """Is n one of the members?"""

    members: tuple[int, ...]

    def __call__(self, d: Mapping[str, int]) -> bool:
        return d["n"] in self.members


@dataclass(frozen=True)
class BoundsSum:
    """Does the sum lie on the stated side of the bound?"""

    form: PowerSum

    def __call__(self, d: Mapping[str, int]) -> bool:
        term, bound = to_tree(self.form.terms[d["n"]]), to_tree(self.form.bounds[d["n"]])
        indices = range(d["k"] + 1, d["d"] + 1)
        total = sum((recheck.evaluate(term, {"i": Fraction(i)}) for i in indices), Fraction(0))
        ends = {"k": Fraction(d["k"]), "d": Fraction(d["d"])}
        return (total > recheck.evaluate(bound, ends)) == self.form.above


@dataclass(frozen=True)
class Telescoping:
    """t(i) against b(i−1) − b(i) for every real i ≥ start + 1, and b(k) − b(d) against the bound.

    `potential` gives b for a member; `step` decides the terms and `rest` the bound, where it differs.
    """

    potential: Callable[[int], sp.Expr]
    step: Method
    data: Any
    text: str
    rest: Method | None = None

    def decide(self, claim: FiniteClaim) -> Outcome:
        if not isinstance(getattr(claim, "form", None), PowerSum):
            raise EvidenceFailed("only a sum of powers telescopes")
        form = claim.form
        demand_made_from(claim, power_sums("", form, ""))
        outcomes = [o for n in form.terms for o in self._member(form, n)]
        engines = tuple(e for e in outcomes[0].engines if all(e in o.engines for o in outcomes))
        shown = f"for n = {min(form.terms)}, …, {max(form.terms)}: n-th term against one difference of b(i)"
        certificate = "; ".join(o.certificate for o in outcomes)
        kind = f"{outcomes[0].kind}, telescoping"
        return Outcome(all(o.ok for o in outcomes), engines, kind, shown, certificate=certificate)

    def _member(self, form: PowerSum, n: int) -> list[Outcome]:
        b = self.potential(n)
        difference = b.subs(INDEX, INDEX - 1) - b
        relation = form.terms[n] > difference if form.above else form.terms[n] <= difference
        found = [self.step.decide(Claim((INDEX >= form.start + 1,), relation))]
        rest = sp.expand(form.bounds[n] - b.subs(INDEX, LOW) + b.subs(INDEX, HIGH))
        return found if rest == 0 else [*found, self._compare(form, rest)]

    def _compare(self, form: PowerSum, rest: sp.Expr) -> Outcome:
        """bound − (b(k) − b(d)) is at most 0 if the sum is above the bound, at least 0 if below."""
        if self.rest is None:
            raise EvidenceFailed(f"the differences of b do not add up to the bound: {rest} is left")
        known = (LOW >= form.start, HIGH >= form.start + 1)
        return self.rest.decide(Claim(known, rest <= 0 if form.above else rest >= 0))
