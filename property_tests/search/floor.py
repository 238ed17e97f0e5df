"""Proposition F without one of its assumptions: top-1 broadcasts in two dimensions, exact.

For every T, with w̄ the mean broadcast: w̄ − w* = (v_0 − v_T)/(θLT) and A ≥ L²[‖w̄‖_1²/k − 2⟨w̄, w*⟩ + ‖w*‖²].
The floor L²‖w*‖²(sp(w*)/k − 1) is its limit. A run that repeats itself has its limit in hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st

from property_tests.search.dropped import ONE, ZERO, Theorem, Trial, number
from property_tests.search.hunting import inner_shares, whole

SPARSE = "every broadcast is k-sparse"
ROUND = "every Hessian is L·I"
UNBIASED = "gradients carry no bias"
MOVES = "(1−γ(L+μ))^E ≠ 1"
SUBLINEAR = "‖v_T‖ = o(T)"
Pair = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Plane:
    """f = ½Σ h_i(w_i − w*_i)², gradient + β, step θ a round, from v_0; L = max h, k = 1."""

    star: Pair
    curvature: Pair
    beta: Pair
    theta: Fraction
    start: Pair
    T: int
    dense: bool = False
    one_bucket: bool = False

    def broadcast(self, v: Pair) -> Pair:
        """Top-1 of v, of its estimate from one shared bucket (which reads the sum twice), or v itself."""
        if self.dense:
            return v
        if self.one_bucket:
            return v[0] + v[1], ZERO
        return (v[0], ZERO) if abs(v[0]) >= abs(v[1]) else (ZERO, v[1])

    def gradient(self, w: Pair) -> Pair:
        found = [h * (x - z) for h, x, z in zip(self.curvature, w, self.star, strict=True)]
        return found[0], found[1]

    def play(self) -> tuple[list[Pair], list[Pair]]:
        """v_0 … v_T and the broadcasts of rounds 0 … T."""
        v, points = [self.start], []
        for _ in range(self.T + 1):
            w = self.broadcast(v[-1])
            g = self.gradient(w)
            points.append(w)
            v.append(
                (v[-1][0] - self.theta * (g[0] + self.beta[0]), v[-1][1] - self.theta * (g[1] + self.beta[1]))
            )
        return v, points


def energy(values: list[Pair]) -> Fraction:
    return sum((x * x + y * y for x, y in values), ZERO) / len(values)


def floor_at(mean: Pair, star: Pair, L: Fraction) -> Fraction:
    """L²[‖w̄‖_1² − 2⟨w̄, w*⟩ + ‖w*‖²] at k = 1."""
    cross = mean[0] * star[0] + mean[1] * star[1]
    return L**2 * ((abs(mean[0]) + abs(mean[1])) ** 2 - 2 * cross + star[0] ** 2 + star[1] ** 2)


@st.composite
def planes(draw: st.DrawFn, dropped: str | None) -> Trial:
    L, E = Fraction(draw(st.integers(1, 2))), draw(st.integers(1, 2))
    step = (
        2 * ONE
        if dropped == MOVES
        else draw(st.one_of(st.just(ONE), inner_shares, inner_shares.map(lambda x: 1 + x)))
    )
    E = 2 if dropped == MOVES else E
    theta = (1 - (1 - step) ** E) / L  # γΛ = step, μ = 0
    pair = st.tuples(whole, whole)
    plane = Plane(
        star=draw(pair),
        curvature=(L, L * draw(inner_shares) if dropped == ROUND else L),
        beta=draw(pair) if dropped == UNBIASED else (ZERO, ZERO),
        theta=theta, start=draw(pair), T=draw(st.integers(1, 8)),
        dense=dropped == SPARSE, one_bucket=dropped == SUBLINEAR,
    )  # fmt: skip
    return judge(plane, L, step, E)


def judge(plane: Plane, L: Fraction, step: Fraction, E: int) -> Trial:
    """The finite form where it speaks, and the limit where the run repeats its broadcast for ever."""
    v, points = plane.play()
    limit = plane.theta == 0 or plane.one_bucket
    A = energy([plane.gradient(w) for w in (points[-1:] if limit else points[:-1])])
    flags = {
        SPARSE: all(ZERO in w for w in points),
        ROUND: len(set(plane.curvature)) == 1,
        UNBIASED: plane.beta == (ZERO, ZERO),
        MOVES: plane.theta != 0,
        SUBLINEAR: not plane.one_bucket or v[-1] == v[-2],
    }
    if limit:
        floor, holds = floor_at(plane.star, plane.star, L), points[-1] != points[-2]
    else:
        scale = plane.theta * L * plane.T
        shift = [z + (a - b) / scale for z, a, b in zip(plane.star, v[0], v[plane.T], strict=True)]
        floor, holds = floor_at((shift[0], shift[1]), plane.star, L), False
    sides = f"A = {number(A)} while at least {number(floor)} is claimed" + (" for T → ∞" if limit else "")
    shown = {name: _plain(value) for name, value in vars(plane).items()} | {"E": str(E), "γΛ": str(step)}
    return Trial(A < floor and not holds, flags, sides, shown)


def _plain(value: object) -> str:
    return "(" + ", ".join(map(str, value)) + ")" if isinstance(value, tuple) else str(value)


FLOOR = (Theorem("Proposition F", "PropositionF", (SPARSE, ROUND, UNBIASED, MOVES, SUBLINEAR), planes),)
