"""A semidefinite program in the form that clarabel takes, and its solution in floats."""

from __future__ import annotations

from importlib import import_module

import numpy as np
from scipy import sparse

from theory.rates.descent.round import Array

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
