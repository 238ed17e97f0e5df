"""Lemma 2' without one of its assumptions: local steps on one-variable quadratics, all coins followed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from hypothesis import strategies as st

from property_tests.search.dropped import ZERO, Theorem, Trial, compare
from property_tests.search.hunting import inner_shares, positive, root_up, whole

SMOOTH = "every loss is L-smooth"
BIAS = "‖β‖² ≤ P_b‖∇l‖² + b²"
PAST = "β is known from the past"
CENTRED = "E[ζ | past] = 0"
NOISE = "E‖ζ‖² ≤ P_n‖∇l‖² + σ²"
GAMMA_MU = "0 ≤ γμ ≤ 1"
SPREAD = "D² is the mean of ‖∇l_m‖² over the devices"
HALF_COINS = (1, -1)


@dataclass(frozen=True)
class Errors:
    """β is −p∇l, or b; ζ is ±n∇l, or ±s. The coin of a step is the sign of its noise."""

    p: Fraction
    b: Fraction
    n: Fraction
    s: Fraction

    def at(self, gradient: Fraction, coin: int, dropped: str | None) -> Fraction:
        """β + ζ of one step."""
        bias = self.p * gradient + self.b
        noise = self.n * gradient + self.s
        return bias * (coin if dropped == PAST else 1) + noise * (1 if dropped == CENTRED else coin)


@dataclass(frozen=True)
class Local:
    """γ, μ, E and the devices' curvatures and slopes at the broadcast point 0."""

    gamma: Fraction
    mu: Fraction
    E: int
    curvature: tuple[Fraction, ...]
    slope: tuple[Fraction, ...]

    def drift2(self, errors: Errors, dropped: str | None) -> Fraction:
        """mean_m E‖w^{m,E} − x‖², over all coins."""
        total = ZERO
        for a, g in zip(self.curvature, self.slope, strict=True):
            for coins in product(HALF_COINS, repeat=self.E):
                total += self._end(a, g, errors, coins, dropped) ** 2
        return total / (len(self.slope) * 2**self.E)

    def _end(
        self, a: Fraction, g: Fraction, errors: Errors, coins: tuple[int, ...], dropped: str | None
    ) -> Fraction:
        w = ZERO
        for coin in coins:
            gradient = g + a * w
            w -= self.gamma * (gradient + errors.at(gradient, coin, dropped) + self.mu * w)
        return w


@dataclass(frozen=True)
class Claimed:
    """What the lemma is told."""

    L: Fraction
    D2: Fraction
    P_b: Fraction
    b2: Fraction
    P_n: Fraction
    sigma2: Fraction

    def bound(self, local: Local) -> Fraction:
        """S_E² with square roots rounded up; γμ > 1 is inserted as it stands."""
        S, D = ZERO, root_up(self.D2)
        for _ in range(local.E):
            H = D + self.L * S
            pull = (1 - local.gamma * local.mu) * S + local.gamma * (H + root_up(self.P_b * H * H + self.b2))
            S = root_up(pull**2 + local.gamma**2 * (self.P_n * H * H + self.sigma2))
        return S * S


def understated(draw: st.DrawFn, wanted: bool, value: Fraction) -> Fraction:
    """A claimed constant: the true one, or a part of it where its assumption is dropped.

    The part is a square, so that rational roots stay rational.
    """
    return value * (draw(st.one_of(st.just(ZERO), inner_shares)) ** 2 if wanted else 1)


@st.composite
def drifts(draw: st.DrawFn, dropped: str | None) -> Trial:
    M, E = draw(st.integers(1, 2)), draw(st.integers(1, 3))
    gamma = draw(inner_shares)
    share = 1 + draw(positive) if dropped == GAMMA_MU else draw(st.one_of(st.just(ZERO), inner_shares))
    slope = tuple(draw(whole) for _ in range(M))
    local = Local(gamma, share / gamma, E, tuple(draw(whole) for _ in range(M)), slope)
    relative, relative_noise = draw(st.booleans()), draw(st.booleans())
    sizes = st.one_of(st.just(ZERO), inner_shares)
    p, b = (draw(sizes), ZERO) if relative else (ZERO, draw(whole))
    n, s = (draw(sizes), ZERO) if relative_noise else (ZERO, draw(st.integers(0, 3).map(Fraction)))
    errors = Errors(p, b, n, s)
    L, D2 = max(map(abs, local.curvature)), sum((g * g for g in slope), ZERO) / M
    claimed = Claimed(
        L=understated(draw, dropped == SMOOTH, L),
        D2=(sum(slope, ZERO) / M) ** 2 if dropped == SPREAD else D2,
        P_b=understated(draw, dropped == BIAS, p**2), b2=understated(draw, dropped == BIAS, b**2),
        P_n=understated(draw, dropped == NOISE, n**2), sigma2=understated(draw, dropped == NOISE, s**2),
    )  # fmt: skip
    flags = {
        SMOOTH: claimed.L >= L,
        BIAS: claimed.P_b >= p**2 and claimed.b2 >= b**2,
        PAST: dropped != PAST or not (p or b) or not (n or s),
        CENTRED: dropped != CENTRED or not (n or s),
        NOISE: claimed.P_n >= n**2 and claimed.sigma2 >= s**2,
        GAMMA_MU: share <= 1,
        SPREAD: claimed.D2 >= D2,
    }
    shown = {**vars(local), "errors": errors, "claimed": claimed}
    shown = {key: _plain(value) for key, value in shown.items()}
    return compare(local.drift2(errors, dropped), claimed.bound(local), flags, shown, "mean squared drift")


def _plain(value: object) -> str:
    if isinstance(value, tuple):
        return "(" + ", ".join(map(str, value)) + ")"
    if isinstance(value, Errors | Claimed):
        return ", ".join(f"{name} = {x}" for name, x in vars(value).items())
    return str(value)


LEMMA_2 = (Theorem("Lemma 2'", "Lemma2r", (SMOOTH, BIAS, PAST, CENTRED, NOISE, GAMMA_MU, SPREAD), drifts),)
