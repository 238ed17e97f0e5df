"""The linear map that a device applies before it transmits: a count sketch, or the identity.

The identity is the exact sketch (one bucket per coordinate, no hash): with it FPS becomes FedAvg with an
exact top-k, which is what the reductions and the theory's noise-free statements are tested against.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from fpsverify.config import AlgorithmConfig
from fpsverify.errors import BadInput
from fpsverify.rng import derive_seed
from fpsverify.sketching.sketch import CountSketch, SketchSpec
from fpsverify.vectors import DenseUpdates, SparseUpdates, SparseVector, Updates, Vector

Batch = Vector | Updates


@dataclass(frozen=True)
class IdentitySketch:
    """The same operations as `CountSketch` on the vector itself; `table` is (d,) or (M, d)."""

    table: Tensor

    def add(self, x: Batch) -> IdentitySketch:
        if isinstance(x, DenseUpdates):
            return IdentitySketch(self.table + x.values)
        if isinstance(x, Tensor):
            return IdentitySketch(self.table + x)
        table = self.table.clone()
        if isinstance(x, SparseUpdates):
            for row, part in zip(table, x.parts, strict=True):
                row[part.indices] += part.values
        else:
            table[..., x.indices] += x.values
        return IdentitySketch(table)

    def with_table(self, table: Tensor) -> IdentitySketch:
        return IdentitySketch(table)

    def member(self, m: int) -> IdentitySketch:
        return IdentitySketch(self.table[m])

    def unsketch(self, k: int, support: Tensor | None = None, rule: str = "median") -> SparseVector:
        """The k largest coordinates in absolute value, zeros left out; among equals the lowest index wins."""
        candidates = self.table if support is None else self.table[support]
        order = torch.argsort(candidates.abs(), descending=True, stable=True)[:k]
        chosen = torch.sort(order[candidates[order] != 0]).values
        indices = chosen if support is None else support[chosen]
        return SparseVector(self.table.shape[-1], indices, self.table[indices])


Compressor = CountSketch | IdentitySketch


def empty(config: AlgorithmConfig, d: int, batch: int | None, seed: int, like: Tensor) -> Compressor:
    """An all-zero compressor; the hash seed is derived from the run's seed."""
    if config.compressor == "identity":
        shape = (d,) if batch is None else (batch, d)
        return IdentitySketch(torch.zeros(shape, dtype=like.dtype, device=like.device))
    hash_seed = derive_seed(seed, "hash") % 2**62  # pragma: no mutate: any draw would do
    spec = SketchSpec(config.rows, config.buckets, d, hash_seed)
    return CountSketch.zeros(spec, batch=batch, dtype=like.dtype, device=like.device)


def check(config: AlgorithmConfig, d: int) -> None:
    if config.k > d:
        raise BadInput("algorithm.k", config.k, f"at most the number of parameters, d = {d}")
