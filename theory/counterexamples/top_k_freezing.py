"""U_k is not linear: top-k drops the update itself. Played in both readings of the sketch."""

from __future__ import annotations

from fractions import Fraction

from theory.counterexamples.assemble import Story, deterministic
from theory.counterexamples.exact_sketch import spread_out
from theory.counterexamples.federated import Problem, Quadratic, simulate
from theory.counterexamples.printed import PrintedParameters
from theory.counterexamples.refutation import Refutation

VOID = (
    "Assumption 4 is read with ≤ in place of =. As printed it admits no gradient but 0 for d ≥ 2, and then "
    "no run with k < d breaks the bound: entries S.6 and T1.37. "
)
MINIMISER = (Fraction(1), Fraction(3, 4))
FROZEN = Story(
    "top-k-freezing",
    "eq:step1_fps: w̃_{t+1} − w̃_t = −γg_t",
    "f = ½((w_1−¾)² + (w_2−1)²), k = 1, exact recovery, w_0 = (0, 1): the step moves only the smaller "
    "coordinate, top-1 drops it, and the iterate never moves. The sketch holds w_t − γg with w_t the "
    "broadcast vector (step 6 as written).",
    qualification=VOID + "Every gradient of this run has one non-zero coordinate, the first, so "
    "|g(1)| = ‖g‖ and |g(i)| ≤ i^{−p}‖g‖ in the printed order and for every p.",
)
PERSISTENT = Story(
    "top-k-floor",
    "Lemma 1 (any iterate w ∈ R^d) and eq:step1_fps",
    "A sketch that is never reset, f = ½(w_1−1)² + (1/16)(w_2−¾)², k = 1: what top-1 drops is kept, yet "
    "the broadcast jumps between the axes, and no 1-sparse vector is near the dense minimiser (1, ¾).",
    qualification=VOID + "Here |g(i)| ≤ i^{−p}‖g‖ in the printed order, with p = 2.",
)


def frozen() -> Refutation:
    """Lemma 1's conclusion holds along the run: the residual (3γ/4)² is below W/c."""
    q = PrintedParameters(
        L=Fraction(1), gamma=Fraction(1, 25), T=99, W=Fraction(11, 10), c=Fraction(1000),
        P_b=Fraction(1, 1000), d=2, k=1, p=2,
    )  # fmt: skip
    problem = Problem((Quadratic((q.L, q.L), MINIMISER[::-1]),))
    sketch = spread_out(rows=5, columns=2200, d=2)
    run = simulate(problem, q, (Fraction(0), Fraction(1)), sketch)
    return deterministic(FROZEN, problem, q, sketch, run, frozen)


def persistent() -> Refutation:
    """k + 1 = d makes the printed tail exactly 0, so the sketch term is Λ²W/c.

    Unequal curvature keeps every gradient sparse enough for the corrected Assumption 4 at p = 2.
    """
    q = PrintedParameters(
        L=Fraction(1), gamma=Fraction(1, 25), T=299, W=Fraction(8), c=Fraction(1000),
        P_b=Fraction(1, 1000), d=2, k=1, p=2,
    )  # fmt: skip
    problem = Problem((Quadratic((q.L, Fraction(1, 8)), MINIMISER),))
    sketch = spread_out(rows=5, columns=2400, d=2)
    run = simulate(problem, q, (Fraction(7, 4), Fraction(7, 4)), sketch, persistent=True)
    return deterministic(PERSISTENT, problem, q, sketch, run, persistent)
