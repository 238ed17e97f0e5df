"""The descent problem: the largest rate of descent, and the multipliers with the widest margin.

Unknown are the multipliers λ, a rate c and a margin t. With the values of the losses cancelled,
  Σ λ (plus) − Σ λ (minus) = 1 at x, −1 at x_+, 0 elsewhere,
  M_S = −c g_0 g_0ᵀ − Σ λ·mean ⪰ t,   M_D = −Σ λ·spread ⪰ t,   λ ≥ t (inequalities),
which gives E f(x_+) − f(x) ≤ −c |∇f(x)|² when t ≥ 0. The answers are floats: nothing here proves anything.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from theory.rates.descent.descent_sdp import Condition, conditions, product
from theory.rates.descent.letters import Array, Round
from theory.rates.descent.program import Program


@dataclass(frozen=True)
class Solution:
    """The solver's rate, margin and multipliers."""

    rate: float
    margin: float
    multipliers: dict[str, float]


def largest_rate(one: Round) -> Solution:
    """The largest c, with no margin asked for."""
    return _solved(one, fixed_rate=None)


def widest_margin(one: Round, rate: float, largest: float) -> Solution:
    """At a given c, multipliers up to `largest` as far from all boundaries as can be, to survive rounding."""
    return _solved(one, fixed_rate=rate, largest=largest)


def _solved(one: Round, fixed_rate: float | None, largest: float | None = None) -> Solution:
    """At B = 1 without G the deviation of g_0 and g_E is 0: then the letters go instead of the condition."""
    used = [each for each in conditions(one) if each.kind != "spread" or one.setting.B > 1]
    values = _program(one, used, fixed_rate, largest).solve()
    named = {each.name: float(v) for each, v in zip(used, values, strict=False)}
    return Solution(float(values[-2]), float(values[-1]), named)


def free_deviations(one: Round) -> list[int]:
    """The letters whose deviation over the devices need not vanish."""
    forced = () if one.setting.B > 1 else ("g0", f"g{one.setting.E}")
    return [place for letter, place in one.index.items() if letter not in forced]


def _program(one: Round, used: list[Condition], fixed_rate: float | None, largest: float | None) -> Program:
    width = len(used) + 2
    cost, fixed = np.zeros(width), np.zeros((1, width))
    cost[-2 if fixed_rate is None else -1] = -1.0
    fixed[0, -1 if fixed_rate is None else -2] = 1.0
    program = Program(cost)
    program.add("Zero", value_balance(one, used, width), -np.eye(one.setting.E)[-1])
    program.add("Zero", fixed, fixed_rate or 0.0)
    signs = multiplier_signs(used, width)
    margin = signs.copy()
    margin[:, -1] = 1.0
    program.add("Nonnegative", margin)
    if largest is not None:
        program.add("Nonnegative", -signs, largest)
    start, nothing = product(one.unit("g0"), one.unit("g0")), np.zeros((one.size, one.size))
    for name, rate, kept in (("mean", start, [*range(one.size)]), ("spread", nothing, free_deviations(one))):
        forms = np.array([*(getattr(each, name) for each in used), rate, np.eye(one.size)])
        program.add_definite(forms, nothing, kept)
    return program


def value_balance(one: Round, used: list[Condition], width: int) -> Array:
    """What the multipliers add up to at each node; the row of x follows from the others."""
    rows = np.zeros((len(one.nodes), width))
    for k, each in enumerate(used):
        if each.nodes is not None:
            rows[each.nodes[0], k] += 1.0
            rows[each.nodes[1], k] -= 1.0
    return rows[1:]


def multiplier_signs(used: list[Condition], width: int) -> Array:
    """Rows −λ for the multipliers of inequalities."""
    return -np.eye(width)[[k for k, each in enumerate(used) if not each.equality]]
