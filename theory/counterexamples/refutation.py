"""A refutation of Theorem 1: a run, the assumptions it meets, and the two sides of the claim."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from theory.counterexamples.assumption_checks import AssumptionCheck
from theory.counterexamples.exact_sketch import Vector
from theory.counterexamples.federated import Problem, Run
from theory.counterexamples.printed import PrintedParameters, RightSide


@dataclass(frozen=True)
class Refutation:
    """The claim: left ≤ right with probability at least 1 − δ. Here left > right with `probability` > δ."""

    name: str
    falls_with: str
    description: str
    reading: str
    qualification: str
    parameters: PrintedParameters
    problem: Problem
    run: Run
    checks: tuple[AssumptionCheck, ...]
    left: Fraction
    right: RightSide
    probability: Fraction
    build: Callable[[], Refutation]

    @property
    def trajectory(self) -> tuple[Vector, ...]:
        """The broadcast iterates."""
        return self.run.broadcast

    @property
    def stands(self) -> bool:
        """All stated assumptions hold, and the statement fails too often."""
        return not failed(self.checks) and self.violates

    @property
    def as_printed(self) -> bool:
        """Does every stated assumption hold as it is printed, without a qualification?"""
        return not self.qualification

    @property
    def violates(self) -> bool:
        """left > right, and more often than δ."""
        return self.left > self.right.total and self.probability > self.parameters.delta

    @property
    def meets_appendix_conditions(self) -> bool:
        """The two step-size conditions that only the appendix states."""
        return all(check.holds for check in self.checks if check.name.startswith("appendix: gamma"))

    def replay(self) -> bool:
        """Run it again from its parameters: the same numbers must come out, and it must stand."""
        again = self.build()
        same = (again.left, again.right, again.trajectory, again.checks) == (
            self.left,
            self.right,
            self.trajectory,
            self.checks,
        )
        return same and again.stands

    def summary(self) -> str:
        """Both sides, exact when short."""
        terms = ", ".join(f"{name} {short(value)}" for name, value in vars(self.right).items())
        return (
            f"{self.name}: left {short(self.left)} > right {short(self.right.total)} ({terms}), "
            f"with probability {short(self.probability)} > δ = {self.parameters.delta}"
        )


def short(value: Fraction) -> str:
    """An exact number, or its first digits when it is long."""
    exact = str(value)
    return exact if len(exact) <= 24 else f"≈ {float(value):.6g}"


def failed(checks: tuple[AssumptionCheck, ...]) -> list[str]:
    """Names of the stated assumptions that do not hold."""
    return [check.name for check in checks if check.required and not check.holds]
