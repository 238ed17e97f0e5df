"""Objectives whose scores are linear in the model: least squares, logistic and softmax regression."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from fpsverify.objectives.base import cross_entropy, cross_entropy_residual, logistic_loss, shares


def _zeros(d: int, generator: torch.Generator, dtype: torch.dtype) -> Tensor:
    """These objectives are convex, so they start at 0 and draw nothing."""
    return torch.zeros(d, dtype=dtype, device=generator.device)


@dataclass(frozen=True)
class LeastSquares:
    """ℓ(w; x, y) = ½ (x·w − y)²."""

    features: int
    name: str = "least_squares"

    @property
    def d(self) -> int:
        return self.features

    def initial(self, generator: torch.Generator, dtype: torch.dtype = torch.float32) -> Tensor:
        return _zeros(self.d, generator, dtype)

    def loss(self, W: Tensor, X: Tensor, y: Tensor, weights: Tensor | None = None) -> Tensor:
        residual = torch.bmm(X, W.unsqueeze(2)).squeeze(2) - y
        return (0.5 * residual.square() * shares(y, weights, W.dtype)).sum(dim=1)

    def gradient(self, W: Tensor, X: Tensor, y: Tensor, weights: Tensor | None = None) -> Tensor:
        return self.loss_gradient(W, X, y, weights)[1]

    def loss_gradient(
        self, W: Tensor, X: Tensor, y: Tensor, weights: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        residual, share = torch.bmm(X, W.unsqueeze(2)).squeeze(2) - y, shares(y, weights, W.dtype)
        gradients = torch.bmm((residual * share).unsqueeze(1), X).squeeze(1)
        return (0.5 * residual.square() * share).sum(dim=1), gradients

    def scores(self, w: Tensor, X: Tensor) -> Tensor:
        return X @ w


@dataclass(frozen=True)
class Logistic:
    """ℓ(w; x, y) = log(1 + e^z) − y z with z = x·w (+ b), labels 0 and 1; b is the last coordinate of w."""

    features: int
    bias: bool = True
    name: str = "logistic"

    @property
    def d(self) -> int:
        return self.features + int(self.bias)

    def initial(self, generator: torch.Generator, dtype: torch.dtype = torch.float32) -> Tensor:
        return _zeros(self.d, generator, dtype)

    def _logits(self, W: Tensor, X: Tensor) -> Tensor:
        z = torch.bmm(X, W[:, : self.features].unsqueeze(2)).squeeze(2)
        return z + W[:, self.features :] if self.bias else z

    def loss(self, W: Tensor, X: Tensor, y: Tensor, weights: Tensor | None = None) -> Tensor:
        return (logistic_loss(self._logits(W, X), y) * shares(y, weights, W.dtype)).sum(dim=1)

    def gradient(self, W: Tensor, X: Tensor, y: Tensor, weights: Tensor | None = None) -> Tensor:
        return self._backward(self._logits(W, X), X, y, shares(y, weights, W.dtype))

    def loss_gradient(
        self, W: Tensor, X: Tensor, y: Tensor, weights: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        z, share = self._logits(W, X), shares(y, weights, W.dtype)
        return (logistic_loss(z, y) * share).sum(dim=1), self._backward(z, X, y, share)

    def _backward(self, z: Tensor, X: Tensor, y: Tensor, share: Tensor) -> Tensor:
        residual = (z.sigmoid() - y) * share
        by_weights = torch.bmm(residual.unsqueeze(1), X).squeeze(1)
        return torch.cat([by_weights, residual.sum(dim=1, keepdim=True)], dim=1) if self.bias else by_weights

    def scores(self, w: Tensor, X: Tensor) -> Tensor:
        return self._logits(w.unsqueeze(0), X.unsqueeze(0)).squeeze(0)


@dataclass(frozen=True)
class Softmax:
    """Cross-entropy of softmax(A x + b) with w = (A row by row, b); labels 0 … classes−1, int64."""

    features: int
    classes: int
    name: str = "softmax"

    @property
    def d(self) -> int:
        return self.classes * (self.features + 1)

    def initial(self, generator: torch.Generator, dtype: torch.dtype = torch.float32) -> Tensor:
        return _zeros(self.d, generator, dtype)

    def _logits(self, W: Tensor, X: Tensor) -> Tensor:
        split = self.classes * self.features
        A = W[:, :split].unflatten(1, (self.classes, self.features))
        return torch.baddbmm(W[:, split:].unsqueeze(2), A, X.mT)

    def loss(self, W: Tensor, X: Tensor, y: Tensor, weights: Tensor | None = None) -> Tensor:
        return (cross_entropy(self._logits(W, X), y) * shares(y, weights, W.dtype)).sum(dim=1)

    def gradient(self, W: Tensor, X: Tensor, y: Tensor, weights: Tensor | None = None) -> Tensor:
        return self._backward(self._logits(W, X), X, y, shares(y, weights, W.dtype))

    def loss_gradient(
        self, W: Tensor, X: Tensor, y: Tensor, weights: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        logits, share = self._logits(W, X), shares(y, weights, W.dtype)
        return (cross_entropy(logits, y) * share).sum(dim=1), self._backward(logits, X, y, share)

    def _backward(self, logits: Tensor, X: Tensor, y: Tensor, share: Tensor) -> Tensor:
        residual = cross_entropy_residual(logits, y, share)
        by_matrix = torch.bmm(residual, X)
        return torch.cat([by_matrix.flatten(1), residual.sum(dim=2)], dim=1)

    def scores(self, w: Tensor, X: Tensor) -> Tensor:
        return self._logits(w.unsqueeze(0), X.unsqueeze(0)).squeeze(0).T
