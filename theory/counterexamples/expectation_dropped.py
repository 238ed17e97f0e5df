"""The theorem bounds a realised mean of ‖∇f(w_t)‖² by the noise variance: one rare large kick breaks it.

The only randomness besides the hashes is ζ, so "with probability at least 1 − δ" is a statement about ζ.
All 2^T noise sequences are enumerated, with their exact probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from theory.counterexamples.assemble import Story, all_checks
from theory.counterexamples.assumption_checks import NoiseLaw
from theory.counterexamples.exact_sketch import ExactSketch, Vector, spread_out
from theory.counterexamples.federated import (
    Perturbation,
    Problem,
    Quadratic,
    Run,
    mean_squared_gradient,
    simulate,
)
from theory.counterexamples.printed import PrintedParameters, right_side
from theory.counterexamples.refutation import Refutation

STORY = Story(
    "expectation-dropped",
    "eq:main_thm has no expectation on the left",
    "f = 6w² started at its minimum. ζ = 1 with probability 1/1000 and −1/999 otherwise: zero mean, "
    "variance 1/999. A kick in the first rounds lifts the realised left side above the right side, more "
    "often than δ.",
)
KICK = Fraction(1, 1000)
LAW: NoiseLaw = ((KICK, (Fraction(1),)), (1 - KICK, (-KICK / (1 - KICK),)))


@dataclass(frozen=True)
class Outcome:
    """One noise sequence: its probability and its run."""

    probability: Fraction
    run: Run


def _replay_noise(values: tuple[Vector, ...]) -> Perturbation:
    def perturb(t: int, gradient: Vector) -> tuple[Vector, Vector]:
        return tuple(Fraction(0) for _ in gradient), values[t]

    return perturb


def outcomes(problem: Problem, q: PrintedParameters, sketch: ExactSketch) -> list[Outcome]:
    """Every noise sequence of length T."""
    found = []
    for sequence in product(LAW, repeat=q.T):
        probability = Fraction(1)
        for p, _ in sequence:
            probability *= p
        noise = _replay_noise(tuple(value for _, value in sequence))
        found.append(Outcome(probability, simulate(problem, q, (Fraction(0),), sketch, noise)))
    return found


def refutation() -> Refutation:
    """γ = 1/50, L = 12: in the range, ρ > 1/4, γ ≤ 1/(2L) and γ ≤ 1/(4LA). δ = 1/1000.

    B² ≥ 1 + σ²/ε, so Assumption 5 also holds where ζ is mini-batch noise and counts in B(w).
    """
    q = PrintedParameters(
        L=Fraction(12), gamma=Fraction(1, 50), T=7, W=Fraction(1, 100), c=Fraction(2000),
        P_b=Fraction(1, 1000), sigma2=KICK / (1 - KICK), delta=Fraction(1, 1000),
        B=Fraction(1001, 1000), epsilon=Fraction(1),
    )  # fmt: skip
    problem = Problem((Quadratic((q.L,), (Fraction(0),)),))
    sketch = spread_out(rows=5, columns=3600, d=1)
    every = outcomes(problem, q, sketch)
    right = right_side(q, problem.gap((Fraction(0),)))
    lefts = [mean_squared_gradient(problem, outcome.run.broadcast) for outcome in every]
    violating = [(left, o) for left, o in zip(lefts, every, strict=True) if left > right.total]
    left, shown = min(violating, key=lambda pair: pair[0], default=(Fraction(0), every[0]))
    return Refutation(
        name=STORY.name,
        falls_with=STORY.falls_with,
        description=STORY.description,
        reading=STORY.reading,
        qualification=STORY.qualification,
        parameters=q,
        problem=problem,
        run=shown.run,
        checks=all_checks(problem, q, sketch, [o.run for o in every], LAW),
        left=left,
        right=right,
        probability=sum((o.probability for _, o in violating), Fraction(0)),
        build=refutation,
    )
