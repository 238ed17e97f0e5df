"""The bound on A = (1/T)Σ_{t<T} E|∇f(x_t)|² by one semidefinite program, sketch residual included.

A combination of the conditions of `round`, at the nodes of a round with a residual, gives with weight
w on f
  |∇f(x)|² ≤ w·(f(V) − f(V_+)) + η·G² + τ·b² + ϑ·σ² + ρ₁|r|² + ρ₂|s|²,
and the sum over the rounds is A ≤ w·Δ/T + η·G² + τ·b² + ϑ·σ² + (ρ₁+ρ₂)·R². The program chooses the
multipliers that make the right side smallest. Here R² must bound the mean of |r_t|² over t < T and over
1 ≤ t ≤ T, and Δ = f(V_0) − f*. The solver's multipliers are only near what they should be: their signs and
the values are repaired, and the matrices are checked outside the solver, rounding included. An answer that
does not hold is sought again with a wider margin, and withheld at last. What is left are floats, so the label
is "numerical".
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf, isfinite, log2

import numpy as np

from theory.errors import InvalidParameter
from theory.rates.descent.program import NoSolution, Sizes, bound_balance, bound_forms, cheapest
from theory.rates.descent.round import Array, Condition, Round, conditions, unit_setting
from theory.rates.parameters import Parameters, Scalar, checked_integer, checked_size
from theory.rates.theorem_a import Sources

MOST_LETTERS = 31
FIRST_MARGIN, ATTEMPTS = 1e-8, 6  # pragma: no mutate: any small margin, a few tries
GRID_BITS = 44  # 2⁹ multipliers of this precision add up without rounding
ROUNDING = 1e-12  # the prices are added up in some hundred operations
NONE_FOUND = "the solver found none (gamma near the end of the range, or beyond)"
INACCURATE = "the solver is too inaccurate here (gamma near the end of the range, or beyond)"
NO_NUMBER = "no bound: the solver's answer is no number"


@dataclass(frozen=True)
class SdpBound:
    """The bound on A (None: none was found), its label and, if there is none, the reason."""

    value: float | None
    label: str
    why_not: str = ""


def sdp_bound(q: Parameters, gamma: Scalar, T: int, sources: Sources, theta: Scalar = 1) -> SdpBound:
    """The smallest bound on A that one-round inequalities give at this γ."""
    setting = unit_setting(q, theta)
    step = float(checked_size("gamma", gamma, "a finite number above 0", open_low=True)) * float(q.L)
    if q.E > 1 and step * float(setting.mu) > 1:
        raise InvalidParameter("gamma mu", step * float(setting.mu), "at most 1")
    for name in ("rho2", "D2"):
        if getattr(sources, name) is not None:
            raise InvalidParameter(name, getattr(sources, name), "left out here (use R2 and G2)")
    sizes = in_unit_gradients(q, T, sources)
    present = {"b": sizes.b2, "z": sizes.sigma2, "r": sizes.R2}
    one = Round(setting, step, "".join(kind for kind, size in present.items() if size > 0))
    if one.size > MOST_LETTERS:
        why = f"one round has {one.size} vectors, and the program stops at {MOST_LETTERS}"
        return SdpBound(None, "none", f"no bound: {why}")
    return _solved(one, sizes, float(q.L) ** 2)


def in_unit_gradients(q: Parameters, T: int, sources: Sources) -> Sizes:
    """Gradients divided by L: then Δ/(TL), R², and the squared errors divided by L²."""
    squares = {name: float(getattr(sources, name)) / float(q.L) ** 2 for name in ("G2", "b2", "sigma2")}
    gap = float(sources.Delta) / float(q.L) / checked_integer("T", T)
    return Sizes(Delta=gap, R2=float(sources.R2), **squares)


def _solved(one: Round, sizes: Sizes, unit: float) -> SdpBound:
    """The first answer that holds outside the solver; a wider margin makes room for the solver's error."""
    used, margin, why = used_in(one), FIRST_MARGIN, NONE_FOUND
    for _ in range(ATTEMPTS):
        try:
            multipliers = balanced(one, used, cheapest(one, used, sizes, margin, False))
        except NoSolution:
            return SdpBound(None, "none", f"no bound: {why}")
        missing = shortfall(one, used, multipliers)
        if missing <= 0:
            value = float(sizes.prices(used) @ multipliers) * unit * (1 + ROUNDING)
            return SdpBound(value, "numerical") if isfinite(value) else SdpBound(None, "none", NO_NUMBER)
        margin, why = max(10 * margin, 2 * missing), INACCURATE
    return SdpBound(None, "none", f"no bound: {INACCURATE}")


def used_in(one: Round) -> list[Condition]:
    """With one step pairs say nothing of deviations, so none of gV may occur: `own z0 gV` goes."""
    return [each for each in conditions(one) if one.setting.E > 1 or each.name != "own z0 gV"]


def balanced(one: Round, used: list[Condition], values: Array) -> Array:
    """Multipliers near the solver's with exact signs, whose values cancel exactly.

    All are multiples of one power of two and small beside it times 2⁵³, so their sums are exact in floats.
    What a node misses goes through its pair with the last node.
    """
    unit = 2.0 ** (ceil(log2(float(np.abs(values).max()) or 1.0)) - GRID_BITS)
    free = np.array([*(each.equality for each in used), False])
    rounded = np.rint(np.where(free, values, np.maximum(values, 0.0)) / unit) * unit
    place = {each.nodes: k for k, each in enumerate(used) if each.nodes is not None}
    last = len(one.nodes) - 1
    for node, excess in enumerate((bound_balance(one, used) @ rounded)[:-1]):
        rounded[place[(last, node) if excess > 0 else (node, last)]] += abs(excess)
    return rounded


def shortfall(one: Round, used: list[Condition], multipliers: Array) -> float:
    """How much both matrices lack to be positive semidefinite, rounding included; at most 0: they are.

    An entry of a form takes at most some 4E operations, the sum of n forms n of them, and an eigenvalue is
    off by less than the size of the matrix times 2⁻⁵³ times its norm.
    """
    missing = -inf
    for left, forms, kept in bound_forms(one, used):
        terms = multipliers[:, None, None] * forms
        matrix = -(left + terms.sum(0))[np.ix_(kept, kept)]
        operations = 4 * one.setting.E + len(used) + one.size
        size = float(np.abs(terms).sum()) + 1.0
        lowest = float(np.linalg.eigvalsh(matrix)[0])
        missing = max(missing, operations * 2.0**-53 * size - lowest)
    return missing
