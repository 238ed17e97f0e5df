"""The closed formulas of the paper and of the repaired theory, once, as sympy expressions.

Calculators evaluate these; the ledger decides about them; Coq proves that those of PROVED are the formulas of
its theorems (`theory/proofs/gallina.py`). A condition on the learning rate γ is kept as the linear inequality
`slope·γ ≤ upper`, so that a vanishing slope (no noise, no proximal term) reads "no limit" and never divides
by zero.
"""

from theory.formulas import convex, fresh, paper, repaired, sketch, sketch_space
from theory.formulas.letters import StepCondition

PROVED = (paper, repaired, sketch, sketch_space, convex, fresh)
# Of `fresh`: proved on paper and checked numerically, with no theorem in Coq.
ON_PAPER = frozenset((
    "COLLISION_OLD", "COLLISION_BALANCED", "POWER", "U_W", "U_S", "PARTICIPATION", "CHANNEL", "STAR_FRESH",
    "MEMORY_EDGE", "MEMORY_POWER", "OPTIMAL_BOUND", "FRESH_BOUND",
))  # fmt: skip


__all__ = ["ON_PAPER", "PROVED", "StepCondition"]
