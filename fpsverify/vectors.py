"""Vectors of R^d in the two forms a round passes around: dense tensors and sorted (indices, values) pairs.

`Updates` holds what M devices computed in one round. Sparse problems use only the second form, so nothing
of length d is ever allocated for them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor


@dataclass(frozen=True)
class SparseVector:
    """A vector of R^d by its stored coordinates; `indices` strictly increasing int64."""

    d: int
    indices: Tensor
    values: Tensor

    @staticmethod
    def zero(d: int, dtype: torch.dtype = torch.float32, device: torch.device | str = "cpu") -> SparseVector:
        return SparseVector(
            d, torch.empty(0, dtype=torch.int64, device=device), torch.empty(0, dtype=dtype, device=device)
        )

    @staticmethod
    def from_pairs(d: int, indices: Tensor, values: Tensor) -> SparseVector:
        """Any order, repeated indices added up (in a fixed order: stable sort, then sequential index_add)."""
        order = torch.argsort(indices, stable=True)
        unique, inverse = torch.unique_consecutive(indices[order], return_inverse=True)
        total = torch.zeros(unique.shape[0], dtype=values.dtype, device=values.device)
        total.index_add_(0, inverse, values[order])
        return SparseVector(d, unique, total)

    def gather(self, at: Tensor) -> Tensor:
        """Values at the coordinates `at` (0 where nothing is stored)."""
        if self.indices.numel() == 0:
            return torch.zeros(at.shape, dtype=self.values.dtype, device=self.values.device)
        place = torch.searchsorted(self.indices, at).clamp_(max=self.indices.numel() - 1)
        hit = self.indices[place] == at
        return torch.where(
            hit, self.values[place], torch.zeros((), dtype=self.values.dtype, device=at.device)
        )

    def plus(self, other: SparseVector, scale: float = 1.0) -> SparseVector:
        return SparseVector.from_pairs(
            self.d,
            torch.cat([self.indices, other.indices]),
            torch.cat([self.values, other.values * scale]),
        )

    def scaled(self, scale: float) -> SparseVector:
        return SparseVector(self.d, self.indices, self.values * scale)

    def dense(self) -> Tensor:
        out = torch.zeros(self.d, dtype=self.values.dtype, device=self.values.device)
        out[self.indices] = self.values
        return out

    def norm_squared(self) -> float:
        return norm_squared(self.values)


Vector = Tensor | SparseVector


@dataclass(frozen=True)
class DenseUpdates:
    """One update per device, rows of an (M, d) tensor."""

    values: Tensor

    @property
    def M(self) -> int:
        return self.values.shape[0]

    def mean(self) -> Tensor:
        return self.values.mean(dim=0)

    @cached_property
    def norms_squared(self) -> list[float]:
        return norms_squared(self.values)

    def scaled(self, scale: float) -> DenseUpdates:
        return DenseUpdates(self.values * scale)


@dataclass(frozen=True)
class SparseUpdates:
    """One update per device, each on the coordinates that the device touched."""

    parts: tuple[SparseVector, ...]

    @property
    def M(self) -> int:
        return len(self.parts)

    def mean(self) -> SparseVector:
        indices = torch.cat([p.indices for p in self.parts])
        values = torch.cat([p.values for p in self.parts])
        return SparseVector.from_pairs(self.parts[0].d, indices, values / self.M)

    @cached_property
    def norms_squared(self) -> list[float]:
        return norms_squared([p.values for p in self.parts])

    def scaled(self, scale: float) -> SparseUpdates:
        return SparseUpdates(tuple(p.scaled(scale) for p in self.parts))


Updates = DenseUpdates | SparseUpdates


def sum_over(x: Tensor, dim: int) -> Tensor:
    """Σ over `dim`, counted from the end, with the same bits for any number of threads.

    torch cuts a long sum into one part per thread if it is the only sum to form: then two are formed.
    """
    if x.numel() > x.shape[dim]:
        return x.sum(dim=dim)
    return x.expand(2, *x.shape).sum(dim=dim)[0]


def norm_squared(v: Vector) -> float:
    return v.norm_squared() if isinstance(v, SparseVector) else float(_energy(v))


def norms_squared(parts: Iterable[Tensor]) -> list[float]:
    """Of each part, one by one, because its doubles stay in the cache; read from the device all at once."""
    found: list[float] = torch.stack([_energy(part) for part in parts]).tolist()
    return found


def _energy(v: Tensor) -> Tensor:
    squares = v.to(torch.float64, copy=True).square_()
    return sum_over(squares, dim=-1)


def is_finite(v: Vector) -> bool:
    """One pass: a sum is finite only if its terms are. Only a sum that overflows needs a look at each."""
    values = v.values if isinstance(v, SparseVector) else v
    return bool(torch.isfinite(values.sum())) or bool(torch.isfinite(values).all())


def add(a: Vector, b: Vector, scale: float = 1.0) -> Vector:
    """a + scale·b; the result is sparse only if both are."""
    if isinstance(a, SparseVector):
        if isinstance(b, SparseVector):
            return a.plus(b, scale)
        out = b * scale
        out[a.indices] += a.values
        return out
    if isinstance(b, SparseVector):
        out = a.clone()
        out[b.indices] += b.values * scale
        return out
    return a + b * scale
