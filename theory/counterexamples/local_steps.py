"""Two unlike devices, two local steps, and no bias in any reading of Definition 1.

With γ(L+μ) = 1 the second local gradient of a device vanishes against the proximal term: Σ_e g^e is the
device's gradient at the broadcast point, so the received sum is ∇f(w_t) exactly. The devices differ (B > 1).
"""

from __future__ import annotations

from fractions import Fraction

from theory.counterexamples.assemble import EVERY, Story, deterministic
from theory.counterexamples.exact_sketch import spread_out
from theory.counterexamples.federated import Problem, Quadratic, simulate
from theory.counterexamples.printed import PrintedParameters
from theory.counterexamples.refutation import Refutation

STORY = Story(
    "local-steps-any-reading",
    "eq:main_thm drops rho < 1/2 from the left, at E = 2 and B > 1",
    "l_m = 25(w − z_m)², z = ±1/100, μ = 50, γ = 1/100: w_t halves in every round, so γ‖∇f(w_t)‖² adds up "
    "to 4/3 of f(w_0) − f*. β_t = 0 whether g_t is the mean of the gradients at w_t, one local gradient, or "
    "the sum of the local gradients. The cause is that of missing-1-over-rho, not the heterogeneity (entry "
    "T1.36).",
    EVERY,
)


def refutation() -> Refutation:
    """γ = 1/100 lies in the printed range and ρ > 1/4; γ ≤ 1/(2(L+μ)), which is not stated, fails."""
    q = PrintedParameters(
        L=Fraction(50), mu=Fraction(50), gamma=Fraction(1, 100), T=2, W=Fraction(1), c=Fraction(1000),
        P_b=Fraction(1, 10**6), M=2, E=2, B=Fraction(11, 10), epsilon=Fraction(25),
    )  # fmt: skip
    centres = (Fraction(1, 100), Fraction(-1, 100))
    problem = Problem(tuple(Quadratic((q.L,), (z,)) for z in centres))
    sketch = spread_out(rows=5, columns=1200, d=1)
    run = simulate(problem, q, (Fraction(1),), sketch)
    return deterministic(STORY, problem, q, sketch, run, refutation)
