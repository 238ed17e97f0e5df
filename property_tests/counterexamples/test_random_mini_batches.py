"""One device with random mini-batches, w_0 = 0, kept sketches: the received gradient meets Assumption 4.

The bound with every fixable error corrected fails on every path: no model is compressible (entry T1.39).
The loss is ½‖w − 1‖² in two coordinates; a mini-batch has (w_i − 1)² of one of them, each with chance ½.
"""

from fractions import Fraction as F

import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from theory.counterexamples.assumption_checks import corrected
from theory.counterexamples.exact_sketch import spread_out
from theory.counterexamples.printed import PrintedParameters, at
from theory.formulas.corrected import THEOREM1_CORRECTED

Q = PrintedParameters(
    L=F(1), gamma=F(1, 121), T=599, W=F(200), c=F(10**7), P_b=F(1, 10**9), P_n=F(1), B=F(17, 12), d=2, k=1,
    p=10**5,
)  # fmt: skip


def gradient(w: tuple, i: int) -> tuple:
    return tuple(2 * (x - 1) if j == i else 0 for j, x in enumerate(w))


def test_the_mini_batches_meet_assumptions_2_3_and_5() -> None:
    """Unbiased; the noise has the energy of the gradient (P_n = 1), a mini-batch twice it (B² ≥ 2)."""
    w = sp.symbols("w1 w2", real=True)
    exact = [x - 1 for x in w]
    energy = sum(g**2 for g in exact)
    both = [gradient(w, i) for i in range(2)]
    assert [sp.expand(sum(g[j] for g in both) / 2 - exact[j]) for j in range(2)] == [0, 0]
    noise = sum((g[j] - exact[j]) ** 2 for g in both for j in range(2)) / 2
    assert sp.expand(noise - Q.P_n.numerator * energy) == 0
    assert sp.expand(sum(x**2 for g in both for x in g) / 2 - 2 * energy) == 0 and Q.B**2 >= 2


def test_every_condition_on_the_constants_is_met_and_the_corrected_bound_is_below_1() -> None:
    assert all(check.holds for check in corrected(Q, spread_out(5, 5000, Q.d)))
    assert at(THEOREM1_CORRECTED, Q, F(1)) < F(9, 10)  # f(0) − f* = 1


@settings(max_examples=5)
@given(st.integers(0, 2 ** (Q.T + 1) - 1))
def test_on_every_path_the_left_side_is_at_least_1(path: int) -> None:
    """A broadcast has one zero. Gradients have one non-zero coordinate, so they obey every power law with ≤.
    No coordinate behind the sketch rises by more than 2γ a round, which bounds every model."""
    v, left = (F(0), F(0)), F(0)
    for t in range(Q.T + 1):
        top = 0 if abs(v[0]) >= abs(v[1]) else 1
        broadcast = tuple(x if j == top else F(0) for j, x in enumerate(v))
        left += sum((x - 1) ** 2 for x in broadcast)
        step = gradient(broadcast, path >> t & 1)
        assert sum(x != 0 for x in step) <= 1
        v = tuple(x - Q.gamma * g for x, g in zip(v, step, strict=True))
        assert all(0 <= x <= 2 * Q.gamma * (t + 1) for x in v)
    assert left >= Q.T + 1 and 2 * (2 * Q.gamma * (Q.T + 1)) ** 2 <= Q.W
