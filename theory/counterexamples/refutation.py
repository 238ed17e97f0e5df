"""A refutation of Theorem 1: a run, the assumptions it meets, and the two sides of the claim."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from theory.counterexamples import assumption_checks as check
from theory.counterexamples.assumption_checks import AssumptionCheck
from theory.counterexamples.exact_sketch import ExactSketch, inexact_probability, squared_norm
from theory.counterexamples.federated import NoiseLaw, Problem, Run, mean_squared_gradient
from theory.counterexamples.printed import PrintedParameters, RightSide, right_side

EVERY = (
    "Definition 1 in every reading: for the mean of the devices' gradients at w_t (Section 3), for every "
    "local step of every device, and for the sum of the local gradients (Appendix C.2)"
)
NOT_THE_SUM = (
    "Definition 1 as the main text prints it, g_t the mean of the devices' gradients at w_t (Section 3), and "
    "for every local step of every device with its own gradient, as the second-moment lines use it"
)


@dataclass(frozen=True)
class Story:
    """The words of a refutation. `qualification` is empty where every stated assumption holds as printed."""

    name: str
    falls_with: str
    description: str
    reading: str = EVERY
    qualification: str = ""


@dataclass(frozen=True, kw_only=True)
class Refutation(Story):
    """The claim: left ≤ right with probability at least 1 − δ. Here left > right with `probability` > δ.

    `lefts` has every value of the left side with its probability; `exactly` is the chance of exact recovery.
    """

    parameters: PrintedParameters
    problem: Problem
    run: Run
    checks: tuple[AssumptionCheck, ...]
    left: Fraction
    right: RightSide
    lefts: tuple[tuple[Fraction, Fraction], ...]
    exactly: Fraction

    @property
    def probability(self) -> Fraction:
        """How often left > right."""
        return self.chance_above(self.right.total)

    def chance_above(self, right: Fraction) -> Fraction:
        """How often the left side exceeds a number."""
        return sum((p for left, p in self.lefts if left > right), Fraction(0)) * self.exactly

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

    def summary(self) -> str:
        """Both sides, exact when short."""
        terms = ", ".join(f"{name} {short(value)}" for name, value in vars(self.right).items())
        return (
            f"{self.name}: left {short(self.left)} > right {short(self.right.total)} ({terms}), "
            f"with probability {short(self.probability)} > δ = {self.parameters.delta}"
        )


def assemble(
    story: Story,
    problem: Problem,
    q: PrintedParameters,
    sketch: ExactSketch,
    outcomes: Sequence[tuple[Fraction, Run]],
    law: NoiseLaw,
    favour_paper: bool = True,
    with_constant: bool = False,
) -> Refutation:
    """All outcomes of the noise, against the right side."""
    lefts, right = both_sides(problem, q, outcomes, favour_paper)
    over = [each for each in lefts if each[0] > right.total]
    left, _, shown = min(over or lefts, key=lambda each: each[0])
    return Refutation(
        **vars(story),
        parameters=q,
        problem=problem,
        run=shown,
        checks=all_checks(problem, q, sketch, [run for _, run in outcomes], law, with_constant),
        left=left,
        right=right,
        lefts=tuple((value, p) for value, p, _ in lefts),
        exactly=1 - inexact_probability(sketch),
    )


def both_sides(
    problem: Problem, q: PrintedParameters, outcomes: Sequence[tuple[Fraction, Run]], favour_paper: bool
) -> tuple[list[tuple[Fraction, Fraction, Run]], RightSide]:
    """(left side, probability, run) of every outcome, and the right side.

    Both readings of w_t (broadcast, before top-k) must violate: smaller left, larger gap.
    """
    gap = max(problem.gap(points[0]) for _, run in outcomes for points in run.readings)
    lefts = [(min(mean_squared_gradient(problem, w) for w in run.readings), p, run) for p, run in outcomes]
    return lefts, right_side(q, gap, favour_paper)


def all_checks(
    problem: Problem,
    q: PrintedParameters,
    sketch: ExactSketch,
    runs: list[Run],
    law: NoiseLaw,
    with_constant: bool = False,
) -> tuple[AssumptionCheck, ...]:
    """Assumptions 1-5, W, the sketch and the step size on these runs."""
    found = [check.smoothness(problem, q), *check.noise(law, q), *check.bias_per_device(runs, q)]
    found.append(check.bias_of_aggregate(problem, runs, q))
    if q.E > 1:
        found.append(check.bias_of_sum(problem, runs, q))
    variance = sum((p * squared_norm(v) for p, v in law), Fraction(0))
    found += [check.power_law(runs, q, with_constant), *check.dissimilarity(problem, q, variance)]
    if any(device != problem.devices[0] for device in problem.devices):
        found.append(check.stays_in_S_epsilon(problem, runs, q))
    found += [check.bounded_iterates(runs, q), *check.recovery(runs, sketch, q), *check.step_size(q)]
    return tuple(found)


def short(value: Fraction) -> str:
    """An exact number, or its first digits when it is long."""
    exact = str(value)
    return exact if len(exact) <= 24 else f"≈ {float(value):.6g}"


def failed(checks: tuple[AssumptionCheck, ...]) -> list[str]:
    """Names of the stated assumptions that do not hold."""
    return [check.name for check in checks if check.required and not check.holds]
