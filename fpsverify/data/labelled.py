"""The two shapes of data a problem is built from, both with a train and a test part and a provenance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from fpsverify.data.csr import CsrRows
from fpsverify.errors import BadInput
from fpsverify.rng import numpy_generator
from fpsverify.vectors import SparseVector

Task = Literal["regression", "binary", "multiclass"]


@dataclass(frozen=True)
class DenseData:
    """X (N, features); y float for regression, int64 classes otherwise; partitions split by `groups` (N,).

    For classification the groups are the labels; for regression, the distribution a row was drawn from.
    """

    task: Task
    X: Tensor
    y: Tensor
    groups: NDArray[np.int64]
    X_test: Tensor
    y_test: Tensor
    classes: int
    provenance: str
    truth: Tensor | None = None

    @property
    def features(self) -> int:
        return self.X.shape[1]


@dataclass(frozen=True)
class SparseData:
    """Binary click data; `truth` and `intercept` generated the labels, where they were."""

    train: CsrRows
    test: CsrRows
    provenance: str
    truth: SparseVector | None = None
    intercept: float = 0.0
    task: Task = "binary"

    @property
    def d(self) -> int:
        return self.train.d

    @property
    def groups(self) -> NDArray[np.int64]:
        return self.train.labels.numpy().astype(np.int64)


def subset(data: DenseData, samples: int, test_samples: int, seed: int) -> DenseData:
    """A random choice of rows without replacement, in their original order."""
    train = _choose("samples", samples, data.X.shape[0], seed)
    test = _choose("test_samples", test_samples, data.X_test.shape[0], seed)
    at, at_test = torch.from_numpy(train), torch.from_numpy(test)
    return replace(
        data,
        X=data.X[at],
        y=data.y[at],
        groups=data.groups[train],
        X_test=data.X_test[at_test],
        y_test=data.y_test[at_test],
        provenance=f"{data.provenance}; {samples} + {test_samples} rows chosen with seed {seed}",
    )


def _choose(field: str, count: int, available: int, seed: int) -> NDArray[np.int64]:
    if not 1 <= count <= available:
        raise BadInput(field, count, f"1 to {available}")
    return np.sort(numpy_generator(seed, "subset", field).choice(available, count, replace=False))
