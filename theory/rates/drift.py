"""Lemma 2' (drift): how far E local proximal steps can move from the broadcast point.

D² = mean_m‖∇l_m(x)‖², S_0 = 0, H_e = D + L S_e,
S_{e+1}² = [(1−γμ)S_e + γ(H_e + √(P_b H_e² + b²))]² + γ²(P_n H_e² + σ²)   ⇒   mean_m E‖w^{m,e} − x‖² ≤ S_e².
The only step condition is 0 ≤ γμ ≤ 1, and E = 1 needs nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from theory.errors import InvalidParameter
from theory.formulas import repaired as fr
from theory.formulas.evaluated import compiled
from theory.papers.fps import letters as sy

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
