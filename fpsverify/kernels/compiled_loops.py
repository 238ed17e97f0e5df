"""The inner loops of the count sketch, compiled by numba: hash, scatter, gather, median, running top-k.

Keys are handled in tiles, so that hashing and the median run on short contiguous arrays (vector code) and
only the scatter or gather itself is random access. Places are unsigned, because numba tests signed ones for
being negative, and offsets replace slices, which would be counted as references in every tile. All helpers
live in this one file because numba's cache looks only at the file of a function.
"""

from __future__ import annotations

import numpy as np
from numba import uint32, uint64

from fpsverify.kernels.jit import compiled

Array = np.ndarray

TILE = 1024
# One row's sums serve this many keys before the next row evicts them from the nearest cache.
KEYS_PER_ROW = 65536
# Up to so many buckets, 2b sums of a row stay in the nearest cache: then packed indices serve as they are,
# without splitting off signs. The choice depends on b alone, and so do the order and the bits of sums.
MOST_SLOT_BUCKETS = 1024


@compiled
def pack(word: int, two_b: int) -> int:
    """(word · 2b) >> 31 for a 31-bit word and 2b ≤ 2^16, in 32-bit steps (twice as fast as in 64 bits).

    With word = 2^16·u + l this is (u·2b + floor(l·2b / 2^16)) >> 15; no term reaches 2^32.
    """
    upper = uint32(uint32(word >> uint32(16)) * two_b)
    lower = uint32(uint32(uint32(word & uint32(0xFFFF)) * two_b) >> uint32(16))
    return uint32(uint32(upper + lower) >> uint32(15))


@compiled
def pack_wide(word: int, two_b: int) -> int:
    """(word · 2b) >> 31 for any 2b ≤ 2^31."""
    return uint32((uint64(word) * uint64(two_b)) >> uint64(31))


@compiled
def hash_range(
    p: Array, start: int, n: int, T0: Array, T1: Array, T2: Array, r: int, shift: int, two_b: int
) -> None:
    """p[j] = packed index of the key start + j in row r, for j < n."""
    K, r, done = uint64(1 << shift), uint64(r), uint64(0)
    while done < uint64(n):
        key = uint64(start) + done
        a, c = key >> uint64(shift), key & (K - uint64(1))
        m, high, sum_ = min(K - c, uint64(n) - done), T1[r, a], a + c
        if two_b <= 1 << 16:
            for j in range(m):
                p[done + j] = pack(uint32(T0[r, c + j] ^ T2[r, sum_ + j] ^ high), uint32(two_b))
        else:
            for j in range(m):
                p[done + j] = pack_wide(uint32(T0[r, c + j] ^ T2[r, sum_ + j] ^ high), two_b)
        done += m


@compiled
def hash_keys(p: Array, keys: Array, T0: Array, T1: Array, T2: Array, shift: int, two_b: int) -> None:
    """p[j] = packed index of keys[j] in one row."""
    mask = (1 << shift) - 1
    for j in range(keys.shape[0]):
        a, c = uint64(keys[j] >> shift), uint64(keys[j] & mask)
        p[j] = pack_wide(uint32(T0[c] ^ T1[a] ^ T2[a + c]), two_b)


@compiled
def hash_range_signed(
    bucket: Array, signed: Array, x: Array, start: int, n: int, T0: Array, T1: Array, T2: Array, r: int,
    shift: int, two_b: int,
) -> None:  # fmt: skip
    """bucket[j] = h_r(start + j) and signed[j] = s_r(start + j)·x[start + j], for j < n."""
    K, r, done = uint64(1 << shift), uint64(r), uint64(0)
    while done < uint64(n):
        key = uint64(start) + done
        a, c = key >> uint64(shift), key & (K - uint64(1))
        m, high, sum_ = min(K - c, uint64(n) - done), T1[r, a], a + c
        if two_b <= 1 << 16:
            for j in range(m):
                p = pack(uint32(T0[r, c + j] ^ T2[r, sum_ + j] ^ high), uint32(two_b))
                bucket[done + j] = uint32(p >> uint32(1))
                signed[done + j] = -x[key + j] if p & uint32(1) else x[key + j]
        else:
            for j in range(m):
                p = pack_wide(uint32(T0[r, c + j] ^ T2[r, sum_ + j] ^ high), two_b)
                bucket[done + j] = uint32(p >> uint32(1))
                signed[done + j] = -x[key + j] if p & uint32(1) else x[key + j]
        done += m


@compiled
def split_sign(bucket: Array, signed: Array, p: Array, x: Array, start: int, n: int) -> None:
    """bucket[j] and signed[j] = s·x[start + j] of the packed index p[j], for j < n."""
    for i in range(n):
        j = uint64(i)
        packed, value = uint32(p[j]), x[uint64(start) + j]
        signed[j] = -value if packed & uint32(1) else value
        bucket[j] = packed >> uint32(1)


@compiled
def scatter(row: Array, bucket: Array, skip: int, signed: Array, n: int) -> None:
    """row[bucket[skip + j]] += signed[j] for j < n, in this order; four places at a time need not wait."""
    fours = n & ~3
    for i in range(0, fours, 4):
        j, k = uint64(i), uint64(skip + i)
        h0, h1, h2, h3 = bucket[k], bucket[k + uint64(1)], bucket[k + uint64(2)], bucket[k + uint64(3)]
        row[h0] += signed[j]
        row[h1] += signed[j + uint64(1)]
        row[h2] += signed[j + uint64(2)]
        row[h3] += signed[j + uint64(3)]
    for i in range(fours, n):
        row[bucket[uint64(skip + i)]] += signed[uint64(i)]


@compiled
def scatter_packed(slots: Array, p: Array, skip: int, x: Array, start: int, n: int) -> None:
    """slots[p[skip + j]] += x[start + j] for j < n, in this order; four at a time, like `scatter`."""
    fours = n & ~3
    for i in range(0, fours, 4):
        j, k = uint64(skip + i), uint64(start + i)
        p0, p1, p2, p3 = p[j], p[j + uint64(1)], p[j + uint64(2)], p[j + uint64(3)]
        y0, y1, y2, y3 = x[k], x[k + uint64(1)], x[k + uint64(2)], x[k + uint64(3)]
        slots[p0] += y0
        slots[p1] += y1
        slots[p2] += y2
        slots[p3] += y3
    for i in range(fours, n):
        slots[p[uint64(skip + i)]] += x[uint64(start + i)]


@compiled
def fold_slots(out: Array, table: Array, slots: Array) -> None:
    """out = table + positive minus negative slots of one row, rounded once."""
    for q in range(out.shape[0]):
        out[q] = table[q] + (slots[2 * q] - slots[2 * q + 1])


@compiled
def slot_range(
    slots: Array, x: Array, start: int, stop: int, T0: Array, T1: Array, T2: Array, shift: int
) -> None:
    """slots[r, p_r(i)] += x[i] for start ≤ i < stop; slots (w, 2b) float64."""
    p = np.empty(TILE, np.uint32)
    for outer in range(start, stop, KEYS_PER_ROW):
        end = min(outer + KEYS_PER_ROW, stop)
        for r in range(slots.shape[0]):
            row = slots[r]
            for first in range(outer, end, TILE):
                n = min(TILE, end - first)
                hash_range(p, first, n, T0, T1, T2, r, shift, row.shape[0])
                scatter_packed(row, p, 0, x, first, n)


@compiled
def scatter_range(
    sums: Array, x: Array, start: int, stop: int, T0: Array, T1: Array, T2: Array, shift: int
) -> None:
    """sums[r, h_r(i)] += s_r(i)·x[i] for start ≤ i < stop; sums (w, b) float64."""
    bucket, signed = np.empty(TILE, np.uint32), np.empty(TILE, x.dtype)
    for outer in range(start, stop, KEYS_PER_ROW):
        end = min(outer + KEYS_PER_ROW, stop)
        for r in range(sums.shape[0]):
            row = sums[r]
            for first in range(outer, end, TILE):
                n = min(TILE, end - first)
                hash_range_signed(bucket, signed, x, first, n, T0, T1, T2, r, shift, 2 * row.shape[0])
                scatter(row, bucket, 0, signed, n)


@compiled
def copy_row(out: Array, source: Array) -> None:
    """out = source, converted to the dtype of out (a slice assignment is three times slower here)."""
    for q in range(out.shape[0]):
        out[q] = source[q]


@compiled
def add_rounded(out: Array, table: Array, sums: Array) -> None:
    """out = table + float64 sums, rounded once to the dtype of out."""
    for r in range(out.shape[0]):
        for q in range(out.shape[1]):
            out[r, q] = table[r, q] + sums[r, q]


@compiled
def sums_of_range(
    shape: tuple[int, int], x: Array, start: int, stop: int, T0: Array, T1: Array, T2: Array, shift: int
) -> Array:
    """The sketch of the coordinates start ≤ i < stop of x, in float64."""
    sums = np.zeros(shape)
    if shape[1] > MOST_SLOT_BUCKETS:
        scatter_range(sums, x, start, stop, T0, T1, T2, shift)
        return sums
    slots = np.zeros((shape[0], 2 * shape[1]))
    slot_range(slots, x, start, stop, T0, T1, T2, shift)
    for r in range(shape[0]):
        fold_slots(sums[r], sums[r], slots[r])
    return sums


@compiled
def add_hashed(out: Array, table: Array, x: Array, T0: Array, T1: Array, T2: Array, shift: int) -> None:
    """out = table + S(x), rounded once."""
    add_rounded(out, table, sums_of_range(table.shape, x, 0, x.shape[0], T0, T1, T2, shift))


@compiled
def hash_all(places: Array, signs: Array, T0: Array, T1: Array, T2: Array, shift: int, b: int) -> None:
    """For all keys: places[r, i] = h_r(i) and signs[r, i] = s_r(i).

    Without room for signs, places of negative sign are b + h_r(i).
    """
    for r in range(places.shape[0]):
        row = places[r]
        hash_range(row, 0, row.shape[0], T0, T1, T2, r, shift, 2 * b)
        for i in range(row.shape[0]):
            bucket, negative = row[i] >> 1, row[i] & 1
            row[i] = bucket if signs.shape[1] else bucket + b * negative
            if signs.shape[1]:
                signs[r, i] = 1 - 2 * negative


@compiled
def add_kept_slots(out: Array, table: Array, x: Array, places: Array) -> None:
    """`add_kept` without signs: a block of x serves all rows before the next is fetched."""
    w, b = table.shape
    slots = np.zeros((w, 2 * b))
    for first in range(0, x.shape[0], KEYS_PER_ROW):
        n = min(KEYS_PER_ROW, x.shape[0] - first)
        for r in range(w):
            scatter_packed(slots[r], places[r], first, x, first, n)
    for r in range(w):
        row, old, new = slots[r], table[r], out[r]
        for q in range(b):
            new[q] = old[q] + (row[q] - row[uint64(b + q)])


@compiled
def add_row_signed(
    out: Array, table: Array, x: Array, bucket: Array, signs: Array, sums: Array, signed: Array
) -> None:
    """One row of `add_kept` with signs; `sums` (b) and `signed` (TILE) are buffers."""
    for q in range(sums.shape[0]):
        sums[q] = 0.0
    for first in range(0, x.shape[0], TILE):
        n = min(TILE, x.shape[0] - first)
        for i in range(n):
            j, k = uint64(i), uint64(first + i)
            signed[j] = -x[k] if signs[k] < 0 else x[k]
        scatter(sums, bucket, first, signed, n)
    for q in range(sums.shape[0]):
        out[q] = table[q] + sums[q]


@compiled
def add_kept(out: Array, table: Array, x: Array, places: Array, signs: Array) -> None:
    """out = table + S(x) with what `hash_all` made, rounded once: the bits of `add_hashed`."""
    if signs.shape[1] == 0:
        add_kept_slots(out, table, x, places)
        return
    sums, signed = np.empty(table.shape[1]), np.empty(TILE, x.dtype)
    for r in range(table.shape[0]):
        add_row_signed(out[r], table[r], x, places[r], signs[r], sums, signed)


@compiled
def first_outside(keys: Array, d: int) -> int:
    """The place of the first key outside [0, d), or -1."""
    for j in range(keys.shape[0]):
        if keys[j] < 0 or keys[j] >= d:
            return j
    return -1


@compiled
def add_keys(
    out: Array, table: Array, keys: Array, x: Array, d: int, T0: Array, T1: Array, T2: Array, shift: int
) -> int:
    """out = table + Σ x_j·S(e_keys[j]), rounded once; returns the place of a bad key, or -1."""
    bad = first_outside(keys, d)
    if bad >= 0:
        return bad
    p, bucket, signed = np.empty(TILE, np.uint32), np.empty(TILE, np.uint32), np.empty(TILE, x.dtype)
    row = np.empty(table.shape[1])
    for r in range(table.shape[0]):
        copy_row(row, table[r])
        for first in range(0, keys.shape[0], TILE):
            part = keys[first : first + TILE]
            n = part.shape[0]
            hash_keys(p, part, T0[r], T1[r], T2[r], shift, 2 * row.shape[0])
            split_sign(bucket, signed, p, x, first, n)
            scatter(row, bucket, 0, signed, n)
        copy_row(out[r], row)
    return -1


@compiled
def median_of_three(e: Array, n: int) -> None:
    """e[1, :n] = median of the three rows."""
    e0, e1, e2 = e[0], e[1], e[2]
    for j in range(n):
        a, b, c = e0[j], e1[j], e2[j]
        low, high = (a, b) if a < b else (b, a)
        top = high if high < c else c
        e1[j] = top if low < top else low


@compiled
def median_of_five(e: Array, n: int) -> None:
    """e[2, :n] = median of the five rows: the median of c and the middle two of the pairs (a, b), (d, e)."""
    e0, e1, e2, e3, e4 = e[0], e[1], e[2], e[3], e[4]
    for j in range(n):
        a, b = (e0[j], e1[j]) if e0[j] < e1[j] else (e1[j], e0[j])
        d, f = (e3[j], e4[j]) if e3[j] < e4[j] else (e4[j], e3[j])
        low = d if a < d else a
        high = b if b < f else f
        c = e2[j]
        under, over = (low, high) if low < high else (high, low)
        top = over if over < c else c
        e2[j] = top if under < top else under


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
    if w == 3:
        median_of_three(e, n)
        return e[1]
    if w == 5:
        median_of_five(e, n)
        return e[2]
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
    out: Array, signed: Array, keys: Array, steps: Array, use_mean: bool, d: int, T0: Array, T1: Array,
    T2: Array, shift: int,
) -> int:  # fmt: skip
    """out[j] = estimate at keys[j] from ±S slots (w, 2b); returns the place of a bad key, or -1."""
    bad = first_outside(keys, d)
    if bad >= 0:
        return bad
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
    """Move the k largest of the first `count` entries to the front, keeping their order; ties: first wins."""
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
    """Nonzero estimates of start ≤ i < stop into the buffers, the k largest among them; returns how many.

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
            hash_range(p, first, n, T0, T1, T2, r, shift, row.shape[0])
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
    return count
