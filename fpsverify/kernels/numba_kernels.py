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
from fpsverify.kernels import compiled_loops as loops
from fpsverify.kernels.fixed_point import NOT_FINITE
from fpsverify.kernels.median_network import median_steps
from fpsverify.kernels.topk import largest
from fpsverify.sketching.hashing import HashTables, SketchSpec

T = TypeVar("T")
Words = tuple[np.ndarray, np.ndarray, np.ndarray, int]

MIN_BLOCK = 1 << 19
# If asked for, indices are kept (3 bytes each) for two sketches, each of fewer than 2^20: 3 MiB.
TOO_MANY_TO_KEEP = 1 << 20
BITS = {np.dtype(np.float32): np.int32, np.dtype(np.float64): np.int64}


def add_dense(tables: HashTables, table: Tensor, x: Tensor) -> Tensor:
    """table (M, w, b) or (w, b) plus the sketches of the rows of x, (M, d), or of one x (d,) for all."""
    if table.ndim == 2:
        return _add_one(tables, table, x)
    out = torch.empty_like(table, memory_format=torch.contiguous_format)
    for m in range(len(out)):
        _add_one(tables, table[m], x if x.ndim == 1 else x[m], out[m])
    return out


def as_array(x: Tensor) -> np.ndarray:
    """x as a contiguous array; the question costs less than a call that changes nothing."""
    return x.numpy() if x.is_contiguous() else x.contiguous().numpy()


def _add_one(tables: HashTables, table: Tensor, x: Tensor, out: Tensor | None = None) -> Tensor:
    """table + S(x), in `out` if it is given."""
    out = torch.empty_like(table, memory_format=torch.contiguous_format) if out is None else out
    new, old, values = out.numpy(), as_array(table), as_array(x)
    bits = values.view(BITS[values.dtype])
    if keeps_indices(tables):
        e = loops.add_kept(new, old, values, bits, *all_hashed(tables))
    elif len(parts := blocks(tables.spec)) == 1:
        e = loops.add_hashed(new, old, values, bits, *_words(tables))
    else:
        e = _add_in_blocks(new, old, values, bits, parts, _words(tables))
    return out if e != NOT_FINITE else out.fill_(torch.nan)


def keeps_indices(tables: HashTables) -> bool:
    """Asked for, few enough, and of 16 bits: the scatter itself then is nearly all of a dense update."""
    spec = tables.spec
    return tables.keep_indices and spec.rows * spec.d < TOO_MANY_TO_KEEP and 2 * spec.buckets <= 1 << 16


@lru_cache(maxsize=2)
def all_hashed(tables: HashTables) -> tuple[np.ndarray, np.ndarray]:
    """Where all keys add to, (w, d), and with which signs: (w, d), or (w, 0) if places tell the sign."""
    w, d, b = tables.spec.rows, tables.spec.d, tables.spec.buckets
    places = np.empty((w, d), np.uint16)
    signs = np.empty((w, d if b > loops.MOST_SLOT_BUCKETS else 0), np.int8)
    loops.hash_all(places, signs, *_words(tables), b)
    return places, signs


def add_sparse(tables: HashTables, table: Tensor, indices: Tensor, values: Tensor) -> Tensor:
    """table (w, b) plus the sketch of the pairs; repeated indices add up."""
    out = torch.empty_like(table, memory_format=torch.contiguous_format)
    keys, x = as_array(indices), as_array(values)
    _refuse(tables.spec, indices, loops.first_outside(keys, tables.spec.d))
    e = loops.add_keys(out.numpy(), as_array(table), keys, x, x.view(BITS[x.dtype]), *_words(tables))
    return out if e != NOT_FINITE else out.fill_(torch.nan)


def proximal(W: Tensor, g: Tensor, centre: Tensor, gamma: float, mu: float) -> Tensor:
    """W − γ(g + μ(W − centre)) in W itself and in one pass; the bits are those of torch."""
    rows = W.numpy()
    number = rows.dtype.type
    loops.proximal(rows, as_array(g), as_array(centre), number(gamma), number(mu))
    return W


def estimate(tables: HashTables, table: Tensor, indices: Tensor, rule: str) -> Tensor:
    """Point estimates at the given indices from one table (w, b)."""
    out = torch.empty(indices.shape[0], dtype=table.dtype)
    bad = loops.gather_keys(
        out.numpy(), signed_slots(table), indices.contiguous().numpy(), _steps(tables.spec.rows),
        rule == "mean", tables.spec.d, *_words(tables),
    )  # fmt: skip
    _refuse(tables.spec, indices, bad)
    return out


def decode(tables: HashTables, table: Tensor) -> Tensor:
    """The mean of the rows at all d coordinates."""
    spec, signed, words = tables.spec, signed_slots(table), _words(tables)
    out = torch.empty(spec.d, dtype=table.dtype)
    new = out.numpy()
    run_blocks(lambda start, stop: loops.decode_range(new, signed, start, stop, *words), blocks(spec))
    return out


def scan_top_k(tables: HashTables, table: Tensor, k: int, rule: str) -> tuple[Tensor, Tensor]:
    """Indices and values of the k largest estimates over all d coordinates."""
    spec, signed, words = tables.spec, signed_slots(table), _words(tables)
    steps, use_mean = _steps(spec.rows), rule == "mean"

    def scan(start: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
        room = min(2 * k + loops.TILE, stop - start + 1)
        indices, values = np.empty(room, np.int64), np.empty(room, signed.dtype)
        bits = values.view(BITS[values.dtype])
        n = loops.scan_range(indices, values, bits, signed, steps, use_mean, k, start, stop, *words)
        return indices[:n].copy(), values[:n].copy()

    found = run_blocks(scan, blocks(spec))
    indices, values = (torch.from_numpy(np.concatenate(parts)) for parts in zip(*found, strict=True))
    return largest(indices, values, k)


def blocks(spec: SketchSpec) -> Sequence[tuple[int, int]]:
    """[0, d) in parts for torch's threads; fewer if their tables would outweigh the work."""
    most = min(torch.get_num_threads(), spec.d // MIN_BLOCK, spec.d // (8 * spec.rows * spec.buckets))
    return ((0, spec.d),) if most < 2 else parts_of(spec.d, most)


def parts_of(d: int, count: int) -> Sequence[tuple[int, int]]:
    """[0, d) in `count` nearly equal parts of whole tiles."""
    tiles = -(-d // loops.TILE)
    return tuple(pairwise(min(d, loops.TILE * (tiles * i // count)) for i in range(count + 1)))


def run_blocks(work: Callable[[int, int], T], parts: Sequence[tuple[int, int]]) -> list[T]:
    """work(start, stop) for every part, each on a thread of its own; results in order."""
    if len(parts) == 1:
        return [work(*parts[0])]
    with ThreadPoolExecutor(len(parts)) as pool:
        return list(pool.map(lambda part: work(*part), parts))


def signed_slots(table: Tensor) -> np.ndarray:
    """(S, -S), (w, 2b), so that a packed index gathers sign·S."""
    plain = as_array(table)
    return np.concatenate([plain, -plain], axis=1)


def _add_in_blocks(
    out: np.ndarray, table: np.ndarray, x: np.ndarray, bits: np.ndarray, parts: Sequence[tuple[int, int]],
    words: Words,
) -> int:  # fmt: skip
    """`loops.add_hashed`, one thread per part."""
    e = max(run_blocks(lambda start, stop: loops.quantum(bits[start:stop], len(x)), parts))
    if e != NOT_FINITE:
        sums = run_blocks(
            lambda start, stop: loops.sums_of_range(table.shape, x, e, start, stop, *words), parts
        )
        loops.add_rounded(out, table, reduce(np.add, sums), e)
    return e


@lru_cache(maxsize=8)
def _words(tables: HashTables) -> Words:
    T0, T1, T2 = (t.numpy().view(np.uint32) for t in (tables.T0, tables.T1, tables.T2))
    return T0, T1, T2, tables.shift


@lru_cache(maxsize=64)
def _steps(w: int) -> np.ndarray:
    return np.array([(s.i, s.j) for s in median_steps(w)], dtype=np.int64).reshape(-1, 2)


def _refuse(spec: SketchSpec, indices: Tensor, bad: int) -> None:
    if bad >= 0:
        raise BadInput("indices", int(indices[bad]), f"coordinates from 0 to {spec.d - 1}")
