"""Synthetic regression of Appendix D.1.

y = X w + 0.01 n, rows of X from N(0, Σ) with Σ_ii = i^{-p}. Scenarios 2-4 draw half of the rows from a second
distribution, Σ_2 = diag(j_i^{-p}) with j a random permutation of 1 … d; both share w.

Two readings. The paper writes n ∈ R^d: one noise value per row is meant, n ∈ R^N. It does not say which w:
here w_i ~ N(0, 1) independently, so that no coordinate is favoured except through Σ.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from fpsverify.data.labelled import DenseData
from fpsverify.errors import BadInput
from fpsverify.rng import numpy_generator

NOISE_STD = 0.01
ROWS_AT_ONCE = 128


def synthetic_regression(
    N: int = 2000,
    N_test: int = 500,
    d: int = 10_000,
    p: float = 5.0,
    distributions: int = 2,
    seed: int = 0,
) -> DenseData:
    """Train and test rows of one mixture; `distributions` is 1 for Scenario 1 and 2 for Scenarios 2-4."""
    if distributions not in (1, 2):
        raise BadInput("distributions", distributions, "1 or 2")
    if min(N, N_test, d) < 1:
        raise BadInput("N, N_test, d", (N, N_test, d), "positive sizes")
    w = numpy_generator(seed, "synthetic", "w").standard_normal(d)
    stds = standard_deviations(d, p, seed)[:distributions]
    X, y, groups = _draw(N, w, stds, seed, "train")
    X_test, y_test, _ = _draw(N_test, w, stds, seed, "test")
    return DenseData(
        task="regression",
        X=X,
        y=y,
        groups=groups,
        X_test=X_test,
        y_test=y_test,
        classes=0,
        provenance=f"generated: Appendix D.1, d={d}, p={p:g}, {distributions} distribution(s), seed {seed}",
        truth=torch.from_numpy(w),
    )


def standard_deviations(d: int, p: float, seed: int) -> NDArray[np.float64]:
    """Square roots of the diagonals of Σ_1 and Σ_2, (2, d)."""
    first = np.arange(1, d + 1, dtype=np.float64) ** (-p / 2)
    return np.stack([first, first[numpy_generator(seed, "synthetic", "permutation").permutation(d)]])


def _draw(
    N: int, w: NDArray[np.float64], stds: NDArray[np.float64], seed: int, part: str
) -> tuple[Tensor, Tensor, NDArray[np.int64]]:
    """Rows in alternating groups. y is summed without BLAS, whose bits depend on the number of threads."""
    rng = numpy_generator(seed, "synthetic", part)
    groups = np.arange(N, dtype=np.int64) % len(stds)
    X = rng.standard_normal((N, len(w)), dtype=np.float32)
    y = NOISE_STD * rng.standard_normal(N)
    for start in range(0, N, ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        X[rows] *= stds[groups[rows]].astype(np.float32)
        y[rows] += (X[rows] * w).sum(axis=1)
    return torch.from_numpy(X), torch.from_numpy(y.astype(np.float32)), groups
