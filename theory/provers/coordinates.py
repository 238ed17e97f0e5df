"""Claims about sums over the coordinates of a vector, proved from one coordinate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from theory.errors import EvidenceFailed
from theory.ledger.evidence import Method, Outcome
from theory.ledger.statements import Claim, FiniteClaim, Test, exact_point
from theory.provers import recheck
from theory.provers.trees import to_tree


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
    return FiniteClaim(hypotheses, Test(text, SumsCompare(relation)), per_coordinate=relation)


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
        relation = claim.per_coordinate
        if relation is None or claim.statement.holds != SumsCompare(relation):
            raise EvidenceFailed("only a sum over coordinates is proved term by term")
        assumed = tuple(test.each for test in claim.hypotheses if test.each is not None)
        if any(test.each is not None and test.holds != Each(test.each) for test in claim.hypotheses):
            raise EvidenceFailed("a hypothesis does not say what is assumed of each coordinate")
        found = self.method.decide(Claim(assumed, relation))
        detail = f"each coordinate: {relation}; {found.detail}"
        kind = f"{found.kind}, per coordinate"
        return Outcome(found.ok, found.engines, kind, detail, certificate=found.certificate)
