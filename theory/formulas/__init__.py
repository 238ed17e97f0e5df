"""The closed formulas of the paper and of the repaired theory, once, as sympy expressions.

Calculators evaluate these; the ledger decides about them; Coq proves that those of PROVED are the formulas of
its theorems (`theory/proofs/gallina.py`). A condition on the learning rate γ is kept as the linear inequality
`slope·γ ≤ upper`, so that a vanishing slope (no noise, no proximal term) reads "no limit" and never divides
by zero.
"""

from theory.formulas import convex, paper, repaired, sketch, sketch_space
from theory.formulas.corrected import CORRECTED_SIMPLE, RHO_CORRECTED, RHO_CORRECTED_QUARTER
from theory.formulas.letters import G2, A, E_bar, H, Lam, P, StepCondition, c_all, c_b, nu, x, y
from theory.formulas.memory import (
    LEMMA1_MEMORY,
    SECTION32_CORRECTED,
    SECTION32_MEMORY,
    THEOREM2_MEMORY,
    eps,
    g_k,
    scale,
    tail2,
)
from theory.formulas.paper import (
    DESCENT_STEP,
    DRIFT_STEP,
    GAMMA_RANGE,
    LEMMA1_PAPER,
    LEMMA2_PAPER,
    RHO_PAPER,
    TAIL_PAPER,
    THEOREM1_TERMS,
)
from theory.formulas.remedies import CORRECTED_REMEDY, PAPER_REMEDY
from theory.formulas.repaired import (
    A4,
    COROLLARY1_CONDITIONS,
    COROLLARY1_TERMS,
    COROLLARY2_CONDITIONS,
    COROLLARY2_TERMS,
    SHARP_E1_LARGE_NOISE,
    SHARP_E1_SMALL_NOISE,
)
from theory.formulas.sketch import LEMMA1_REPAIRED, ROW_FAILURE, TAIL_INTEGRAL, TAIL_MIDPOINT
from theory.symbols import B, E, L, P_b, P_n, T, W, b2, c, d, delta, gamma, k, mu, p, s2

PROVED = (paper, repaired, sketch, sketch_space, convex)

__all__ = [
    "A4", "COROLLARY1_CONDITIONS", "COROLLARY1_TERMS", "COROLLARY2_CONDITIONS", "COROLLARY2_TERMS",
    "CORRECTED_REMEDY", "CORRECTED_SIMPLE", "DESCENT_STEP", "DRIFT_STEP", "G2", "GAMMA_RANGE",
    "LEMMA1_MEMORY", "LEMMA1_PAPER", "LEMMA1_REPAIRED", "LEMMA2_PAPER", "PAPER_REMEDY", "PROVED",
    "RHO_CORRECTED", "RHO_CORRECTED_QUARTER", "RHO_PAPER", "ROW_FAILURE", "SECTION32_CORRECTED",
    "SECTION32_MEMORY", "SHARP_E1_LARGE_NOISE", "SHARP_E1_SMALL_NOISE", "TAIL_INTEGRAL", "TAIL_MIDPOINT",
    "TAIL_PAPER", "THEOREM1_TERMS", "THEOREM2_MEMORY", "A", "B", "E", "E_bar", "H", "L", "Lam", "P",
    "P_b", "P_n", "StepCondition", "T", "W", "b2", "c", "c_all", "c_b", "d", "delta", "eps", "g_k", "gamma",
    "k", "mu", "nu", "p", "s2", "scale", "tail2", "x", "y",
]  # fmt: skip
