"""Count sketch kernels in torch: any device, and the fallback on the CPU.

Nothing has length d, unless the caller asks for kept indices of small sketches (see `torch_chunks`). Sums are
whole numbers, exact in any order (see `fixed_point`): the bits are those of the compiled kernels, also where
a scatter-add uses atomics. Nothing here waits for an accelerator, except where a scan looks for the largest.
"""

from __future__ import annotations

import torch
from torch import Tensor

from fpsverify.device import holds_data
from fpsverify.errors import BadInput
from fpsverify.kernels.median_network import median_steps, middle
from fpsverify.kernels.topk import RunningTopK
from fpsverify.kernels.torch_chunks import base, keys_per_chunk, packed_chunks
from fpsverify.kernels.torch_fixed_point import FixedPoint
from fpsverify.sketching.hashing import HashTables, packed_indices

SPARSE_CHUNK = 1 << 16


def add_dense(tables: HashTables, table: Tensor, x: Tensor) -> Tensor:
    """table (M, w, b) or (w, b) plus the sketches of the rows of x, (M, d), or of one x (d,) for all."""
    unit, size, unused = FixedPoint.of(x), keys_per_chunk(tables), base(tables)
    sums = zeros(x, tables, unused + 2 * tables.spec.buckets)
    # Fresh memory for every chunk would cost more than the conversion.
    buffer = x.new_empty((*x.shape[:-1], min(size, x.shape[-1])), dtype=torch.float64)
    for (_, p), part in zip(packed_chunks(tables), x.split(size, dim=-1), strict=True):
        scatter(sums, p, unit.whole(part, buffer))
    return unit.plus(table, fold(sums[..., unused:]))


def add_sparse(tables: HashTables, table: Tensor, indices: Tensor, values: Tensor) -> Tensor:
    """table (w, b) plus the sketch of the pairs; repeated indices add up."""
    check_range(tables, indices)
    unit, few, b = FixedPoint.of(values), indices.shape[0] < tables.spec.buckets, tables.spec.buckets
    sums, add = (zeros(values, tables, b), add_signed) if few else (zeros(values, tables, 2 * b), scatter)
    for keys, part in zip(indices.split(SPARSE_CHUNK), values.split(SPARSE_CHUNK), strict=True):
        add(sums, packed_indices(tables, keys), unit.whole(part))
    return unit.plus(table, sums if few else fold(sums))


def proximal(W: Tensor, g: Tensor, centre: Tensor, gamma: float, mu: float) -> Tensor:
    """W − γ(g + μ(W − centre)) in W itself."""
    return W.sub_(gamma * (g if mu == 0 else g + mu * (W - centre)))


def zeros(x: Tensor, tables: HashTables, places: int) -> Tensor:
    """Sums (w, places), or such sums for each row of x."""
    return torch.zeros(*x.shape[:-1], tables.spec.rows, places, dtype=torch.int64, device=x.device)


def scatter(sums: Tensor, p: Tensor, z: Tensor) -> None:
    """sums[…, r, p_r] += z."""
    if z.ndim == 1:
        sums.scatter_add_(1, p, z.expand(p.shape))
        return
    shape = (z.shape[0], *p.shape)
    sums.scatter_add_(2, p.expand(shape), z[:, None].expand(shape))


def add_signed(sums: Tensor, p: Tensor, z: Tensor) -> None:
    """sums[r, h_r] += s_r·z: for fewer pairs than buckets this is cheaper than folding 2b slots into b."""
    b = sums.shape[1]
    sums.scatter_add_(1, p % b, torch.where(p >= b, -z, z))


def fold(slots: Tensor) -> Tensor:
    """Positive minus negative slots: (…, w, 2b) to (…, w, b)."""
    positive, negative = slots.chunk(2, dim=-1)
    return positive - negative


def estimate(tables: HashTables, table: Tensor, indices: Tensor, rule: str) -> Tensor:
    """Point estimates at the given indices from one table (w, b)."""
    check_range(tables, indices)
    return _reduce_rows(signed_slots(table).gather(1, packed_indices(tables, indices)), rule)


def decode(tables: HashTables, table: Tensor) -> Tensor:
    """The mean of the rows at all d coordinates, chunk by chunk."""
    signed = signed_slots(table, base(tables))
    parts = [_reduce_rows(signed.gather(1, p), "mean") for _, p in packed_chunks(tables)]
    return torch.cat(parts)


def scan_top_k(tables: HashTables, table: Tensor, k: int, rule: str) -> tuple[Tensor, Tensor]:
    """Indices and values of the k largest estimates over all d coordinates, chunk by chunk."""
    signed, best = signed_slots(table, base(tables)), RunningTopK(k, like=table)
    for start, p in packed_chunks(tables):
        best.offer(start, _reduce_rows(signed.gather(1, p), rule))
    return best.result()


def signed_slots(table: Tensor, unused: int = 0) -> Tensor:
    """(S, -S), (w, 2b), so that a packed index gathers sign·S; `unused` places before them hold nothing."""
    return torch.cat([table.new_empty(len(table), unused), table, -table], dim=1)


def check_range(tables: HashTables, indices: Tensor) -> None:
    if holds_data(indices.device) and indices.numel():
        low, high = (int(bound) for bound in indices.aminmax())
        if low < 0 or high >= tables.spec.d:
            raise BadInput("indices", low if low < 0 else high, f"coordinates from 0 to {tables.spec.d - 1}")


def _reduce_rows(rows: Tensor, rule: str) -> Tensor:
    """Median (even w: mean of the two middle values) or mean over the first axis."""
    w = rows.shape[0]
    x = list(rows.unbind(0))
    if rule == "mean":
        total = x[0]
        for row in x[1:]:
            total = total + row
        return total / w
    for step in median_steps(w):
        low, high = x[step.i], x[step.j]
        if step.keep_min:
            x[step.i] = torch.minimum(low, high)
        if step.keep_max:
            x[step.j] = torch.maximum(low, high)
    lower, upper = middle(w)
    return x[lower] if lower == upper else (x[lower] + x[upper]) * 0.5
