"""The repaired theory: Lemma 2', Theorem A with its range at E = 1, Corollaries 1 and 2.

b2, s2, G2 and R2 are the squares b², σ², G² and R²; S, D, h, u, l, N, F are the letters of Theorem A.
"""

from __future__ import annotations

import sympy as sp

from theory.formulas.letters import G2, E_bar, P, StepCondition, c_all, c_b, nu
from theory.papers.fps.letters import F0, R2, B, E, L, P_b, P_n, T, b2, gamma, mu, real, s2

# --- Lemma 2': one local step ------------------------------------------------------------------------------
S, D, slope = real("S D slope")  # S_e, the root mean square of ‖∇l_m(w̃_t)‖, and H_e = D + L S_e
BIAS = sp.sqrt(P_b * slope**2 + b2)
NOISE = P_n * slope**2 + s2
_here = {slope: D + L * S}
DRIFT_NEXT = sp.sqrt(
    ((1 - gamma * mu) * S + gamma * (D + L * S + BIAS.subs(_here))) ** 2 + gamma**2 * NOISE.subs(_here)
)

# --- Theorem A ---------------------------------------------------------------------------------------------
A_mean, F, N, rho, u, linear, low, high, share, optimisation, inner, root_N = real(
    "A_mean F N rho u linear low high share optimisation inner root_N"
)
STEP_ERROR = share * (L * S + BIAS)  # a summand of F
STEP_NOISE = share**2 * NOISE  # a summand of N/ν
D_SQUARE = G2 + B**2 * A_mean
OPTIMISATION = 2 * F0 / (gamma * E_bar * T)
U_A = L * gamma * E_bar
RHO = L * sp.sqrt(R2)
(x_mean,) = real("x")  # the root mean square of the mean step
INNER_MANY = 2 * rho * x_mean - x_mean**2 + u * (x_mean + sp.sqrt(N)) ** 2
INNER_ONE = 2 * rho * x_mean - x_mean**2 + u * (x_mean**2 + N)
# Both are (2ℓ − (1−u)x)x + uN, with ℓ = ρ + u√N and ℓ = ρ; their maximum over low ≤ x ≤ high is at BEST_X.
LINEAR = rho + u * root_N
LOWEST_X = sp.Max(0, sp.sqrt(A_mean) - F)
HIGHEST_X = sp.sqrt(A_mean) + F
INNER = (2 * linear - (1 - u) * x_mean) * x_mean + u * N
BEST_X = sp.Piecewise((high, u >= 1), (sp.Min(sp.Max(linear / (1 - u), low), high), True))
STAR = optimisation + F**2 + inner
A4 = StepCondition("gamma mu <= 1", sp.Integer(1), mu)

COROLLARY1_CONDITIONS = (
    StepCondition("L gamma < 1", sp.Integer(1), L, strict=True),
    StepCondition("rho_1 > 0", 1 - P, L * nu * P_n * B**2, strict=True),
)
RHO_1 = 1 - P - L * gamma * nu * P_n * B**2
COROLLARY1_TERMS = {
    "optimisation": 2 * F0 / (gamma * T) / RHO_1,
    "residual R²": L**2 * R2 / (1 - L * gamma) / RHO_1,
    "bias b²": b2 / RHO_1,
    "heterogeneity G²": (P_b + L * gamma * nu * P_n) * G2 / RHO_1,
    "noise σ²": L * gamma * nu * s2 / RHO_1,
}

COROLLARY2_CONDITIONS = (
    StepCondition("drift", 1 - P, 8 * L * (E - 1) * c_all * c_b * B),
    StepCondition("noise", 1 - P, 16 * L * nu * P_n * B**2),
    StepCondition("proximal", sp.Integer(1), 2 * mu * (E - 1)),
)
_scale2 = 2 / (1 - P)
_drift2 = gamma**2 * L**2 * (E - 1) / (1 - P)
COROLLARY2_TERMS = {
    "optimisation": _scale2 * 2 * F0 / (gamma * E_bar * T),
    "residual R²": _scale2 * 2 * L**2 * R2,
    "bias b²": _scale2 * (sp.Rational(36, 25) + sp.Rational(5, 8) * gamma * L * nu) * b2,
    "heterogeneity G²": _scale2
    * (
        sp.Rational(6, 5) * P_b
        + 8 * c_all**2 * c_b**2 * _drift2 * (E - 1)
        + sp.Rational(45, 16) * gamma * L * nu * P_n
    )
    * G2,
    "noise σ²": _scale2 * (24 * c_b**2 * _drift2 + sp.Rational(21, 8) * gamma * L * nu) * s2,
}

# Theorem A's range at E = 1, solved for u = Lγ (n = νP_nB², s = √P): u < 2(1±s)/(n + (1±s)²),
# the plus sign while the noise is small (n < 1 − P), the minus sign after.
_n, _s = nu * P_n * B**2, sp.sqrt(P_b) * B
SHARP_E1_SMALL_NOISE = StepCondition("Theorem A", 2 * (1 + _s), L * (_n + (1 + _s) ** 2), strict=True)
SHARP_E1_LARGE_NOISE = StepCondition("Theorem A", 2 * (1 - _s), L * (_n + (1 - _s) ** 2), strict=True)
