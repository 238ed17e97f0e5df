"""Curvature from data alone: closed forms of ℓ, L and tr(H) for linear models (no run, no probe).

A linear model says z = W x + b, and its loss is convex in z with Hessian at most K (C × C) for every z:
  least squares  K = a·I              (a = 2/C for a mean over the C outputs, 1 for half a square)
  logistic       K = I/(4C)           (binary cross-entropy, C outputs)
  softmax        K = (I − 11ᵀ/C)/2    (cross-entropy over C classes)
So device m has H_m = G_m ⊗ K with G_m = mean a_i x_i x_iᵀ (x_i with a last 1 where there is a bias), and f
has H = (mean_m G_m) ⊗ K: f(z+h) ≤ f(z) + ⟨∇f(z),h⟩ + ⟨h,Hh⟩/2 for all z, h. The trace is a sum over examples.
Of the largest eigenvalue an *upper* bound is given: of the smaller Gram matrix where it has at most 2,048
rows, else by Collatz and Wielandt, λ_max(G) ≤ max_i (|G|v)_i/v_i for any v > 0. A penalty (λ/2)|w|² adds λ to
every H_ii, whether it is sketched or not: what the sketch adds to the step raises it.

    >>> X = np.array([[1.0, 0.0], [0.0, 2.0]])
    >>> found = of_linear_model([X], Head("least_squares", outputs=1, scale=1.0, bias=False))
    >>> round(found.L, 9), round(found.trace, 9), found.diagonal.round(9).tolist()
    (2.0, 2.5, [0.5, 2.0])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from theory.errors import InvalidParameter

Array = NDArray[np.float64]
LARGEST_GRAM = 2048
POWER_STEPS = 60


@dataclass(frozen=True)
class Head:
    """The last layer and its loss: C outputs, a bias or none; `scale` a of least squares."""

    kind: Literal["least_squares", "logistic", "softmax"]
    outputs: int
    scale: float = 1.0
    bias: bool = True

    @property
    def largest(self) -> float:
        """λ_max(K)."""
        if self.kind == "softmax":
            return 0.5 if self.outputs > 1 else 0.0
        return self.scale if self.kind == "least_squares" else self.scale / (4 * self.outputs)

    @property
    def diagonal(self) -> float:
        """K_cc, the same for every output."""
        return 0.5 * (1 - 1 / self.outputs) if self.kind == "softmax" else self.largest


@dataclass(frozen=True, eq=False)
class DataCurvature:
    """L of the devices, ℓ and tr(H) of f, all from above; H_ii in the order weight (C × p), bias."""

    L: float
    ell: float
    trace: float
    diagonal: Array

    def class_traces(self, classes: ArrayLike, buckets: int) -> list[list[float]]:
        """For every row of the fold the trace of each class; `classes` (J, d) holds 0 … buckets−1."""
        rows = np.atleast_2d(np.asarray(classes))
        if rows.shape[1] != len(self.diagonal) or rows.min() < 0 or rows.max() >= buckets:
            raise InvalidParameter(
                "classes", rows.shape, f"(rows, {len(self.diagonal)}) numbers below {buckets}"
            )
        up = 1 + 1e-12  # what the sum of many floats may lose
        return [(np.bincount(row, self.diagonal, buckets) * up).tolist() for row in rows]


def of_linear_model(
    devices: Sequence[Array], head: Head, weights: Sequence[Array] | None = None, penalty: float = 0.0
) -> DataCurvature:
    """From the rows X_m (n_m, p) of every device, with row weights of mean 1 where the loss weighs them."""
    if not devices or any(X.ndim != 2 or not len(X) for X in devices):
        raise InvalidParameter("devices", len(devices), "rows (n, p) for at least one device")
    if not all(np.isfinite(X).all() for X in devices):
        raise InvalidParameter("devices", "rows that are not finite", "finite numbers")
    if not 0 <= penalty < np.inf:
        raise InvalidParameter("penalty", penalty, "a finite number of at least 0")
    given = [np.ones(len(X)) for X in devices] if weights is None else weights
    roots = [_rooted(X, a, head.bias) for X, a in zip(devices, given, strict=True)]
    squares = sum((Z * Z).sum(0) for Z in roots) / len(roots)  # the diagonal of mean_m G_m
    G_diagonal = np.asarray(squares) * (1 + 1e-13 * sum(map(len, roots)))
    weight, bias = (G_diagonal[:-1], G_diagonal[-1:]) if head.bias else (G_diagonal, G_diagonal[:0])
    diagonal = np.concatenate([np.tile(weight, head.outputs), np.repeat(bias, head.outputs)])
    diagonal = head.diagonal * diagonal + penalty
    ell = head.largest * largest_eigenvalue(np.vstack(roots) / np.sqrt(len(roots))) + penalty
    own = max(head.largest * largest_eigenvalue(Z) + penalty for Z in roots)
    trace = float(diagonal.sum()) * (1 + 1e-12)
    return DataCurvature(max(own, ell), ell, max(trace, ell), diagonal)


def largest_eigenvalue(Z: Array) -> float:
    """An upper bound on λ_max(ZᵀZ), rounding included.

    >>> bool(1 <= largest_eigenvalue(np.eye(3)) < 1 + 1e-9)
    True
    """
    trace = float((Z * Z).sum())
    rounding = 8 * (sum(Z.shape) + 64) * 2.0**-53 * trace
    if min(Z.shape) <= LARGEST_GRAM:
        gram = Z @ Z.T if len(Z) < Z.shape[1] else Z.T @ Z
        return min(float(np.linalg.eigvalsh(gram)[-1]), trace) + rounding
    return min(_collatz_wielandt(np.abs(Z)), trace) + rounding


def _collatz_wielandt(Z: Array) -> float:
    """max_i (ZᵀZ v)_i / v_i for Z ≥ 0 and a v > 0 near the top eigenvector; the least of some."""
    Z = Z[:, Z.any(0)]
    v, best = np.ones(Z.shape[1]), np.inf
    for _ in range(POWER_STEPS):
        image = Z.T @ (Z @ v)
        best = min(best, float((image / v).max()))
        v = image / image.max() + 1e-12
    return best


def _rooted(X: Array, weights: Array, bias: bool) -> Array:
    """√(a_i/n)·x_i: the rows of a matrix Z with ZᵀZ = G."""
    rows = np.asarray(X, np.float64)
    full = np.hstack([rows, np.ones((len(rows), 1))]) if bias else rows
    share = np.sqrt(np.asarray(weights, np.float64) / len(rows))
    return np.asarray(full * share[:, None])
