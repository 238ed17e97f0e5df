"""A semidefinite program in the form that clarabel takes, and its solution in floats.

The descent problem: the largest rate of descent, the widest margin, and the cheapest bound.

Unknown are the multipliers λ, a rate c and a margin t. With the values of the losses cancelled,
  Σ λ (plus) − Σ λ (minus) = 1 at x, −1 at x_+, 0 elsewhere,
  M_S = −c g_0 g_0ᵀ − (ω/2) y_E y_Eᵀ − Σ λ·mean ⪰ t,   M_D = −(v/2) y_E y_Eᵀ − Σ λ·spread ⪰ t,
  λ ≥ t (inequalities),
which gives E f(x_+) − f(x) ≤ −c |∇f(x)|² when t ≥ 0, with what a fresh sketch costs to spare. Or all is
divided by c, w = 1/c is unknown, and w·Δ/T plus the prices of the sources is made as small as can be. The
answers are floats: nothing here proves anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module

import numpy as np
from scipy import sparse

from theory.rates.descent.round import Array, Condition, Round, conditions, product

ACCURACY = 1e-9
MOST_ITERATIONS = 100


class NoSolution(Exception):
    """The solver stopped without an answer."""


class NoSolver(NoSolution):
    """There is no solver on this machine."""


class Program:
    """minimise cost·v subject to rows·v + s = right, s in the cones, in the order in which they are added."""

    def __init__(self, cost: Array) -> None:
        self.cost = cost
        self.rows: list[Array] = []
        self.right: list[Array] = []
        self.cones: list[tuple[str, int]] = []

    def add(self, cone: str, rows: Array, right: Array | float = 0.0) -> None:
        """right − rows·v in the cone "Zero" or "Nonnegative"; one number serves for all rows."""
        if len(rows):
            self._append(cone, len(rows), rows, np.broadcast_to(right, len(rows)))

    def add_definite(self, forms: Array, constant: Array, kept: list[int]) -> None:
        """constant − Σ v_k·forms_k ⪰ 0 on the kept rows and columns."""
        if kept:
            stack = np.array([*forms, constant])[:, kept][:, :, kept]
            vectors = upper_triangles(stack)
            self._append("PSDTriangle", len(kept), vectors[:-1].T, vectors[-1])

    def add_gram(self, first: int, size: int, slack: int) -> None:
        """The triangle of unknowns from `first` on, minus v_slack·identity, ⪰ 0."""
        rows = np.zeros((size * (size + 1) // 2, len(self.cost)))
        rows[:, first : first + len(rows)] = -np.eye(len(rows))
        rows[:, slack] = upper_triangles(np.eye(size)[None])[0]
        if size:
            self._append("PSDTriangle", size, rows, np.zeros(len(rows)))

    def _append(self, cone: str, size: int, rows: Array, right: Array) -> None:
        self.rows.append(rows)
        self.right.append(right)
        self.cones.append((cone, size))

    def solve(self) -> Array:
        """The solver's values; NoSolver if it is missing, NoSolution if it gives none."""
        try:
            clarabel = import_module("clarabel")
        except ImportError as error:
            raise NoSolver(f"solver clarabel is not installed ({error})") from None
        settings = clarabel.DefaultSettings()
        settings.verbose, settings.max_iter, settings.max_threads = False, MOST_ITERATIONS, 1
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = ACCURACY
        solver = clarabel.DefaultSolver(
            sparse.csc_matrix((len(self.cost), len(self.cost))),
            self.cost,
            sparse.csc_matrix(np.vstack(self.rows)),
            np.concatenate(self.right),
            [getattr(clarabel, f"{cone}ConeT")(size) for cone, size in self.cones],
            settings,
        )
        try:
            result = solver.solve()
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of the compiled solver is not an Exception
            raise NoSolution(f"solver clarabel failed ({error})") from None
        if str(result.status) not in ("Solved", "AlmostSolved"):
            raise NoSolution(f"solver clarabel stopped with status {result.status}")
        return np.array(result.x)


def upper_triangles(stack: Array) -> Array:
    """Symmetric matrices as vectors, column by column, off-diagonal entries times √2: products are kept."""
    size = stack.shape[-1]
    j, i = np.tril_indices(size)
    return stack[:, i, j] * np.where(i == j, 1.0, np.sqrt(2.0))


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
    """The letters whose deviation need not vanish; at E = 1 that of g_1 occurs in A3 only."""
    q, last = one.setting, f"g{one.setting.E}"
    forced = ("g0", last) if q.everywhere else ("g0",)
    gone = {*(forced if q.B == 1 else ()), *((last,) if q.E == 1 and not q.everywhere else ())}
    return [place for letter, place in one.index.items() if letter not in gone]


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
    kept = [*range(one.size)], free_deviations(one)
    for name, rate, price, places in zip(
        ("mean", "spread"), (start, nothing), one.sketch_prices, kept, strict=True
    ):
        forms = np.array([*(getattr(each, name) for each in used), rate, np.eye(one.size)])
        program.add_definite(forms, -price, places)
    return program


@dataclass(frozen=True)
class Sizes:
    """What a bound is summed from: Δ/T, G², b², σ² and R², in units with L = 1."""

    Delta: float
    G2: float
    b2: float
    sigma2: float
    R2: float = 0.0

    def prices(self, used: list[Condition]) -> Array:
        """The cost of each multiplier, and of w."""
        of = {"spread": self.G2, "bias": self.b2, "noise": self.sigma2, "residual": self.R2}
        return np.array([*(of.get(each.kind, 0.0) for each in used), self.Delta])


def cheapest(one: Round, used: list[Condition], sizes: Sizes, margin: float, relative: bool) -> Array:
    """The multipliers and w = 1/c of the smallest bound; the margin is a multiple of w if `relative`."""
    width, cost = len(used) + 1, sizes.prices(used)
    program = Program(cost / (float(cost.max()) or 1.0))
    program.add("Zero", bound_balance(one, used)[1:])  # the row of x follows from the others
    program.add("Nonnegative", np.vstack([multiplier_signs(used, width), -np.eye(width)[-1:]]))
    for left, forms, kept in bound_forms(one, used):
        if relative:
            forms[-1] += margin * np.eye(one.size)
        program.add_definite(forms, -left - (not relative) * margin * np.eye(one.size), kept)
    return program.solve()


def bound_balance(one: Round, used: list[Condition]) -> Array:
    """What the multipliers and w add up to at each node: the values must cancel."""
    rows = np.zeros((len(one.nodes), len(used) + 1))
    rows[1:] = value_balance(one, used, len(used) + 1)
    rows[0] = -rows[1:].sum(0)
    rows[list(one.ends), -1] = -1.0, 1.0
    return rows


def bound_forms(one: Round, used: list[Condition]) -> Iterator[tuple[Array, Array, list[int]]]:
    """−left − Σ λ·forms must be positive semidefinite: means, then deviations, on the letters that occur.

    The last form is that of w. r and s are the same for all devices: they have no deviation.
    """
    start, nothing = product(one.unit("g0"), one.unit("g0")), np.zeros((one.size, one.size))
    sides = zip(("mean", "spread"), (start, nothing), one.sketch_prices, ("", "rs"), strict=True)
    for name, left, price, alike in sides:
        forms = np.array([*(getattr(each, name) for each in used), price])
        occurs = np.abs(forms).sum((0, 1)) > 0
        yield left, forms, [k for letter, k in one.index.items() if occurs[k] and letter not in [*alike]]


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
