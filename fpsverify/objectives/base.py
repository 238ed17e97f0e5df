"""What a dense objective is, and the loss pieces that several of them share.

Shapes: M devices with n examples each. `W` (M, d) holds one model per device, `X` (M, n, features) the
examples, `y` (M, n) the targets. Device m's objective is the weighted mean

    f_m(w) = Σ_i a_i ℓ(w; x_i, y_i) / Σ_i a_i,      a_i = weights[m, i]  (all 1 when weights is None).

Devices of unequal size are padded and given weight 0 on the padding; a device of total weight 0 has f_m = 0.
Scores of several classes are (M, classes, n), an example per column: matrix products and softmax are faster
so, because n is longer than the number of classes. Everything follows the dtype and device of its inputs.
"""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor


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
