"""The bound on A = (1/T)Σ_{t<T} E|∇f(x_t)|² by one semidefinite program, sketch residual included.

A combination of the inequalities of `descent_sdp`, at the nodes of a round with a residual, gives with weight
w on f
  |∇f(x)|² ≤ w·(f(V) − f(V_+)) + η·G² + τ·b² + ϑ·σ² + ρ₁|r|² + ρ₂|s|²,
and the sum over the rounds is A ≤ w·Δ/T + η·G² + τ·b² + ϑ·σ² + (ρ₁+ρ₂)·R². The program chooses the
multipliers that make the right side smallest. Here R² must bound the mean of |r_t|² over t < T and over
1 ≤ t ≤ T, and Δ = f(V_0) − f*. The number comes from a solver in floats: its label is "numerical".
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np

from theory.errors import InvalidParameter
from theory.rates.descent.descent_sdp import conditions, product
from theory.rates.descent.letters import Round
from theory.rates.descent.program import NoSolution, Program
from theory.rates.descent.setting import unit_setting
from theory.rates.descent.solve import multiplier_signs, value_balance
from theory.rates.parameters import Parameters, Scalar, checked_integer, checked_size
from theory.rates.theorem_a import Sources

MOST_LETTERS = 31
PRICED_BY = {"spread": "G2", "bias": "b2", "noise": "sigma2", "residual": "R2"}


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
    sizes = _in_unit_gradients(q, T, sources)
    present = {"b": sizes["b2"], "z": sizes["sigma2"], "r": sizes["R2"]}
    one = Round(setting, step, "".join(kind for kind, size in present.items() if size > 0))
    if one.size > MOST_LETTERS:
        why = f"one round has {one.size} vectors, and the program stops at {MOST_LETTERS}"
        return SdpBound(None, "none", f"no bound: {why}")
    return _solved(one, sizes, float(q.L) ** 2)


def _in_unit_gradients(q: Parameters, T: int, sources: Sources) -> dict[str, float]:
    """Gradients divided by L: then Δ/(TL), R², and the squared errors divided by L²."""
    squares = {name: float(getattr(sources, name)) / float(q.L) ** 2 for name in ("G2", "b2", "sigma2")}
    gap = float(sources.Delta) / float(q.L) / checked_integer("T", T)
    return squares | {"Delta": gap, "R2": float(sources.R2)}


def _solved(one: Round, sizes: dict[str, float], unit: float) -> SdpBound:
    try:
        value = _minimise(one, sizes) * unit
    except NoSolution:
        return SdpBound(None, "none", "no bound: the solver found none (gamma may be outside the range)")
    if not isfinite(value) or value < 0:
        return SdpBound(None, "none", "no bound: the solver's answer is no number")
    return SdpBound(value, "numerical")


def _minimise(one: Round, sizes: dict[str, float]) -> float:
    """Unknown: the multipliers and w, which has no quadratic part. Minimise the sum of the prices."""
    used = conditions(one)
    width = len(used) + 1
    prices = [sizes[PRICED_BY[each.kind]] if each.kind in PRICED_BY else 0.0 for each in used]
    cost = np.array([*prices, sizes["Delta"]])
    program = Program(cost / (float(cost.max()) or 1.0))
    weight = np.zeros(len(one.nodes))
    weight[list(one.ends)] = -1.0, 1.0
    balance = value_balance(one, used, width)
    balance[:, -1] = weight[1:]
    program.add("Zero", balance)
    program.add("Nonnegative", np.vstack([multiplier_signs(used, width), -np.eye(width)[-1:]]))
    start, nothing = product(one.unit("g0"), one.unit("g0")), np.zeros((one.size, one.size))
    common = [place for letter, place in one.index.items() if letter not in ("r", "s")]
    for name, left, kept in (("mean", -start, [*range(one.size)]), ("spread", nothing, common)):
        program.add_definite(np.array([*(getattr(each, name) for each in used), nothing]), left, kept)
    return float(cost @ program.solve())
