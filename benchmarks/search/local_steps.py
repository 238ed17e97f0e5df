"""Lemma 2' and Theorem A without one of their assumptions: local steps on one-variable quadratics.

A step is affine in w, so E w and E w² follow by recursion, exactly and for any number of steps. The right
sides are the calculators': `theory.rates`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any
from unittest.mock import patch

from hypothesis import strategies as st

from benchmarks.search.dropped import ONE, ZERO, Theorem, Trial, compare
from benchmarks.search.hunting import inner_shares, positive, tenth_powers, whole
from theory.rates import theorem_a
from theory.rates.parameters import Parameters

SMOOTH = "every loss is L-smooth"
BIAS = "‖β‖² ≤ P_b‖∇l‖² + b²"
PAST = "β is known from the past"
CENTRED = "E[ζ | past] = 0"
NOISE = "E‖ζ‖² ≤ P_n‖∇l‖² + σ²"
GAMMA_MU = "0 ≤ γμ ≤ 1"
SPREAD = "D² is the mean of ‖∇l_m‖² over the devices"
SIMILAR = "A3: mean_m‖∇l_m‖² ≤ G² + B²‖∇f‖²"
UNCORRELATED = "noise of different devices is uncorrelated at all pairs of steps (ν = 1/M)"
RESIDUAL = "R² is the mean squared residual"
GAP = "Δ ≥ f(v_0) − f*"
A4 = "A4: γμ ≤ 1"
# The constants that an assumption bounds: where it is dropped, less than the truth is claimed.
BOUNDED = {
    SMOOTH: ("L",),
    BIAS: ("P_b", "b2"),
    NOISE: ("P_n", "sigma2"),
    SPREAD: ("D2",),
    SIMILAR: ("G2",),
    RESIDUAL: ("R2",),
    GAP: ("Delta",),
}
counts = st.integers(1, 3).map(Fraction)
parts = st.one_of(st.just(ZERO), inner_shares)
Constants = dict[str, Any]


@dataclass(frozen=True)
class Errors:
    """β = p∇l + b and ζ = ±(n∇l + s), with a fair coin for each step."""

    p: Fraction = ZERO
    b: Fraction = ZERO
    n: Fraction = ZERO
    s: Fraction = ZERO

    def without(self, dropped: str | None) -> Errors:
        """The coin decides β too, or nothing."""
        if dropped == PAST:
            return Errors(n=self.p + self.n, s=self.b + self.s)
        return Errors(self.p + self.n, self.b + self.s) if dropped == CENTRED else self

    def constants(self) -> Constants:
        return {"P_b": self.p**2, "b2": self.b**2, "P_n": self.n**2, "sigma2": self.s**2}

    def kept(self, dropped: str | None) -> dict[str, bool]:
        biased, noisy = bool(self.p or self.b), bool(self.n or self.s)
        return {PAST: dropped != PAST or not (biased and noisy), CENTRED: dropped != CENTRED or not noisy}

    def __str__(self) -> str:
        return f"β = {self.p}∇l + {self.b}, ζ = ±({self.n}∇l + {self.s})"


@dataclass(frozen=True)
class Device:
    """∇l(w) = aw + g; a step is w ← w − γ(∇l + β + ζ + μw)."""

    a: Fraction
    g: Fraction
    gamma: Fraction
    mu: Fraction = ZERO

    def after(self, moments: tuple[Fraction, Fraction], errors: Errors) -> tuple[Fraction, Fraction]:
        """E w and E w² after a step from a random w that has these."""
        mean, square = moments
        keep = 1 - self.gamma * (self.a * (1 + errors.p) + self.mu)
        shift = self.gamma * (self.g * (1 + errors.p) + errors.b)
        swing, kick = self.gamma * errors.n * self.a, self.gamma * (errors.n * self.g + errors.s)
        steady = keep**2 * square - 2 * keep * shift * mean + shift**2
        return keep * mean - shift, steady + swing**2 * square + 2 * swing * kick * mean + kick**2


def mean_squared_gradient(device: Device, errors: Errors, start: Fraction, E: int, T: int) -> Fraction:
    """A over the starts of T rounds of E steps; the minimum is at 0."""
    moments, total = (start, start**2), ZERO
    for _ in range(T):
        total += moments[1]
        for _ in range(E):
            moments = device.after(moments, errors)
    return device.a**2 * total / T


@st.composite
def local_errors(draw: st.DrawFn) -> Errors:
    """Relative or absolute, for bias and noise apart."""
    relative = st.tuples(parts, st.just(ZERO))
    (p, b), (n, s) = (draw(st.one_of(relative, st.tuples(st.just(ZERO), whole))) for _ in range(2))
    return Errors(p * draw(st.sampled_from((1, -1))), b, n, s)


def claimed(draw: st.DrawFn, true: Constants, dropped: str | None) -> tuple[Constants, dict[str, bool]]:
    """What the theorem is told: the truth, or a part of it; and which assumptions about sizes hold.

    The part is a square, so that rational roots stay rational.
    """
    less = BOUNDED.get(dropped or "", ())
    told = {name: value * draw(parts) ** 2 if name in less else value for name, value in true.items()}
    names = {about: each for about, each in BOUNDED.items() if set(each) <= set(true)}
    return told, {about: all(told[n] >= true[n] for n in each) for about, each in names.items()}


@contextmanager
def any_gamma_mu() -> Iterator[None]:
    """γμ > 1 is refused by the calculators; here it is inserted as it stands."""
    keep: dict[str, Any] = {"kept_share": lambda share: 1 - share}
    with patch.multiple(theorem_a, **keep):
        yield


# ---------------------------------------------------------------- Lemma 2'


@st.composite
def drifts(draw: st.DrawFn, dropped: str | None) -> Trial:
    """One or two devices from the broadcast point 0: mean_m E‖w^{m,E} − x‖² ≤ S_E²."""
    M, E, gamma = draw(st.integers(1, 2)), draw(st.integers(1, 3)), draw(inner_shares)
    share = 1 + draw(positive) if dropped == GAMMA_MU else draw(parts)
    devices = [Device(draw(whole), draw(whole), gamma, share / gamma) for _ in range(M)]
    errors = draw(local_errors())
    true = errors.constants() | {"L": max(abs(device.a) for device in devices)}
    true["D2"] = sum((device.g**2 for device in devices), ZERO) / M
    told, kept = claimed(draw, true, dropped)
    moved = ZERO
    for device in devices:
        moments = (ZERO, ZERO)
        for _ in range(E):
            moments = device.after(moments, errors.without(dropped))
        moved += moments[1] / M
    numbers = {name: float(value) for name, value in told.items()}
    L, D = numbers.pop("L"), numbers.pop("D2") ** 0.5
    with any_gamma_mu():
        S = theorem_a.drift_bounds(
            E, float(gamma), L, float(share / gamma), D, theorem_a.LocalError(**numbers)
        )
    gradients = "; ".join(f"{device.a}w + {device.g}" for device in devices)
    shown = {"∇l": gradients, "errors": errors, "γ": gamma, "μ": share / gamma, "E": E, **told}
    flags = kept | errors.kept(dropped) | {GAMMA_MU: share <= 1}
    return compare(moved, S[-1] ** 2, flags, shown, "mean squared drift ≤ S²")


# ---------------------------------------------------------------- Theorem A: runs with their true constants


@dataclass(frozen=True)
class Run:
    """The measured A, the learning rate, the rounds, the true constants; which other assumptions hold."""

    A: Fraction
    gamma: Fraction
    T: int
    true: Constants
    kept: dict[str, bool]
    shown: dict[str, Any]


@st.composite
def one_device(draw: st.DrawFn, dropped: str | None) -> Run:
    """aw²/2, one or two local steps."""
    a, E, T, start = draw(counts), draw(st.integers(1, 2)), draw(st.integers(1, 20)), draw(whole)
    device, errors = Device(a, ZERO, draw(inner_shares) * 2 / (a * E)), draw(local_errors())
    A = mean_squared_gradient(device, errors.without(dropped), start, E, T)
    true = errors.constants() | {"L": a, "E": E, "Delta": a * start**2 / 2}
    shown = {"f": f"{a}w²/2", "w_0": start, "errors": errors}
    return Run(A, device.gamma, T, true, errors.kept(dropped), shown)


@st.composite
def tilted_devices(draw: st.DrawFn, dropped: str | None) -> Run:
    """Two devices (w ± g)²/2 with bias ±p·∇l_m: the mean bias is p·g, although ∇f vanishes at 0."""
    p, g, T, start = draw(inner_shares), draw(counts), draw(st.integers(1, 20)), draw(whole)
    device = Device(ONE, ZERO, draw(inner_shares))
    A = mean_squared_gradient(device, Errors(b=p * g), start, 1, T)
    true = {"L": ONE, "P_b": p**2, "b2": ZERO, "G2": g**2, "Delta": start**2 / 2}
    shown = {"devices": f"(w ± {g})²/2", "bias": f"±{p}·∇l_m", "w_0": start}
    return Run(A, device.gamma, T, true, {}, shown)


@st.composite
def equal_devices(draw: st.DrawFn, dropped: str | None) -> Run:
    """M = m² devices on aw²/2 from w = 0: one source of noise for all, or one each, whose mean is s/m."""
    a, m, s, T = draw(counts), draw(st.integers(2, 10)), draw(counts), draw(st.integers(1, 20))
    device, shared = Device(a, ZERO, draw(inner_shares) / a), dropped == UNCORRELATED
    A = mean_squared_gradient(device, Errors(s=s if shared else s / m), ZERO, 1, T)
    shown = {"devices": f"{m * m} times {a}w²/2", "noise": f"±{s}, " + ("common" if shared else "one each")}
    true = {"L": a, "sigma2": s**2, "nu": Fraction(1, m * m)}
    return Run(A, device.gamma, T, true, {UNCORRELATED: not shared}, shown)


@st.composite
def unread(draw: st.DrawFn, dropped: str | None) -> Run:
    """A sketch that reads 0 for ever: the broadcast point stays at 0 while v moves on, past z."""
    a, z, T, share = draw(counts), draw(counts), draw(st.integers(1, 20)), draw(inner_shares)
    R2 = sum(((t * z * share) ** 2 for t in range(T)), ZERO) / T
    shown = {"f": f"{a}(w−{z})²/2", "broadcast": "0 in every round"}
    return Run((a * z) ** 2, share / a, T, {"L": a, "Delta": a * z**2 / 2, "R2": R2}, {}, shown)


@st.composite
def pulled_back(draw: st.DrawFn, dropped: str | None) -> Run:
    """f = w²/2, two local steps with biases β_0 and β_1, started at the fixed point.

    (1−γμ−γ)(x+β_0) + x + β_1 = 0. With γμ > 1 the first step counts with a negative weight.
    """
    gamma, first, second = draw(inner_shares) / 8, draw(whole), draw(whole)
    share = 1 + draw(inner_shares) if dropped == A4 else draw(parts)
    x = -(second + (1 - share - gamma) * first) / (2 - share - gamma)
    true = {"L": ONE, "mu": share / gamma, "E": 2, "b2": max(first**2, second**2), "Delta": x * x / 2}
    shown = {"biases of the two steps": (first, second), "w": x, "γμ": share}
    return Run(x * x, gamma, int(draw(tenth_powers)), true, {A4: share <= 1}, shown)


SPECIAL = {SIMILAR: tilted_devices, UNCORRELATED: equal_devices, RESIDUAL: unread, A4: pulled_back}


def star(run: Run, told: Constants) -> float:
    """The right side of (★) at A."""
    names = {field.name for field in fields(Parameters)}
    q = Parameters(**{name: value for name, value in told.items() if name in names})
    sources = theorem_a.Sources(**{name: value for name, value in told.items() if name not in names})
    with any_gamma_mu():
        return theorem_a.star(q, run.gamma, run.T, sources).at(float(run.A)).bound


@st.composite
def stars(draw: st.DrawFn, dropped: str | None) -> Trial:
    """Runs that try the dropped assumption; of all families where none is dropped."""
    special = [family(dropped) for about, family in SPECIAL.items() if dropped in (None, about)]
    run = draw(st.one_of(special if dropped in SPECIAL else [one_device(dropped), *special]))
    told, kept = claimed(draw, run.true, dropped)
    shown = {**run.shown, "γ": run.gamma, "T": run.T, **{f"claimed {n}": v for n, v in told.items() if v}}
    return compare(run.A, star(run, told), kept | run.kept, shown, "A ≤ bound")


LEMMA_2 = Theorem("Lemma 2'", "Lemma2r", (SMOOTH, BIAS, PAST, CENTRED, NOISE, GAMMA_MU, SPREAD), drifts)
ASSUMPTIONS = (SMOOTH, BIAS, PAST, CENTRED, NOISE, GAP, SIMILAR, RESIDUAL, UNCORRELATED, A4)
THEOREM_A = Theorem("Theorem A", "TheoremA", ASSUMPTIONS, stars)
