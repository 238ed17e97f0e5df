"""Count sketch kernels in torch: any device, and the fallback on the CPU.

Nothing has length d but what is asked for. Sums are whole numbers, exact in any order (see `fixed_point`):
the bits are those of the compiled kernels, also where a scatter-add uses atomics. Nothing here waits for an
accelerator, except where a scan looks for the largest.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from fpsverify.device import holds_data
from fpsverify.errors import BadInput
from fpsverify.sketch.fixed_point import FixedPoint
from fpsverify.sketch.hash import HashTables, pack, packed_indices
from fpsverify.sketch.order import RunningTopK, median_steps, middle

# So many packed indices at a time (2 MiB): with fewer, calls cost more than it saves that they stay near by.
CHUNK = 1 << 18
SPARSE_CHUNK = 1 << 16


def add_dense(tables: HashTables, table: Tensor, x: Tensor) -> Tensor:
    """table (M, w, b) or (w, b) plus the sketches of the rows of x, (M, d), or of one x (d,) for all."""
    unit, sums = FixedPoint.of(x), empty_slots(x, tables)
    for start, p in packed_chunks(tables):
        scatter(sums, p, unit.whole(x[..., start : start + p.shape[1]]))
    return unit.plus(table, fold(sums))


def add_sparse(tables: HashTables, table: Tensor, indices: Tensor, values: Tensor) -> Tensor:
    """table (w, b) plus the sketch of the pairs; repeated indices add up."""
    check_range(tables, indices)
    unit, sums = FixedPoint.of(values), empty_slots(values, tables)
    for keys, part in zip(indices.split(SPARSE_CHUNK), values.split(SPARSE_CHUNK), strict=True):
        scatter(sums, packed_indices(tables, keys), unit.whole(part))
    return unit.plus(table, fold(sums))


def proximal(W: Tensor, g: Tensor, centre: Tensor, gamma: float, mu: float) -> Tensor:
    """W − γ(g + μ(W − centre)) in W itself."""
    return W.sub_(gamma * (g if mu == 0 else g + mu * (W - centre)))


def estimate(tables: HashTables, table: Tensor, indices: Tensor, rule: str) -> Tensor:
    """Point estimates at the given indices from one table (w, b)."""
    check_range(tables, indices)
    return reduce_rows(signed_slots(table).gather(1, packed_indices(tables, indices)), rule)


def decode(tables: HashTables, table: Tensor) -> Tensor:
    """The mean of the rows at all d coordinates, chunk by chunk."""
    signed = signed_slots(table)
    return torch.cat([reduce_rows(signed.gather(1, p), "mean") for _, p in packed_chunks(tables)])


def scan_top_k(tables: HashTables, table: Tensor, k: int, rule: str) -> tuple[Tensor, Tensor]:
    """Indices and values of the k largest estimates over all d coordinates, chunk by chunk."""
    signed, best = signed_slots(table), RunningTopK(k, like=table)
    for start, p in packed_chunks(tables):
        best.offer(start, reduce_rows(signed.gather(1, p), rule))
    return best.result()


def packed_chunks(tables: HashTables) -> Iterator[tuple[int, Tensor]]:
    """(start, packed indices of the keys from start on) for consecutive chunks of [0, d).

    Use each before asking for the next: they share memory; fresh memory would cost more than the work.
    """
    d, K, runs = tables.spec.d, tables.K, keys_per_chunk(tables) // tables.K
    sums, (w, A) = tables.T2.unfold(1, K, 1), tables.T1.shape
    words = tables.T0.new_empty(w, min(runs, A), K)
    packed = torch.empty_like(words, dtype=torch.int64)
    for a in range(0, A, runs):
        v, p = words[:, : A - a], packed[:, : A - a]
        torch.bitwise_xor(tables.T0[:, None], sums[:, a : a + runs], out=v)
        p.copy_(v.bitwise_xor_(tables.T1[:, a : a + runs, None]))
        yield a * K, pack(p, tables.spec.buckets).flatten(1)[:, : d - a * K]


def keys_per_chunk(tables: HashTables) -> int:
    """Whole runs of K keys, at least one, that have about CHUNK packed indices."""
    return tables.K * max(1, CHUNK // (tables.spec.rows * tables.K))


def empty_slots(x: Tensor, tables: HashTables) -> Tensor:
    """Sums (w, 2b), or such sums for each row of x."""
    shape = *x.shape[:-1], tables.spec.rows, 2 * tables.spec.buckets
    return torch.zeros(shape, dtype=torch.int64, device=x.device)


def scatter(slots: Tensor, p: Tensor, z: Tensor) -> None:
    """slots[…, r, p_r] += z."""
    shape = *z.shape[:-1], *p.shape
    slots.scatter_add_(-1, p.expand(shape), z.unsqueeze(-2).expand(shape))


def fold(slots: Tensor) -> Tensor:
    """Positive minus negative slots: (…, w, 2b) to (…, w, b)."""
    positive, negative = slots.chunk(2, dim=-1)
    return positive - negative


def signed_slots(table: Tensor) -> Tensor:
    """(S, -S), (w, 2b), so that a packed index gathers sign·S."""
    return torch.cat([table, -table], dim=1)


def check_range(tables: HashTables, indices: Tensor) -> None:
    if holds_data(indices.device) and indices.numel():
        low, high = (int(bound) for bound in indices.aminmax())
        if low < 0 or high >= tables.spec.d:
            raise BadInput("indices", low if low < 0 else high, f"coordinates from 0 to {tables.spec.d - 1}")


def reduce_rows(rows: Tensor, rule: str) -> Tensor:
    """Median (even w: mean of the two middle values) or mean over the first axis."""
    x = list(rows.unbind(0))
    if rule == "mean":
        total = x[0]
        for row in x[1:]:
            total = total + row
        return total / len(x)
    for i, j in median_steps(len(x)):
        x[i], x[j] = torch.minimum(x[i], x[j]), torch.maximum(x[i], x[j])
    lower, upper = middle(len(x))
    return x[lower] if lower == upper else (x[lower] + x[upper]) * 0.5
