"""Logistic regression on sparse rows: work and memory follow the nonzeros, never d."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from fpsverify.data.labelled import CsrRows
from fpsverify.objectives.base import logistic_loss
from fpsverify.vectors import SparseVector


@dataclass(frozen=True)
class SparseLogistic:
    """ℓ(w; x, y) = log(1 + e^z) − y z with z = x·w, labels 0 and 1, no intercept."""

    d: int
    name: str = "sparse_logistic"

    def initial(self, dtype: torch.dtype = torch.float32, device: torch.device | str = "cpu") -> SparseVector:
        return SparseVector.zero(self.d, dtype, device)

    def loss_gradient(self, w_local: Tensor, batch: CsrRows) -> tuple[Tensor, Tensor]:
        """Mean loss (0-dim) and gradient (batch.d,) of rows whose indices refer to `w_local`."""
        owner, values = batch.owner(), batch.values.to(w_local.dtype)
        z = batch.sum_by_row(values * w_local[batch.indices])
        y = batch.labels.to(w_local.dtype)
        residual = (z.sigmoid() - y) / batch.n
        # index_add_ adds in index order on CPU, so the sum has the same bits in every run.
        gradient = torch.zeros_like(w_local).index_add_(0, batch.indices, values * residual[owner])
        return logistic_loss(z, y).mean(), gradient

    def scores(self, w: SparseVector, rows: CsrRows) -> Tensor:
        """x·w for each row, (n,)."""
        return rows.sum_by_row(rows.values.to(w.values.dtype) * w.gather(rows.indices))

    def loss(self, w: SparseVector, rows: CsrRows) -> Tensor:
        z = self.scores(w, rows)
        return logistic_loss(z, rows.labels.to(z.dtype)).mean()

    def gradient(self, w: SparseVector, rows: CsrRows) -> SparseVector:
        """Full gradient over `rows`, stored on the coordinates that occur in them."""
        touched, local = rows.compact()
        return SparseVector(self.d, touched, self.loss_gradient(w.gather(touched), local)[1])
