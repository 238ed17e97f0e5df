"""Which earlier lines give the hypotheses of a line, and how their letters read there.

`"M.3": given("M.3a", "(S+a)**2: N, Q+a**2: Parts, num+1: E")` says: line M.3 uses what M.3a states, with its
(S+a)² called N, its Q+a² called Parts, its num+1 called E. `theory.derivations` checks that this gives a
hypothesis of M.3, or at least an expression that M.3 speaks of. Reading G as 1 takes the coefficient of G.
"""

from __future__ import annotations

from theory.readings_corollary import COROLLARY
from theory.readings_paper import PAPER
from theory.readings_sketch import SKETCH
from theory.readings_theorem import THEOREM
from theory.steps import expression, given

__all__ = ["READINGS", "expression", "given"]

READINGS = PAPER | SKETCH | THEOREM | COROLLARY
