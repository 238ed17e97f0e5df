"""The two shapes of data a problem is built from, both with a train and a test part and a provenance.

`DenseData` has rows of features. `SparseData` has labelled rows in compressed form (`CsrRows`), which are
restricted to the coordinates they touch. In a validation split, rows of the training part stand in for the
test part, which is not looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from fpsverify.errors import BadInput
from fpsverify.rng import numpy_generator
from fpsverify.vectors import SparseVector


@dataclass(frozen=True)
class CsrRows:
    """Row i holds `indices[indptr[i]:indptr[i+1]]` (in [0, d)) with `values`; `labels` (n,) are 0 or 1."""

    d: int
    indptr: Tensor
    indices: Tensor
    values: Tensor
    labels: Tensor

    def __post_init__(self) -> None:
        if self.indptr.shape != (self.labels.shape[0] + 1,):
            raise BadInput("indptr", tuple(self.indptr.shape), f"{self.labels.shape[0] + 1} entries")
        if self.indices.shape != self.values.shape:
            raise BadInput("values", tuple(self.values.shape), f"shape {tuple(self.indices.shape)}")

    @property
    def n(self) -> int:
        return self.labels.shape[0]

    @property
    def nnz(self) -> int:
        return self.indices.shape[0]

    def lengths(self) -> Tensor:
        return self.indptr.diff()

    def owner(self) -> Tensor:
        """The row of each stored entry, (nnz,)."""
        rows = torch.arange(self.n, device=self.indptr.device)
        return rows.repeat_interleave(self.lengths(), output_size=self.nnz)

    def sum_by_row(self, entries: Tensor) -> Tensor:
        """Add up one number per stored entry within each row; an empty row gives 0."""
        total = torch.zeros(self.n, dtype=entries.dtype, device=entries.device)
        return total.index_add_(0, self.owner(), entries)

    def rows(self, row_ids: Tensor) -> CsrRows:
        """The given rows, in the given order, repeats allowed."""
        start = self.indptr[row_ids]
        length = self.indptr[row_ids + 1] - start
        indptr = torch.zeros(row_ids.shape[0] + 1, dtype=torch.int64, device=row_ids.device)
        torch.cumsum(length, 0, out=indptr[1:])
        entry = torch.arange(int(indptr[-1]), device=row_ids.device)
        entry += (start - indptr[:-1]).repeat_interleave(length, output_size=entry.shape[0])
        return CsrRows(self.d, indptr, self.indices[entry], self.values[entry], self.labels[row_ids])

    def span(self, start: int, stop: int) -> CsrRows:
        """Rows start … stop−1 as views, without copying entries."""
        first, last = int(self.indptr[start]), int(self.indptr[stop])
        return CsrRows(
            self.d,
            self.indptr[start : stop + 1] - first,
            self.indices[first:last],
            self.values[first:last],
            self.labels[start:stop],
        )

    def compact(self, row_ids: Tensor | None = None) -> tuple[Tensor, CsrRows]:
        """(touched, local): the sorted coordinates that occur in the rows, and the rows indexed into them."""
        chosen = self if row_ids is None else self.rows(row_ids)
        touched, local = torch.unique(chosen.indices, return_inverse=True)
        return touched, replace(chosen, d=touched.shape[0], indices=local)

    def compact_on(self, row_ids: Tensor, touched: Tensor) -> CsrRows:
        """The rows indexed into `touched`, sorted coordinates among which all of theirs must be."""
        chosen = self.rows(row_ids)
        local = torch.searchsorted(touched, chosen.indices)
        inside = bool((local < touched.shape[0]).all())
        if not (inside and torch.equal(touched[local], chosen.indices)):
            raise BadInput("touched", f"{touched.shape[0]} coordinates", "all coordinates of the rows")
        return replace(chosen, d=touched.shape[0], indices=local)


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


def validation_split(data: DenseData | SparseData, rows: int, seed: int) -> DenseData | SparseData:
    """Evaluate on `rows` random training rows, which are no longer trained on; the test rows are dropped."""
    kept, held = _held_out(len(data.groups), rows, seed)
    at, at_held = torch.from_numpy(kept), torch.from_numpy(held)
    provenance = f"{data.provenance}; evaluated on {rows} held-out training rows"
    if isinstance(data, SparseData):
        return replace(data, train=data.train.rows(at), test=data.train.rows(at_held), provenance=provenance)
    return replace(
        data,
        X=data.X[at],
        y=data.y[at],
        groups=data.groups[kept],
        X_test=data.X[at_held],
        y_test=data.y[at_held],
        provenance=provenance,
    )


def _held_out(available: int, rows: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Sorted row numbers to train on and to evaluate on."""
    if not 1 <= rows < available:
        raise BadInput("problem.validation", rows, f"fewer than the {available} training rows")
    order = numpy_generator(seed, "validation").permutation(available)
    return np.sort(order[rows:]), np.sort(order[:rows])
