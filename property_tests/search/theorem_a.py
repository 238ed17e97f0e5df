"""Theorem A without one of its assumptions: exact runs on one-dimensional quadratics that try (★).

Runs of one device are affine in w, so E w and E w² follow by recursion, exactly and for any T. Runs of two
devices start where they stand still, so T may be as large as one likes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from property_tests.search.drift import BIAS, CENTRED, NOISE, PAST, SMOOTH, understated
from property_tests.search.dropped import ONE, ZERO, Theorem, Trial, compare, number
from property_tests.search.hunting import inner_shares, root_down, root_up, tenth_powers, whole

SIMILAR = "A3: mean_m‖∇l_m‖² ≤ G² + B²‖∇f‖²"
UNCORRELATED = "noise of different devices is uncorrelated at all pairs of steps (ν = 1/M)"
RESIDUAL = "R² is the mean squared residual"
GAP = "Δ ≥ f(v_0) − f*"
GAMMA_MU = "A4: γμ ≤ 1"
counts = st.integers(1, 3).map(Fraction)


@dataclass(frozen=True)
class ClaimedConstants:
    """The constants that a run claims to satisfy."""

    L: Fraction
    gamma: Fraction
    E: int = 1
    B2: Fraction = ONE
    G2: Fraction = ZERO
    P_b: Fraction = ZERO
    b2: Fraction = ZERO
    P_n: Fraction = ZERO
    sigma2: Fraction = ZERO
    nu: Fraction = ONE
    Delta: Fraction = ZERO
    T: int = 1


@dataclass(frozen=True)
class Case:
    """A measured A, the constants that the theorem is told, and which assumptions hold."""

    A: Fraction
    told: ClaimedConstants
    flags: dict[str, bool]
    shown: dict[str, Any]
    mu: Fraction = ZERO
    R2: Fraction = ZERO

    def describe(self) -> dict[str, str]:
        told = {f"claimed {name}": value for name, value in vars(self.told).items() if value != 0}
        rest = {"mu": self.mu, "claimed R2": self.R2}
        shown = {**self.shown, **told, **{name: value for name, value in rest.items() if value}}
        return {name: number(v) if isinstance(v, Fraction) else str(v) for name, v in shown.items()}


# ---------------------------------------------------------------- one device: moments by recursion


@dataclass(frozen=True)
class Steps:
    """w ← w − γ(aw + β + ζ): β = −p·aw + b, ζ = ±n·aw ± s, E steps a round, from w_0."""

    a: Fraction
    gamma: Fraction
    E: int
    T: int
    start: Fraction
    p: Fraction = ZERO
    b: Fraction = ZERO
    n: Fraction = ZERO
    s: Fraction = ZERO

    def mean_squared_gradient(self, dropped: str | None) -> Fraction:
        """A over the starts of T rounds. Coupled errors have E e² = (b+s)²; noise with a mean shifts E e."""
        mean = {PAST: ZERO, CENTRED: self.b + self.s}.get(dropped or "", self.b)
        second = (self.b + self.s) ** 2 if dropped in (PAST, CENTRED) else self.b**2 + self.s**2
        keep, first, square, total = 1 - self.gamma * self.a * (1 - self.p), self.start, self.start**2, ZERO
        for _ in range(self.T):
            total += square
            for _ in range(self.E):
                spread = self.gamma**2 * (second + (self.n * self.a) ** 2 * square)
                square = keep**2 * square - 2 * keep * self.gamma * mean * first + spread
                first = keep * first - self.gamma * mean
        return self.a**2 * total / self.T

    def honest(self) -> ClaimedConstants:
        """The constants that the run satisfies."""
        return ClaimedConstants(
            L=self.a, gamma=self.gamma, E=self.E, P_b=self.p**2, b2=self.b**2, P_n=self.n**2,
            sigma2=self.s**2, Delta=self.a * self.start**2 / 2, T=self.T,
        )  # fmt: skip

    def case(self, told: ClaimedConstants, dropped: str | None) -> Case:
        noisy, true = bool(self.n or self.s), self.honest()
        flags = {
            SMOOTH: told.L >= self.a,
            BIAS: told.P_b >= true.P_b and told.b2 >= true.b2,
            PAST: dropped != PAST or not (noisy and self.b),
            CENTRED: dropped != CENTRED or not noisy,
            NOISE: told.P_n >= true.P_n and told.sigma2 >= true.sigma2,
            GAP: told.Delta >= true.Delta,
        }
        shown = {"f": f"{self.a}w²/2", "w_0": self.start}
        shown |= {"bias": f"{-self.p}·∇f"} if self.p else {"bias": self.b} if self.b else {}
        shown |= {"noise": f"±{self.n}·∇f"} if self.n else {"noise": f"±{self.s}"} if self.s else {}
        return Case(self.mean_squared_gradient(dropped), told, flags, shown)


UNDERSTATED = {SMOOTH: ("L",), BIAS: ("P_b", "b2"), NOISE: ("P_n", "sigma2"), GAP: ("Delta",)}


def told_less(draw: st.DrawFn, true: ClaimedConstants, dropped: str | None) -> ClaimedConstants:
    """The true constants, with a part of those whose assumption is dropped."""
    names = UNDERSTATED.get(dropped or "", ())
    return replace(true, **{name: understated(draw, True, getattr(true, name)) for name in names})


@st.composite
def local_errors(draw: st.DrawFn, dropped: str | None) -> dict[str, Fraction]:
    """Absolute errors, or relative ones; coupled errors are absolute."""
    size = st.integers(0, 2).map(Fraction)
    found = {"b": draw(size), "s": draw(size)}
    if dropped not in (PAST, CENTRED) and draw(st.booleans()):
        half = st.sampled_from((ZERO, ONE / 2))
        found = {"p": draw(half) * draw(st.sampled_from((1, -1))), "n": draw(half)}
    return found


@st.composite
def one_device(draw: st.DrawFn, dropped: str | None, E: int = 1, most: Fraction = 2 * ONE) -> Case:
    """γ a share of most/(aE); told u = LγE is below `most`."""
    a = draw(counts)
    gamma = draw(inner_shares) * most / (a * E)
    errors = draw(local_errors(dropped))
    steps = Steps(a, gamma, E, draw(st.integers(1, 20)), draw(whole), **errors)
    return steps.case(told_less(draw, steps.honest(), dropped), dropped)


# ---------------------------------------------------------------- several devices


@st.composite
def tilted_devices(draw: st.DrawFn, dropped: str | None) -> Case:
    """E = 1, two devices (w ± g)²/2 with bias ±p·∇l_m: the mean bias is p·g, although ∇f vanishes at 0."""
    p, g = draw(inner_shares), draw(counts)
    steps = Steps(ONE, draw(inner_shares), 1, draw(st.integers(1, 20)), draw(whole), b=p * g)
    told = replace(steps.honest(), b2=ZERO, P_b=p**2, G2=understated(draw, dropped == SIMILAR, g**2))
    shown = {"devices": f"(w ± {g})²/2", "bias": f"±{p}·∇l_m", "w_0": steps.start}
    return Case(steps.mean_squared_gradient(None), told, {SIMILAR: told.G2 >= g**2}, shown)


@st.composite
def equal_devices(draw: st.DrawFn, dropped: str | None) -> Case:
    """M = m² devices on aw²/2 from w = 0: one source of noise for all, or one each, whose mean is s/m."""
    a, m, s, T = draw(counts), draw(st.integers(2, 10)), draw(counts), draw(st.integers(1, 20))
    gamma, shared = draw(inner_shares) / a, dropped == UNCORRELATED
    steps = Steps(a, gamma, 1, T, ZERO, s=s if shared else s / m)
    told = replace(steps.honest(), sigma2=s**2, nu=Fraction(1, m * m))
    shown = {"devices": f"{m * m} times {a}w²/2", "noise": f"±{s}, " + ("common" if shared else "one each")}
    return Case(steps.mean_squared_gradient(None), told, {UNCORRELATED: not shared}, shown)


# ---------------------------------------------------------------- residual and proximal term


@st.composite
def unread(draw: st.DrawFn, dropped: str | None) -> Case:
    """A sketch that reads 0 for ever: the broadcast point stays at 0 while v moves on, past z."""
    a, z, T = draw(counts), draw(counts), draw(st.integers(1, 20))
    gamma = draw(inner_shares) / a
    move = z * gamma * a
    R2 = sum(((t * move) ** 2 for t in range(T)), ZERO) / T
    told = ClaimedConstants(a, gamma, Delta=a * z**2 / 2, T=T)
    claimed = understated(draw, dropped == RESIDUAL, R2)
    shown = {"f": f"{a}(w−{z})²/2", "broadcast": "0 in every round"}
    return Case((a * z) ** 2, told, {RESIDUAL: claimed >= R2}, shown, R2=claimed)


@st.composite
def pulled_back(draw: st.DrawFn, dropped: str | None) -> Case:
    """f = w²/2, two local steps with biases β_0 and β_1, started at the fixed point.

    (1−γμ−γ)(x+β_0) + x + β_1 = 0. With γμ > 1 the first step counts with a negative weight.
    """
    gamma = draw(inner_shares) / 8
    share = 1 + draw(inner_shares) if dropped == GAMMA_MU else draw(st.one_of(st.just(ZERO), inner_shares))
    first, second = draw(whole), draw(whole)
    x = -(second + (1 - share - gamma) * first) / (2 - share - gamma)
    told = ClaimedConstants(
        ONE, gamma, E=2, b2=max(first**2, second**2), Delta=x * x / 2, T=int(draw(tenth_powers))
    )
    shown = {"biases of the two steps": f"{first}, {second}", "w": x, "gamma mu": share}
    return Case(x * x, told, {GAMMA_MU: share <= 1}, shown, mu=share / gamma)


# ---------------------------------------------------------------- (★), and which runs try which assumption


def star_up(case: Case) -> Fraction:
    """At least the right side of (★) at A, with μ and R; γμ > 1 is inserted as it stands."""
    q, A = case.told, case.A
    keep = 1 - q.gamma * case.mu
    weights = [keep ** (q.E - 1 - e) for e in range(q.E)]
    E_bar = sum(weights, ZERO)
    u, rho = q.L * q.gamma * E_bar, q.L * root_up(case.R2)
    D, S, F, N = root_up(q.G2 + q.B2 * A), ZERO, ZERO, ZERO
    for weight in weights:
        H = D + q.L * S
        bias, noise2 = root_up(q.P_b * H * H + q.b2), q.P_n * H * H + q.sigma2
        F += weight / E_bar * (q.L * S + bias)
        N += q.nu * (weight / E_bar) ** 2 * noise2
        S = root_up((keep * S + q.gamma * (H + bias)) ** 2 + q.gamma**2 * noise2)
    return 2 * q.Delta / (q.gamma * E_bar * q.T) + F * F + _inner(u, rho, N, A, F, q.E)


def _inner(u: Fraction, rho: Fraction, N: Fraction, A: Fraction, F: Fraction, E: int) -> Fraction:
    """E = 1: the maximum of 2ρx − (1−u)x² + uN over |x − √A| ≤ F. E ≥ 2, u < 1: over all x."""
    if E > 1:
        if u >= 1:
            raise ZeroDivisionError("no bound of this kind at u ≥ 1")
        return (rho + u * root_up(N)) ** 2 / (1 - u) + u * N
    low, high = max(ZERO, root_down(A) - F), root_up(A) + F
    x = high if u >= 1 else min(max(rho / (1 - u), low), high)
    return 2 * rho * x - (1 - u) * x * x + u * N


def star_families(dropped: str | None) -> list[st.SearchStrategy[Case]]:
    """Theorem A: one or two local steps."""
    special = {
        SIMILAR: tilted_devices(dropped),
        UNCORRELATED: equal_devices(dropped),
        RESIDUAL: unread(dropped),
        GAMMA_MU: pulled_back(dropped),
    }
    plain = [one_device(dropped), one_device(dropped, 2, ONE)]
    if dropped is None:
        return [*plain, *special.values()]
    return [special[dropped]] if dropped in special else plain


def trials(dropped: str | None) -> st.SearchStrategy[Trial]:
    """One strategy of trials for each dropped assumption."""
    return st.one_of(star_families(dropped)).map(
        lambda case: compare(case.A, star_up(case), case.flags, case.describe(), "A")
    )


ASSUMPTIONS = (SMOOTH, BIAS, PAST, CENTRED, NOISE, GAP, SIMILAR, RESIDUAL, UNCORRELATED, GAMMA_MU)
THEOREM_A = (Theorem("Theorem A", "TheoremA", ASSUMPTIONS, trials),)
