"""Clarabel on the descent problem: the largest rate of descent, and the multipliers with the widest margin.

Unknown are the multipliers λ, a rate c and a margin t. With the values of the losses cancelled,
  Σ λ (plus) − Σ λ (minus) = 1 at x, −1 at x_+, 0 elsewhere,
  M_S = −c g_0 g_0ᵀ − Σ λ·mean ⪰ t,   M_D = −Σ λ·spread ⪰ t,   λ ≥ t (inequalities),
which gives E f(x_+) − f(x) ≤ −c |∇f(x)|² when t ≥ 0. The answers are floats: nothing here proves anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

import numpy as np
from scipy import sparse

from theory.rates.descent.descent_sdp import Condition, Name, conditions, product
from theory.rates.descent.letters import Array, Round

ACCURACY = 1e-9
MOST_ITERATIONS = 100


class NoSolution(Exception):
    """The solver stopped without an answer."""


class NoSolver(NoSolution):
    """There is no solver on this machine."""


@dataclass(frozen=True)
class Solution:
    """The solver's rate, margin and multipliers."""

    rate: float
    margin: float
    multipliers: dict[Name, float]


@dataclass(frozen=True)
class Program:
    """minimise cost·v subject to rows·v + s = right, s in the cones, in the solver's order."""

    cost: Array
    rows: list[Array]
    right: list[Array]
    cones: list[tuple[str, int]]


def largest_rate(one: Round) -> Solution:
    """The largest c, with no margin asked for."""
    return _solved(one, fixed_rate=None)


def widest_margin(one: Round, rate: float, largest: float) -> Solution:
    """At a given c, multipliers up to `largest` as far from all boundaries as can be, to survive rounding."""
    return _solved(one, fixed_rate=rate, largest=largest)


def _solved(one: Round, fixed_rate: float | None, largest: float | None = None) -> Solution:
    used = usable_conditions(one)
    values = run_clarabel(_program(one, used, fixed_rate, largest))
    named = {each.name: float(v) for each, v in zip(used, values, strict=False)}
    return Solution(float(values[-2]), float(values[-1]), named)


def usable_conditions(one: Round) -> list[Condition]:
    """At B = 1 without G the deviation of g_0 and g_E is 0: then the letters go instead of the condition."""
    return [each for each in conditions(one) if each.name[0] != "spread" or one.setting.B > 1]


def free_deviations(one: Round) -> list[int]:
    """The letters whose deviation over the devices need not vanish."""
    forced = [] if one.setting.B > 1 else [one.index["g", 0], one.index["g", one.last]]
    return [place for place in range(one.size) if place not in forced]


def _program(one: Round, used: list[Condition], fixed_rate: float | None, largest: float | None) -> Program:
    count, width = len(used), len(used) + 2
    program = Program(np.zeros(width), [], [], [])
    program.cost[-2 if fixed_rate is None else -1] = -1.0
    _add(program, "zero", *_value_balance(one, used, width))
    fixed = np.zeros((1, width))
    fixed[0, -1 if fixed_rate is None else -2] = 1.0
    _add(program, "zero", fixed, np.array([fixed_rate or 0.0]))
    bounded = [k for k in range(count) if not used[k].equality]
    signs = np.zeros((len(bounded), width))
    signs[np.arange(len(bounded)), bounded] = -1.0
    signs[:, -1] = 1.0
    _add(program, "nonnegative", signs, np.zeros(len(bounded)))
    if largest is not None:
        signs = np.abs(signs)
        signs[:, -1] = 0.0
        _add(program, "nonnegative", signs, np.full(len(bounded), largest))
    rate = product(one.gradients[0], one.gradients[0])
    _add_matrix(program, [each.mean for each in used], rate, list(range(one.size)))
    _add_matrix(program, [each.spread for each in used], np.zeros_like(rate), free_deviations(one))
    return program


def _add(program: Program, cone: str, rows: Array, right: Array) -> None:
    if len(right):
        program.rows.append(rows)
        program.right.append(right)
        program.cones.append((cone, len(right)))


def _value_balance(one: Round, used: list[Condition], width: int) -> tuple[Array, Array]:
    """One row a node; the row of x follows from the others."""
    rows, right = np.zeros((one.last + 1, width)), np.zeros(one.last + 1)
    for k, each in enumerate(used):
        if each.plus is not None and each.minus is not None:
            rows[each.plus, k] += 1.0
            rows[each.minus, k] -= 1.0
    right[one.last] = -1.0
    return rows[1:], right[1:]


def _add_matrix(program: Program, forms: list[Array], rate: Array, kept: list[int]) -> None:
    """−c·rate − Σ λ·form − t·I ⪰ 0 on the kept letters."""
    size = len(kept)
    if size:
        stack = np.array([*forms, rate, np.eye(len(rate))])[:, kept][:, :, kept]
        rows = np.array(upper_triangles(stack)).T
        program.rows.append(rows)
        program.right.append(np.zeros(len(rows)))
        program.cones.append(("semidefinite", size))


def upper_triangles(stack: Array) -> Array:
    """Symmetric matrices as vectors, column by column, off-diagonal entries times √2: products are kept."""
    size = stack.shape[-1]
    j, i = np.tril_indices(size)
    return stack[:, i, j] * np.where(i == j, 1.0, np.sqrt(2.0))


def run_clarabel(program: Program) -> Array:
    """The solver's values; NoSolver if it is missing, NoSolution if it gives none."""
    try:
        clarabel = import_module("clarabel")
    except ImportError as error:
        raise NoSolver(f"solver clarabel is not installed ({error})") from None
    kinds = {
        "zero": clarabel.ZeroConeT,
        "nonnegative": clarabel.NonnegativeConeT,
        "semidefinite": clarabel.PSDTriangleConeT,
    }
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.max_iter, settings.max_threads = False, MOST_ITERATIONS, 1
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = ACCURACY
    width = len(program.cost)
    solver = clarabel.DefaultSolver(
        sparse.csc_matrix((width, width)),
        program.cost,
        sparse.csc_matrix(np.vstack(program.rows)),
        np.concatenate(program.right),
        [kinds[kind](size) for kind, size in program.cones],
        settings,
    )
    result = solver.solve()
    if str(result.status) not in ("Solved", "AlmostSolved"):
        raise NoSolution(f"solver clarabel stopped with status {result.status}")
    return np.array(result.x)
