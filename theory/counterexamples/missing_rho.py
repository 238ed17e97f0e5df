"""The proof ends with ρ(γ) on the left; the theorem drops it. Every step-size condition is met here."""

from __future__ import annotations

from fractions import Fraction

from theory.counterexamples.assemble import Story, deterministic
from theory.counterexamples.exact_sketch import Vector, spread_out
from theory.counterexamples.federated import Problem, Quadratic, simulate
from theory.counterexamples.printed import PrintedParameters
from theory.counterexamples.refutation import Refutation

STORY = Story(
    "missing-1-over-rho",
    "eq:main_thm drops rho < 1/2 from the left",
    "f = w²/2 with the admissible bias β = −∇f/4 (P_b = 1/16): each step gains only 3/4 of γ‖∇f‖², so "
    "Σγ‖∇f(w_t)‖² exceeds f(w_0) − f* by about a third.",
)


def shrinking_bias(_: int, gradient: Vector) -> tuple[Vector, Vector]:
    """β = −∇f/4, ζ = 0."""
    return tuple(-x / 4 for x in gradient), tuple(Fraction(0) for _ in gradient)


def refutation() -> Refutation:
    """γ = 1/40, L = 1: γ is inside the range, ρ > 1/4, γ ≤ 1/(2L) and γ ≤ 1/(4LA)."""
    q = PrintedParameters(
        L=Fraction(1), gamma=Fraction(1, 40), T=199, W=Fraction(1), c=Fraction(1000), P_b=Fraction(1, 16)
    )
    problem = Problem((Quadratic((q.L,), (Fraction(0),)),))
    sketch = spread_out(rows=5, columns=2200, d=1)
    run = simulate(problem, q, (Fraction(1),), sketch, shrinking_bias)
    return deterministic(STORY, problem, q, sketch, run, refutation)
