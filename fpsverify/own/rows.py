"""The rows of a user's data sets, read once: inputs, and targets where there are any.

A data set is a Dataset, a DataLoader, a dictionary of tensors, or a pair (inputs, targets) of tensors, where
inputs may be a tuple or dictionary of them, or sparse. A DataLoader's batches and order do not matter,
because a run draws its own mini-batches; its `collate_fn` is called once on all rows of all devices, so that
these are padded alike. Pictures (PIL) become numbers in [0, 1], channels first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from numbers import Number
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader, TensorDataset, default_collate

from fpsverify.errors import BadInput
from fpsverify.own.layout import SparseRows, Tree, mapped, parts_of, plain
from fpsverify.own.layout import joined as joined_trees

PAIRS = "rows of one input and one target, as in TensorDataset(inputs, targets)"
LABELS = ("label", "labels", "target", "targets", "y")
NUMBERS = "numbers; classes as 0, 1, 2, …"


@dataclass(frozen=True)
class Rows:
    """Inputs and targets (n, …); `label` names the column of a dictionary that the targets come from.

    Without targets the loss is given the whole batch.
    """

    inputs: Tree
    targets: Tree | None = None
    label: str = ""

    def __len__(self) -> int:
        return len(next(part for _, part in parts_of(self.inputs)))

    @property
    def named(self) -> dict[str, Tree]:
        return {"inputs": self.inputs} | ({} if self.targets is None else {"targets": self.targets})


def read_each(datasets: Sequence[Any], fields: Sequence[str]) -> list[Rows]:
    """All rows of each data set, checked; `fields` is what errors call them."""
    together: list[
        tuple[Any, list[int]]
    ] = []  # a collate function, and the data sets that it makes batches of
    for i, data in enumerate(datasets):
        if isinstance(data, DataLoader) and data.collate_fn is not default_collate:
            same = next((at for f, at in together if f == data.collate_fn), None)
            if same is None:
                together.append((data.collate_fn, [i]))
            else:
                same.append(i)
    found: dict[int, Rows] = {}
    for collate, at in together:
        items = [_items(datasets[i].dataset, fields[i]) for i in at]
        batch = _collated(collate, [row for part in items for row in part], fields[at[0]])
        ends = np.cumsum([0, *map(len, items)])
        for i, (a, b) in zip(at, pairwise(ends.tolist()), strict=True):
            found[i] = _split(mapped(lambda x, a=a, b=b: x[a:b], batch), fields[i])
    each = [found[i] if i in found else _read(data, fields[i]) for i, data in enumerate(datasets)]
    for rows, field in zip(each, fields, strict=True):
        _check(rows, field)
    return each


def _read(dataset: Any, field: str) -> Rows:
    if isinstance(dataset, DataLoader):
        return _read(dataset.dataset, field)
    if isinstance(dataset, TensorDataset):
        return _split(dataset.tensors, field)
    if isinstance(dataset, Tensor):
        return Rows(dataset)
    if is_batch(dataset):
        return _split(mapped(lambda x: _array(x, field), plain(dataset)), field)
    return _split(_stacked(_items(dataset, field), field), field)


def is_batch(x: Any) -> bool:
    """Tensors or arrays of all rows, as a dictionary or as (inputs, targets); a list of rows is none."""
    if isinstance(x, Mapping):
        return all(_is_array(part) for _, part in parts_of(plain(x)))
    if not isinstance(x, (tuple, list)) or not x:
        return False
    nested = isinstance(x, tuple) and len(x) == 2 and _is_array(x[1])
    return all(_is_array(part) for _, part in (parts_of(plain(x)) if nested else enumerate(x)))


def _is_array(x: Any) -> bool:
    return (isinstance(x, (Tensor, np.ndarray)) and x.ndim > 0) or hasattr(x, "tocsr")


def _array(x: Any, field: str) -> Tensor | SparseRows:
    if hasattr(x, "tocsr") or (isinstance(x, Tensor) and x.layout != torch.strided):
        return SparseRows.of(x)
    try:
        return torch.as_tensor(x).detach()
    except TypeError:  # arrays of words or of objects
        raise BadInput(field, f"an array of {x.dtype}", NUMBERS) from None


def _items(dataset: Any, field: str) -> list[Any]:
    for name in ("targets", "labels"):  # what image data sets call their labels
        labels: Any = getattr(dataset, name, None)
        if hasattr(labels, "__len__") and hasattr(dataset, "__len__") and len(labels) != len(dataset):
            raise BadInput(field, f"{len(dataset)} rows and {len(labels)} {name}", "as many targets as rows")
    try:
        items = [dataset[i] for i in range(len(dataset))] if hasattr(dataset, "__len__") else list(dataset)
    except (TypeError, IndexError, KeyError) as error:
        raise BadInput(field, f"{type(dataset).__name__} ({error})", PAIRS) from None
    if not items:
        raise BadInput(field, "no rows", "at least one row on every device")
    return items


def _collated(collate: Any, items: list[Any], field: str) -> Tree:
    try:
        batch = plain(collate(items))
    except Exception as error:  # whatever a user's function raises
        told = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
        raise BadInput(field, told, "a collate_fn that takes all rows at once") from None
    for name, part in parts_of(batch):
        if not isinstance(part, Tensor) or part.ndim == 0 or len(part) != len(items):
            told = f"{tuple(part.shape)}" if isinstance(part, Tensor) else type(part).__name__
            right = f"tensors with {len(items)} rows, one for each example"
            raise BadInput(field, f"{name or 'a batch'} {told} from collate_fn", right)
    return batch


def _stacked(items: list[Any], field: str) -> Tree:
    """A batch of rows that are numbers, tensors, arrays, pictures, or tuples and dictionaries of these."""
    first = items[0]
    if isinstance(first, Mapping):
        names = [str(name) for name in first]
        if any(not isinstance(item, Mapping) or set(map(str, item)) != set(names) for item in items):
            raise BadInput(field, f"rows with other columns than {', '.join(names)}", "the same in every row")
        return {str(name): _stacked([item[name] for item in items], field) for name in first}
    if isinstance(first, (tuple, list)) and not all(isinstance(x, Number) for x in first):
        if any(not isinstance(item, (tuple, list)) or len(item) != len(first) for item in items):
            raise BadInput(field, "rows of several lengths", PAIRS)
        return tuple(_stacked([item[i] for item in items], field) for i in range(len(first)))
    if isinstance(first, str):
        raise BadInput(field, f"the text {first!r}", NUMBERS)
    try:
        each = [_tensor(x) for x in items]
    except (TypeError, ValueError, RuntimeError) as error:
        raise BadInput(field, f"{type(first).__name__} ({str(error).splitlines()[0]})", PAIRS) from None
    if len(shapes := {tuple(x.shape) for x in each}) > 1:
        told = " and ".join(map(str, sorted(shapes)[:2]))
        right = "one shape: pad them, or give DataLoaders with a collate_fn that pads"
        raise BadInput(field, f"rows of shapes {told}", right)
    return torch.stack(each)


def _tensor(x: Any) -> Tensor:
    if not hasattr(x, "getbands"):  # which pictures of PIL have
        return torch.as_tensor(x).detach()
    picture = torch.from_numpy(np.array(x)).float() / 255
    return picture[None] if picture.ndim == 2 else picture.movedim(-1, 0)


def _split(batch: Tree, field: str) -> Rows:
    """Inputs and targets of a batch."""
    if isinstance(batch, dict):
        labels = [name for name in batch if name in LABELS]
        if len(labels) != 1 or len(batch) == 1:
            return Rows(batch)
        return Rows({k: x for k, x in batch.items() if k != labels[0]}, batch[labels[0]], labels[0])
    if not isinstance(batch, tuple) or len(batch) == 1:
        return Rows(batch[0] if isinstance(batch, tuple) else batch)
    if len(batch) != 2:
        right = f"{PAIRS}; several inputs are one tuple: ((a, b), target)"
        raise BadInput(field, f"rows of {len(batch)} parts", right)
    return Rows(*batch)


def _check(rows: Rows, field: str) -> None:
    for name, part in parts_of(rows.named):
        if getattr(part, "ndim", 1) == 0:
            raise BadInput(f"{field}, {name}", "one number", "a row for each example")
    counts = {name: len(part) for name, part in parts_of(rows.named)}
    if len(set(counts.values())) > 1:
        told = " and ".join(f"{n} {name}" for name, n in counts.items())
        raise BadInput(field, told, "as many inputs as targets" if len(counts) == 2 else "as many of each")
    if len(rows) == 0:
        raise BadInput(field, "no rows", "at least one row on every device")
    for name, values in tensors(rows):
        if values.is_complex():
            raise BadInput(f"{field}, {name}", f"{values.dtype}", "real numbers")
        if values.is_floating_point() and values.device.type != "meta":
            good = torch.isfinite(values.reshape(len(values), -1)).all(1)
            if not bool(good.all()):
                row = int((~good).nonzero()[0])
                raise BadInput(
                    f"{field}, {name}", f"a value that is not finite in row {row}", "finite numbers"
                )


def joined(parts: Sequence[Rows], field: str) -> Rows:
    """The rows of all devices one after the other, after checking that they have one layout."""
    for m, part in enumerate(parts):
        demand_alike(part, parts[0], f"{field}[{m}]", f"{field}[0]")
    inputs = joined_trees([part.inputs for part in parts])
    targets = None if parts[0].targets is None else joined_trees([part.targets for part in parts])
    return Rows(inputs, targets, parts[0].label)


def demand_alike(rows: Rows, others: Rows, field: str, where: str) -> None:
    mine, wanted = (dict(parts_of(each.named)) for each in (rows, others))
    if list(mine) != list(wanted):
        raise BadInput(field, ", ".join(mine), f"{', '.join(wanted)}, as in {where}")
    for name, part in mine.items():
        told, right = (_said(x) for x in (part, wanted[name]))
        if told != right:
            raise BadInput(field, f"{name} of {told}", f"{right}, as in {where}")


def _said(x: Tensor | SparseRows) -> str:
    if isinstance(x, SparseRows):
        return f"sparse rows of {x.columns} columns"
    return f"shape {tuple(x.shape[1:])} and {x.dtype}"


def tensors(rows: Rows) -> Iterator[tuple[str, Tensor]]:
    """The tensors in which the rows are, with their names."""
    for name, part in parts_of(rows.named):
        yield name, part.values if isinstance(part, SparseRows) else part


def blocks(parts: Sequence[Rows]) -> tuple[np.ndarray, ...]:
    """Row numbers of each device in what `joined` returns."""
    ends = np.cumsum([0, *(len(part) for part in parts)])
    return tuple(np.arange(a, b) for a, b in pairwise(ends.tolist()))
