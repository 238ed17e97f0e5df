"""The closed formulas of the paper and of the repaired theory, once, as sympy expressions.

Calculators evaluate these; the ledger decides about them; Coq proves that those of PROVED are the formulas of
its theorems (`theory/proofs/gallina.py`). A condition on the learning rate γ is kept as the linear inequality
`slope·γ ≤ upper`, so that a vanishing slope (no noise, no proximal term) reads "no limit" and never divides
by zero.
"""

from theory.formulas import convex, paper, repaired, sketch, sketch_space
from theory.formulas.corrected import CORRECTED_REMEDY, PAPER_REMEDY, RHO_CORRECTED, RHO_CORRECTED_QUARTER
from theory.formulas.letters import G2, E_bar, P, StepCondition, nu
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
    THEOREM1_TERMS,
)
from theory.formulas.repaired import (
    A4,
    COROLLARY1_CONDITIONS,
    COROLLARY1_TERMS,
    COROLLARY2_CONDITIONS,
    COROLLARY2_TERMS,
    SHARP_E1_LARGE_NOISE,
    SHARP_E1_SMALL_NOISE,
)
from theory.formulas.sketch import LEMMA1_REPAIRED, ROW_FAILURE, TAIL_MIDPOINT
from theory.symbols import B, P_b, P_n, b2, gamma, s2

PROVED = (paper, repaired, sketch, sketch_space, convex)

__all__ = [
    "A4", "COROLLARY1_CONDITIONS", "COROLLARY1_TERMS", "COROLLARY2_CONDITIONS", "COROLLARY2_TERMS",
    "CORRECTED_REMEDY", "DESCENT_STEP", "DRIFT_STEP", "G2", "GAMMA_RANGE", "LEMMA1_MEMORY",
    "LEMMA1_PAPER", "LEMMA1_REPAIRED", "LEMMA2_PAPER", "PAPER_REMEDY", "PROVED", "RHO_CORRECTED",
    "RHO_CORRECTED_QUARTER", "RHO_PAPER", "ROW_FAILURE", "SECTION32_CORRECTED", "SECTION32_MEMORY",
    "SHARP_E1_LARGE_NOISE", "SHARP_E1_SMALL_NOISE", "TAIL_MIDPOINT", "THEOREM1_TERMS", "THEOREM2_MEMORY",
    "B", "E_bar", "P", "P_b", "P_n", "StepCondition", "b2", "eps", "g_k", "gamma", "nu", "s2", "scale",
    "tail2",
]  # fmt: skip
