"""A network without BatchNorm, whose statistics mix the rows of a batch."""

from __future__ import annotations

import copy

import torch
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm

from fpsverify.errors import BadInput

MOST = 32  # groups
FEWEST = 4  # channels in a group, where there are so many


def without_batch_norm(module: nn.Module) -> nn.Module:
    """A copy with GroupNorm in place of every BatchNorm, with its scale and shift; train it anew.

    GroupNorm normalises each row by itself, so each row has a loss of its own, which a device's loss needs.

        >>> without_batch_norm(nn.Sequential(nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8)))[1]
        GroupNorm(2, 8, eps=1e-05, affine=True)
    """
    if not isinstance(module, nn.Module):
        raise BadInput("module", type(module).__name__, "a torch.nn.Module")
    if isinstance(module, _BatchNorm):
        return _group_norm(module)
    made = copy.deepcopy(module)
    for part in list(made.modules()):
        for name, child in part.named_children():
            if isinstance(child, _BatchNorm):
                setattr(part, name, _group_norm(child))
    return made


def _group_norm(layer: _BatchNorm) -> nn.GroupNorm:
    C = layer.num_features
    flat = isinstance(layer, nn.BatchNorm1d)  # a row may have one number for each channel
    groups = 1 if flat else max(g for g in range(1, MOST + 1) if C % g == 0 and (g == 1 or C // g >= FEWEST))
    made = nn.GroupNorm(groups, C, layer.eps, layer.affine)
    if layer.affine:
        made.to(layer.weight)
        with torch.no_grad():
            made.weight.copy_(layer.weight)
            made.bias.copy_(layer.bias)
    return made
