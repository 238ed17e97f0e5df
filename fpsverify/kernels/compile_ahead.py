"""Compile every kernel once, for both dtypes, and keep the code: `python -m fpsverify.kernels.compile_ahead`.

A process of its own does this in the background of the first run (see `kernels.choose`). It imports no torch,
yields to everything else, and leaves the work to another process that is already at it. Should it be stopped,
what is compiled stays, and the next one goes on from there.
"""

# pragma: no mutate file: arrays of any length compile the same code
from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

from fpsverify.kernels import code_cache

DTYPES: dict[Any, Any] = {np.float32: np.int32, np.float64: np.int64}


def compile_all() -> None:
    """Call every kernel that `numba_kernels` calls, on two coordinates."""
    for dtype, ints in DTYPES.items():
        _updates(np.ones(2, dtype), ints)
        _queries(np.ones(2, dtype), ints)


def _words() -> Any:
    """Tables of words for two rows and two coordinates, and the shift."""
    return np.zeros((2, 2), np.uint32), np.zeros((2, 1), np.uint32), np.zeros((2, 2), np.uint32), 1


def _updates(x: np.ndarray, ints: Any) -> None:
    from fpsverify.kernels import compiled_loops as loops

    table, keys, bits = np.zeros((2, 1), x.dtype), np.zeros(2, np.int64), x.view(ints)
    out = np.empty_like(table)
    e = loops.add_hashed(out, table, x, bits, *_words())
    loops.first_outside(keys, 2)
    loops.add_keys(out, table, keys, x, bits, *_words())
    places, signs = np.empty((2, 2), np.uint16), np.empty((2, 0), np.int8)
    T0, T1, T2, shift = _words()
    loops.hash_all(places, signs, T0, T1, T2, shift, 1)
    loops.add_kept(out, table, x, bits, places, signs)
    loops.quantum(bits[0:1], 2)
    loops.proximal(table, table, x, x.dtype.type(1), x.dtype.type(0))
    loops.add_rounded(out, table, loops.sums_of_range(table.shape, x, e, 0, 2, *_words()), e)


def _queries(x: np.ndarray, ints: Any) -> None:
    from fpsverify.kernels import compiled_loops as loops

    signed, steps, keys = np.zeros((2, 2), x.dtype), np.zeros((1, 2), np.int64), np.zeros(2, np.int64)
    loops.decode_range(x, signed, 0, 2, *_words())
    loops.gather_keys(x, signed, keys, steps, False, 2, *_words())
    indices, bits = np.empty(2, np.int64), x.view(ints)
    loops.scan_range(indices, x, bits, signed, steps, False, 1, 0, 2, *_words())


@contextlib.contextmanager
def alone(folder: Path) -> Any:
    """True inside if no other process is at it. The lock of a process that was killed is gone with it."""
    import fcntl

    with open(folder / ".lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
            return
        yield True


def main() -> int:
    folder = code_cache.folder()
    if not code_cache.is_writable(folder):
        return code_cache.EXIT_REFUSED
    with contextlib.suppress(OSError):
        os.nice(10)
    with alone(folder) as mine:
        if not mine:
            return code_cache.EXIT_ANOTHER
        compile_all()
        (folder / code_cache.COMPLETE).touch()
    return 0


if __name__ == "__main__":
    sys.exit(main())
