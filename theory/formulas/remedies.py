"""What would make an empty range non-empty.

Each bound is strict and leaves the other parameters alone: on y = P_b B² (through P_b), on B², on E².
"""

from __future__ import annotations

import sympy as sp

from theory.formulas.letters import A, x, y
from theory.symbols import E, P_b, P_n

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
