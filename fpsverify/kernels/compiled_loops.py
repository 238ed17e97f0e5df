"""The inner loops of the count sketch, compiled by numba: hash, scatter, gather, median, running top-k.

Keys are handled in tiles, so that hashing and the median run on short contiguous arrays (vector code) and
only the scatter or gather itself is random access. Slot numbers are unsigned: numba then skips the test for
negative ones. All helpers live in this one file because numba's cache looks only at the file of a function.
"""

from __future__ import annotations

import numpy as np
from numba import uint32, uint64

from fpsverify.kernels.jit import compiled

Array = np.ndarray

TILE = 1024
# One row's slots (64 kB of float64 at b = 4000) serve this many tiles before the next row evicts them.
TILES_PER_ROW = 16


@compiled
def hash_range(p: Array, start: int, n: int, T0: Array, T1: Array, T2: Array, shift: int, two_b: int) -> None:
    """p[:n] = packed indices of the keys start, …, start + n - 1 in one row."""
    K = 1 << shift
    done = 0
    while done < n:
        a, c = (start + done) >> shift, (start + done) & (K - 1)
        m = min(K - c, n - done)
        low, mixed, high, out = T0[c : c + m], T2[a + c : a + c + m], T1[a], p[done : done + m]
        for j in range(m):
            out[j] = uint32((uint64(low[j] ^ mixed[j] ^ high) * uint64(two_b)) >> uint64(31))
        done += m


@compiled
def hash_keys(p: Array, keys: Array, T0: Array, T1: Array, T2: Array, shift: int, two_b: int) -> None:
    """p[j] = packed index of keys[j] in one row."""
    mask = (1 << shift) - 1
    for j in range(keys.shape[0]):
        a, c = uint64(keys[j] >> shift), uint64(keys[j] & mask)
        p[j] = uint32((uint64(T0[c] ^ T1[a] ^ T2[a + c]) * uint64(two_b)) >> uint64(31))


@compiled
def scatter_range(
    slots: Array, x: Array, start: int, stop: int, T0: Array, T1: Array, T2: Array, shift: int
) -> None:
    """slots[r, p_r(i)] += x[i] for start ≤ i < stop; slots (w, 2b) float64."""
    p = np.empty(TILE, np.uint32)
    for outer in range(start, stop, TILE * TILES_PER_ROW):
        end = min(outer + TILE * TILES_PER_ROW, stop)
        for r in range(slots.shape[0]):
            row = slots[r]
            for first in range(outer, end, TILE):
                part = x[first : min(first + TILE, end)]
                hash_range(p, first, part.shape[0], T0[r], T1[r], T2[r], shift, row.shape[0])
                for j in range(part.shape[0]):
                    row[p[j]] += part[j]


@compiled
def add_folded(table: Array, slots: Array, out: Array) -> None:
    """out = table + Σ over blocks of (positive - negative slots); slots (blocks, w, 2b), rounded once."""
    for r in range(table.shape[0]):
        for q in range(table.shape[1]):
            total = 0.0
            for block in range(slots.shape[0]):
                total += slots[block, r, 2 * q] - slots[block, r, 2 * q + 1]
            out[r, q] = table[r, q] + total


@compiled
def scatter_keys(
    sums: Array, keys: Array, x: Array, T0: Array, T1: Array, T2: Array, shift: int, d: int
) -> int:
    """sums[r, h_r(i)] += s_r(i)·x_i for i = keys[j]; returns the place of a key outside [0, d), or -1."""
    for j in range(keys.shape[0]):
        if keys[j] < 0 or keys[j] >= d:
            return j
    p = np.empty(TILE, np.uint32)
    for first in range(0, keys.shape[0], TILE):
        part, values = keys[first : first + TILE], x[first : first + TILE]
        for r in range(sums.shape[0]):
            row = sums[r]
            hash_keys(p, part, T0[r], T1[r], T2[r], shift, 2 * row.shape[0])
            for j in range(part.shape[0]):
                sign = 1.0 - 2.0 * (p[j] & uint32(1))
                row[p[j] >> uint32(1)] += sign * values[j]
    return -1


@compiled
def reduce_rows(e: Array, n: int, steps: Array, use_mean: bool) -> Array:
    """Median (by the network `steps`) or mean over the rows of e[:, :n]; overwrites e."""
    w = e.shape[0]
    if use_mean:
        for r in range(1, w):
            for j in range(n):
                e[0, j] += e[r, j]
        for j in range(n):
            e[0, j] /= w
        return e[0]
    for s in range(steps.shape[0]):
        low, high = e[steps[s, 0]], e[steps[s, 1]]
        for j in range(n):
            u, v = low[j], high[j]
            low[j] = u if u < v else v
            high[j] = v if u < v else u
    lower, upper = e[(w - 1) // 2], e[w // 2]
    if w % 2 == 0:
        for j in range(n):
            lower[j] = (lower[j] + upper[j]) / 2
    return lower


@compiled
def gather_keys(
    out: Array, signed: Array, keys: Array, steps: Array, use_mean: bool, T0: Array, T1: Array, T2: Array,
    shift: int, d: int,
) -> int:  # fmt: skip
    """out[j] = estimate at keys[j] from ±S slots (w, 2b); returns the place of a bad key, or -1."""
    for j in range(keys.shape[0]):
        if keys[j] < 0 or keys[j] >= d:
            return j
    p = np.empty(TILE, np.uint32)
    e = np.empty((signed.shape[0], TILE), signed.dtype)
    for first in range(0, keys.shape[0], TILE):
        part = keys[first : first + TILE]
        n = part.shape[0]
        for r in range(signed.shape[0]):
            row, target = signed[r], e[r]
            hash_keys(p, part, T0[r], T1[r], T2[r], shift, row.shape[0])
            for j in range(n):
                target[j] = row[p[j]]
        out[first : first + n] = reduce_rows(e, n, steps, use_mean)[:n]
    return -1


@compiled
def keep_largest(indices: Array, values: Array, count: int, k: int) -> int:
    """Move the k largest magnitudes of the first `count` entries to the front, in order; first among equals."""
    if count <= k:
        return count
    magnitudes = np.abs(values[:count])
    threshold = np.partition(magnitudes, count - k)[count - k]
    ties = k
    for j in range(count):
        if magnitudes[j] > threshold:
            ties -= 1
    kept = 0
    for j in range(count):
        if magnitudes[j] > threshold or (magnitudes[j] == threshold and ties > 0):
            if magnitudes[j] == threshold:
                ties -= 1
            indices[kept], values[kept] = indices[j], values[j]
            kept += 1
    return kept


@compiled
def scan_range(
    indices: Array, values: Array, signed: Array, steps: Array, use_mean: bool, k: int, start: int, stop: int,
    T0: Array, T1: Array, T2: Array, shift: int,
) -> int:  # fmt: skip
    """The k largest nonzero estimates of start ≤ i < stop into the buffers; returns how many were found.

    The buffers hold more than k entries; when they are full the k largest stay and the smallest of them is
    the threshold from then on. Strictly above it: an equal estimate at a later index loses anyway.
    """
    p = np.empty(TILE, np.uint32)
    e = np.empty((signed.shape[0], TILE), signed.dtype)
    count, threshold = 0, signed.dtype.type(0)
    for first in range(start, stop, TILE):
        n = min(TILE, stop - first)
        for r in range(signed.shape[0]):
            row, target = signed[r], e[r]
            hash_range(p, first, n, T0[r], T1[r], T2[r], shift, row.shape[0])
            for j in range(n):
                target[j] = row[p[j]]
        estimates = reduce_rows(e, n, steps, use_mean)
        hits = 0
        for j in range(n):
            hits += np.abs(estimates[j]) > threshold
        if hits == 0:
            continue
        for j in range(n):
            if np.abs(estimates[j]) > threshold:
                indices[count], values[count] = first + j, estimates[j]
                count += 1
                if count == indices.shape[0]:
                    count = keep_largest(indices, values, count, k)
                    threshold = np.abs(values[:count]).min()
    return keep_largest(indices, values, count, k)
