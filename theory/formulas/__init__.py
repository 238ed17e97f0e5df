"""The closed formulas of the paper and of the repaired theory, once, as sympy expressions.

Calculators evaluate these; the ledger decides about them; Coq proves that those of PROVED are the formulas of
its theorems (`theory/proofs/gallina.py`). A condition on the learning rate γ is kept as the linear inequality
`slope·γ ≤ upper`, so that a vanishing slope (no noise, no proximal term) reads "no limit" and never divides
by zero.
"""

from theory.formulas import convex, paper, repaired, sketch, sketch_space
from theory.formulas.letters import StepCondition

PROVED = (paper, repaired, sketch, sketch_space, convex)

__all__ = ["PROVED", "StepCondition"]
