"""Local objectives f_m: dense ones, batched over M devices, and the sparse logistic loss of click data.

Shapes: M devices with n examples each. `W` (M, d) holds one model per device, `X` (M, n, features) the
examples, `y` (M, n) the targets. Device m's objective is the weighted mean

    f_m(w) = Σ_i a_i ℓ(w; x_i, y_i) / Σ_i a_i,      a_i = weights[m, i]  (all 1 when weights is None).

Devices of unequal size are padded and given weight 0 on the padding; a device of total weight 0 has f_m = 0.
Scores of several classes are (M, classes, n), an example per column: matrix products and softmax are faster
so, because n is longer than the number of classes. Everything follows the dtype and device of its inputs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import sqrt
from typing import Protocol

import torch
from torch import Tensor

from fpsverify.data.labelled import CsrRows
from fpsverify.vectors import SparseVector


class DenseObjective(Protocol):
    """Loss and hand-written gradient for M devices at once."""

    @property
    def name(self) -> str: ...

    @property
    def d(self) -> int: ...

    def initial(self, generator: torch.Generator, dtype: torch.dtype = torch.float32) -> Tensor:
        """A starting model (d,) on the generator's device."""

    def loss(self, W: Tensor, X: Tensor, y: Tensor, weights: Tensor | None = None) -> Tensor:
        """f_m for each device, (M,)."""

    def gradient(self, W: Tensor, X: Tensor, y: Tensor, weights: Tensor | None = None) -> Tensor:
        """∇f_m for each device, (M, d)."""

    def loss_gradient(
        self, W: Tensor, X: Tensor, y: Tensor, weights: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Both, from one forward pass."""

    def scores(self, w: Tensor, X: Tensor) -> Tensor:
        """Outputs of one model on X (n, features): (n,) for one output, (n, classes) for several."""


def shares(y: Tensor, weights: Tensor | None, dtype: torch.dtype) -> Tensor:
    """a_i / Σ a_i, the share of each example in its device's mean, broadcastable to (M, n)."""
    if weights is None:
        return torch.full((1, 1), 1.0 / y.shape[1], dtype=dtype, device=y.device)
    weights = weights.to(dtype)
    total = weights.sum(dim=1, keepdim=True)
    return weights / torch.where(total > 0, total, torch.ones_like(total))


def logistic_loss(z: Tensor, y: Tensor) -> Tensor:
    """log(1 + e^z) − y z for labels 0 and 1, as log(1 + e^{±z}): no cancellation however large z is."""
    return torch.logaddexp(z * (1 - 2 * y), z.new_zeros(()))


def cross_entropy(logits: Tensor, y: Tensor) -> Tensor:
    """-log softmax(logits)_y for each example, (M, n) from (M, classes, n)."""
    return logits.logsumexp(dim=1) - logits.gather(1, y.unsqueeze(1)).squeeze(1)


def cross_entropy_residual(logits: Tensor, y: Tensor, share: Tensor) -> Tensor:
    """Gradient of Σ share·cross_entropy by the logits: share·(softmax − onehot(y))."""
    at = y.unsqueeze(1)
    minus_one = logits.new_full((), -1.0).expand(at.shape)
    return logits.softmax(dim=1).scatter_add_(1, at, minus_one).mul_(share.unsqueeze(1))


class ByHand(ABC):
    """A dense objective made of scores, losses and gradients; it starts at 0 unless it says otherwise."""

    @property
    @abstractmethod
    def d(self) -> int: ...

    @abstractmethod
    def forward(self, W: Tensor, X: Tensor) -> tuple[Tensor, ...]:
        """What the way back needs, the scores (M, n) or (M, classes, n) last."""

    @abstractmethod
    def losses(self, z: Tensor, y: Tensor) -> Tensor:
        """ℓ of each example from its scores, (M, n)."""

    @abstractmethod
    def backward(self, W: Tensor, X: Tensor, y: Tensor, share: Tensor, *seen: Tensor) -> Tensor:
        """The gradient of Σ share·ℓ by W, from what `forward` saw."""

    def initial(self, generator: torch.Generator, dtype: torch.dtype = torch.float32) -> Tensor:
        return torch.zeros(self.d, dtype=dtype, device=generator.device)

    def loss(self, W: Tensor, X: Tensor, y: Tensor, weights: Tensor | None = None) -> Tensor:
        return (self.losses(self.forward(W, X)[-1], y) * shares(y, weights, W.dtype)).sum(dim=1)

    def gradient(self, W: Tensor, X: Tensor, y: Tensor, weights: Tensor | None = None) -> Tensor:
        return self.backward(W, X, y, shares(y, weights, W.dtype), *self.forward(W, X))

    def loss_gradient(
        self, W: Tensor, X: Tensor, y: Tensor, weights: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        share, seen = shares(y, weights, W.dtype), self.forward(W, X)
        return (self.losses(seen[-1], y) * share).sum(dim=1), self.backward(W, X, y, share, *seen)

    def scores(self, w: Tensor, X: Tensor) -> Tensor:
        return self.forward(w.unsqueeze(0), X.unsqueeze(0))[-1].squeeze(0).mT


@dataclass(frozen=True)
class LeastSquares(ByHand):
    """ℓ(w; x, y) = ½ (x·w − y)²."""

    features: int
    name: str = "least_squares"

    @property
    def d(self) -> int:
        return self.features

    def forward(self, W: Tensor, X: Tensor) -> tuple[Tensor, ...]:
        return (torch.bmm(X, W.unsqueeze(2)).squeeze(2),)

    def losses(self, z: Tensor, y: Tensor) -> Tensor:
        return 0.5 * (z - y).square()

    def backward(self, W: Tensor, X: Tensor, y: Tensor, share: Tensor, *seen: Tensor) -> Tensor:
        return torch.bmm(((seen[0] - y) * share).unsqueeze(1), X).squeeze(1)

    def scores(self, w: Tensor, X: Tensor) -> Tensor:
        return X @ w


@dataclass(frozen=True)
class Logistic(ByHand):
    """ℓ(w; x, y) = log(1 + e^z) − y z with z = x·w (+ b), labels 0 and 1; b is the last coordinate of w."""

    features: int
    bias: bool = True
    name: str = "logistic"

    @property
    def d(self) -> int:
        return self.features + int(self.bias)

    def forward(self, W: Tensor, X: Tensor) -> tuple[Tensor, ...]:
        z = torch.bmm(X, W[:, : self.features].unsqueeze(2)).squeeze(2)
        return (z + W[:, self.features :] if self.bias else z,)

    def losses(self, z: Tensor, y: Tensor) -> Tensor:
        return logistic_loss(z, y)

    def backward(self, W: Tensor, X: Tensor, y: Tensor, share: Tensor, *seen: Tensor) -> Tensor:
        residual = (seen[0].sigmoid() - y) * share
        by_weights = torch.bmm(residual.unsqueeze(1), X).squeeze(1)
        return torch.cat([by_weights, residual.sum(dim=1, keepdim=True)], dim=1) if self.bias else by_weights

    def scores(self, w: Tensor, X: Tensor) -> Tensor:
        return self.forward(w.unsqueeze(0), X.unsqueeze(0))[0].squeeze(0)


@dataclass(frozen=True)
class Softmax(ByHand):
    """Cross-entropy of softmax(A x + b) with w = (A row by row, b); labels 0 … classes−1, int64."""

    features: int
    classes: int
    name: str = "softmax"

    @property
    def d(self) -> int:
        return self.classes * (self.features + 1)

    def forward(self, W: Tensor, X: Tensor) -> tuple[Tensor, ...]:
        split = self.classes * self.features
        A = W[:, :split].unflatten(1, (self.classes, self.features))
        return (torch.baddbmm(W[:, split:].unsqueeze(2), A, X.mT),)

    def losses(self, z: Tensor, y: Tensor) -> Tensor:
        return cross_entropy(z, y)

    def backward(self, W: Tensor, X: Tensor, y: Tensor, share: Tensor, *seen: Tensor) -> Tensor:
        residual = cross_entropy_residual(seen[0], y, share)
        by_matrix = torch.bmm(residual, X)
        return torch.cat([by_matrix.flatten(1), residual.sum(dim=2)], dim=1)


@dataclass(frozen=True)
class TwoLayerMLP(ByHand):
    """Cross-entropy of A₂ ReLU(A₁ x + b₁) + b₂ with w = (A₁, b₁, A₂, b₂), matrices row by row.

    The paper's "2-layer neural network with approximately 100,000 parameters": 784-128-10 has 101,770.
    """

    features: int
    hidden: int
    classes: int
    name: str = "mlp"

    @property
    def d(self) -> int:
        return self.hidden * (self.features + 1) + self.classes * (self.hidden + 1)

    def initial(self, generator: torch.Generator, dtype: torch.dtype = torch.float32) -> Tensor:
        """Each layer uniform on ±1/√fan_in, biases too (the usual default of linear layers)."""
        first = self.hidden * (self.features + 1)
        w = torch.empty(self.d, dtype=dtype, device=generator.device)
        for part, fan_in in ((w[:first], self.features), (w[first:], self.hidden)):
            part.uniform_(-1 / sqrt(fan_in), 1 / sqrt(fan_in), generator=generator)
        return w

    def _layers(self, W: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Views of (A₁, b₁, A₂, b₂), biases shaped to broadcast over examples."""
        sizes = [self.hidden * self.features, self.hidden, self.classes * self.hidden, self.classes]
        A1, b1, A2, b2 = W.split(sizes, dim=1)
        A1 = A1.unflatten(1, (self.hidden, self.features))
        return A1, b1.unsqueeze(2), A2.unflatten(1, (self.classes, self.hidden)), b2.unsqueeze(2)

    def forward(self, W: Tensor, X: Tensor) -> tuple[Tensor, ...]:
        """Hidden activations (M, hidden, n) and logits (M, classes, n)."""
        A1, b1, A2, b2 = self._layers(W)
        active = torch.baddbmm(b1, A1, X.mT).relu_()
        return active, torch.baddbmm(b2, A2, active)

    def losses(self, z: Tensor, y: Tensor) -> Tensor:
        return cross_entropy(z, y)

    def backward(self, W: Tensor, X: Tensor, y: Tensor, share: Tensor, *seen: Tensor) -> Tensor:
        active, logits = seen
        by_logits = cross_entropy_residual(logits, y, share)
        by_hidden = torch.bmm(self._layers(W)[2].mT, by_logits).mul_(active.sign())
        gradient = torch.empty(W.shape, dtype=W.dtype, device=W.device)
        by_A1, by_b1, by_A2, by_b2 = self._layers(gradient)
        torch.bmm(by_hidden, X, out=by_A1)
        torch.sum(by_hidden, dim=2, keepdim=True, out=by_b1)
        torch.bmm(by_logits, active.mT, out=by_A2)
        torch.sum(by_logits, dim=2, keepdim=True, out=by_b2)
        return gradient


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
