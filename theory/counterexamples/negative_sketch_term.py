"""The printed tail is an integral lower bound: at k = d it is negative, and so is the right side."""

from __future__ import annotations

from fractions import Fraction

from theory.counterexamples.assemble import Story, deterministic
from theory.counterexamples.exact_sketch import spread_out
from theory.counterexamples.federated import Problem, Quadratic, simulate
from theory.counterexamples.printed import PrintedParameters
from theory.counterexamples.refutation import Refutation

STORY = Story(
    "negative-sketch-term",
    "Lemma 1: Σ i^{−2p} ≤ ((k+1)^{1−2p} − d^{1−2p})/(2p−1)",
    "Nothing is compressed (k = d = 1, p = 2): the coefficient of Λ²W is 1/c − 7/24 < 0, so a mean of "
    "squares would have to be negative. The one refutation here that does not read a negative tail as 0.",
)


def refutation() -> Refutation:
    q = PrintedParameters(
        L=Fraction(1), gamma=Fraction(1, 40), T=99, W=Fraction(1), c=Fraction(100), P_b=Fraction(1, 100)
    )
    problem = Problem((Quadratic((q.L,), (Fraction(0),)),))
    sketch = spread_out(rows=5, columns=200, d=1)
    run = simulate(problem, q, (Fraction(1),), sketch)
    return deterministic(STORY, problem, q, sketch, run, refutation, favour_paper=False)
