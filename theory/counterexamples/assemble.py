"""From a problem and its parameters to a checked refutation; the runs are in the files beside this one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from theory.counterexamples import assumption_checks as check
from theory.counterexamples.exact_sketch import ExactSketch, Vector, inexact_probability, squared_norm
from theory.counterexamples.federated import Problem, Run, mean_squared_gradient
from theory.counterexamples.printed import PrintedParameters, right_side
from theory.counterexamples.refutation import Refutation

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


def all_checks(
    problem: Problem, q: PrintedParameters, sketch: ExactSketch, runs: list[Run], law: check.NoiseLaw
) -> tuple[check.AssumptionCheck, ...]:
    """Assumptions 1-5, W, the sketch and the step size on these runs."""
    found = [check.smoothness(problem, q), *check.noise(law, q), *check.bias_per_device(runs, q)]
    found.append(check.bias_of_aggregate(problem, runs, q))
    if q.E > 1:
        found.append(check.bias_of_sum(problem, runs, q))
    variance = sum((p * squared_norm(v) for p, v in law), Fraction(0))
    found += [check.power_law(runs, q), *check.dissimilarity(problem, q, variance)]
    if any(device != problem.devices[0] for device in problem.devices):
        found.append(check.stays_in_S_epsilon(problem, runs, q))
    found += [check.bounded_iterates(runs, q), *check.recovery(runs, sketch, q), *check.step_size(q)]
    return tuple(found)


def deterministic(
    story: Story,
    problem: Problem,
    q: PrintedParameters,
    sketch: ExactSketch,
    run: Run,
    build: Callable[[], Refutation],
    favour_paper: bool = True,
) -> Refutation:
    """A run without noise. Both readings of w_t (broadcast, before top-k) must violate."""
    zero: Vector = tuple(Fraction(0) for _ in range(q.d))
    gap = max(problem.gap(run.broadcast[0]), problem.gap(run.before_top_k[0]))
    left = min(mean_squared_gradient(problem, points) for points in (run.broadcast, run.before_top_k))
    return Refutation(
        name=story.name,
        falls_with=story.falls_with,
        description=story.description,
        reading=story.reading,
        qualification=story.qualification,
        parameters=q,
        problem=problem,
        run=run,
        checks=all_checks(problem, q, sketch, [run], ((Fraction(1), zero),)),
        left=left,
        right=right_side(q, gap, favour_paper),
        probability=1 - inexact_probability(sketch),
        build=build,
    )
