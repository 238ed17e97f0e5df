"""Compilation with numba: machine code kept in the folder of `code_cache`, else compiled once per process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core import caching, event

from fpsverify.kernels import code_cache
from fpsverify.kernels.background import say

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """`function` as machine code that runs without the interpreter lock.

    No fast-math: results are the same bits on every run and every processor.
    """
    dispatcher = numba.njit(nogil=True)(function)
    if code_cache.is_writable(code_cache.folder()):
        dispatcher._cache = KernelCache(function)
    return dispatcher


class KernelLocator(caching._CacheLocator):
    """Tells numba where to keep the code of a function; the name of the folder says from which text."""

    def __init__(self, line: int) -> None:
        self.line, self.path = line, str(code_cache.folder())

    def get_cache_path(self) -> str:
        return self.path

    def get_source_stamp(self) -> str:
        return self.path.rsplit("-", 1)[-1]

    def get_disambiguator(self) -> str:
        return str(self.line)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> KernelLocator:
        return cls(py_func.__code__.co_firstlineno)


class KernelCacheImpl(caching.CompileResultCacheImpl):
    _locator_classes = (KernelLocator,)


class KernelCache(caching.FunctionCache):
    _impl_class = KernelCacheImpl


class Notice(event.Listener):
    """One line on the screen when the first kernel of this process has to be compiled while someone waits."""

    said = False

    def on_start(self, seen: Any) -> None:
        ours = seen.data["dispatcher"].py_func.__module__.startswith("fpsverify.")
        if ours and not self.said:
            self.said = True
            say("compiling the sketch kernels; this takes some seconds, once")

    def on_end(self, seen: Any) -> None:
        pass


event.register("numba:compile", Notice())
