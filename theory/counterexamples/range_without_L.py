"""At P_n = 0 neither the printed range nor ρ contains L: a steep quadratic oscillates for ever."""

from __future__ import annotations

from fractions import Fraction

from theory.counterexamples.assemble import Story, deterministic
from theory.counterexamples.exact_sketch import spread_out
from theory.counterexamples.federated import Problem, Quadratic, simulate
from theory.counterexamples.printed import PrintedParameters
from theory.counterexamples.refutation import Refutation

STORY = Story(
    "range-without-L",
    "eq:gamma_range and rho: no L in them when P_n = 0",
    "f = (L/2)w² with L = 2/γ and exact gradients: w_t = (−1)^t, so ‖∇f(w_t)‖² = L² for ever.",
)


def refutation() -> Refutation:
    """γ = 1/36 lies inside the printed range at P_b = 1/20, and ρ > 1/4; L = 72 = 2/γ."""
    gamma = Fraction(1, 36)
    q = PrintedParameters(L=2 / gamma, gamma=gamma, T=99, W=Fraction(1), c=Fraction(100), P_b=Fraction(1, 20))
    problem = Problem((Quadratic((q.L,), (Fraction(0),)),))
    sketch = spread_out(rows=5, columns=200, d=1)
    run = simulate(problem, q, (Fraction(1),), sketch)
    return deterministic(STORY, problem, q, sketch, run, refutation)
