"""Labelled sparse rows in compressed form, and their restriction to the coordinates they touch."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from fpsverify.errors import BadInput


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
