"""The two shapes of data a problem is built from, both with a train and a test part and a provenance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from fpsverify.data.csr import CsrRows
from fpsverify.vectors import SparseVector

Task = Literal["regression", "binary", "multiclass"]


@dataclass(frozen=True)
class DenseData:
    """X (N, features); y float for regression, int64 classes otherwise; partitions split by `groups` (N,).

    For classification the groups are the labels; for regression, the distribution a row was drawn from.
    `truth` is what generated the data, where it was: the model w, or the class centres.
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
        return self.train.labels.cpu().numpy().astype(np.int64)
