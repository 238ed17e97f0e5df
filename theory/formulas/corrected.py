"""The paper's chain with its algebra corrected: still not a theorem, but what its own steps would give."""

from __future__ import annotations

from theory.formulas.letters import H, Lam, StepCondition, half, x, y
from theory.symbols import B, E, L, P_b, P_n, gamma, mu

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
