"""Methods that evaluate: an exact point, and an exact instance, on which a second judge has its opinion."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp

from theory.errors import EvidenceFailed
from theory.ledger.evidence import Outcome
from theory.ledger.statements import Claim, FiniteClaim, Point, conjuncts, exact_point
from theory.provers import recheck
from theory.provers.trees import to_tree


@dataclass(frozen=True)
class AtPoint:
    """An exact point that satisfies every hypothesis and violates the statement."""

    point: Point

    def decide(self, claim: Claim) -> Outcome:
        point = exact_point(self.point)
        missing = [s.name for s in claim.symbols if s.name not in point]
        if missing:
            raise EvidenceFailed(f"the point gives no value to {', '.join(missing)}")
        for hypothesis in claim.hypotheses:
            if not recheck.holds(to_tree(hypothesis), point):
                raise EvidenceFailed(f"the point violates the hypothesis {hypothesis}")
        shown = ", ".join(f"{claim.letter(n)} = {v}" for n, v in sorted(point.items()))
        found = self._replay(claim, point)
        return Outcome(
            True, ("fractions", "sympy"), "exact counterexample", f"at {shown}: {found}", refutes=True
        )

    def _replay(self, claim: Claim, point: Mapping[str, Fraction]) -> str:
        if recheck.holds(to_tree(claim.statement), point):
            raise EvidenceFailed("the statement holds at the point")
        by_sympy = claim.statement.subs({s: sp.Rational(point[s.name]) for s in claim.symbols})
        if by_sympy != sp.false:
            raise EvidenceFailed(f"engines disagree: sympy finds {by_sympy}")
        false = [r for r in conjuncts(claim.statement) if not recheck.holds(to_tree(r), point)]
        return "; ".join(_sides(relation, point) for relation in false)


def _sides(relation: sp.Basic, point: Mapping[str, Fraction]) -> str:
    left, right = (recheck.evaluate(to_tree(side), point) for side in (relation.lhs, relation.rhs))
    return f"{left} {relation.rel_op} {right} is false"


@dataclass(frozen=True)
class Opinion:
    """Do the hypotheses hold, does the statement, and which numbers decided?"""

    admissible: bool
    holds: bool
    sides: tuple[Fraction, ...] = ()


@dataclass(frozen=True)
class Second:
    """An engine by name, and what it thinks of an instance."""

    engine: str
    opinion: Callable[[Any], Opinion]


def agreeing(second: Second | None, data: Any, sides: tuple[Fraction, ...]) -> tuple[str, ...]:
    """The engine's name if it finds a counterexample too; another finding is an error. None without one."""
    if second is None:
        return ()
    found = second.opinion(data)
    if not found.admissible:
        raise EvidenceFailed(f"engines disagree: {second.engine} finds that the hypotheses fail")
    if found.holds:
        raise EvidenceFailed(f"engines disagree: {second.engine} finds that the statement holds")
    if found.sides != sides:
        shown = " and ".join(str(float(side)) for side in found.sides)
        raise EvidenceFailed(f"engines disagree: {second.engine} finds other sides, {shown}")
    return (second.engine,)


@dataclass(frozen=True)
class OnInstance:
    """An exact instance of a FiniteClaim that satisfies its hypotheses and violates its statement."""

    data: Any
    text: str
    sides: Callable[[Any], str] = field(default=lambda data: "")
    second: Second | None = None
    numbers: Callable[[Any], tuple[Fraction, ...]] = field(default=lambda data: ())  # to compare

    def decide(self, claim: FiniteClaim) -> Outcome:
        for test in claim.hypotheses:
            if not test.holds(self.data):
                raise EvidenceFailed(f"the instance violates the hypothesis: {test.text}")
        if claim.statement.holds(self.data):
            raise EvidenceFailed("the statement holds on the instance")
        engines = ("exact replay", *agreeing(self.second, self.data, self.numbers(self.data)))
        shown = self.sides(self.data)
        detail = f"{self.text}: {shown}" if shown else self.text
        return Outcome(True, engines, "exact counterexample", detail, refutes=True)
