"""Layers that are put in the place of others: BatchNorm mixes rows, EmbeddingBag has no second derivative."""

from __future__ import annotations

import copy

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding
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


class Bag(nn.EmbeddingBag):
    """The same sums and means of words by operations that can be differentiated twice."""

    def forward(
        self, input: Tensor, offsets: Tensor | None = None, per_sample_weights: Tensor | None = None
    ) -> Tensor:
        simple = input.ndim == 2 and self.mode != "max" and self.max_norm is None and self.padding_idx is None
        if not simple:
            return super().forward(input, offsets, per_sample_weights)
        words = embedding(input, self.weight)
        if per_sample_weights is not None:
            words = words * per_sample_weights[..., None]
        return words.sum(1) if self.mode == "sum" else words.mean(1)


def working_copy(module: nn.Module) -> nn.Module:
    """A copy in which every layer has dense gradients and, where there is a way, two derivatives."""
    made = copy.deepcopy(module)
    for part in made.modules():
        if isinstance(part, (nn.Embedding, nn.EmbeddingBag)):
            part.sparse = False
        if type(part) is nn.EmbeddingBag:
            part.__class__ = Bag
    return made


def plain_copy(module: nn.Module) -> nn.Module:
    """A copy with the layers of the user's module."""
    made = copy.deepcopy(module)
    for part in made.modules():
        if type(part) is Bag:
            part.__class__ = nn.EmbeddingBag  # type: ignore[assignment]
    return made
