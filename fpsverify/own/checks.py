"""What a module and a loss must be so that f(w) = (1/M) Σ_m l_m(w) has a meaning, or else one line.

A device's loss l_m is the mean over its rows. So the loss must be one number, the same at every call, and on
several rows together the mean of what it is on each. Layers that mix rows (BatchNorm) or draw at random
(Dropout) fail this in training mode; after `module.eval()` both are plain functions and welcome.
"""

from __future__ import annotations

import warnings
from math import prod
from typing import Any

import torch
from torch import Tensor, nn

from fpsverify.device import holds_data
from fpsverify.errors import BadInput
from fpsverify.own.objective import ModuleObjective
from fpsverify.problems.problem import CHUNK

DTYPES = (torch.float32, torch.float64)
FEW = 4  # rows that the module is tried on


def check_parameters(module: Any, where: torch.device) -> torch.dtype:
    """The dtype of the module's parameters, after checking that they are there and where the data are."""
    if not isinstance(module, nn.Module):
        raise BadInput("module", type(module).__name__, "a torch.nn.Module")
    trained = [p for p in module.parameters() if p.requires_grad]
    if not trained:
        raise BadInput("module", f"{type(module).__name__} with no parameters to train", "at least one")
    for device in {p.device for p in module.parameters()} | {b.device for b in module.buffers()}:
        if device != where or not holds_data(device):
            raise BadInput("module", f"parameters on {device}", f"all of them on {where}, where the data are")
    dtypes = {p.dtype for p in trained}
    if len(dtypes) > 1 or not dtypes <= set(DTYPES):
        told = ", ".join(sorted(str(t) for t in dtypes))
        raise BadInput("module", f"parameters of {told}", "all float32 or all float64")
    return dtypes.pop()


def check_behaviour(objective: ModuleObjective, w: Tensor, X: Tensor, y: Tensor) -> None:
    """Try the module and the loss on a few rows."""
    every, X, y = (X, y), X[:FEW], y[:FEW]
    _check_buffers(objective, w, X)
    first, again = (_loss(objective, w, X, y) for _ in range(2))
    if first != again:
        raise BadInput(
            "module", "another loss at every call", "no random layer (Dropout: p=0, or module.eval())"
        )
    mean = sum(_loss(objective, w, X[i : i + 1], y[i : i + 1]) for i in range(len(y))) / len(y)
    if abs(first - mean) > 1e-3 * (abs(first) + abs(mean)):
        _check_shapes(objective, w, X, y)
        told = f"{first:.4g} on {len(y)} rows together and {mean:.4g} as their mean"
        right = "the plain mean over rows (reduction='mean', no weight=, no layer that mixes rows)"
        raise BadInput("loss", told, right)
    _check_gradient(objective, w, X, y)
    check_targets(objective, w, *every)


def _check_shapes(objective: ModuleObjective, w: Tensor, X: Tensor, y: Tensor) -> None:
    """Shapes that torch stretches to one, so that it pairs rows with other rows.

    Either outputs and targets are equally many, or the number of rows happens to be that of outputs per row:
    then the loss fails on fewer rows.
    """
    outputs = objective.outputs(w, X)
    shape, use = tuple(outputs.shape), ""
    if shape != tuple(y.shape) and prod(shape) == y.numel():
        use = "use targets.unsqueeze(1)" if len(shape) > y.ndim else "use outputs.unsqueeze(1)"
    elif shape != tuple(y.shape) and not _takes(objective, outputs[:-1], y[:-1]):
        use = "as many outputs as targets in each row, or for classes nn.CrossEntropyLoss()"
    if use:
        raise BadInput("loss", f"outputs {shape}, targets {tuple(y.shape)}", f"one shape: {use}")


def _takes(objective: ModuleObjective, outputs: Tensor, y: Tensor) -> bool:
    try:
        with warnings.catch_warnings(action="ignore"):
            objective.criterion(outputs, y)
    except Exception:  # whatever a user's loss raises
        return False
    return True


def _check_gradient(objective: ModuleObjective, w: Tensor, X: Tensor, y: Tensor) -> None:
    with torch.enable_grad():
        found = objective.value(w.detach().clone().requires_grad_(), X, y)
    if not found.requires_grad:
        right = "one that depends on the parameters (no argmax, no detach)"
        raise BadInput("loss", "a number without a gradient", right)


def check_targets(objective: ModuleObjective, w: Tensor, X: Tensor, y: Tensor) -> None:
    """Every row gives a finite loss: targets out of range show here."""
    for block in zip(X.split(CHUNK), y.split(CHUNK), strict=True):
        _loss(objective, w, *block)


def _check_buffers(objective: ModuleObjective, w: Tensor, X: Tensor) -> None:
    module = objective.module
    before = {name: b.clone() for name, b in module.named_buffers()}
    try:
        with torch.no_grad():
            module(_items(objective, w, X))
    except Exception as error:  # whatever a user's module raises
        raise _failed("module", error, f"inputs {(len(X), *objective.item)}") from None
    changed = [name for name, b in module.named_buffers() if not torch.equal(b, before[name])]
    for name, b in module.named_buffers():
        b.copy_(before[name])
    if changed:
        layer = type(module.get_submodule(changed[0].rpartition(".")[0])).__name__
        right = "no buffer that changes in training: use GroupNorm or LayerNorm, or call module.eval() first"
        raise BadInput("module", f"{layer} with the buffer {changed[0]}", right)


def _items(objective: ModuleObjective, w: Tensor, X: Tensor) -> Tensor:
    inputs = X.to(torch.int64 if objective.whole_numbers else w.dtype)
    return inputs.reshape(len(X), *objective.item)


def _loss(objective: ModuleObjective, w: Tensor, X: Tensor, y: Tensor) -> float:
    try:
        outputs = objective.outputs(w, X)
    except Exception as error:  # whatever a user's module raises
        raise _failed("module", error, f"inputs {(len(X), *objective.item)}") from None
    try:
        with warnings.catch_warnings(action="ignore"):  # what torch warns of is refused here, in one line
            found = objective.criterion(outputs, y)
    except Exception as error:  # whatever a user's loss raises
        told = f"outputs {tuple(outputs.shape)} and targets {tuple(y.shape)} of {y.dtype}"
        raise _failed("loss", error, told) from None
    if not isinstance(found, Tensor) or found.shape != ():
        told = f"a tensor {tuple(found.shape)}" if isinstance(found, Tensor) else type(found).__name__
        raise BadInput("loss", told, "one number as a tensor, the mean over rows (reduction='mean')")
    if not bool(torch.isfinite(found)):
        raise BadInput("loss", float(found), "a finite number at the module's own parameters")
    return float(found)


def _failed(field: str, error: Exception, batch: str) -> BadInput:
    words = (str(error).strip().splitlines() or [""])[0]
    return BadInput(field, f"{type(error).__name__}: {words}", f"no error on a batch of {batch}")


def goes_together(objective: ModuleObjective, w: Tensor, X: Tensor, y: Tensor) -> bool:
    """Whether `vmap` knows all of the module's operations and gives the gradients of one device at a time."""
    X, y, W = X[:FEW].expand(2, -1, -1), y[:FEW].expand(2, *y[:FEW].shape), w.expand(2, -1)
    alone = objective.gradient(W[:1], X[:1], y[:1])
    try:
        both = objective.gradient(W, X, y)
    except Exception:  # vmap's errors have no type of their own; one by one is always right
        return False
    return torch.allclose(both, alone.expand_as(both), rtol=1e-3, atol=1e-5)
