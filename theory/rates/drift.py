"""Lemma 2' (drift): how far E local proximal steps can move from the broadcast point.

D² = mean_m‖∇l_m(x)‖², S_0 = 0, H_e = D + L S_e,
S_{e+1}² = [(1−γμ)S_e + γ(H_e + √(P_b H_e² + b²))]² + γ²(P_n H_e² + σ²)   ⇒   mean_m E‖w^{m,e} − x‖² ≤ S_e².
The only step condition is 0 ≤ γμ ≤ 1, and E = 1 needs nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from theory import symbols as sy
from theory.errors import InvalidParameter
from theory.formulas import repaired as fr
from theory.formulas.evaluated import compiled
from theory.rates.parameters import Parameters, Scalar

Number = Any  # float, or mpmath.mpf when a caller wants more digits


@dataclass(frozen=True)
class Arithmetic:
    """Which numbers to calculate with."""

    number: Callable[[Any], Number]
    sqrt: Callable[[Number], Number]


FLOATS = Arithmetic(float, math.sqrt)


def high_precision(digits: int) -> Arithmetic:
    """mpmath numbers with that many digits, in a context of their own."""
    from mpmath.ctx_mp import MPContext

    context = MPContext()
    context.dps = digits

    def number(value: Scalar) -> Number:
        exact = Fraction(value)
        return context.mpf(exact.numerator) / exact.denominator

    return Arithmetic(number, context.sqrt)


@dataclass(frozen=True)
class LocalError:
    """What one local step adds: ‖β‖² ≤ P_b‖∇l‖² + b², E‖ζ‖² ≤ P_n‖∇l‖² + σ²."""

    P_b: Number
    P_n: Number
    b2: Number
    sigma2: Number
    sqrt: Callable[[Number], Number]

    def next_drift(self, S: Number, gamma: Number, L: Number, mu: Number, D: Number) -> Number:
        """S_{e+1} after S_e = S."""
        return _next_drift()(self.sqrt, S, gamma, L, mu, D, self.P_b, self.P_n, self.b2, self.sigma2)

    def step_error(self, share: Number, L: Number, S: Number, slope: Number) -> Number:
        """A summand of F: share·(L S + √(P_b H² + b²))."""
        return _step_error()(self.sqrt, share, L, S, slope, self.P_b, self.b2)

    def step_noise(self, share: Number, slope: Number) -> Number:
        """A summand of N/ν: share²·(P_n H² + σ²)."""
        return _step_noise()(self.sqrt, share, slope, self.P_n, self.sigma2)


def _next_drift() -> Callable[..., Number]:
    letters = (fr.S, sy.gamma, sy.L, sy.mu, fr.D, sy.P_b, sy.P_n, sy.b2, sy.s2)
    return compiled(fr.DRIFT_NEXT, letters)


def _step_error() -> Callable[..., Number]:
    return compiled(fr.STEP_ERROR, (fr.share, sy.L, fr.S, fr.slope, sy.P_b, sy.b2))


def _step_noise() -> Callable[..., Number]:
    return compiled(fr.STEP_NOISE, (fr.share, fr.slope, sy.P_n, sy.s2))


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


def closed_drift_bound(steps: int, gamma: float, q: Parameters, D2: float, b2: float, sigma2: float) -> float:
    """S_e² ≤ 2(1+κ)^{2e}γ²e²[(1+P_b+P_n/2)D² + b² + σ²/2], κ = γLc; the constant 2 is the best possible."""
    P_b, P_n, L = float(q.P_b), float(q.P_n), float(q.L)
    kappa = gamma * L * (1 + math.sqrt(P_b) + math.sqrt(P_n))
    size = (1 + P_b + P_n / 2) * D2 + b2 + sigma2 / 2
    return 2 * (1 + kappa) ** (2 * steps) * (gamma * steps) ** 2 * size
