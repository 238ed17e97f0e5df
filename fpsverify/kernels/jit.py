"""Compilation with numba: machine code kept on disk where possible, else compiled once per process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """`function` as machine code that runs without the interpreter lock.

    No fast-math: sums keep their order, so results are the same bits on every run and every processor.
    """
    try:
        return numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:
        # numba finds no directory that it may write to (read-only installation without a home).
        return numba.njit(nogil=True)(function)
