"""Theorem C: convex losses.

kappa = κ, share = a_e, C the factor of G*² = star2, distance2 = ‖V_0 − x*‖²; e counts the local steps.
"""

from __future__ import annotations

import sympy as sp

from theory.formulas.letters import StepCondition
from theory.papers.fps.letters import R2, E, L, P_n, T, gamma, real, s2

kappa, e, share, C, distance2, star2 = real("kappa e share C distance2 star2")

CONVEX_STEP = StepCondition("convexity", sp.Integer(2), L * (1 + P_n), strict=True)  # κ > 0
KAPPA = 2 * gamma / L - gamma**2 * (1 + P_n)
CONVEX_SHARE = P_n + E - e
CONVEX_SUMMAND = 2 * gamma**4 * share**2 / kappa + gamma**2 * (2 * share - 1 - P_n)  # of C, for one e
_total = distance2 / T + C * star2 + gamma**2 * E * s2
CONVEX_BOUND = 2 / kappa * _total
CONVEX_BOUND_RESIDUAL = 4 / kappa * (_total + 4 * gamma**2 * E / kappa * R2)
