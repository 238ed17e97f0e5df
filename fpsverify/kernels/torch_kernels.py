"""Count sketch kernels in torch: any device, and the fallback on the CPU.

Nothing has length d, unless the caller asks for kept indices of small sketches (see `torch_chunks`).

Sums are kept in float64 and rounded once by the caller. On the CPU a scatter-add runs in index order, so
sums are the same bits every time. Accelerators add in any order: there `deterministic=True` sums integers
instead (fixed point), which is exact in any order.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from fpsverify.device import adds_in_any_order, holds_data
from fpsverify.errors import BadInput
from fpsverify.hashing import HashTables, buckets_and_signs, packed_indices
from fpsverify.kernels.median_network import median_steps, middle
from fpsverify.kernels.topk import RunningTopK
from fpsverify.kernels.torch_chunks import (
    all_buckets_and_signs,
    all_packed,
    hashed_chunks,
    keeps_indices,
    packed_chunks,
)

SPARSE_CHUNK = 1 << 16
# So many signed float64 values stay near the processor (512 KiB).
FEW_PAIRS = 1 << 16


def add_dense(tables: HashTables, table: Tensor, x: Tensor, deterministic: bool = True) -> Tensor:
    """table (M, w, b) or (w, b) plus the sketches of the rows of x, (M, d), or of one x (d,) for all."""
    fixed_point = deterministic and adds_in_any_order(x.device)
    if few_keys(tables) and not fixed_point:
        return add_few_keys(tables, table, x)
    slots = Slots.for_sums_of(x, tables, fixed_point)
    if keeps_indices(tables):
        slots.add(all_packed(tables), x)
    else:
        for start, p in hashed_chunks(tables):
            slots.add(p, x[..., start : start + p.shape[1]])
    return plus(table, slots.fold())


def few_keys(tables: HashTables) -> bool:
    """So few keys that signing the values costs less than folding 2b slots into b."""
    return tables.spec.rows * tables.spec.d <= FEW_PAIRS


def add_few_keys(tables: HashTables, table: Tensor, x: Tensor) -> Tensor:
    """`add_dense` for few keys, member by member."""
    add = add_kept if tables.keep_indices else add_hashed
    if table.ndim == 2:
        return add(tables, table, x.double().resolve_neg())
    rows = x if x.ndim == 2 else x.expand(table.shape[0], -1)
    rows = rows.double().resolve_neg()
    return torch.stack([add(tables, *member) for member in zip(table, rows, strict=True)])


def add_kept(tables: HashTables, table: Tensor, x: Tensor) -> Tensor:
    h, s = all_buckets_and_signs(tables)
    return add_signed(table, h, s * x)


def add_hashed(tables: HashTables, table: Tensor, x: Tensor) -> Tensor:
    """`add_kept` to the bit, but for the sign of NaN: the last bit of p, moved to the sign of x, is s."""
    sums = table.to(torch.float64, copy=True)
    for start, p in hashed_chunks(tables):
        signed = (p << 63).bitwise_xor_(x[start : start + p.shape[1]].view(torch.int64)).view(torch.float64)
        sums.scatter_add_(1, p.bitwise_right_shift_(1), signed)
    return sums.to(table.dtype)


def add_signed(table: Tensor, h: Tensor, signed: Tensor) -> Tensor:
    """table[r, h_r] += signed_r in float64, rounded once."""
    return table.to(torch.float64, copy=True).scatter_add_(1, h, signed).to(table.dtype)


def add_sparse(
    tables: HashTables, table: Tensor, indices: Tensor, values: Tensor, deterministic: bool = True
) -> Tensor:
    """table (w, b) plus the sketch of the pairs; repeated indices add up."""
    check_range(tables, indices)
    fixed_point = deterministic and adds_in_any_order(values.device)
    if indices.shape[0] < tables.spec.buckets and not fixed_point:
        return add_few(tables, table, indices, values)
    slots = Slots.for_sums_of(values, tables, fixed_point)
    for start in range(0, indices.shape[0], SPARSE_CHUNK):
        part = slice(start, start + SPARSE_CHUNK)
        slots.add(packed_indices(tables, indices[part]), values[part])
    return plus(table, slots.fold())


def add_few(tables: HashTables, table: Tensor, indices: Tensor, values: Tensor) -> Tensor:
    """`add_sparse` for fewer pairs than buckets: signing the values is cheaper than folding 2b slots."""
    h, s = buckets_and_signs(tables, indices)
    return add_signed(table, h, values.double() * s)


def estimate(tables: HashTables, table: Tensor, indices: Tensor, rule: str) -> Tensor:
    """Point estimates at the given indices from one table (w, b)."""
    check_range(tables, indices)
    return _reduce_rows(signed_slots(table).gather(1, packed_indices(tables, indices)), rule)


def scan_top_k(tables: HashTables, table: Tensor, k: int, rule: str) -> tuple[Tensor, Tensor]:
    """Indices and values of the k largest estimates over all d coordinates, chunk by chunk."""
    signed, best = signed_slots(table), RunningTopK(k, like=table)
    for start, p in packed_chunks(tables):
        best.offer(start, _reduce_rows(signed.gather(1, p), rule))
    return best.result()


def signed_slots(table: Tensor) -> Tensor:
    """(w, b) to (w, 2b) with +S at even and -S at odd places, so that a packed index gathers sign·S."""
    return torch.stack([table, -table], dim=-1).flatten(-2)


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


class Slots:
    """Accumulators (M, w, 2b), or (w, 2b) for one vector.

    They hold float64 sums, or integer multiples of 2^quantum, exact in any order.
    """

    def __init__(self, slots: Tensor, quantum: int) -> None:
        self.slots, self.quantum = slots, quantum
        self.buffer: Tensor | None = None

    @staticmethod
    def for_sums_of(x: Tensor, tables: HashTables, fixed_point: bool) -> Slots:
        # NaN and infinity have no integer form; as floats they reach the table, where queries refuse them.
        quantum = quantum_exponent(x) if fixed_point else None
        dtype = torch.float64 if quantum is None else torch.int64
        shape = (*x.shape[:-1], tables.spec.rows, 2 * tables.spec.buckets)
        return Slots(torch.zeros(shape, dtype=dtype, device=x.device), quantum or 0)

    def add(self, p: Tensor, x: Tensor) -> None:
        source = self._as_float64(x)
        if self.slots.dtype == torch.int64:
            source = times_power_of_two(source, -self.quantum).round().long()
        if source.ndim == 1:
            self.slots.scatter_add_(1, p, source.expand(p.shape))
            return
        shape = (source.shape[0], *p.shape)
        self.slots.scatter_add_(2, p.expand(shape), source[:, None].expand(shape))

    def _as_float64(self, x: Tensor) -> Tensor:
        """x in float64, in one buffer for all chunks: fresh memory costs more than the conversion."""
        if x.dtype == torch.float64:
            return x
        if self.buffer is None or self.buffer.shape[-1] < x.shape[-1]:
            self.buffer = x.double()
            return self.buffer
        return self.buffer[..., : x.shape[-1]].copy_(x)

    def fold(self) -> Tensor:
        """Positive minus negative slots, float64: (M, w, b), or (w, b)."""
        positive, negative = self.slots.view(*self.slots.shape[:-1], -1, 2).unbind(-1)
        return times_power_of_two((positive - negative).double(), self.quantum)


def quantum_exponent(x: Tensor) -> int | None:
    """e such that sums of n entries of x, in units of 2^e, stay below 2^62; None if x is not finite.

    Each entry is rounded by at most 2^(e - 1) ≤ n·max|x|·2^-61: below 2^-37 max|x| for n ≤ 2^24.
    """
    if not x.numel():
        return 0
    peak = float(x.abs().max())
    # math.frexp: peak < 2^exponent, so n·peak < 2^(exponent + bits of n).
    return math.frexp(peak)[1] + x.shape[-1].bit_length() - 62 if math.isfinite(peak) else None


def times_power_of_two(x: Tensor, exponent: int) -> Tensor:
    """x·2^exponent, in two factors because one may leave the range of float64."""
    half = exponent // 2
    return x * 2.0**half * 2.0 ** (exponent - half) if exponent else x


def plus(table: Tensor, sums: Tensor) -> Tensor:
    """table + float64 sums, rounded once."""
    return (sums + table).to(table.dtype)
