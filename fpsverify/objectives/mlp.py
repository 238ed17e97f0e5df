"""The paper's "2-layer neural network with approximately 100,000 parameters": 784-128-10 has 101,770."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import torch
from torch import Tensor

from fpsverify.objectives.base import cross_entropy, cross_entropy_residual, shares


@dataclass(frozen=True)
class TwoLayerMLP:
    """Cross-entropy of A₂ ReLU(A₁ x + b₁) + b₂ with w = (A₁, b₁, A₂, b₂), matrices row by row."""

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

    def _forward(self, W: Tensor, X: Tensor) -> tuple[Tensor, Tensor]:
        """Hidden activations (M, hidden, n) and logits (M, classes, n)."""
        A1, b1, A2, b2 = self._layers(W)
        active = torch.baddbmm(b1, A1, X.mT).relu_()
        return active, torch.baddbmm(b2, A2, active)

    def loss(self, W: Tensor, X: Tensor, y: Tensor, weights: Tensor | None = None) -> Tensor:
        return (cross_entropy(self._forward(W, X)[1], y) * shares(y, weights, W.dtype)).sum(dim=1)

    def gradient(self, W: Tensor, X: Tensor, y: Tensor, weights: Tensor | None = None) -> Tensor:
        return self._backward(W, X, y, shares(y, weights, W.dtype), *self._forward(W, X))

    def loss_gradient(
        self, W: Tensor, X: Tensor, y: Tensor, weights: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        share, (active, logits) = shares(y, weights, W.dtype), self._forward(W, X)
        losses = (cross_entropy(logits, y) * share).sum(dim=1)
        return losses, self._backward(W, X, y, share, active, logits)

    def _backward(
        self, W: Tensor, X: Tensor, y: Tensor, share: Tensor, active: Tensor, logits: Tensor
    ) -> Tensor:
        by_logits = cross_entropy_residual(logits, y, share)
        by_hidden = torch.bmm(self._layers(W)[2].mT, by_logits).mul_(active.sign())
        gradient = torch.empty(W.shape, dtype=W.dtype, device=W.device)
        by_A1, by_b1, by_A2, by_b2 = self._layers(gradient)
        torch.bmm(by_hidden, X, out=by_A1)
        torch.sum(by_hidden, dim=2, keepdim=True, out=by_b1)
        torch.bmm(by_logits, active.mT, out=by_A2)
        torch.sum(by_logits, dim=2, keepdim=True, out=by_b2)
        return gradient

    def scores(self, w: Tensor, X: Tensor) -> Tensor:
        return self._forward(w.unsqueeze(0), X.unsqueeze(0))[1].squeeze(0).T
