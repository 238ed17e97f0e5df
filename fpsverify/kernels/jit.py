"""Compilation with numba, which keeps the machine code: beside the source, or where NUMBA_CACHE_DIR says."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core import event

F = TypeVar("F", bound=Callable[..., Any])


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
