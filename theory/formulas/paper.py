"""The formulas that the paper prints."""

from __future__ import annotations

import sympy as sp

from theory.formulas.letters import A, H, Lam, StepCondition, x, y
from theory.papers.fps.letters import F0, B, E, G, L, P_b, P_n, T, W, b2, c, d, gamma, k, mu, p, s2

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

THEOREM1_TERMS = {  # (eq:main_thm)
    "optimisation": F0 / (gamma * (T + 1)),
    "sketch collisions": Lam**2 * W / c,
    "sketch tail": TAIL_PAPER * Lam**2 * W,
    "bias b²": 2 * E**2 * (1 + 2 * y + gamma * (3 + L + mu + 2 * y + 2 * x)) * b2,
    "noise σ²": 2 * E**2 * (1 + gamma * (L + mu + 1) * (3 + 2 * y + 2 * x)) * s2,
}
