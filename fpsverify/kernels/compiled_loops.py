"""The inner loops of a round, compiled by numba: hash, scatter, gather, median, running top-k, local step.

Keys are handled in tiles, so that hashing and the median run on short contiguous arrays (vector code) and
only the scatter or gather itself is random access. Places are unsigned, because numba tests signed ones for
being negative, and offsets replace slices, which would be counted as references in every tile. All helpers
live in this one file because numba's cache looks only at the file of a function; it does not see a change of
the constants of `fixed_point`.
"""

# pragma: no cover file: machine code: numba runs it, where coverage cannot look
from __future__ import annotations

import numpy as np
from numba import float64, int64, uint32, uint64

from fpsverify.kernels.fixed_point import NOT_FINITE, SUM_BITS
from fpsverify.kernels.jit import compiled

Array = np.ndarray

TILE = 1024
# One row's sums serve this many keys before the next row evicts them from the nearest cache.
KEYS_PER_ROW = 8192
# Up to so many buckets, 2b sums of a row stay in the nearest cache: then packed indices serve as they are,
# without splitting off signs.
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
    bucket: Array, signed: Array, z: Array, skip: int, start: int, n: int, T0: Array, T1: Array, T2: Array,
    r: int, shift: int, two_b: int,
) -> None:  # fmt: skip
    """bucket[j] = h_r(start + j) and signed[j] = s_r(start + j)·z[skip + j], for j < n."""
    b = uint32(two_b // 2)
    K, r, done = uint64(1 << shift), uint64(r), uint64(0)
    while done < uint64(n):
        key, at = uint64(start) + done, uint64(skip) + done
        a, c = key >> uint64(shift), key & (K - uint64(1))
        m, high, sum_ = min(K - c, uint64(n) - done), T1[r, a], a + c
        if two_b <= 1 << 16:
            for j in range(m):
                p = pack(uint32(T0[r, c + j] ^ T2[r, sum_ + j] ^ high), uint32(two_b))
                bucket[done + j] = uint32(p - b) if p >= b else p
                signed[done + j] = -z[at + j] if p >= b else z[at + j]
        else:
            for j in range(m):
                p = pack_wide(uint32(T0[r, c + j] ^ T2[r, sum_ + j] ^ high), two_b)
                bucket[done + j] = uint32(p - b) if p >= b else p
                signed[done + j] = -z[at + j] if p >= b else z[at + j]
        done += m


@compiled
def split_sign(bucket: Array, signed: Array, p: Array, z: Array, n: int, b: int) -> None:
    """bucket[j] and signed[j] = s·z[j] of the packed index p[j], for j < n."""
    b = uint32(b)
    for i in range(n):
        j = uint64(i)
        packed, value = uint32(p[j]), z[j]
        negative = packed >= b
        signed[j] = -value if negative else value
        bucket[j] = uint32(packed - b) if negative else packed


@compiled
def no_sign(bits: Array) -> int:
    """All bits but the sign, in the dtype of `bits`."""
    return bits.dtype.type(0x7FFFFFFF if bits.itemsize == 4 else 0x7FFFFFFFFFFFFFFF)


@compiled
def quantum(bits: Array, n: int) -> int:
    """`fixed_point.quantum_exponent` of n numbers from their bits read as integers; NOT_FINITE if one is not.

    Without their signs, the bits of floats have the order of the floats, and those of infinity and NaN come
    last. The exponent field E says that all are below 2^(E - bias), also if they are subnormal (E = 0).
    """
    mask, top, length = no_sign(bits), bits.dtype.type(0), 0
    for i in range(bits.shape[0]):
        magnitude = bits.dtype.type(bits[i] & mask)
        top = magnitude if magnitude > top else top
    while n >> length:
        length += 1
    fraction, bias, last = (23, 126, 0xFF) if bits.itemsize == 4 else (52, 1022, 0x7FF)
    field = int64(top) >> fraction
    return NOT_FINITE if field == last else field - bias + length - SUM_BITS


@compiled
def power_of_two(exponent: int) -> float:
    """2^exponent for |exponent| ≤ 1000, exactly."""
    factor, out = (2.0 if exponent > 0 else 0.5), 1.0
    for _ in range(abs(exponent)):
        out *= factor
    return out


@compiled
def whole_numbers(z: Array, x: Array, start: int, n: int, e: int) -> None:
    """z[j] = x[start + j] / 2^e, rounded to a whole number (ties to even), for j < n."""
    half = e // 2
    one, other = x.dtype.type(power_of_two(-half)), x.dtype.type(power_of_two(half - e))
    for j in range(n):
        z[j] = int64(np.rint(x[uint64(start + j)] * one * other))


@compiled
def scatter(row: Array, place: Array, skip: int, z: Array, start: int, n: int) -> None:
    """row[place[skip + j]] += z[start + j] for j < n; four places at a time need not wait for each other."""
    fours = n & ~3
    for i in range(0, fours, 4):
        j, k = uint64(skip + i), uint64(start + i)
        h0, h1, h2, h3 = place[j], place[j + uint64(1)], place[j + uint64(2)], place[j + uint64(3)]
        row[h0] += z[k]
        row[h1] += z[k + uint64(1)]
        row[h2] += z[k + uint64(2)]
        row[h3] += z[k + uint64(3)]
    for i in range(fours, n):
        row[place[uint64(skip + i)]] += z[uint64(start + i)]


@compiled
def slot_range(
    slots: Array, x: Array, e: int, start: int, stop: int, T0: Array, T1: Array, T2: Array, shift: int
) -> None:
    """slots[r, p_r(i)] += x[i] / 2^e for start ≤ i < stop; slots (w, 2b) int64."""
    p, z = np.empty(TILE, np.uint32), np.empty(KEYS_PER_ROW, np.int64)
    for outer in range(start, stop, KEYS_PER_ROW):
        end = min(outer + KEYS_PER_ROW, stop)
        whole_numbers(z, x, outer, end - outer, e)
        for r in range(slots.shape[0]):
            row = slots[r]
            for first in range(outer, end, TILE):
                n = min(TILE, end - first)
                hash_range(p, first, n, T0, T1, T2, r, shift, row.shape[0])
                scatter(row, p, 0, z, first - outer, n)


@compiled
def scatter_range(
    sums: Array, x: Array, e: int, start: int, stop: int, T0: Array, T1: Array, T2: Array, shift: int
) -> None:
    """sums[r, h_r(i)] += s_r(i)·x[i] / 2^e for start ≤ i < stop; sums (w, b) int64."""
    z, bucket = np.empty(KEYS_PER_ROW, np.int64), np.empty(TILE, np.uint32)
    signed = np.empty(TILE, np.int64)
    for outer in range(start, stop, KEYS_PER_ROW):
        end = min(outer + KEYS_PER_ROW, stop)
        whole_numbers(z, x, outer, end - outer, e)
        for r in range(sums.shape[0]):
            row = sums[r]
            for first in range(outer, end, TILE):
                n = min(TILE, end - first)
                skip = first - outer
                hash_range_signed(bucket, signed, z, skip, first, n, T0, T1, T2, r, shift, 2 * row.shape[0])
                scatter(row, bucket, 0, signed, 0, n)


@compiled
def sums_of_range(
    shape: tuple[int, int], x: Array, e: int, start: int, stop: int, T0: Array, T1: Array, T2: Array,
    shift: int,
) -> Array:  # fmt: skip
    """The sketch of the coordinates start ≤ i < stop of x in units of 2^e, int64."""
    sums = np.zeros(shape, np.int64)
    if shape[1] > MOST_SLOT_BUCKETS:
        scatter_range(sums, x, e, start, stop, T0, T1, T2, shift)
        return sums
    slots = np.zeros((shape[0], 2 * shape[1]), np.int64)
    slot_range(slots, x, e, start, stop, T0, T1, T2, shift)
    for r in range(shape[0]):
        for q in range(shape[1]):
            sums[r, q] = slots[r, q] - slots[r, shape[1] + q]
    return sums


@compiled
def add_rounded(out: Array, table: Array, sums: Array, e: int) -> None:
    """out = table + sums·2^e, rounded to the dtype of out."""
    half = e // 2
    one, other = power_of_two(half), power_of_two(e - half)
    for r in range(out.shape[0]):
        for q in range(out.shape[1]):
            out[r, q] = table[r, q] + float64(sums[r, q]) * one * other


@compiled
def add_hashed(
    out: Array, table: Array, x: Array, bits: Array, T0: Array, T1: Array, T2: Array, shift: int
) -> int:
    """out = table + S(x), rounded; returns the quantum, or NOT_FINITE and leaves out alone."""
    e = quantum(bits, x.shape[0])
    if e != NOT_FINITE:
        add_rounded(out, table, sums_of_range(table.shape, x, e, 0, x.shape[0], T0, T1, T2, shift), e)
    return e


@compiled
def hash_all(places: Array, signs: Array, T0: Array, T1: Array, T2: Array, shift: int, b: int) -> None:
    """For all keys: places[r, i] = h_r(i) and signs[r, i] = s_r(i).

    Without room for signs, places are packed indices.
    """
    for r in range(places.shape[0]):
        row = places[r]
        hash_range(row, 0, row.shape[0], T0, T1, T2, r, shift, 2 * b)
        for i in range(signs.shape[1]):
            negative = row[i] >= b
            row[i] -= b * negative
            signs[r, i] = 1 - 2 * negative


@compiled
def kept_slots(sums: Array, z: Array, places: Array) -> None:
    """`kept_sums` without signs: a block of z serves all rows before the next is fetched."""
    w, b = sums.shape
    slots = np.zeros((w, 2 * b), np.int64)
    for first in range(0, z.shape[0], KEYS_PER_ROW):
        n = min(KEYS_PER_ROW, z.shape[0] - first)
        for r in range(w):
            scatter(slots[r], places[r], first, z, first, n)
    for r in range(w):
        for q in range(b):
            sums[r, q] = slots[r, q] - slots[r, b + q]


@compiled
def kept_signed(sums: Array, z: Array, places: Array, signs: Array) -> None:
    """`kept_sums` with signs, row by row."""
    signed = np.empty(TILE, np.int64)
    for r in range(sums.shape[0]):
        row, sign = sums[r], signs[r]
        for first in range(0, z.shape[0], TILE):
            n = min(TILE, z.shape[0] - first)
            for i in range(n):
                j, k = uint64(i), uint64(first + i)
                signed[j] = -z[k] if sign[k] < 0 else z[k]
            scatter(row, places[r], first, signed, 0, n)


@compiled
def add_kept(out: Array, table: Array, x: Array, bits: Array, places: Array, signs: Array) -> int:
    """`add_hashed` with what `hash_all` made."""
    e = quantum(bits, x.shape[0])
    if e == NOT_FINITE:
        return e
    sums, z = np.zeros(table.shape, np.int64), np.empty(x.shape[0], np.int64)
    whole_numbers(z, x, 0, x.shape[0], e)
    if signs.shape[1]:
        kept_signed(sums, z, places, signs)
    else:
        kept_slots(sums, z, places)
    add_rounded(out, table, sums, e)
    return e


@compiled
def proximal(W: Array, g: Array, centre: Array, gamma: float, mu: float) -> None:
    """W ← W − γ(g + μ(W − centre)), rounded after every operation."""
    for m in range(g.shape[0]):
        w, row = W[m], g[m]
        if mu == 0:
            for j in range(row.shape[0]):
                w[j] -= gamma * row[j]
        else:
            for j in range(row.shape[0]):
                w[j] -= gamma * (row[j] + mu * (w[j] - centre[j]))


@compiled
def first_outside(keys: Array, d: int) -> int:
    """The place of the first key outside [0, d), or -1."""
    for j in range(keys.shape[0]):
        if keys[j] < 0 or keys[j] >= d:
            return j
    return -1


@compiled
def add_keys(
    out: Array, table: Array, keys: Array, x: Array, bits: Array, T0: Array, T1: Array, T2: Array, shift: int
) -> int:
    """out = table + Σ x_j·S(e_keys[j]), rounded; returns the quantum, or NOT_FINITE and leaves out alone."""
    e = quantum(bits, x.shape[0])
    if e == NOT_FINITE:
        return e
    p, bucket = np.empty(TILE, np.uint32), np.empty(TILE, np.uint32)
    z, signed = np.empty(TILE, np.int64), np.empty(TILE, np.int64)
    sums = np.zeros(table.shape, np.int64)
    for first in range(0, keys.shape[0], TILE):
        part = keys[first : first + TILE]
        n = part.shape[0]
        whole_numbers(z, x, first, n, e)
        for r in range(table.shape[0]):
            hash_keys(p, part, T0[r], T1[r], T2[r], shift, 2 * table.shape[1])
            split_sign(bucket, signed, p, z, n, table.shape[1])
            scatter(sums[r], bucket, 0, signed, 0, n)
    add_rounded(out, table, sums, e)
    return e


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
def decode_range(
    out: Array, signed: Array, start: int, stop: int, T0: Array, T1: Array, T2: Array, shift: int
) -> None:
    """out[i] = mean over rows of ±S slots (w, 2b) at the key i, for start ≤ i < stop; added row by row."""
    p, w = np.empty(TILE, np.uint32), signed.shape[0]
    for first in range(start, stop, TILE):
        n, at = min(TILE, stop - first), uint64(first)
        for r in range(w):
            row = signed[r]
            hash_range(p, first, n, T0, T1, T2, r, shift, row.shape[0])
            if r == 0:
                for j in range(n):
                    out[at + uint64(j)] = row[p[uint64(j)]]
            else:
                for j in range(n):
                    out[at + uint64(j)] += row[p[uint64(j)]]
        if w > 1:
            for j in range(n):
                out[at + uint64(j)] /= w


@compiled
def kth_largest(magnitudes: Array, k: int) -> int:
    """The k-th largest of whole numbers ≥ 0.

    From the highest bit down, the largest number that at least k of them reach: short loops of vector code,
    as many as a number has bits, whatever the values are.
    """
    found = int64(0)
    for place in range(8 * magnitudes.itemsize - 2, -1, -1):
        trial, reached = magnitudes.dtype.type(found | int64(1) << place), 0
        for j in range(magnitudes.shape[0]):
            reached += magnitudes[j] >= trial
        if reached >= k:
            found = int64(trial)
    return found


@compiled
def keep_largest(indices: Array, values: Array, bits: Array, count: int, k: int) -> int:
    """Move the k largest of the first `count` entries to the front, keeping their order; ties: first wins.

    `bits` is `values` read as integers: without signs they have the order of the magnitudes.
    """
    if count <= k:
        return count
    mask, magnitudes = no_sign(bits), np.empty(count, bits.dtype)
    for j in range(count):
        magnitudes[j] = bits[j] & mask
    threshold, ties = kth_largest(magnitudes, k), k
    for j in range(count):
        ties -= magnitudes[j] > threshold
    kept = 0
    for j in range(count):
        if magnitudes[j] > threshold or (magnitudes[j] == threshold and ties > 0):
            ties -= magnitudes[j] == threshold
            indices[kept], values[kept] = indices[j], values[j]
            kept += 1
    return kept


@compiled
def scan_range(
    indices: Array, values: Array, bits: Array, signed: Array, steps: Array, use_mean: bool, k: int,
    start: int, stop: int, T0: Array, T1: Array, T2: Array, shift: int,
) -> int:  # fmt: skip
    """Nonzero estimates of start ≤ i < stop into the buffers, the k largest among them; returns how many.

    The buffers hold more than k entries; when they are full the k largest stay and the smallest of them is
    the threshold from then on. Strictly above it: an equal estimate at a later index loses anyway. `bits` is
    the buffer `values` read as integers.
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
                    count = keep_largest(indices, values, bits, count, k)
                    threshold = np.abs(values[0])
                    for kept in range(1, count):
                        threshold = min(threshold, np.abs(values[kept]))
    return count
