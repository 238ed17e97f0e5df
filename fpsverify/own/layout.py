"""Nested inputs as one tensor with a row for each example, and back again.

A data set holds a tensor, or tuples and dictionaries of tensors. The rest of the package knows rows of
numbers: `pack` writes the parts of a row side by side, `unpack` gives a batch in its first shape.

    >>> inputs = {"ids": torch.tensor([[1, 2], [3, 4]]), "age": torch.tensor([[0.5], [0.7]])}
    >>> layout = Layout.of(inputs)
    >>> layout.pack(inputs, torch.float32).shape
    torch.Size([2, 3])
    >>> layout.unpack(layout.pack(inputs, torch.float32), torch.float64)["ids"].tolist()
    [[1, 2], [3, 4]]

Sparse rows are kept as places and values, padded to the longest row; a batch of them is dense.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import torch
from torch import Tensor

Tree = Any  # a Tensor, SparseRows or Part, or a tuple or dict of trees
EXACT = {torch.float32: 2**24, torch.float64: 2**53}  # whole numbers up to here are exact


@dataclass(frozen=True)
class SparseRows:
    """n rows of `columns` numbers, each given by `places` (n, K) and `values` (n, K), padded with zeros."""

    places: Tensor
    values: Tensor
    columns: int

    @staticmethod
    def of(matrix: Any) -> SparseRows:
        """From a sparse tensor of torch or a sparse matrix of scipy."""
        if isinstance(matrix, Tensor):
            with warnings.catch_warnings(action="ignore"):  # torch calls its sparse rows new
                csr = matrix.detach().to_sparse_csr()
            ends, at, values = csr.crow_indices(), csr.col_indices(), csr.values()
        else:
            csr = matrix.tocsr()
            ends, at, values = (torch.as_tensor(x) for x in (csr.indptr, csr.indices, csr.data))
        n, counts = len(ends) - 1, ends.diff().long()
        row = torch.arange(n).repeat_interleave(counts)
        place = torch.arange(len(at)) - ends[:-1].long().repeat_interleave(counts)
        longest = max(1, int(counts.max()) if n else 1)
        places, padded = torch.zeros(n, longest, dtype=torch.int64), values.new_zeros(n, longest)
        places[row, place], padded[row, place] = at.long(), values
        return SparseRows(places, padded, matrix.shape[1])

    def __len__(self) -> int:
        return len(self.values)

    def padded(self, longest: int) -> SparseRows:
        more = (0, longest - self.values.shape[1])
        places, values = (torch.nn.functional.pad(x, more) for x in (self.places, self.values))
        return SparseRows(places, values, self.columns)


@dataclass(frozen=True)
class Part:
    """A tensor of the tree: its shape in one row; `longest`: entries of the longest sparse row."""

    shape: tuple[int, ...]
    kind: str = "float"  # float, whole or bool
    longest: int = 0

    @property
    def width(self) -> int:
        return 2 * self.longest or prod(self.shape)


def mapped(f: Callable[..., Any], *trees: Tree) -> Tree:
    """f of the parts that stand in the same place of all trees."""
    first = trees[0]
    if isinstance(first, dict):
        return {name: mapped(f, *(tree[name] for tree in trees)) for name in first}
    if isinstance(first, tuple):
        return tuple(mapped(f, *each) for each in zip(*trees, strict=True))
    return f(*trees)


def parts_of(tree: Tree, name: str = "") -> Iterator[tuple[str, Any]]:
    """The parts of a tree with their names, for example `text.ids`."""
    inside = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, tuple) else None
    if inside is None:
        yield name, tree
        return
    for key, part in inside:
        yield from parts_of(part, f"{name}.{key}" if name else str(key))


def joined(trees: Sequence[Tree]) -> Tree:
    """The rows of several trees of one layout, one after the other."""

    def cat(*parts: Any) -> Any:
        if not isinstance(parts[0], SparseRows):
            return torch.cat(parts)
        longest = max(part.values.shape[1] for part in parts)
        same = [part.padded(longest) for part in parts]
        return SparseRows(
            torch.cat([x.places for x in same]), torch.cat([x.values for x in same]), parts[0].columns
        )

    return mapped(cat, *trees)


@dataclass(frozen=True)
class Layout:
    """Which part of a row stands where."""

    tree: Tree
    parts: tuple[Part, ...]

    @staticmethod
    def of(tree: Tree) -> Layout:
        found = mapped(_part, tree)
        return Layout(found, tuple(part for _, part in parts_of(found)))

    @property
    def single(self) -> bool:
        """One dense tensor, kept as it is."""
        return isinstance(self.tree, Part) and not self.tree.longest

    def pack(self, tree: Tree, dtype: torch.dtype) -> Tensor:
        """(n, numbers of a row): floats in `dtype`, whole numbers alone as int64.

        Whole numbers beside floats stand among these, in float64 where `dtype` is too short for them.
        """
        given = [part for _, part in parts_of(tree)]
        columns = [x for part in given for x in _columns(part)]
        if all(part.kind != "float" for part in self.parts):
            return torch.cat([x.to(torch.int64) for x in columns], 1)
        whole = [x for x in columns if x.dtype != torch.bool and not x.is_floating_point() and x.numel()]
        if any(int(x.abs().max()) > EXACT[dtype] for x in whole):
            dtype = torch.float64
        return torch.cat([x.to(dtype) for x in columns], 1)

    def unpack(self, X: Tensor, dtype: torch.dtype) -> Tree:
        """The tree of a batch, with floats in `dtype`."""
        blocks = iter(X.reshape(len(X), -1).split([part.width for part in self.parts], 1))
        return mapped(lambda part: _restored(part, next(blocks), dtype), self.tree)


def _part(x: Tensor | SparseRows) -> Part:
    if isinstance(x, SparseRows):
        return Part((x.columns,), longest=x.values.shape[1])
    kind = "float" if x.is_floating_point() else "bool" if x.dtype == torch.bool else "whole"
    return Part(tuple(x.shape[1:]), kind)


def _columns(x: Tensor | SparseRows) -> list[Tensor]:
    if isinstance(x, SparseRows):
        return [x.places, x.values]
    return [x.reshape(len(x), -1)]


def _restored(part: Part, x: Tensor, dtype: torch.dtype) -> Tensor:
    if part.longest:
        places, values = x[:, : part.longest].long(), x[:, part.longest :].to(dtype)
        return values.new_zeros(len(x), *part.shape).scatter_add(1, places, values)
    kinds = {"float": dtype, "whole": torch.int64, "bool": torch.bool}
    return (
        x.to(kinds[part.kind]).unflatten(1, part.shape or (1,))
        if part.shape
        else x[:, 0].to(kinds[part.kind])
    )


def plain(batch: Any) -> Any:
    """Mappings as dict, sequences as tuple."""
    if isinstance(batch, Mapping):
        return {str(name): plain(x) for name, x in batch.items()}
    return tuple(plain(x) for x in batch) if isinstance(batch, (tuple, list)) else batch
