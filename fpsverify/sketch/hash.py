"""The hash of the count sketch: tabulation with one derived character (Thorup and Zhang, SODA 2004).

A key i < d is split as i = a·K + c with K a power of two near √d (at least 2^10 where d allows). Each row r
has three tables of uniform 31-bit words and hashes

    v_r(i) = T0_r[c] ^ T1_r[a] ^ T2_r[a + c]                     (two characters and their sum)
    sign s = -1 if v is odd, else +1,      bucket h = ((v >> 1) · b) >> 30.

With uniform tables, v is 5-wise independent. A set of keys fails to be jointly uniform only if some
non-empty subset of it meets every table cell an even number of times. An odd subset cannot; two keys would
be equal; four would be a rectangle (a, c), (a, c'), (a', c), (a', c'), whose sums can only pair up as
a + c = a' + c' and a + c' = a' + c, that is c = c'. Rows are independent of each other.

For every number b of buckets the signs are exactly fair and independent of the buckets, so E SᵀS = w·I holds
without a rest. Where b is no power of two, buckets have floor or ceil(2^30 / b) of the 2^30 words: two keys
of a row collide with probability 1/b + r(b - r)/(b·2^60), r = 2^30 mod b.

The tables hold the words rotated, with the lowest bit on top. XOR does not mind, and one product gives both:

    p_r(i) = (rotated v · 2b) >> 31 = h + b·[s = -1]  in [0, 2b),

the *packed index*. In a row of 2b slots the first b are for positive signs, the last b for negative ones.

Everything is integer arithmetic (products stay below 2^62) and the tables come from SHAKE-128 of (seed, row,
table), so the hash is the same on every device and under every version of numpy and torch. The tables hold
about 4·w·√d words (2^11·w for small d), and nothing has length d: indices are hashed when they are needed.

    >>> tables = hash_tables(SketchSpec(rows=1, buckets=4, d=6, seed=1), torch.device("cpu"))
    >>> h, s = buckets_and_signs(tables, torch.arange(6))
    >>> h.tolist(), s.tolist()
    ([[0, 0, 3, 1, 1, 0]], [[-1, 1, 1, -1, -1, -1]])
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from fpsverify.errors import BadInput

# Raised whenever a spec comes to mean another hash: tables that were stored before are then refused.
HASH_VERSION = 2
WORD_BITS = 31
MAX_D = 2**31 - 2
MIN_RUN_BITS = 10
MAX_BUCKETS = 2**30


@dataclass(frozen=True)
class SketchSpec:
    """Shape and hash of a sketch: w `rows` of b `buckets` for vectors of R^d, hashed by `seed`.

    `fresh`: the round whose hash it is, of a run that draws it anew in every round; None: it is kept.
    """

    rows: int
    buckets: int
    d: int
    seed: int
    fresh: int | None = None

    def __post_init__(self) -> None:
        _check_int("rows", self.rows, 1, 2**16)
        _check_int("buckets", self.buckets, 1, MAX_BUCKETS)
        _check_int("d", self.d, 1, MAX_D)
        _check_int("seed", self.seed, -(2**63), 2**64 - 1)
        if self.fresh is not None:
            _check_int("fresh", self.fresh, 0, 2**63 - 1)

    @property
    def name(self) -> str:
        """What its hash is a function of, beside row and table."""
        return str(self.seed) if self.fresh is None else f"{self.seed}/fresh/{self.fresh}"


@dataclass(frozen=True, eq=False)
class HashTables:
    """The rotated words of all rows on one device, int32, ≥ 0: T0 (w, K), T1 (w, A), T2 (w, K + A - 1)."""

    spec: SketchSpec
    shift: int
    T0: Tensor
    T1: Tensor
    T2: Tensor

    @property
    def K(self) -> int:
        return 1 << self.shift


def split_shift(d: int) -> int:
    """log2 of K, the smallest power of two with K² ≥ d, or K = 2^10 (d itself if smaller) for d < 2^20.

    Runs of 2^10 keys with the same `a` keep the inner loops long; their tables are still only 8 kB per row.
    """
    bits = (d - 1).bit_length()
    return max((bits + 1) // 2, min(bits, MIN_RUN_BITS))


@lru_cache(maxsize=8)
def hash_tables(spec: SketchSpec, device: torch.device) -> HashTables:
    """The tables of `spec` on `device` (kept for the last few specs: they are a pure function of both)."""
    shift = split_shift(spec.d)
    K = 1 << shift
    A = (spec.d - 1 >> shift) + 1
    T0, T1, T2 = (
        np.stack([rotated(uniform_words(spec.name, row, table, n)) for row in range(spec.rows)])
        for table, n in enumerate((K, A, K + A - 1))
    )
    return HashTables(spec, shift, *(torch.from_numpy(T).to(device) for T in (T0, T1, T2)))


def uniform_words(name: str | int, row: int, table: int, count: int) -> np.ndarray:
    """`count` uniform 31-bit words, a pure function of (name of the hash, row, table)."""
    stream = hashlib.shake_128(f"fpsverify tabulation v1/{name}/{row}/{table}".encode()).digest(4 * count)
    return (np.frombuffer(stream, dtype="<u4") >> np.uint32(1)).astype(np.int32)


def rotated(words: np.ndarray) -> np.ndarray:
    """Words with their lowest bit, the sign, moved to the top."""
    return (words >> 1) | ((words & 1) << (WORD_BITS - 1))


def hash_words(tables: HashTables, keys: Tensor) -> Tensor:
    """v_r(i), rotated, for every row and key: (w, n) int32."""
    a, c = keys >> tables.shift, keys & (tables.K - 1)
    pairs = (tables.T0, c), (tables.T1, a), (tables.T2, a + c)
    v0, v1, v2 = (T.gather(1, at.expand(T.shape[0], -1)) for T, at in pairs)
    return v0 ^ v1 ^ v2


def packed_indices(tables: HashTables, keys: Tensor) -> Tensor:
    """p_r(i) = bucket + (b if the sign is negative) for every row and key: (w, n) int64."""
    return pack(hash_words(tables, keys).long(), tables.spec.buckets)


def pack(words: Tensor, buckets: int) -> Tensor:
    """Rotated words in [0, 2^31), int64, to packed indices in [0, 2b), in place."""
    return words.mul_(2 * buckets).bitwise_right_shift_(WORD_BITS)


def buckets_and_signs(tables: HashTables, keys: Tensor) -> tuple[Tensor, Tensor]:
    """h_r(i) in [0, b) and s_r(i) = ±1 for every row and key."""
    p, b = packed_indices(tables, keys), tables.spec.buckets
    return p % b, 1 - 2 * (p // b)


def _check_int(field: str, value: object, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BadInput(field, value, f"an integer from {low} to {high}")
