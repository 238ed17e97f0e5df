"""The paper's chain with its algebra corrected: still not a theorem, but what its own steps would give.

The remedies say what would make an empty range non-empty. Each bound is strict and leaves the other
parameters alone: on y = P_b B² (through P_b), on B², on E².
"""

from __future__ import annotations

import sympy as sp

from theory.formulas.letters import A, H, Lam, StepCondition, half, x, y
from theory.papers.fps.letters import B, E, L, P_b, P_n, gamma, mu

# Step 2 halves a bound on ‖β‖² that already carries a factor 2, so the bias term counts in full.
RHO_CORRECTED = (
    half
    - P_b * (1 + 2 * H) * E**2 * B**2
    - gamma * (2 + 2 * P_b * B**2 + (2 * (L + mu) + 1) * P_n * B**2) * (1 + 2 * H) * E**2
)

# ρ_corrected(γ) ≥ 1/4, solved for γ and multiplied by 4.
RHO_CORRECTED_QUARTER = StepCondition(
    "rho_corrected >= 1/4",
    1 - 4 * y * E**2 * (1 + 2 * H),
    4 * E**2 * (1 + 2 * H) * (2 + 2 * y + (2 * Lam + 1) * x),
)

PAPER_REMEDY = {"y": 1 / (6 * E**2), "B2": 1 / (6 * E**2 * P_b), "E2": 1 / (6 * y)}


def _positive_root(quadratic: sp.Expr, linear: sp.Expr, constant: sp.Expr) -> sp.Expr:
    """The root ≥ 0 of quadratic·z² + linear·z = constant with quadratic, constant > 0."""
    return (sp.sqrt(linear**2 + 4 * quadratic * constant) - linear) / (2 * quadratic)


def _positive_root_stable(quadratic: sp.Expr, linear: sp.Expr, constant: sp.Expr) -> sp.Expr:
    """The same root where linear > 0 may be so large that the difference above cancels every digit."""
    return 2 * constant / (sp.sqrt(linear**2 + 4 * quadratic * constant) + linear)


CORRECTED_REMEDY = {
    "y": _positive_root_stable(8 * E**2, 4 * E**2 * (3 + 2 * x) - 2, 1 + 2 * x),
    "B2": _positive_root(8 * E**2 * P_b * (P_b + P_n), 12 * E**2 * P_b - 2 * (P_b + P_n), sp.Integer(1)),
    "E2": A / (4 * y * (A + 2)),
}
