"""Theorem C: convex losses. A range that depends on neither B nor E, and the bound that comes with it.

Let every l_m be convex and L-smooth, let f attain its minimum at some x*, and let μ = P_b = b = 0. With
κ = 2γ/L − γ²(1+P_n) > 0, a_e = P_n + E − e and G*² = mean |∇l_m(x*)|²,
  A ≤ (2/κ){ |x_0−x*|²/T + C·G*² + γ²Eσ² },   C = Σ_{e<E} [ 2γ⁴a_e²/κ + γ²(2a_e − 1 − P_n) ].
A3 is not needed. The range is γ < 2/(L(1+P_n)).

Proof of one round, with s_m = ∇l_m(x*) and h_e = ∇l_m(w^e) − s_m.
1. E|w^{e+1}−x*|² ≤ |w^e−x*|² − 2γ⟨h_e+s, w^e−x*⟩ + γ²(1+P_n)|h_e+s|² + γ²σ².
2. ⟨h_e, w^e−x*⟩ ≥ |h_e|²/L, since l_m is convex and L-smooth.
3. mean ⟨s_m, x−x*⟩ = ⟨∇f(x*), x−x*⟩ = 0, so −2γ mean⟨s, w^e−x*⟩ = 2γ² mean Σ_{i<e} ⟨s, h_i+s⟩ in expectation.
4. Summed over e, ⟨s, h_e⟩ has the factor 2γ²a_e and |s|² the factor γ²(2a_e−1−P_n); by Young's inequality
   2γ²a_e⟨s, h_e⟩ ≤ (κ/2)|h_e|² + (2γ⁴a_e²/κ)|s|².
5. |x_+−x*|² ≤ mean |w^E−x*|², and mean |h_0|² ≥ |mean h_0|² = |∇f(x)|². So the expectation of |x_+−x*|² is at
   most |x−x*|² − (κ/2)|∇f(x)|² + C·G*² + γ²Eσ². Sum over the rounds.
With a residual r = V − x the same is done for V: mean s_m = 0, so
2⟨r, x_+−x⟩ = −2γ Σ_e ⟨r, mean h_e⟩ ≤ (κ/4) Σ_e mean|h_e|² + (4γ²E/κ)|r|² in expectation, and
  A ≤ (4/κ){ |V_0−x*|²/T + C·G*² + γ²Eσ² + (4γ²E/κ)·R² }.

The range is the exact one for one device, or for noise that all devices share (ν = 1); independent noise of
several devices can allow more. A separable logistic loss has no minimiser and is not covered.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from theory import symbols as sy
from theory.errors import InvalidParameter
from theory.formulas import convex as fc
from theory.formulas.evaluated import compiled
from theory.rates.parameters import Parameters, Scalar, checked_integer, checked_real, checked_size

CONDITIONS = "every loss is convex, f attains its minimum, mu = 0, and gradients have no bias (P_b = b = 0)"


@dataclass(frozen=True)
class ConvexRange:
    """0 < γ < gamma_max; `applies` is False (and gamma_max None) where the theorem says nothing."""

    gamma_max: float | None
    gamma: Fraction | None
    applies: bool
    empty: bool
    strict: bool
    binding: str
    why: str

    def contains(self, gamma: float) -> bool:
        """Is γ in the range?"""
        return self.gamma is not None and 0 < gamma < self.gamma

    def as_json(self) -> dict[str, object]:
        """Plain values."""
        names = ("gamma_max", "applies", "empty", "strict", "binding", "why")
        return {name: getattr(self, name) for name in names}


def convex_range(q: Parameters) -> ConvexRange:
    """Theorem C's range: γ < 2/(L(1+P_n))."""
    if not q.L > 0:
        raise InvalidParameter("L", q.L, "a number above 0 (affine losses allow every learning rate)")
    needed = {"P_b = 0": not q.P_b, "mu = 0": not q.mu or q.E == 1}
    missing = [name for name, holds in needed.items() if not holds]
    if missing:
        why = f"Theorem C does not apply: it needs {' and '.join(missing)}."
        return ConvexRange(None, None, False, True, True, missing[0], why)
    slope = compiled(fc.CONVEX_STEP.slope, (sy.L, sy.P_n))(None, Fraction(q.L), Fraction(q.P_n))
    gamma = int(fc.CONVEX_STEP.upper) / slope
    why = f"Theorem C: any E, any B, any number of devices, if {CONDITIONS}."
    return ConvexRange(float(gamma), gamma, True, False, True, "convexity", why)


def convex_bound(
    q: Parameters,
    gamma: Scalar,
    T: int,
    distance2: Scalar,
    star_gradients2: Scalar = 0,
    sigma2: Scalar = 0,
    R2: Scalar = 0,
) -> Fraction | None:
    """Theorem C's bound on A, exact; None outside its range.

    distance2 = |V_0−x*|², star_gradients2 = mean |∇l_m(x*)|², R2 = the mean of |r_t|² over the T rounds.
    """
    checked_size("gamma", gamma, "a finite number above 0", open_low=True)
    sizes = {"distance2": distance2, "star_gradients2": star_gradients2, "sigma2": sigma2, "R2": R2}
    for name, value in sizes.items():
        checked_real(name, value, "a finite number of at least 0")
    rounds = checked_integer("T", T)
    allowed = convex_range(q)
    if allowed.gamma is None or not Fraction(gamma) < allowed.gamma:
        return None
    exact = {name: Fraction(value) for name, value in sizes.items()}
    return _bound(q, Fraction(gamma), rounds, **exact)


def _bound(
    q: Parameters,
    gamma: Fraction,
    T: int,
    distance2: Fraction,
    star_gradients2: Fraction,
    sigma2: Fraction,
    R2: Fraction,
) -> Fraction:
    values = {sy.gamma: gamma, sy.L: Fraction(q.L), sy.P_n: Fraction(q.P_n), sy.E: Fraction(q.E)}
    values |= {
        sy.T: Fraction(T),
        sy.s2: sigma2,
        sy.R2: R2,
        fc.distance2: distance2,
        fc.star2: star_gradients2,
    }
    values[fc.kappa] = _exact(fc.KAPPA, values)
    shares = [_exact(fc.CONVEX_SHARE, values | {fc.e: Fraction(e)}) for e in range(q.E)]
    values[fc.C] = sum((_exact(fc.CONVEX_SUMMAND, values | {fc.share: a}) for a in shares), Fraction(0))
    return _exact(fc.CONVEX_BOUND_RESIDUAL if R2 else fc.CONVEX_BOUND, values)


def _exact(expression: sp.Expr, values: dict[sp.Symbol, Fraction]) -> Fraction:
    return Fraction(compiled(expression, tuple(values))(None, *values.values()))
