"""Theorem A: the implicit bound (★) on A = (1/T)Σ_{t<T} E‖∇f(w̃_t)‖², and its learning-rate range.

  A ≤ 2Δ/(γĒT) + F(A)² + max{ 2ρx − x² + u(x+√N(A))² : x ≥ 0, |x−√A| ≤ F(A) }            (★)

with u(x²+N) in place of u(x+√N)² when E = 1; ω_e = (1−γμ)^{E−1−e}, Ē = Σω_e, u = LγĒ, ρ = L R,
D² = G² + B²A, F = Σ(ω_e/Ē)[L S_e + √(P_b H_e² + b²)], N = νΣ(ω_e/Ē)²(P_n H_e² + σ²), S_e, H_e of Lemma 2'.
The A that (★) excludes are upward closed, so bisection finds the bound.

Theorem S' (a fresh sketch): ρ = 0, u = (1−κ)(ℓ+ω_L)γĒ, and the right side gains κ(ℓ+ω_L)S_E²/(γĒ), whose S_E
depends on A, and σ_c² tr(H)/(JγĒ) (at full power ν'S_E²/(γĒ) in its place). F, N and S_e keep the devices' L:
local steps are not sketched.

Scope: true for every finite run. With a persistent sketch of fewer buckets than coordinates the residual R
grows with T, so there (★) is no statement about T → ∞.

Lemma 2' (drift): how far E local proximal steps can move from the broadcast point.

D² = mean_m‖∇l_m(x)‖², S_0 = 0, H_e = D + L S_e,
S_{e+1}² = [(1−γμ)S_e + γ(H_e + √(P_b H_e² + b²))]² + γ²(P_n H_e² + σ²)   ⇒   mean_m E‖w^{m,e} − x‖² ≤ S_e².
The only step condition is 0 ≤ γμ ≤ 1, and E = 1 needs nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from theory.errors import InvalidParameter
from theory.formulas import fresh as ff
from theory.formulas import letters as fl
from theory.formulas import repaired as fr
from theory.formulas.evaluated import compiled
from theory.papers.fps import letters as sy
from theory.rates.parameters import SMALLEST, Parameters, Scalar, checked_integer, checked_real, checked_size

MOST_STEPS = 10_000

u_of = compiled(fr.U_A, (sy.L, sy.gamma, fl.E_bar))
rho_of = compiled(fr.RHO, (sy.L, sy.R2))
D_square = compiled(fr.D_SQUARE, (fl.G2, sy.B, fr.A_mean))
optimisation_of = compiled(fr.OPTIMISATION, (sy.F0, sy.gamma, fl.E_bar, sy.T))
lowest_x = compiled(fr.LOWEST_X, (fr.A_mean, fr.F))
highest_x = compiled(fr.HIGHEST_X, (fr.A_mean, fr.F))
linear_of = compiled(fr.LINEAR, (fr.rho, fr.u, fr.root_N))
best_x = compiled(fr.BEST_X, (fr.u, fr.linear, fr.low, fr.high))
inner_of = compiled(fr.INNER, (fr.u, fr.linear, fr.x_mean, fr.N))
right_side = compiled(fr.STAR, (fr.optimisation, fr.F, fr.inner))
_u_fresh = compiled(ff.U_S, (ff.ell, ff.omega_L, ff.kappa, sy.gamma, fl.E_bar))
_participation = compiled(
    ff.PARTICIPATION, (ff.ell, ff.omega_L, ff.kappa, ff.power, ff.drift2, sy.gamma, fl.E_bar)
)
_channel = compiled(ff.CHANNEL, (ff.sigma_c2, ff.trace, ff.J, sy.gamma, fl.E_bar))


@dataclass(frozen=True)
class Sources:
    """What the run brings: Δ = f(v_0−ξ) − f*, R² mean squared residual, G² and b² and σ² absolute errors.

    Two measured values may replace their bounds: rho2, the mean of ‖∇f(v_t−ξ)−∇f(w̃_t)‖², for L²R²; and D2,
    the mean of mean_m‖∇l_m(w̃_t)‖², for G² + B²A.
    """

    Delta: Scalar = 0
    R2: Scalar = 0
    G2: Scalar = 0
    b2: Scalar = 0
    sigma2: Scalar = 0
    rho2: Scalar | None = None
    D2: Scalar | None = None

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None:
                checked_real(name, value, "a finite number of at least 0")

    def at_least(self, floor: float) -> Sources:
        """Positive values below the floor raised to it: the bound grows with each, and none underflows."""
        raised = {n: floor for n, v in vars(self).items() if v is not None and 0 < v < floor}
        return replace(self, **raised) if raised else self


@dataclass(frozen=True)
class Fresh:
    """A sketch drawn anew in every round: ℓ, ω_L, κ; σ_c² tr(H)/J of fixed noise, or ν' at full power."""

    ell: Scalar
    omega_L: Scalar
    kappa: Scalar = 0
    noise: Scalar = 0
    power: Scalar = 0

    def u(self, one: Round) -> Number:
        """What stands in place of LγĒ."""
        return _u_fresh(float(self.ell), float(self.omega_L), float(self.kappa), one.gamma, one.E_bar)

    def participation(self, one: Round, D: Number) -> Number:
        """[κ(ℓ+ω_L) + ν']·S_E²/(γĒ) for device gradients that start at D."""
        S = drift_bounds(len(one.shares), one.gamma, one.L, one.mu, D, one.error)[-1]
        numbers = float(self.ell), float(self.omega_L), float(self.kappa), float(self.power)
        return _participation(*numbers, S * S, one.gamma, one.E_bar)

    def channel(self, one: Round) -> Number:
        """σ_c² tr(H)/(JγĒ)."""
        return _channel(float(self.noise), 1.0, 1.0, one.gamma, one.E_bar)


@dataclass(frozen=True)
class Round:
    """One round's constants: weights ω_e/Ē, u = LγĒ, and what a local step adds."""

    gamma: Number
    L: Number
    mu: Number
    B: Number
    nu: Number
    error: LocalError
    shares: list[Number]
    E_bar: Number

    @property
    def u(self) -> Number:
        return u_of(self.L, self.gamma, self.E_bar)

    @property
    def single_step(self) -> bool:
        return len(self.shares) == 1

    def errors(self, D: Number) -> tuple[Number, Number]:
        """F and N of Theorem A when the device gradients start at D."""
        S = drift_bounds(len(self.shares) - 1, self.gamma, self.L, self.mu, D, self.error)
        F, N = 0 * D, 0 * D
        for share, drift in zip(self.shares, S, strict=True):
            if share:  # a weight of 0 (γμ = 1) must silence even an overflowing drift
                slope = D + self.L * drift
                F += self.error.step_error(share, self.L, drift, slope)
                N += self.error.step_noise(share, slope)
        return F, self.nu * N


def one_round(
    q: Parameters,
    gamma: Scalar,
    b2: Scalar = 0,
    sigma2: Scalar = 0,
    number: Callable[[Scalar], Number] = float,
    mu_low: Scalar | None = None,
) -> Round:
    """The round at q; with mu_low, an upper estimate for every μ in [mu_low, q.mu].

    S_e and Ē fall with μ, so they take mu_low; the weights lean to late steps, where H_e is larger, as μ
    grows, so they take q.mu. At E = 1 the proximal gradient is 0: μ has no effect, and A4 asks nothing.
    """
    if q.E > MOST_STEPS:
        raise InvalidParameter("E", q.E, f"at most {MOST_STEPS} (the drift is followed step by step)")
    gamma, top = number(gamma), number(q.mu if q.E > 1 else 0)
    bottom = top if mu_low is None or q.E == 1 else number(mu_low)
    error = LocalError(number(q.P_b), number(q.P_n), number(b2), number(sigma2))
    omega = local_weights(q.E, gamma * top)
    total = sum(omega)
    shares = [w / total for w in omega]
    E_bar = sum(local_weights(q.E, gamma * bottom))
    return Round(gamma, number(q.L), bottom, number(q.B), number(q.noise_share), error, shares, E_bar)


def local_weights(steps: int, gamma_mu: Number) -> list[Number]:
    """ω_e = (1−γμ)^{E−1−e} for e < E."""
    keep = kept_share(gamma_mu)
    return [keep ** (steps - 1 - e) for e in range(steps)]


@dataclass(frozen=True)
class Solution:
    """The bound and every quantity of (★) at it; the bound is infinite where (★) excludes nothing."""

    bound: Number
    optimisation: Number
    F: Number
    N: Number
    u: Number
    rho: Number
    x: Number
    inner: Number
    E_bar: Number
    participation: Number = 0
    channel: Number = 0


@dataclass(frozen=True)
class Star:
    """The right side of (★) as a function of A."""

    round: Round
    optimisation: Number
    rho: Number
    G2: Number
    D2: Number | None
    fresh: Fresh | None = None

    def at(self, A: Number) -> Solution:
        """All terms with F, N at t = A; `bound` holds the right side's value."""
        one, fresh = self.round, self.fresh
        D = (D_square(self.G2, one.B, A) if self.D2 is None else self.D2) ** 0.5
        F, N = one.errors(D)
        low, high = lowest_x(A, F), highest_x(A, F)
        u = one.u if fresh is None else fresh.u(one)
        inner, x = inner_maximum(u, self.rho, N**0.5, low, high, one.single_step)
        total = right_side(self.optimisation, F, inner)
        more = (0, 0) if fresh is None else (fresh.participation(one, D), fresh.channel(one))
        total = total if fresh is None else total + sum(more)
        return Solution(total, self.optimisation, F, N, u, self.rho, x, inner, one.E_bar, *more)

    def excludes(self, A: Number) -> bool:
        """Is A larger than (★) allows?"""
        return bool(self.at(A).bound < A)


def star(
    q: Parameters,
    gamma: Scalar,
    T: int,
    sources: Sources,
    number: Callable[[Scalar], Number] = float,
    fresh: Fresh | None = None,
) -> Star:
    """(★) for given constants; `number` makes the numbers to calculate with."""
    checked_size("gamma", gamma, "a finite number above 0", open_low=True)
    sources = sources.at_least(SMALLEST**2)
    one = one_round(q, gamma, sources.b2, sources.sigma2, number)
    Delta, rounds = number(sources.Delta), checked_integer("T", T)
    optimisation = optimisation_of(Delta, one.gamma, one.E_bar, rounds)
    rho = rho_of(one.L, number(sources.R2)) if sources.rho2 is None else number(sources.rho2) ** 0.5
    D2 = None if sources.D2 is None else number(sources.D2)
    return Star(one, optimisation, rho if fresh is None else 0 * rho, number(sources.G2), D2, fresh)


def inner_maximum(
    u: Number, rho: Number, root_N: Number, low: Number, high: Number, single_step: bool
) -> tuple[Number, Number]:
    """max over low ≤ x ≤ high of 2ρx − x² + u(x+√N)² (single step: u(x²+N)), and where it is attained.

    The slope at x ≥ 0 is 2(linear − (1−u)x) with linear ≥ 0: for u ≥ 1 it never turns negative, so the right
    end wins; for u < 1 the vertex, moved into the interval, wins.
    """
    linear = rho if single_step else linear_of(rho, u, root_N)
    x = best_x(u, linear, low, high)
    return inner_of(u, linear, x, root_N * root_N), x


def limits(q: Parameters, gamma: Scalar, mu_low: Scalar | None = None) -> tuple[float, float, float]:
    """u, and the limits α of F²/t and n of N/t as t → ∞."""
    one = one_round(q, gamma, mu_low=mu_low)
    root_alpha, n = one.errors(one.B)
    return one.u, root_alpha * root_alpha, n


def admits(q: Parameters, gamma: Scalar, mu_low: Scalar | None = None, fresh: Fresh | None = None) -> bool:
    """Does (★) give a finite bound: α < 1 and 1 − α > max_{|x−1| ≤ √α}[−x² + u(x+√n)²]?

    With a fresh sketch its u counts, and κ(ℓ+ω_L)S_E²/(γĒ) for D = B is added on the right.

    u, α and n never fall as γ grows: φ(S) ≥ S along the orbit of Lemma 2' forces ∂φ/∂γ ≥ 0 there, and the
    weights lean to late steps. So the admissible γ form an interval that starts at 0.
    """
    u, alpha, n = limits(q, gamma, mu_low)
    if not alpha < 1:
        return False
    root, more = alpha**0.5, 0.0
    if fresh is not None:
        one = one_round(q, gamma, mu_low=mu_low)
        u, more = fresh.u(one), fresh.participation(one, one.B)
    worst, _ = inner_maximum(u, 0.0, n**0.5, 1 - root, 1 + root, q.E == 1)
    return 1 - alpha > worst + more


def fresh_supremum(q: Parameters, fresh: Fresh) -> float:
    """The end of Theorem S' range: below it the bound is finite. 0 if P_b B² is not below 1.

    Without κ and noise it is {α < 1 and (ℓ+ω_L)γĒ(1+√α) < 2}; any admissible γ is below 2/(ℓ+ω_L).
    """
    cap = 1 / float(q.mu) if q.mu and q.E > 1 else math.inf
    low, high = 0.0, min(cap, 2 / float(fresh.ell + fresh.omega_L))
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if admits(q, middle, fresh=fresh) else (low, middle)
    return low


def solve(
    q: Parameters,
    gamma: Scalar,
    T: int,
    sources: Sources,
    number: Callable[[Scalar], Number] = float,
    fresh: Fresh | None = None,
) -> Solution:
    """The smallest bound that (★) gives, to the last digit of the arithmetic, rounded up."""
    inequality = star(q, gamma, T, sources, number, fresh)
    high = _some_excluded(inequality)
    if high is None:
        return replace(inequality.at(0 * inequality.rho), bound=float("inf"))
    low = 0 * high
    while low < (middle := (low + high) / 2) < high:
        low, high = (low, middle) if inequality.excludes(middle) else (middle, high)
    return replace(inequality.at(high), bound=high)


def _some_excluded(inequality: Star) -> Number | None:
    """An excluded A: a scale of the errors, doubled until excluded; None when nothing finite is.

    If ρ and the right side at A = 0 both vanish, (★) is homogeneous in A, and A = 1 decides for all.
    """
    A = max(inequality.at(0 * inequality.rho).bound, inequality.rho * inequality.rho)
    if A == 0:
        return A if inequality.excludes(A + 1) else None
    for _ in range(2100):  # more doublings than a float has exponents
        if not math.isfinite(A):  # pragma: no cover: beyond the largest float
            return None
        if inequality.excludes(A):
            return A
        A = 2 * A
    return None


Number = Any  # float, or numbers of more digits, or an array of runs

_next_drift = compiled(fr.DRIFT_NEXT, (fr.S, sy.gamma, sy.L, sy.mu, fr.D, sy.P_b, sy.P_n, sy.b2, sy.s2))
_step_error = compiled(fr.STEP_ERROR, (fr.share, sy.L, fr.S, fr.slope, sy.P_b, sy.b2))
_step_noise = compiled(fr.STEP_NOISE, (fr.share, fr.slope, sy.P_n, sy.s2))


@dataclass(frozen=True)
class LocalError:
    """What one local step adds: ‖β‖² ≤ P_b‖∇l‖² + b², E‖ζ‖² ≤ P_n‖∇l‖² + σ²."""

    P_b: Number
    P_n: Number
    b2: Number
    sigma2: Number

    def next_drift(self, S: Number, gamma: Number, L: Number, mu: Number, D: Number) -> Number:
        """S_{e+1} after S_e = S."""
        return _next_drift(S, gamma, L, mu, D, self.P_b, self.P_n, self.b2, self.sigma2)

    def step_error(self, share: Number, L: Number, S: Number, slope: Number) -> Number:
        """A summand of F: share·(L S + √(P_b H² + b²))."""
        return _step_error(share, L, S, slope, self.P_b, self.b2)

    def step_noise(self, share: Number, slope: Number) -> Number:
        """A summand of N/ν: share²·(P_n H² + σ²)."""
        return _step_noise(share, slope, self.P_n, self.sigma2)


def kept_share(gamma_mu: Number) -> Number:
    """1 − γμ; γ = 1/μ may miss 1 by the two roundings of its division and product, each below 2⁻⁵²."""
    if not 0 <= gamma_mu <= 1 + 2.0**-51:
        raise InvalidParameter("gamma mu", gamma_mu, "a number in [0, 1] (assumption A4)")
    return max(1 - gamma_mu, 0 * gamma_mu)


def drift_bounds(
    steps: int, gamma: Number, L: Number, mu: Number, D: Number, error: LocalError
) -> list[Number]:
    """S_0, …, S_steps."""
    kept_share(gamma * mu)
    S = [0 * gamma]
    for _ in range(steps):
        S.append(S[-1] if _overflowed(S[-1]) else error.next_drift(S[-1], gamma, L, mu, D))
    return S


def _overflowed(S: Number) -> bool:
    """A float that overflowed stays so: (1−γμ)S could read 0·∞."""
    return isinstance(S, float) and math.isinf(S)
