"""What every formula is made of: a linear condition on γ, and the paper's abbreviations.

x = P_n B², y = P_b B², Λ = L + μ, A = 1 + 2x + 2y = 1/H.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from theory.papers.fps.letters import B, L, P_b, P_n, mu, real

nu, G2, E_bar = real("nu G2 E_bar")  # noise share, absolute dissimilarity, Σ_e (1−γμ)^{E−1−e}

x, y, Lam = P_n * B**2, P_b * B**2, L + mu
A = 1 + 2 * B**2 * (P_b + P_n)
H = 1 / A
P = P_b * B**2
c_b = 1 + sp.sqrt(P_b)
c_all = c_b + sp.sqrt(P_n)
half = sp.Rational(1, 2)


@dataclass(frozen=True)
class StepCondition:
    """`slope·γ ≤ upper` (`<` if strict); it leaves no γ > 0 exactly when upper ≤ 0."""

    name: str
    upper: sp.Expr
    slope: sp.Expr
    strict: bool = False
