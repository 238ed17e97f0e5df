"""Proposition F without one of its assumptions: broadcasts of the largest of two coordinates, exact.

For every T, with w̄ the mean broadcast: w̄ − w* = (v_0 − v_T)/(θLT) and A ≥ L²[‖w̄‖_1²/k − 2⟨w̄, w*⟩ + ‖w*‖²].
The floor L²‖w*‖²(sp(w*)/k − 1) is its limit. A run that repeats its broadcast for ever has its limit in hand.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from benchmarks.search.dropped import ONE, ZERO, Theorem, Trial, compare
from benchmarks.search.hunting import inner_shares, whole
from theory.counterexamples.exact_sketch import ExactSketch, Vector, spread_out, squared_norm
from theory.counterexamples.federated import Problem, Quadratic, combine, mean_squared_gradient, simulate
from theory.counterexamples.printed import PrintedParameters

SPARSE = "every broadcast is k-sparse"
ROUND = "every Hessian is L·I"
UNBIASED = "gradients carry no bias"
MOVES = "(1−γ(L+μ))^E ≠ 1"
SUBLINEAR = "‖v_T‖ = o(T)"
ONE_BUCKET = ExactSketch(1, ((0, 0),), ((1, 1),))  # reads the sum of both coordinates, twice
steps = st.one_of(st.just(ONE), inner_shares, inner_shares.map(lambda x: 1 + x))  # γL


def floor_at(mean: Vector, star: Vector, L: Fraction) -> Fraction:
    """L²[‖w̄‖_1² − 2⟨w̄, w*⟩ + ‖w*‖²] at k = 1."""
    cross = sum((x * z for x, z in zip(mean, star, strict=True)), ZERO)
    return L**2 * (sum(map(abs, mean)) ** 2 - 2 * cross + squared_norm(star))


@st.composite
def planes(draw: st.DrawFn, dropped: str | None) -> Trial:
    """f = ½Σ h_i(w_i − w*_i)², a sketch that is never reset. Noise that is always the same is a bias."""
    L, T, pair = Fraction(draw(st.integers(1, 2))), draw(st.integers(1, 8)), st.tuples(whole, whole)
    E, step = (2, 2 * ONE) if dropped == MOVES else (draw(st.integers(1, 2)), draw(steps))
    star, start = draw(pair), draw(pair)
    curvature = (L, L * draw(inner_shares) if dropped == ROUND else L)
    beta = draw(pair) if dropped == UNBIASED else (ZERO, ZERO)
    q = PrintedParameters(L, step / L, T + 1, ONE, ONE, ZERO, E=E, d=2, k=2 if dropped == SPARSE else 1)
    problem, endless = Problem((Quadratic(curvature, star),)), dropped in (MOVES, SUBLINEAR)
    sketch = ONE_BUCKET if dropped == SUBLINEAR else spread_out(1, 2, 2)
    run = simulate(problem, q, start, sketch, persistent=True, noise=[beta] * q.T)
    v, w = run.before_top_k, run.broadcast
    theta = (1 - (1 - step) ** E) / L
    # Without end the last broadcast counts, if it stands still; else the finite form does.
    stands = w[T] == w[T - 1]
    mean = star if endless else combine(1 / (theta * L * T), combine(-ONE, v[T], v[0]), star)
    A = mean_squared_gradient(problem, w[T : T + 1] if endless else w[:T])
    flags = {
        SPARSE: all(ZERO in each for each in w),
        ROUND: len(set(curvature)) == 1,
        UNBIASED: beta == (ZERO, ZERO),
        MOVES: theta != 0,
        SUBLINEAR: dropped != SUBLINEAR or v[-1] == v[-2],
        "the broadcast stands still": stands or not endless,
    }
    shown = {"w*": star, "curvature": curvature, "β": beta, "v_0": start, "T": T, "E": E, "γL": step}
    claim = "floor ≤ A" + (" for T → ∞" if endless else "")
    return compare(floor_at(mean, star, L), A, flags, shown, claim)


FLOOR = Theorem("Proposition F", "PropositionF", (SPARSE, ROUND, UNBIASED, MOVES, SUBLINEAR), planes)
