"""The closed formulas of the paper and of the repaired theory, once, as sympy expressions.

Calculators evaluate these; the ledger decides about them. A condition on the learning rate γ is kept as the
linear inequality `slope·γ ≤ upper`, so that a vanishing slope (no noise, no proximal term) reads "no limit"
and never divides by zero.

x = P_n B², y = P_b B², Λ = L + μ, A = 1 + 2x + 2y = 1/H.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from theory.symbols import F0, R2, B, E, G, L, P_b, P_n, T, W, b2, c, d, delta, gamma, k, mu, p, real, s2

nu, G2, E_bar = real("nu G2 E_bar")  # noise share, absolute dissimilarity, Σ_e (1−γμ)^{E−1−e}

x, y, Lam = P_n * B**2, P_b * B**2, L + mu
A = 1 + 2 * B**2 * (P_b + P_n)
H = 1 / A
half = sp.Rational(1, 2)


@dataclass(frozen=True)
class StepCondition:
    """`slope·γ ≤ upper` (`<` if strict); it leaves no γ > 0 exactly when upper ≤ 0."""

    name: str
    upper: sp.Expr
    slope: sp.Expr
    strict: bool = False


# --- the paper, as printed -------------------------------------------------------------------------------
RHO_PAPER = (1 - P_b * (1 + 2 * H) * E**2 * B**2) / 2 - gamma * (
    2 + 2 * P_b * B**2 + (2 * (L + mu) + 1) * P_n * B**2
) * (1 + 2 * H) * E**2  # (eq:rho)

GAMMA_RANGE = StepCondition(  # (eq:gamma_range)
    "eq:gamma_range",
    1 - 6 * P_b * E**2 * B**2,
    12 * (1 + P_b * B**2 + (L + mu + 1) * P_n * B**2) * E**2,
)
DESCENT_STEP = StepCondition("1/(2(L+mu))", sp.Integer(1), 2 * (L + mu))  # proof of Theorem 1, step (b)
DRIFT_STEP = StepCondition("1/(4E(L+mu)A)", sp.Integer(1), 4 * E * (L + mu) * A)  # hypothesis of Lemma 2

TAIL_PAPER = ((k + 1) ** (1 - 2 * p) - d ** (1 - 2 * p)) / (2 * p - 1)  # Lemma 1
LEMMA1_PAPER = (1 / c + TAIL_PAPER) * W
LEMMA2_PAPER = 30 * E**2 * gamma**2 * (A * G + b2 + s2)

# Memory of a count sketch, the constant of O(·) read as 1; tail2 and g_k are of g/‖g‖, and scale = ‖g‖.
eps, tail2, g_k, scale = real("eps tail2 g_k scale")
SECTION32_MEMORY = (k + scale * tail2 / (eps**2 * g_k)) * sp.log(d * T)  # ‖g_tail‖² over g(k), not squared
SECTION32_CORRECTED = (k + tail2 / (eps**2 * g_k**2)) * sp.log(d * T / delta)
THEOREM2_MEMORY = (k + tail2 / (eps**2 * g_k**2)) * sp.log(d / delta)
LEMMA1_MEMORY = c * k * sp.log(d * T / delta)

THEOREM1_TERMS = {  # (eq:main_thm)
    "optimisation": F0 / (gamma * (T + 1)),
    "sketch collisions": Lam**2 * W / c,
    "sketch tail": TAIL_PAPER * Lam**2 * W,
    "bias b²": 2 * E**2 * (1 + 2 * y + gamma * (3 + L + mu + 2 * y + 2 * x)) * b2,
    "noise σ²": 2 * E**2 * (1 + gamma * (L + mu + 1) * (3 + 2 * y + 2 * x)) * s2,
}

# --- the paper's chain, corrected where the algebra slips --------------------------------------------------
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
# The same through H ≤ 1: simpler, never larger.
CORRECTED_SIMPLE = StepCondition(
    "(1 - 12 P_b E^2 B^2)/(24 (...) E^2)",
    1 - 12 * y * E**2,
    24 * (1 + y + (Lam + 1) * x) * E**2,
)
TAIL_INTEGRAL = (k ** (1 - 2 * p) - d ** (1 - 2 * p)) / (2 * p - 1)
TAIL_MIDPOINT = ((k + half) ** (1 - 2 * p) - (d + half) ** (1 - 2 * p)) / (2 * p - 1)

# --- what would make an empty range non-empty --------------------------------------------------------------
# Each bound is strict and leaves the other parameters alone: on y = P_b B² (through P_b), on B², on E².
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

# --- the repaired theory -----------------------------------------------------------------------------------
P = P_b * B**2
c_b = 1 + sp.sqrt(P_b)
c_all = c_b + sp.sqrt(P_n)
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

# Lemma 1'(b): the residual of a power-law vector read with error η ≤ ‖v‖/√(ck).
LEMMA1_REPAIRED = (1 / c + (sp.sqrt(TAIL_INTEGRAL) + 2 / sp.sqrt(c)) ** 2) * W
