"""Slow, obvious versions of what the package computes: whole numbers of Python, one coordinate at a time."""

import hashlib
from fractions import Fraction
from functools import lru_cache

from torch import Tensor

from fpsverify.sketch.hash import SketchSpec


@lru_cache(maxsize=4096)
def oracle_words(seed: int, row: int, table: int, count: int) -> tuple[int, ...]:
    """Little-endian 32-bit words of SHAKE-128, without their lowest bit."""
    stream = hashlib.shake_128(f"fpsverify tabulation v1/{seed}/{row}/{table}".encode()).digest(4 * count)
    return tuple(int.from_bytes(stream[4 * i : 4 * i + 4], "little") >> 1 for i in range(count))


def oracle_split(d: int) -> int:
    """K: the least power of two with K² ≥ d, raised to 1024, but never more than needed to hold d."""
    K = 1
    while K * K < d:
        K *= 2
    enough = 1
    while enough < d:
        enough *= 2
    return max(K, min(enough, 1024))


def oracle_bucket_sign(spec: SketchSpec, row: int, key: int) -> tuple[int, int]:
    """(v >> 1)·b >> 30 and (-1)^v with v the XOR of three table words."""
    K = oracle_split(spec.d)
    A = -(-spec.d // K)
    a, c = divmod(key, K)
    T0, T1, T2 = (oracle_words(spec.seed, row, t, n) for t, n in enumerate((K, A, K + A - 1)))
    v = T0[c] ^ T1[a] ^ T2[a + c]
    return v // 2 * spec.buckets // 2**30, -1 if v % 2 else 1


def oracle_estimate(spec: SketchSpec, table: Tensor, key: int, rule: str) -> Fraction:
    """Median (even w: mean of the two middle values) or mean of the signed buckets, exactly."""
    values = []
    for row in range(spec.rows):
        bucket, sign = oracle_bucket_sign(spec, row, key)
        values.append(sign * Fraction(float(table[row, bucket])))
    if rule == "mean":
        return sum(values, Fraction(0)) / spec.rows
    values.sort()
    return (values[(spec.rows - 1) // 2] + values[spec.rows // 2]) / 2


def oracle_top_k(values: list[float], k: int) -> list[int]:
    """Sort by magnitude, then by index; drop zeros; take k; return in index order."""
    nonzero = [i for i, v in enumerate(values) if v != 0]
    return sorted(sorted(nonzero, key=lambda i: (-abs(values[i]), i))[:k])
