"""A stand-in for the usual torch count sketch, written for this comparison; it is nobody's published code.

The approach: tables of bucket (int64) and sign (float32) for all d coordinates, `bincount` per row, a gather
and `torch.median` over rows, `topk`. It uses our hash values, so its outputs can be checked against ours.
Lower limits that no hash on the fly can beat are here too: scatter and gather on stored indices.
"""

from __future__ import annotations

import numpy as np
import torch
from numba import njit
from torch import Tensor

from fpsverify.sketch.hash import SketchSpec, hash_tables, packed_indices

CHUNK = 1 << 20


class StoredTableSketch:
    """Bucket and sign of every coordinate in memory: 12·w·d bytes."""

    def __init__(self, spec: SketchSpec) -> None:
        self.spec = spec
        self.buckets = torch.empty(spec.rows, spec.d, dtype=torch.int64)
        self.signs = torch.empty(spec.rows, spec.d)
        for part, p in packed_parts(spec):
            self.buckets[:, part] = p % spec.buckets
            self.signs[:, part] = (1 - 2 * (p // spec.buckets)).float()

    def dense(self, x: Tensor) -> Tensor:
        rows = zip(self.buckets, self.signs, strict=True)
        return torch.stack([torch.bincount(h, s * x, minlength=self.spec.buckets) for h, s in rows])

    def sparse(self, indices: Tensor, values: Tensor) -> Tensor:
        rows = zip(self.buckets, self.signs, strict=True)
        b = self.spec.buckets
        return torch.stack([torch.bincount(h[indices], s[indices] * values, minlength=b) for h, s in rows])

    def unsketch(self, table: Tensor, k: int) -> tuple[Tensor, Tensor]:
        rows = zip(table, self.buckets, self.signs, strict=True)
        estimates = torch.stack([t[h] * s for t, h, s in rows]).median(dim=0).values
        indices = torch.topk(estimates.abs(), k, sorted=False).indices
        return indices, estimates[indices]


def stored_packed(spec: SketchSpec) -> np.ndarray:
    """All packed indices as uint16 (2b ≤ 2^16)."""
    out = np.empty((spec.rows, spec.d), np.uint16)
    for part, p in packed_parts(spec):
        out[:, part] = p.numpy()
    return out


def packed_parts(spec: SketchSpec) -> list[tuple[slice, Tensor]]:
    tables = hash_tables(spec, torch.device("cpu"))
    starts = range(0, spec.d, CHUNK)
    parts = [slice(start, min(start + CHUNK, spec.d)) for start in starts]
    return [(part, packed_indices(tables, torch.arange(part.start, part.stop))) for part in parts]


@njit
def scatter_stored(slots: np.ndarray, packed: np.ndarray, x: np.ndarray) -> None:
    """The floor of a dense update: nothing but the scatter."""
    for r in range(packed.shape[0]):
        row, p = slots[r], packed[r]
        for j in range(x.shape[0]):
            row[p[j]] += x[j]


@njit
def gather_stored(out: np.ndarray, signed: np.ndarray, packed: np.ndarray) -> None:
    """The floor of a full scan: nothing but the gather."""
    for r in range(packed.shape[0]):
        row, p = signed[r], packed[r]
        for j in range(p.shape[0]):
            out[j] = row[p[j]]
