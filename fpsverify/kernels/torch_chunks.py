"""The packed indices of all keys in torch, chunk by chunk: hashed on the fly, or kept if so asked.

Dense keys come in chunks of whole `a` characters, whose hash words are two XORs of views of the tables. A
64-bit product, as in `hashing.pack`, costs torch on a CPU as much as all the rest, so up to 2^17 buckets
p = floor(v·2b / 2^31) comes from one float64 operation, and is exact all the same. The tables hold the bits
of floats, so that the XORs give

    f = 1 + v / 2^31 + 2^-49,        s = (2^52 - 1/2) + 2b·f = 2^52 + 2b + (y + e) - 1/2,     y = v·2b / 2^31.

Here e is 2b / 2^49, give or take an eighth of it if the product is rounded (no fused operation). y is a
multiple of 2^-30 and 0 < e < 2^-30 for 2b ≤ 2^18, so s is less than 1/2 away from 2^52 + 2b + floor(y).
Between 2^52 and 2^53 floats are the whole numbers, so s is rounded to just that; its bits, read as an
integer and less a constant, are p. A subtraction costs torch as much as the two XORs, so dense updates and
scans take 2b + p, the low 52 bits, and leave the first 2b places of their tables unused (`base`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import torch
from torch import Tensor

from fpsverify.sketching.hashing import WORD_BITS, HashTables, pack

# So many packed indices at a time (2 MiB): with fewer, calls cost more than it saves that they stay near by.
CHUNK = 1 << 18
# If asked for, indices are kept for two sketches, each of at most 2^20 keys and 2^23 indices (64 MiB).
MOST_KEPT_KEYS, MOST_KEPT_INDICES = 1 << 20, 1 << 23
MOST_PACKED_AS_FLOATS = 1 << 17

FRACTION_BITS = 52
BITS_OF_ONE, BITS_OF_2_52 = 0x3FF << FRACTION_BITS, 0x433 << FRACTION_BITS
BITS_OF_2_MINUS_49 = 1 << FRACTION_BITS - 49  # pragma: no mutate: any offset below the words' spacing


def packed_chunks(tables: HashTables) -> Iterator[tuple[int, Tensor]]:
    """(start, base + packed indices of the keys from start on) for consecutive chunks of [0, d).

    Use each before asking for the next: they may share one buffer.
    """
    if not keeps_indices(tables):
        return hashed_chunks(tables, base(tables))
    size = keys_per_chunk(tables)
    return ((size * i, p) for i, p in enumerate(all_packed(tables).split(size, dim=1)))


def base(tables: HashTables) -> int:
    """What `packed_chunks` adds to indices: 2b where that saves the subtraction from the bits of floats."""
    return 2 * tables.spec.buckets if packs_floats(tables) and not keeps_indices(tables) else 0


def keeps_indices(tables: HashTables) -> bool:
    """Asked for, and few enough: the scatter itself then is most of the work of a dense update."""
    w, d = tables.spec.rows, tables.spec.d
    return tables.keep_indices and d <= MOST_KEPT_KEYS and w * d <= MOST_KEPT_INDICES


@lru_cache(maxsize=2)
def all_packed(tables: HashTables) -> Tensor:
    """The packed indices of all keys, (w, d)."""
    return torch.cat([p.clone() for _, p in hashed_chunks(tables)], dim=1)


def keys_per_chunk(tables: HashTables) -> int:
    """Whole runs of K keys, at least one, that have about CHUNK packed indices."""
    return tables.K * max(1, CHUNK // (tables.spec.rows * tables.K))


def hashed_chunks(tables: HashTables, base: int = 0) -> Iterator[tuple[int, Tensor]]:
    """The chunks of `packed_chunks`, hashed on the fly; `base` is 0 or what that function says."""
    d, b, K = tables.spec.d, tables.spec.buckets, tables.K
    T0, T1, T2 = wide_tables(tables)
    step, T0 = keys_per_chunk(tables) // K, T0[:, None, :]
    p = torch.empty(T1.shape[0], min(step, T1.shape[1]), K, dtype=torch.int64, device=T1.device)
    highs, sums = T1[:, :, None].split(step, dim=1), T2.unfold(1, K, 1).split(step, dim=1)
    for start, high, sum_ in zip(range(0, d, step * K), highs, sums, strict=True):
        if high.shape[1] < p.shape[1]:
            p = p[:, : high.shape[1]]
        torch.bitwise_xor(T0, sum_, out=p).bitwise_xor_(high)
        if base:
            round_floats(p, b).bitwise_xor_(BITS_OF_2_52)
        else:
            pack_floats(p, b) if packs_floats(tables) else pack(p, b)
        yield start, p.flatten(1)[:, : d - start]


def packs_floats(tables: HashTables) -> bool:
    return tables.spec.buckets <= MOST_PACKED_AS_FLOATS


@lru_cache(maxsize=2)
def wide_tables(tables: HashTables) -> tuple[Tensor, Tensor, Tensor]:
    """The words as int64, or placed so that the XOR of three words is the bits of f."""
    T0, T1, T2 = (t.long() for t in (tables.T0, tables.T1, tables.T2))
    if not packs_floats(tables):
        return T0, T1, T2
    T0, T1, T2 = (t << FRACTION_BITS - WORD_BITS for t in (T0, T1, T2))
    return T0, T1 ^ (BITS_OF_ONE | BITS_OF_2_MINUS_49), T2


def pack_floats(bits: Tensor, buckets: int) -> Tensor:
    """The bits of floats f to packed indices in [0, 2b), in place."""
    return round_floats(bits, buckets).sub_(BITS_OF_2_52 + 2 * buckets)


def round_floats(bits: Tensor, buckets: int) -> Tensor:
    """The bits of floats f to those of 2^52 + 2b + p, in place: their low bits are 2b + p."""
    f = bits.view(torch.float64)
    torch.add(half_below_2_52(bits.device), f, alpha=2 * buckets, out=f)
    return bits


@lru_cache(maxsize=8)
def half_below_2_52(device: torch.device) -> Tensor:
    return torch.full((), 2.0**52 - 0.5, dtype=torch.float64, device=device)
