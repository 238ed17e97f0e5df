"""The inner loops of a round, compiled by numba: hash, scatter, gather, median, local step.

Keys are handled in tiles, so that hashing and the median run on short contiguous arrays (vector code) and
only the scatter or gather itself is random access. Places are unsigned, because numba tests signed ones for
being negative, and offsets replace slices, which would be counted as references in every tile. `keys` lists
coordinates; if it is empty, they are those from `start` on. All helpers live in this one file because numba's
cache looks only at the file of a function; it does not see a change of the constants of `fixed_point`.

numba keeps the machine code beside the source, or where NUMBA_CACHE_DIR says.
"""

# pragma: no cover file: machine code: numba runs it, where coverage cannot look
from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from numba import float64, int64, uint32, uint64
from numba.core import event

from fpsverify.sketch.fixed_point import NOT_FINITE, SUM_BITS

Array = np.ndarray
F = TypeVar("F", bound=Callable[..., Any])

TILE = 1024
# One row's sums serve this many keys before the next row evicts them from the nearest cache.
KEYS_PER_ROW = 8192


def compiled(function: F) -> F:
    """`function` as machine code that runs without the interpreter lock.

    No fast-math: results are the same bits on every run and every processor.
    """
    try:
        found: F = numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:  # no folder that may be written to: compiled once per process
        found = numba.njit(nogil=True)(function)
    return found


class Notice(event.Listener):
    """One line on a terminal when the first kernel of this process is compiled while someone waits."""

    said = False

    def on_start(self, seen: Any) -> None:
        ours = seen.data["dispatcher"].py_func.__module__.startswith("fpsverify.")
        if ours and not self.said:
            self.said = True
            say("compiling the kernels for large models; this takes some seconds, once")

    def on_end(self, seen: Any) -> None:
        pass


def say(line: str) -> None:
    """On a terminal only: nobody waits in front of a file."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(f"fpsverify: {line}", file=sys.stderr)


event.register("numba:compile", Notice())


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
def hashed(
    p: Array, keys: Array, start: int, n: int, T0: Array, T1: Array, T2: Array, r: int, shift: int, two_b: int
) -> None:
    """p[j] = packed index in row r of the key start + j, or of keys[start + j], for j < n."""
    K, r, done = uint64(1 << shift), uint64(r), uint64(0)
    mask = K - uint64(1)
    if keys.shape[0]:
        for j in range(n):
            key = uint64(keys[uint64(start + j)])
            a, c = key >> uint64(shift), key & mask
            p[j] = pack_wide(uint32(T0[r, c] ^ T1[r, a] ^ T2[r, a + c]), two_b)
        return
    while done < uint64(n):
        key = uint64(start) + done
        a, c = key >> uint64(shift), key & mask
        m, high, sum_ = min(K - c, uint64(n) - done), T1[r, a], a + c
        if two_b <= 1 << 16:
            for j in range(m):
                p[done + j] = pack(uint32(T0[r, c + j] ^ T2[r, sum_ + j] ^ high), uint32(two_b))
        else:
            for j in range(m):
                p[done + j] = pack_wide(uint32(T0[r, c + j] ^ T2[r, sum_ + j] ^ high), two_b)
        done += m


@compiled
def quantum(bits: Array, n: int) -> int:
    """The exponent e of `fixed_point` of n numbers from their bits as integers; NOT_FINITE if one is not.

    Without their signs, the bits of floats have the order of the floats, and those of infinity and NaN come
    last. The exponent field E says that all are below 2^(E - bias), also if they are subnormal (E = 0).
    """
    mask = bits.dtype.type(0x7FFFFFFF if bits.itemsize == 4 else 0x7FFFFFFFFFFFFFFF)
    top, length = bits.dtype.type(0), 0
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
def scatter(row: Array, p: Array, z: Array, start: int, n: int) -> None:
    """row[h] += s·z[start + j] for the packed indices p[j], j < n: signs first, in vector code."""
    b = uint32(row.shape[0])
    signed = np.empty(TILE, np.int64)
    for i in range(n):
        j = uint64(i)
        value, negative = z[uint64(start) + j], p[j] >= b
        signed[j] = -value if negative else value
        p[j] = uint32(p[j] - b) if negative else p[j]
    for i in range(n):
        j = uint64(i)
        row[p[j]] += signed[j]


@compiled
def sums(
    shape: tuple[int, int], x: Array, e: int, keys: Array, start: int, stop: int, T0: Array, T1: Array,
    T2: Array, shift: int,
) -> Array:  # fmt: skip
    """The sketch of x[start:stop], at these coordinates or at keys[start:stop], in units of 2^e, int64."""
    found = np.zeros(shape, np.int64)
    p, z = np.empty(TILE, np.uint32), np.empty(KEYS_PER_ROW, np.int64)
    for outer in range(start, stop, KEYS_PER_ROW):
        end = min(outer + KEYS_PER_ROW, stop)
        whole_numbers(z, x, outer, end - outer, e)
        for r in range(shape[0]):
            for first in range(outer, end, TILE):
                n = min(TILE, end - first)
                hashed(p, keys, first, n, T0, T1, T2, r, shift, 2 * shape[1])
                scatter(found[r], p, z, first - outer, n)
    return found


@compiled
def add_rounded(out: Array, table: Array, found: Array, e: int) -> None:
    """out = table + found·2^e, rounded to the dtype of out."""
    half = e // 2
    one, other = power_of_two(half), power_of_two(e - half)
    for r in range(out.shape[0]):
        for q in range(out.shape[1]):
            out[r, q] = table[r, q] + float64(found[r, q]) * one * other


@compiled
def add(
    out: Array, table: Array, x: Array, bits: Array, keys: Array, T0: Array, T1: Array, T2: Array, shift: int
) -> int:
    """out = table + S(x), rounded; returns the quantum, or NOT_FINITE and leaves out alone."""
    e = quantum(bits, x.shape[0])
    if e != NOT_FINITE:
        add_rounded(out, table, sums(table.shape, x, e, keys, 0, x.shape[0], T0, T1, T2, shift), e)
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
def estimates(
    out: Array, signed: Array, keys: Array, start: int, steps: Array, use_mean: bool, T0: Array, T1: Array,
    T2: Array, shift: int,
) -> None:  # fmt: skip
    """out[j] = estimate from ±S slots (w, 2b) at keys[j], or at the coordinate start + j."""
    p = np.empty(TILE, np.uint32)
    e = np.empty((signed.shape[0], TILE), signed.dtype)
    for first in range(0, out.shape[0], TILE):
        n = min(TILE, out.shape[0] - first)
        for r in range(signed.shape[0]):
            row, target = signed[r], e[r]
            hashed(p, keys, start + first, n, T0, T1, T2, r, shift, row.shape[0])
            for j in range(n):
                target[j] = row[p[uint64(j)]]
        found = reduce_rows(e, n, steps, use_mean)
        for j in range(n):
            out[uint64(first + j)] = found[j]
