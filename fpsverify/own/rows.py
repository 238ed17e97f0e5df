"""The rows of a user's data sets as two tensors, inputs and targets, read once.

A data set is any Dataset of (input, target) pairs, a DataLoader of one, or a pair of tensors.
A DataLoader's batches and order do not matter: a run draws its own mini-batches.

Rows may also be dictionaries of an input and a label, as in the data sets of Hugging Face and flwr-datasets;
pictures (PIL) become numbers in [0, 1], channels first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader, TensorDataset, default_collate

from fpsverify.errors import BadInput

PAIRS = "rows of one input and one target, as in TensorDataset(inputs, targets)"


@dataclass(frozen=True)
class Rows:
    """Inputs (n, …) and targets (n, …)."""

    inputs: Tensor
    targets: Tensor

    def __len__(self) -> int:
        return len(self.targets)


def read(dataset: Any, field: str) -> Rows:
    """All rows of one data set, each finite; `field` is what errors call it."""
    rows = _tensors(dataset, field)
    if len(rows.inputs) != len(rows.targets):
        told = f"{len(rows.inputs)} inputs and {len(rows.targets)} targets"
        raise BadInput(field, told, "as many inputs as targets")
    if len(rows) == 0:
        raise BadInput(field, "no rows", "at least one row on every device")
    for name, values in (("inputs", rows.inputs), ("targets", rows.targets)):
        _demand_finite(values, f"{field}, {name}")
    return rows


def _tensors(dataset: Any, field: str) -> Rows:
    if isinstance(dataset, DataLoader):
        if dataset.collate_fn is not default_collate:
            raise BadInput(field, "a DataLoader with its own collate_fn", "its data set, with pairs as rows")
        return _tensors(dataset.dataset, field)
    if isinstance(dataset, TensorDataset):
        dataset = dataset.tensors
    if isinstance(dataset, (tuple, list)) and all(isinstance(x, (Tensor, np.ndarray)) for x in dataset):
        if len(dataset) != 2:
            raise BadInput(field, f"{len(dataset)} tensors", PAIRS)
        try:
            return Rows(*(torch.as_tensor(x).detach() for x in dataset))
        except TypeError:  # arrays of words or of objects
            told = " and ".join(str(x.dtype) for x in dataset)
            raise BadInput(field, f"arrays of {told}", "numbers; classes as 0, 1, 2, …") from None
    return _one_by_one(dataset, field)


def _one_by_one(dataset: Any, field: str) -> Rows:
    _demand_as_many_labels(dataset, field)
    try:
        items = [dataset[i] for i in range(len(dataset))] if hasattr(dataset, "__len__") else list(dataset)
    except (TypeError, IndexError, KeyError) as error:
        raise BadInput(field, f"{type(dataset).__name__} ({error})", PAIRS) from None
    if not items:
        raise BadInput(field, "no rows", "at least one row on every device")
    try:
        inputs, targets = zip(*(_pair(item) for item in items), strict=True)
        return Rows(*(torch.stack([_tensor(x) for x in part]) for part in (inputs, targets)))
    except (TypeError, ValueError, RuntimeError) as error:
        raise BadInput(field, f"{type(dataset).__name__} ({str(error).splitlines()[0]})", PAIRS) from None


LABELS = ("label", "labels", "target", "targets", "y")


def _pair(item: Any) -> Any:
    """Input and target of a row."""
    if not isinstance(item, Mapping):
        return item
    label = [name for name in item if name in LABELS]
    if len(item) != 2 or len(label) != 1:
        raise ValueError(f"a row has the columns {', '.join(item)}; expected an input and a label")
    (other,) = (name for name in item if name != label[0])
    return item[other], item[label[0]]


def _tensor(x: Any) -> Tensor:
    if not hasattr(x, "getbands"):  # which pictures of PIL have
        return torch.as_tensor(x)
    picture = torch.from_numpy(np.array(x)).float() / 255
    return picture[None] if picture.ndim == 2 else picture.movedim(-1, 0)


def _demand_as_many_labels(dataset: Any, field: str) -> None:
    """What image data sets call their labels must be as long as the data set says it is."""
    for name in ("targets", "labels"):
        labels: Any = getattr(dataset, name, None)
        if hasattr(labels, "__len__") and hasattr(dataset, "__len__") and len(labels) != len(dataset):
            told = f"{len(dataset)} rows and {len(labels)} {name}"
            raise BadInput(field, told, "as many targets as rows")


def _demand_finite(values: Tensor, field: str) -> None:
    if values.is_floating_point() and values.device.type != "meta":
        good = torch.isfinite(values).flatten(1).all(1) if values.ndim > 1 else torch.isfinite(values)
        if not bool(good.all()):
            row = int((~good).nonzero()[0])
            raise BadInput(field, f"a value that is not finite in row {row}", "finite numbers")


def joined(parts: Sequence[Rows], field: str) -> Rows:
    """The rows of all devices one after the other, after checking that they have one shape."""
    for m, part in enumerate(parts):
        demand_alike(part, parts[0], f"{field}[{m}]", f"{field}[0]")
    return Rows(torch.cat([p.inputs for p in parts]), torch.cat([p.targets for p in parts]))


def demand_alike(rows: Rows, others: Rows, field: str, where: str) -> None:
    for name in ("inputs", "targets"):
        mine, wanted = getattr(rows, name), getattr(others, name)
        if (mine.shape[1:], mine.dtype) != (wanted.shape[1:], wanted.dtype):
            told = f"{name} of shape {tuple(mine.shape[1:])} and {mine.dtype}"
            right = f"{tuple(wanted.shape[1:])} and {wanted.dtype}, as in {where}"
            raise BadInput(field, told, right)


def blocks(parts: Sequence[Rows]) -> tuple[np.ndarray, ...]:
    """Row numbers of each device in what `joined` returns."""
    ends = np.cumsum([0, *(len(part) for part in parts)])
    return tuple(np.arange(a, b) for a, b in pairwise(ends.tolist()))
