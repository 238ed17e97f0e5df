"""Two devices, E = 2, B > 1: averaged local steps have a fixed point that is not stationary."""

from __future__ import annotations

from fractions import Fraction

from theory.counterexamples.assemble import NOT_THE_SUM, Story, deterministic
from theory.counterexamples.exact_sketch import spread_out
from theory.counterexamples.federated import Problem, Quadratic, simulate
from theory.counterexamples.printed import PrintedParameters
from theory.counterexamples.refutation import Refutation

STORY = Story(
    "heterogeneity-drift",
    "the second-moment lines: ∇f_m is replaced by ∇f",
    "l_1 and l_2 have curvature 10 and 1. From w = 0 two local steps move device m by −γ∇l_m(0)(2 − "
    "γ(a_m+μ)), and the centres make these cancel: the run stands still at w = 0 with ∇f(0) ≠ 0, although "
    "no gradient is biased or noisy.",
    NOT_THE_SUM,
    "Definition 1 is not read for the sum of the local gradients, as Appendix C.2 has it. For that sum the "
    "run refutes nothing: β_t = −∇f, b² must cover it, and the right side grows with it. In that reading "
    "heterogeneity is bias, and for γ(L+μ) ≤ 1 it cannot break the bound as T grows: entry T1.36.",
)


def centres(gamma: Fraction, mu: Fraction, a: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    """z with Σ_m a_m z_m (2 − γ(a_m+μ)) = 0, scaled so that ∇l_1(0) = −1."""
    first, second = (2 - gamma * (x + mu) for x in a)
    return 1 / a[0], -first / second / a[1]


def refutation() -> Refutation:
    """Proximal term on (μ = 1); γ = 1/100 meets the range, ρ > 1/4, 1/(2Λ) and 1/(4EΛA)."""
    a, gamma, mu = (Fraction(10), Fraction(1)), Fraction(1, 100), Fraction(1)
    z = centres(gamma, mu, a)
    problem = Problem((Quadratic((a[0],), (z[0],)), Quadratic((a[1],), (z[1],))))
    q = PrintedParameters(
        L=Fraction(10), mu=mu, gamma=gamma, T=299, W=Fraction(1, 10**4), c=Fraction(1000),
        P_b=Fraction(1, 10**9), M=2, E=2, B=Fraction(50), epsilon=Fraction(1, 45**2),
    )  # fmt: skip
    sketch = spread_out(rows=5, columns=2400, d=1)
    run = simulate(problem, q, (Fraction(0),), sketch)
    return deterministic(STORY, problem, q, sketch, run, refutation)
