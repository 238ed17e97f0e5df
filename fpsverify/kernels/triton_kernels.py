# mypy: disable-error-code="no-untyped-def, import-not-found, untyped-decorator"
"""Count sketch kernels for a GPU, written in Triton (`pip install 'fpsverify[gpu]'`).

Keys are hashed on the fly, and whole numbers are added with 64-bit atomics (see `fixed_point`): the order in
which a GPU adds them cannot change a bit, so the results are those of the CPU kernels. Triton offers no
atomics in shared memory. To keep threads from waiting for each other, tables are private to groups of blocks
instead, as many as fit into a few megabytes, which the second-level cache holds; one sum over them ends an
update.

Laws check these kernels in Triton's interpreter, one block after the other, and `benchmarks.gpu.emitted`
looks at the code that is emitted for a GPU. That no two blocks disturb each other, and how fast they are,
only a GPU can show: `python -m benchmarks.gpu` does. No machine on which this was written had one.
"""
# pragma: no mutate file: needs Triton, which has an environment of its own

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor

from fpsverify.kernels.median_network import middle
from fpsverify.kernels.topk import largest
from fpsverify.kernels.torch_fixed_point import BITS_OF_SHIFTER, SHIFTER, FixedPoint, factors
from fpsverify.kernels.torch_kernels import check_range, proximal
from fpsverify.sketching.hashing import HashTables

__all__ = ["add_dense", "add_sparse", "decode", "estimate", "proximal", "scan_top_k"]

# Keys of one block: of an update, and of a query, which holds all rows of each key in registers.
BLOCK, QUERY_BLOCK = 1024, 256
# Nothing here multiplies and adds in a way that fused rounding could change; it is off to be seen to be so.
OPTIONS = {"enable_fp_fusion": False}
# A scan looks at so many coordinates before the threshold rises.
SCAN = 1 << 20
# Private tables of an update take at most so many bytes, and there are at most so many.
PRIVATE_BYTES, MOST_PRIVATE = 1 << 22, 32


def add_dense(tables: HashTables, table: Tensor, x: Tensor) -> Tensor:
    """table (M, w, b) or (w, b) plus the sketches of the rows of x, (M, d), or of one x (d,) for all."""
    return _add(tables, table, x.contiguous(), None)


def add_sparse(tables: HashTables, table: Tensor, indices: Tensor, values: Tensor) -> Tensor:
    """table (w, b) plus the sketch of the pairs; repeated indices add up."""
    check_range(tables, indices)
    return _add(tables, table, values.contiguous(), indices.contiguous())


def _add(tables: HashTables, table: Tensor, x: Tensor, keys: Tensor | None) -> Tensor:
    unit, (w, b), n = FixedPoint.of(x), (tables.spec.rows, tables.spec.buckets), x.shape[-1]
    members, blocks = (x.shape[0] if x.ndim == 2 else 1), triton.cdiv(n, BLOCK)
    private = private_tables(members * w * b, blocks)
    sums = torch.zeros(private, *x.shape[:-1], w, b, dtype=torch.int64, device=x.device)
    if n:
        one, other = factors(-torch.as_tensor(unit.exponent, device=x.device))
        scatter_kernel[(blocks, members)](
            sums, x, x if keys is None else keys, one, other, *_words(tables), n, w, b, private,
            DENSE=keys is None, BLOCK=BLOCK, SHIFTER=SHIFTER, BITS=BITS_OF_SHIFTER, **OPTIONS,
        )  # fmt: skip
    return unit.plus(table, sums.sum(0))


def private_tables(entries: int, blocks: int) -> int:
    """How many tables share the work of an update; a function of sizes, and without effect on the result."""
    return max(1, min(MOST_PRIVATE, blocks, PRIVATE_BYTES // (8 * entries)))


def estimate(tables: HashTables, table: Tensor, indices: Tensor, rule: str) -> Tensor:
    """Point estimates at the given indices from one table (w, b)."""
    check_range(tables, indices)
    out = torch.empty(indices.shape[0], dtype=table.dtype, device=table.device)
    if len(out):
        estimate_kernel[(triton.cdiv(len(out), QUERY_BLOCK),)](
            out, table.contiguous(), indices.contiguous(), *_words(tables), len(out), tables.spec.buckets,
            **_rule(tables.spec.rows, rule), BLOCK=QUERY_BLOCK, **OPTIONS,
        )  # fmt: skip
    return out


def decode(tables: HashTables, table: Tensor) -> Tensor:
    """The mean of the rows at all d coordinates."""
    return estimate(tables, table, torch.arange(tables.spec.d, device=table.device), "mean")


def scan_top_k(tables: HashTables, table: Tensor, k: int, rule: str) -> tuple[Tensor, Tensor]:
    """Indices and values of the k largest estimates over all d coordinates.

    Every launch leaves the candidates above the threshold, in any order; sorting by index and keeping the k
    largest makes the result, and the next threshold, a function of the table alone.
    """
    d, device = tables.spec.d, table.device
    indices, values = torch.empty(0, dtype=torch.int64, device=device), table.new_empty(0)
    threshold = table.new_zeros(1)
    for start in range(0, d, SCAN):
        found = _candidates(tables, table.contiguous(), threshold, start, min(d, start + SCAN), rule)
        indices, values = largest(torch.cat([indices, found[0]]), torch.cat([values, found[1]]), k)
        if len(values) == k:
            threshold = values.abs().min()[None]
    return indices, values


def _candidates(
    tables: HashTables, table: Tensor, threshold: Tensor, start: int, stop: int, rule: str
) -> tuple[Tensor, Tensor]:
    """Indices, increasing, and estimates of start ≤ i < stop that are larger than the threshold."""
    indices = torch.empty(stop - start, dtype=torch.int64, device=table.device)
    values, count = table.new_empty(stop - start), torch.zeros(1, dtype=torch.int64, device=table.device)
    scan_kernel[(triton.cdiv(stop - start, QUERY_BLOCK),)](
        indices, values, count, threshold, table, *_words(tables), start, stop, tables.spec.buckets,
        **_rule(tables.spec.rows, rule), BLOCK=QUERY_BLOCK, **OPTIONS,
    )  # fmt: skip
    found = int(count)
    ordered, places = indices[:found].sort()
    return ordered, values[:found][places]


def _words(tables: HashTables) -> tuple[Any, ...]:
    """The tables of words, their lengths, and the shift."""
    T0, T1, T2 = tables.T0, tables.T1, tables.T2
    return T0, T1, T2, T0.shape[1], T1.shape[1], T2.shape[1], tables.shift


def _rule(w: int, rule: str) -> dict[str, Any]:
    lower, upper = middle(w)
    places = triton.next_power_of_2(w)
    return {"MEAN": rule == "mean", "W": w, "PLACES": places, "LOWER": lower, "UPPER": upper}


@triton.jit
def packed(T0, T1, T2, n0, n1, n2, shift, r, keys, two_b, mask):
    """p_r of the keys: hash words by three look-ups, packed by one 64-bit product."""
    a = keys >> shift
    c = keys & ((1 << shift) - 1)
    v0 = tl.load(T0 + r * n0 + c, mask=mask, other=0)
    v1 = tl.load(T1 + r * n1 + a, mask=mask, other=0)
    v2 = tl.load(T2 + r * n2 + a + c, mask=mask, other=0)
    return ((v0 ^ v1 ^ v2).to(tl.int64) * two_b) >> 31


@triton.jit
def whole(x, one, other, SHIFTER: tl.constexpr, BITS: tl.constexpr):
    """x / 2^e rounded to int64, ties to even.

    Numbers below 2^51 are rounded by adding 1.5·2^52, whose bits are then subtracted. Larger ones have at
    most one binary place behind the point, because a float64 has 53 bits: only a tie is left to decide.
    """
    z = x.to(tl.float64) * one * other
    small = (z + SHIFTER).to(tl.int64, bitcast=True) - BITS
    towards_0 = z.to(tl.int64)
    is_tie = z != towards_0.to(tl.float64)
    odd = (towards_0 & 1) != 0
    away = tl.where(z > 0, 1, -1)
    large = towards_0 + tl.where(is_tie & odd, away, 0)
    return tl.where(tl.abs(z) < 2251799813685248.0, small, large)


@triton.jit
def scatter_kernel(
    sums, x, keys, one, other, T0, T1, T2, n0, n1, n2, shift, n, w, b, private,
    DENSE: tl.constexpr, BLOCK: tl.constexpr, SHIFTER: tl.constexpr, BITS: tl.constexpr,
):  # fmt: skip
    """sums[private table, m, r, h_r(key)] += s_r(key)·x[m, ·] / 2^e for one block of keys and a member m."""
    block, m = tl.program_id(0), tl.program_id(1).to(tl.int64)
    place = block.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = place < n
    key = place if DENSE else tl.load(keys + place, mask=mask, other=0)
    value = tl.load(x + m * n + place, mask=mask, other=0.0)
    z = whole(value, tl.load(one + m), tl.load(other + m), SHIFTER, BITS)
    first = ((block % private).to(tl.int64) * tl.num_programs(1) + m) * w
    for r in range(w):
        p = packed(T0, T1, T2, n0, n1, n2, shift, r, key, 2 * b, mask)
        tl.atomic_add(
            sums + (first + r) * b + tl.where(p >= b, p - b, p), tl.where(p >= b, -z, z), mask=mask,
            sem="relaxed",
        )  # fmt: skip


@triton.jit
def estimates(
    table, keys, mask, T0, T1, T2, n0, n1, n2, shift, b,
    MEAN: tl.constexpr, W: tl.constexpr, PLACES: tl.constexpr, LOWER: tl.constexpr, UPPER: tl.constexpr,
):  # fmt: skip
    """The mean, added row by row, or the median over rows; even W: mean of the two middle values."""
    if MEAN:
        total = signed_entry(table, 0, keys, mask, T0, T1, T2, n0, n1, n2, shift, b)
        for r in range(1, W):
            total += signed_entry(table, r, keys, mask, T0, T1, T2, n0, n1, n2, shift, b)
        return (
            tl.div_rn(total, tl.full(total.shape, W, total.dtype)) if total.dtype == tl.float32 else total / W
        )
    row = tl.arange(0, PLACES)[None, :]
    inside = mask[:, None] & (row < W)
    entry = signed_entry(table, row, keys[:, None], inside, T0, T1, T2, n0, n1, n2, shift, b)
    ordered = tl.sort(tl.where(row < W, entry, float("inf")), 1)
    lower = tl.sum(tl.where(row == LOWER, ordered, 0.0), 1)
    if LOWER == UPPER:
        return lower
    return (lower + tl.sum(tl.where(row == UPPER, ordered, 0.0), 1)) * 0.5


@triton.jit
def signed_entry(table, r, keys, mask, T0, T1, T2, n0, n1, n2, shift, b):
    """s_r(key)·S[r, h_r(key)]."""
    r = r + tl.zeros(keys.shape, tl.int64)
    p = packed(T0, T1, T2, n0, n1, n2, shift, r, keys, 2 * b, mask)
    entry = tl.load(table + r * b + tl.where(p >= b, p - b, p), mask=mask, other=0.0)
    return tl.where(p >= b, -entry, entry)


@triton.jit
def estimate_kernel(
    out, table, keys, T0, T1, T2, n0, n1, n2, shift, n, b,
    MEAN: tl.constexpr, W: tl.constexpr, PLACES: tl.constexpr, LOWER: tl.constexpr, UPPER: tl.constexpr,
    BLOCK: tl.constexpr,
):  # fmt: skip
    """out[j] = estimate at keys[j]."""
    place = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = place < n
    key = tl.load(keys + place, mask=mask, other=0)
    found = estimates(
        table, key, mask, T0, T1, T2, n0, n1, n2, shift, b, MEAN, W, PLACES, LOWER, UPPER
    )  # fmt: skip
    tl.store(out + place, found, mask=mask)


@triton.jit
def scan_kernel(
    indices, values, count, threshold, table, T0, T1, T2, n0, n1, n2, shift, start, stop, b,
    MEAN: tl.constexpr, W: tl.constexpr, PLACES: tl.constexpr, LOWER: tl.constexpr, UPPER: tl.constexpr,
    BLOCK: tl.constexpr,
):  # fmt: skip
    """Estimates above the threshold and their indices, from wherever `count` stands; blocks in any order."""
    key = start + tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = key < stop
    found = estimates(
        table, key, mask, T0, T1, T2, n0, n1, n2, shift, b, MEAN, W, PLACES, LOWER, UPPER
    )  # fmt: skip
    chosen = mask & (tl.abs(found) > tl.load(threshold))
    place = tl.cumsum(chosen.to(tl.int64), 0)
    first = tl.atomic_add(count, tl.sum(chosen.to(tl.int64), 0), sem="relaxed")
    tl.store(indices + first + place - 1, key, mask=chosen)
    tl.store(values + first + place - 1, found, mask=chosen)
