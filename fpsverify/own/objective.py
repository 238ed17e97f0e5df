"""Any `nn.Module` with any loss as an objective: gradients and Hessian products by `torch.func`.

The model w is the module's trainable parameters, flattened one after the other. Frozen parameters and buffers
are constants. Devices with equally many rows go together (`vmap`); otherwise, and where `vmap` does not know
an operation, they go one after the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import torch
from torch import Tensor, nn
from torch.func import functional_call, grad, grad_and_value, vmap
from torch.nn.attention import SDPBackend, sdpa_kernel

Criterion = Callable[[Tensor, Tensor], Tensor]


@dataclass(frozen=True, eq=False)
class ModuleObjective:
    """`module` is called on inputs of shape `item`; rows of X are these, flattened.

    `whole_numbers`: the inputs are integers, for example words of a vocabulary.
    `together`: devices may go through `vmap`.
    """

    module: nn.Module
    criterion: Criterion
    item: tuple[int, ...]
    whole_numbers: bool = False
    together: bool = True
    name: str = "own"

    @property
    def shapes(self) -> dict[str, torch.Size]:
        """Of the trainable parameters, in the order in which they stand in w."""
        return {name: p.shape for name, p in self.module.named_parameters() if p.requires_grad}

    @property
    def d(self) -> int:
        return sum(prod(shape) for shape in self.shapes.values())

    def initial(self, generator: torch.Generator, dtype: torch.dtype = torch.float32) -> Tensor:
        """The module's own parameters; nothing is drawn."""
        values = [p.detach().flatten() for p in self.module.parameters() if p.requires_grad]
        return torch.cat(values).to(generator.device, dtype)

    def named(self, w: Tensor) -> dict[str, Tensor]:
        """The trainable parameters that w holds."""
        parts = w.split([prod(shape) for shape in self.shapes.values()])
        return {
            name: part.view(shape) for (name, shape), part in zip(self.shapes.items(), parts, strict=True)
        }

    def outputs(self, w: Tensor, X: Tensor) -> Tensor:
        """What the module says about rows X (n, features).

        Attention takes torch's plain formula: its fused kernels have no second derivative.
        """
        inputs = X.to(torch.int64 if self.whole_numbers else w.dtype).unflatten(1, self.item or (1,))
        inputs = inputs if self.item else inputs.squeeze(1)
        with sdpa_kernel(SDPBackend.MATH):
            found: Tensor = functional_call(self.module, {**self._constants(w), **self.named(w)}, (inputs,))
        return found

    def _constants(self, w: Tensor) -> dict[str, Tensor]:
        frozen = {name: p.detach() for name, p in self.module.named_parameters() if not p.requires_grad}
        fixed = {**frozen, **dict(self.module.named_buffers())}
        return {name: x.to(w.dtype) if x.is_floating_point() else x for name, x in fixed.items()}

    def value(self, w: Tensor, X: Tensor, y: Tensor) -> Tensor:
        """The mean loss of one model on rows X (n, features) with targets y (n, …): one number."""
        return self.criterion(self.outputs(w, X), y)

    def weighted(self, w: Tensor, X: Tensor, y: Tensor, weights: Tensor) -> Tensor:
        """Σ a_i ℓ_i / Σ a_i. A criterion is a mean, so rows of equal weight are one call."""
        kept = torch.nonzero(weights).flatten()
        if len(kept) == 0:
            return w.sum() * 0
        a = weights[kept].to(w.dtype)
        if bool((a == a[0]).all()):
            return self.value(w, X[kept], y[kept])
        each = [self.value(w, X[i : i + 1], y[i : i + 1]) for i in kept]
        return (torch.stack(each) * a).sum() / a.sum()

    def loss(self, W: Tensor, X: Tensor, y: Tensor, weights: Tensor | None = None) -> Tensor:
        return self._over_devices(lambda f: f, W, X, y, weights)

    def gradient(self, W: Tensor, X: Tensor, y: Tensor, weights: Tensor | None = None) -> Tensor:
        return self._over_devices(grad, W, X, y, weights)

    def loss_gradient(
        self, W: Tensor, X: Tensor, y: Tensor, weights: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        gradients, losses = self._over_devices(grad_and_value, W, X, y, weights)
        return losses, gradients

    def _over_devices(
        self, transform: Callable[..., Any], W: Tensor, X: Tensor, y: Tensor, weights: Tensor | None
    ) -> Any:
        """transform(loss) of every device: a tensor, or a tuple of tensors, with one row for each."""
        if weights is not None:
            return _one_by_one(transform(self.weighted), W, X, y, weights)
        of = transform(self.value)
        return vmap(of)(W, X, y) if self.together and len(W) > 1 else _one_by_one(of, W, X, y)

    def scores(self, w: Tensor, X: Tensor) -> Tensor:
        return self.outputs(w, X).detach()


def _one_by_one(of: Callable[..., Any], *batches: Tensor) -> Any:
    """On copies: a product may round by where in memory a device's rows begin, which must not matter."""
    found = [of(*(x.clone() for x in each)) for each in zip(*batches, strict=True)]
    if isinstance(found[0], Tensor):
        return torch.stack(found)
    return tuple(torch.stack(parts) for parts in zip(*found, strict=True))
