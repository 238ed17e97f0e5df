"""Count sketch kernels for the CPU: compiled loops, run over blocks of keys on as many threads as torch uses.

Sums are exact in any order (see `fixed_point`), so there are as many blocks as threads and their number
cannot change a bit of a result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, reduce
from itertools import pairwise
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor

from fpsverify.errors import BadInput
from fpsverify.sketch import compiled_loops as loops
from fpsverify.sketch.fixed_point import NOT_FINITE
from fpsverify.sketch.hash import HashTables, SketchSpec
from fpsverify.sketch.order import RunningTopK, largest, median_steps

T = TypeVar("T")
Words = tuple[np.ndarray, np.ndarray, np.ndarray, int]
Parts = Sequence[tuple[int, int]]

MIN_BLOCK = 1 << 19
# A scan looks at so many estimates before it compares them with the largest so far.
SCAN = 1 << 16
BITS = {np.dtype(np.float32): np.int32, np.dtype(np.float64): np.int64}
NO_KEYS = np.empty(0, np.int64)


def add_dense(tables: HashTables, table: Tensor, x: Tensor) -> Tensor:
    """table (M, w, b) or (w, b) plus the sketches of the rows of x, (M, d), or of one x (d,) for all."""
    out = torch.empty_like(table, memory_format=torch.contiguous_format)
    if table.ndim == 2:
        return _add(tables, table, NO_KEYS, x, out)
    for m in range(len(out)):
        _add(tables, table[m], NO_KEYS, x if x.ndim == 1 else x[m], out[m])
    return out


def add_sparse(tables: HashTables, table: Tensor, indices: Tensor, values: Tensor) -> Tensor:
    """table (w, b) plus the sketch of the pairs; repeated indices add up."""
    out = torch.empty_like(table, memory_format=torch.contiguous_format)
    return _add(tables, table, _checked(tables, indices), values, out) if len(indices) else out.copy_(table)


def _add(tables: HashTables, table: Tensor, keys: np.ndarray, x: Tensor, out: Tensor) -> Tensor:
    """table + S(x) in `out`, one thread per block."""
    new, old, values, words = out.numpy(), as_array(table), as_array(x), _words(tables)
    bits, n = values.view(BITS[values.dtype]), len(values)
    parts = ((0, n),) if len(keys) else blocks(tables.spec)
    if len(parts) == 1:
        e = loops.add(new, old, values, bits, keys, *words)
    elif (e := max(run_blocks(lambda i, j: loops.quantum(bits[i:j], n), parts))) != NOT_FINITE:
        found = run_blocks(lambda i, j: loops.sums(old.shape, values, e, keys, i, j, *words), parts)
        loops.add_rounded(new, old, reduce(np.add, found), e)
    return out if e != NOT_FINITE else out.fill_(torch.nan)


def proximal(W: Tensor, g: Tensor, centre: Tensor, gamma: float, mu: float) -> Tensor:
    """W − γ(g + μ(W − centre)) in W itself and in one pass; the bits are those of torch."""
    rows = W.numpy()
    number = rows.dtype.type
    loops.proximal(rows, as_array(g), as_array(centre), number(gamma), number(mu))
    return W


def estimate(tables: HashTables, table: Tensor, indices: Tensor, rule: str) -> Tensor:
    """Point estimates at the given indices from one table (w, b)."""
    keys = _checked(tables, indices)
    out = torch.empty(len(keys), dtype=table.dtype)
    _estimates(tables, signed_slots(table), rule, out.numpy(), 0, keys)
    return out


def decode(tables: HashTables, table: Tensor) -> Tensor:
    """The mean of the rows at all d coordinates."""
    out, signed = torch.empty(tables.spec.d, dtype=table.dtype), signed_slots(table)
    new = out.numpy()
    run_blocks(lambda i, j: _estimates(tables, signed, "mean", new[i:j], i), blocks(tables.spec))
    return out


def scan_top_k(tables: HashTables, table: Tensor, k: int, rule: str) -> tuple[Tensor, Tensor]:
    """Indices and values of the k largest estimates over all d coordinates."""
    signed = signed_slots(table)

    def scan(start: int, stop: int) -> tuple[Tensor, Tensor]:
        best, buffer = RunningTopK(k, like=table), torch.empty(min(SCAN, stop - start), dtype=table.dtype)
        for first in range(start, stop, SCAN):
            part = buffer[: stop - first]
            _estimates(tables, signed, rule, part.numpy(), first)
            best.offer(first, part)
        return best.result()

    indices, values = (torch.cat(parts) for parts in zip(*run_blocks(scan, blocks(tables.spec)), strict=True))
    return largest(indices, values, k)


def _estimates(
    tables: HashTables, signed: np.ndarray, rule: str, out: np.ndarray, start: int, keys: np.ndarray = NO_KEYS
) -> None:
    steps = _steps(tables.spec.rows)
    loops.estimates(out, signed, keys, start, steps, rule == "mean", *_words(tables))


def blocks(spec: SketchSpec) -> Parts:
    """[0, d) in nearly equal parts for torch's threads; fewer if their tables would outweigh the work."""
    most = min(torch.get_num_threads(), spec.d // MIN_BLOCK, spec.d // (8 * spec.rows * spec.buckets))
    count = max(1, most)
    return tuple(pairwise(spec.d * i // count for i in range(count + 1)))


def run_blocks(work: Callable[[int, int], T], parts: Parts) -> list[T]:
    """work(start, stop) for every part, each on a thread of its own; results in order."""
    if len(parts) == 1:
        return [work(*parts[0])]
    with ThreadPoolExecutor(len(parts)) as pool:
        return list(pool.map(lambda part: work(*part), parts))


def signed_slots(table: Tensor) -> np.ndarray:
    """(S, -S), (w, 2b), so that a packed index gathers sign·S."""
    plain = as_array(table)
    return np.concatenate([plain, -plain], axis=1)


def as_array(x: Tensor) -> np.ndarray:
    """x as a contiguous array; the question costs less than a call that changes nothing."""
    return x.numpy() if x.is_contiguous() else x.contiguous().numpy()


@lru_cache(maxsize=8)
def _words(tables: HashTables) -> Words:
    T0, T1, T2 = (t.numpy().view(np.uint32) for t in (tables.T0, tables.T1, tables.T2))
    return T0, T1, T2, tables.shift


@lru_cache(maxsize=64)
def _steps(w: int) -> np.ndarray:
    return np.array(median_steps(w), dtype=np.int64).reshape(-1, 2)


def _checked(tables: HashTables, indices: Tensor) -> np.ndarray:
    """The indices as an array, refused if one is no coordinate."""
    keys = as_array(indices)
    if (bad := loops.first_outside(keys, tables.spec.d)) >= 0:
        raise BadInput("indices", int(keys[bad]), f"coordinates from 0 to {tables.spec.d - 1}")
    return keys
