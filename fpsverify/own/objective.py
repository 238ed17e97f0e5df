"""Any `nn.Module` with any loss as an objective: gradients and Hessian products by `torch.func`.

The model w is the module's trainable parameters, flattened one after the other. Frozen parameters and buffers
are constants. Devices with equally many rows go together (`vmap`); otherwise, and where `vmap` does not know
an operation, they go one after the other.

A loss may weigh rows (`weight=`, `ignore_index=`): R(S) = Σ_{i∈S} c_i r_i / Σ_{i∈S} c_i, with r_i the loss of
row i alone. A device's loss is R of all its rows, which is the plain mean of a_i r_i with a_i = c_i over the
mean of c on the device. So the last column of a row holds a_i, and a mini-batch B has the loss
mean_{i∈B} a_i r_i = (mean_{i∈B} a_i)·R(B): its gradient is that of the device without bias.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from math import prod
from typing import Any

import torch
from torch import Tensor, nn
from torch.func import functional_call, grad, grad_and_value, vmap
from torch.nn.attention import SDPBackend, sdpa_kernel

from fpsverify.own.layout import Layout, Tree

Criterion = Callable[[Any, Any], Tensor]


@dataclass(frozen=True)
class Reading:
    """What the loss takes: the module's output or the scores in it, and targets or the whole batch.

    `wide`: it takes float64 too, which closer checks use.
    """

    scores: bool = False
    batch: bool = False
    wide: bool = True


@dataclass(frozen=True, eq=False)
class ModuleObjective:
    """`inputs` and `targets` say what stands in rows of X and y; `label` names the targets in a dictionary.

    `criterion` None: the module computes its loss itself. `weighted`: the last column of X is a_i.
    `decay`: weight λ of (λ/2)‖w‖². `together`: devices may go through `vmap`.
    """

    module: nn.Module
    criterion: Criterion | None
    inputs: Layout
    targets: Layout | None = None
    label: str = ""
    reading: Reading = Reading()
    weighted: bool = False
    decay: float = 0.0
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

    def given(self, X: Tensor, dtype: torch.dtype) -> Tree:
        """The inputs of a batch, as the user's data set has them."""
        return self.inputs.unpack(X[:, :-1] if self.weighted else X, dtype)

    def wanted(self, X: Tensor, y: Tensor, dtype: torch.dtype, whole: bool) -> Tree:
        """Its targets, or the `whole` batch."""
        if self.targets is None:
            return self.given(X, dtype)
        targets = self.targets.unpack(y, dtype)
        if not whole:
            return targets
        inputs = self.given(X, dtype)
        return {**inputs, self.label: targets} if self.label else (inputs, targets)

    def outputs(self, w: Tensor, X: Tensor, y: Tensor) -> Any:
        """What the module says about a batch.

        Attention takes torch's plain formula: its fused kernels have no second derivative.
        """
        own_loss = self.criterion is None
        batch = self.wanted(X, y, w.dtype, whole=True) if own_loss else self.given(X, w.dtype)
        positional, named = arguments(self.module, batch)
        with sdpa_kernel(SDPBackend.MATH):
            return functional_call(self.module, {**self._constants(w), **self.named(w)}, positional, named)

    def _constants(self, w: Tensor) -> dict[str, Tensor]:
        frozen = {name: p.detach() for name, p in self.module.named_parameters() if not p.requires_grad}
        fixed = {**frozen, **dict(self.module.named_buffers())}
        return {name: x.to(w.dtype) if x.is_floating_point() else x for name, x in fixed.items()}

    def judged(self, outputs: Any, X: Tensor, y: Tensor, dtype: torch.dtype) -> Tensor:
        """R(S): the user's loss of a batch, given what the module says about it."""
        if self.criterion is None:
            found: Tensor = outputs["loss"] if isinstance(outputs, Mapping) else outputs.loss
            return found
        if not self.reading.wide and dtype == torch.float64:
            dtype, outputs = torch.float32, narrowed(outputs)
        said = scores_in(outputs) if self.reading.scores else outputs
        against = self.wanted(X, y, dtype, self.reading.batch)
        if isinstance(self.criterion, nn.Module) and self.reading.wide:
            buffers = dict(self.criterion.named_buffers())
            buffers = {n: b.to(dtype) if b.is_floating_point() else b for n, b in buffers.items()}
            return functional_call(self.criterion, buffers, (said, against))
        return self.criterion(said, against)

    def value(self, w: Tensor, X: Tensor, y: Tensor) -> Tensor:
        """The loss of one model on rows X (n, …) with targets y (n, …): one number."""
        found = self.judged(self.outputs(w, X, y), X, y, w.dtype)
        if self.weighted:
            found = found * X[:, -1].to(w.dtype).mean()
        return found + self.decay / 2 * w.square().sum() if self.decay else found

    def weighted_value(self, w: Tensor, X: Tensor, y: Tensor, weights: Tensor) -> Tensor:
        """Σ a_i ℓ_i / Σ a_i. A loss is a mean, so rows of equal weight are one call."""
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
            return _one_by_one(transform(self.weighted_value), W, X, y, weights)
        of = transform(self.value)
        return vmap(of)(W, X, y) if self.together and len(W) > 1 else _one_by_one(of, W, X, y)

    def scores(self, w: Tensor, X: Tensor) -> Tensor:
        found = scores_in(self.outputs(w, X, X))
        assert found is not None
        return found.detach()


def arguments(module: nn.Module, given: Tree) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """A tuple or dictionary as several arguments where `forward` takes so many or these names, or as one."""
    positional, named = (
        (given if isinstance(given, tuple) else ()),
        (given if isinstance(given, dict) else {}),
    )
    if positional or named:
        try:
            signature(module.forward).bind(*positional, **named)
            return positional, named
        except (TypeError, ValueError):
            pass
    return (next(iter(named.values())) if len(named) == 1 else given,), {}


def scores_in(outputs: Any) -> Tensor | None:
    """The scores among what a module returns: a tensor itself, its `logits`, or the first of a tuple."""
    if isinstance(outputs, Tensor):
        return outputs
    found = outputs.get("logits") if isinstance(outputs, Mapping) else getattr(outputs, "logits", None)
    if found is None and isinstance(outputs, (tuple, list)) and outputs:
        found = scores_in(outputs[0])
    return found if isinstance(found, Tensor) else None


def narrowed(outputs: Any) -> Any:
    """The same in float32, for a loss that takes nothing else."""
    return on_tensors(lambda x: x.float() if x.dtype == torch.float64 else x, outputs)


def on_tensors(f: Callable[[Tensor], Tensor], outputs: Any) -> Any:
    """f of every tensor in what a module returns, of whatever kind that is."""
    if isinstance(outputs, Tensor):
        return f(outputs)
    if isinstance(outputs, Mapping):
        made = {name: on_tensors(f, x) for name, x in outputs.items()}
        return made if type(outputs) is dict else type(outputs)(**made)  # data classes of Hugging Face
    if isinstance(outputs, (tuple, list)):
        parts = [on_tensors(f, x) for x in outputs]
        return type(outputs)(*parts) if hasattr(outputs, "_fields") else type(outputs)(parts)
    if hasattr(outputs, "__dict__"):
        return type(outputs)(**{name: on_tensors(f, x) for name, x in vars(outputs).items()})
    return outputs


def _one_by_one(of: Callable[..., Any], *batches: Tensor) -> Any:
    """On copies: a product may round by where in memory a device's rows begin, which must not matter."""
    found = [of(*(x.clone() for x in each)) for each in zip(*batches, strict=True)]
    if isinstance(found[0], Tensor):
        return torch.stack(found)
    return tuple(torch.stack(parts) for parts in zip(*found, strict=True))
