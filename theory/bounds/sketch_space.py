"""Corollary B1: a bound in the norm of the table, ‖g‖_A² = ‖Sg‖²/J, for one local step without bias.

√A_A ≤ [ρ + √(ρ² + (2−u)(c + uN))]/(2−u),   u = γL_A < 2,   c = 2Δ/(γT).
"""

from __future__ import annotations

import math


def corollary_b1(u: float, rho2: float, N: float, Delta: float, gamma: float, T: int) -> float | None:
    """The bound on the mean of ‖∇f(w̃_t)‖_A²; None beyond the edge, u ≥ 2."""
    if not u < 2:
        return None
    c = 2 * Delta / (gamma * T)
    root = (math.sqrt(rho2) + math.sqrt(rho2 + (2 - u) * (c + u * N))) / (2 - u)
    return root**2
