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

from theory.errors import InvalidParameter
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

    def bias(self, slope: Number) -> Number:
        return self.sqrt(self.P_b * slope * slope + self.b2)

    def noise2(self, slope: Number) -> Number:
        return self.P_n * slope * slope + self.sigma2


def kept_share(gamma_mu: Number) -> Number:
    """1 − γμ; γ = 1/μ may miss 1 by the two roundings of its division and product, each below 2⁻⁵²."""
    if not 0 <= gamma_mu <= 1 + 2.0**-51:
        raise InvalidParameter("gamma mu", gamma_mu, "a number in [0, 1] (assumption A4)")
    return max(1 - gamma_mu, 0 * gamma_mu)


def drift_bounds(
    steps: int, gamma: Number, L: Number, mu: Number, D: Number, error: LocalError
) -> list[Number]:
    """S_0, …, S_steps."""
    keep = kept_share(gamma * mu)
    S = [0 * gamma]
    for _ in range(steps):
        slope = D + L * S[-1]
        pull = (keep * S[-1] if keep else 0) + gamma * (slope + error.bias(slope))
        S.append(error.sqrt(pull * pull + gamma * gamma * error.noise2(slope)))
    return S


def closed_drift_bound(steps: int, gamma: float, q: Parameters, D2: float, b2: float, sigma2: float) -> float:
    """S_e² ≤ 2(1+κ)^{2e}γ²e²[(1+P_b+P_n/2)D² + b² + σ²/2], κ = γLc; the constant 2 is the best possible."""
    P_b, P_n, L = float(q.P_b), float(q.P_n), float(q.L)
    kappa = gamma * L * (1 + math.sqrt(P_b) + math.sqrt(P_n))
    size = (1 + P_b + P_n / 2) * D2 + b2 + sigma2 / 2
    return 2 * (1 + kappa) ** (2 * steps) * (gamma * steps) ** 2 * size
