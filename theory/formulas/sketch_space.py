"""Theorem B and its corollaries: FPS analysed in sketch space.

L_M, ell_M, Lam_b, Lam_n are the constants of the seminorm ‖·‖_M; start = 2Δ/(γĒT) + Θ.
"""

from __future__ import annotations

import sympy as sp

from theory.formulas.letters import E_bar
from theory.formulas.repaired import BIAS, NOISE, N, S, rho, share, u
from theory.papers.fps.letters import F0, T, gamma, real

L_M, ell_M, Lam_b, Lam_n, trace, start = real("L_M ell_M Lam_b Lam_n trace start")

STEP_ERROR_M = share * (ell_M * S + sp.sqrt(Lam_b) * BIAS)
STEP_NOISE_M = share**2 * (Lam_n * NOISE)
U_M = gamma * E_bar * L_M
THETA = trace / (gamma * E_bar)
ROOT_B1 = (rho + sp.sqrt(rho**2 + (2 - u) * (start + u * N))) / (2 - u)
BOUND_B1 = start + rho**2 / (1 - u) + u * N
BOUND_B2 = 2 * F0 / ((2 - gamma * L_M) * (gamma * T))
