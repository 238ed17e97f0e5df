"""The paper's chain with its algebra corrected: still not a theorem, but what its own steps would give."""

from __future__ import annotations

import sympy as sp

from theory.formulas.letters import H, Lam, StepCondition, half, x, y
from theory.formulas.paper import THEOREM1_TERMS
from theory.formulas.sketch import TAIL_INTEGRAL
from theory.papers.fps.letters import B, E, L, P_b, P_n, W, c, gamma, mu, tau

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

# y = P_b B² must be below these, or the range is empty; the corrected one is the root ≥ 0 of a quadratic.
LARGEST_P_PAPER = 1 / (6 * E**2)
_linear, _constant = 4 * E**2 * (3 + 2 * x) - 2, 1 + 2 * x
LARGEST_P_CORRECTED = 2 * _constant / (sp.sqrt(_linear**2 + 32 * E**2 * _constant) + _linear)

# --- Theorem 1 at E = 1 with every fixable error corrected (entries T1.38 to T1.40) ------------------------
RANGE_CORRECTED = StepCondition(  # it implies ρ_corrected ≥ 1/4 (entry T1.22d)
    "eq:gamma_range, corrected",
    1 - 12 * P_b * E**2 * B**2,
    24 * (1 + P_b * B**2 + (L + mu + 1) * P_n * B**2) * E**2,
)

# The residual over W, tau the squared tail over ‖w‖². Lemma 1' has 1/c + (√tau + 2/√c)²; this is at least
# that, because (s + t)² ≤ (1 + h)s² + (1 + 1/h)t², here with h = 1/10, and it is rational.
RESIDUAL_WITH_SELECTION = 1 / c + sp.Rational(11, 10) * tau + 11 * (4 / c)

# Divided by ρ, the sketch term by 2γ, with selection, tail and ρ corrected.
THEOREM1_CORRECTED = (
    THEOREM1_TERMS["optimisation"]
    + RESIDUAL_WITH_SELECTION.subs(tau, TAIL_INTEGRAL) * Lam**2 * W / (2 * gamma)
    + THEOREM1_TERMS["bias b²"]
    + THEOREM1_TERMS["noise σ²"]
) / RHO_CORRECTED
