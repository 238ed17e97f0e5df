"""Theorem C: convex losses. A range that depends on neither B nor E, and the bound that comes with it.

Let every l_m be convex and L-smooth, let f attain its minimum at some x*, and let μ = P_b = b = 0. With
κ = 2γ/L − γ²(1+P_n) > 0, a_e = P_n + E − e and G*² = mean |∇l_m(x*)|²,
  A ≤ (2/κ){ |x_0−x*|²/T + C·G*² + γ²Eσ² },   C = Σ_{e<E} [ 2γ⁴a_e²/κ + γ²(2a_e − 1 − P_n) ].
A3 is not needed. The range is γ < 2/(L(1+P_n)).

With a residual r = V − x, whose mean square over the rounds is R², the same is proved of V:
  A ≤ (4/κ){ |V_0−x*|²/T + C·G*² + γ²Eσ² + (4γ²E/κ)·R² }.
Coq proves both (`coq/`, Theorem_C and Theorem_C_With_Residual).

The range is the exact one for one device, or for noise that all devices share (ν = 1); independent noise of
several devices can allow more. A separable logistic loss has no minimiser and is not covered.

One step, f itself L_f-smooth, L_f ≤ L: the range is γ < 2/(L_f + νP_nL), by hand (Coq knows the theorem with
L alone). With h_m = ∇l_m(x) − ∇l_m(x*) and q = ⟨∇f(x), x−x*⟩, cocoercivity of f and of each l_m gives
|∇f|² ≤ L_f·q and mean|h_m|² ≤ L·q. The noise of the mean is at most ν·mean(P_n|∇l_m|² + σ²), and
|∇l_m|² ≤ (1+ε)|h_m|² + (1+1/ε)|∇l_m(x*)|², so
  E|x_+−x*|² ≤ |x−x*|² − γ[2 − γ(L_f + (1+ε)νP_nL)]·q + γ²ν[(1+1/ε)P_nG*² + σ²].
The bracket is positive for some ε > 0 in that range, and q ≥ |∇f|²/L_f: summed over rounds, the mean of
|∇f|² is bounded. The noise is relative to the devices' own gradients, so their L counts beside L_f.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from theory.errors import InvalidParameter
from theory.formulas import convex as fc
from theory.formulas.evaluated import compiled
from theory.papers.fps import letters as sy
from theory.rates.parameters import Parameters, Scalar

CONDITIONS = "every loss is convex, f attains its minimum, mu = 0, and gradients have no bias (P_b = b = 0)"


@dataclass(frozen=True)
class ConvexRange:
    """0 < γ < gamma, exact; `applies` is False (and gamma None) where the theorem says nothing."""

    gamma: Fraction | None
    applies: bool
    binding: str
    why: str
    strict: bool = True

    @property
    def empty(self) -> bool:
        return not self.applies

    @property
    def gamma_max(self) -> float | None:
        return None if self.gamma is None else float(self.gamma)

    def as_json(self) -> dict[str, object]:
        """Plain values."""
        names = ("gamma_max", "applies", "empty", "strict", "binding", "why")
        return {name: getattr(self, name) for name in names}


def convex_range(q: Parameters, L_f: Scalar | None = None) -> ConvexRange:
    """Theorem C's range: γ < 2/(L(1+P_n)); with one step and the smoothness of f, γ < 2/(L_f + νP_nL)."""
    if not q.L > 0:
        raise InvalidParameter("L", q.L, "a number above 0 (affine losses allow every learning rate)")
    needed = {"P_b = 0": not q.P_b, "mu = 0": not q.mu or q.E == 1}
    missing = [name for name, holds in needed.items() if not holds]
    if missing:
        why = f"Theorem C does not apply: it needs {' and '.join(missing)}."
        return ConvexRange(None, False, missing[0], why)
    if L_f is not None and q.E == 1:
        gamma = 2 / (Fraction(L_f) + q.noise_share * Fraction(q.P_n) * Fraction(q.L))
        return ConvexRange(gamma, True, "convexity", f"Theorem C with L_f, one step: if {CONDITIONS}.")
    slope = compiled(fc.CONVEX_STEP.slope, (sy.L, sy.P_n))(Fraction(q.L), Fraction(q.P_n))
    gamma = int(fc.CONVEX_STEP.upper) / slope
    why = f"Theorem C: any E, any B, any number of devices, if {CONDITIONS}."
    return ConvexRange(gamma, True, "convexity", why)
