"""Processors that this one can stand in for, each as environment variables of the libraries that compute.

A library chooses its instructions when it is loaded, and with them the order of sums and the last bits of
exp and log. Every library has a switch that makes it choose as on an older processor:

    numpy      NPY_DISABLE_CPU_FEATURES             only names that this processor has, else numpy warns
    torch      ATEN_CPU_CAPABILITY, and for its products MKL_CBWR, MKL_ENABLE_INSTRUCTIONS, ONEDNN_MAX_CPU_ISA
    scipy      OPENBLAS_CORETYPE                    numpy's products too
    numba      NUMBA_CPU_NAME, NUMBA_CPU_FEATURES
    the C library, and so `math`                    GLIBC_TUNABLES

The number of threads is the other thing that machines differ in.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

CORE = "numpy._core" if np.__version__ >= "2" else "numpy.core"
umath: Any = import_module(f"{CORE}._multiarray_umath")

Environment = dict[str, str]


@dataclass(frozen=True)
class Processor:
    """One row of the matrix. `words`: what a reader is told."""

    name: str
    words: str
    environment: Environment


def disabled(chosen: Callable[[str], bool]) -> str:
    """The names that numpy dispatches on and that this processor has, of those that are chosen."""
    already = os.environ.get("NPY_DISABLE_CPU_FEATURES", "").split()
    here = [n for n in umath.__cpu_dispatch__ if umath.__cpu_features__.get(n) or n in already]
    return " ".join(filter(chosen, here))


def is_avx512(name: str) -> bool:
    return name.startswith("AVX512") or name == "X86_V4"


def avx2() -> Environment:
    """A processor of 2013 to 2023 without AVX-512."""
    return {
        "NPY_DISABLE_CPU_FEATURES": disabled(is_avx512),
        "ATEN_CPU_CAPABILITY": "avx2",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "OPENBLAS_CORETYPE": "Haswell",
        "NUMBA_CPU_NAME": "haswell",
        "NUMBA_CPU_FEATURES": "",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F",
    }


def sse4() -> Environment:
    """A processor before AVX: no fused multiply-add either."""
    return {
        "NPY_DISABLE_CPU_FEATURES": disabled(lambda name: True),
        "ATEN_CPU_CAPABILITY": "default",
        "MKL_CBWR": "COMPATIBLE",
        "ONEDNN_MAX_CPU_ISA": "SSE41",
        "OPENBLAS_CORETYPE": "Nehalem",
        "NUMBA_CPU_NAME": "nehalem",
        "NUMBA_CPU_FEATURES": "",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F",
    }


def threads(count: int) -> Environment:
    names = "FPSVERIFY_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"
    return {name: str(count) for name in names}


def matrix() -> list[Processor]:
    """Rows that find the most first; other kinds of machines have no older ones to stand in for."""
    own = [Processor("own-2", "this processor, 2 threads", threads(2))]
    if platform.machine() not in ("x86_64", "AMD64"):
        return own
    return [
        Processor("sse4-1", "no AVX, 1 thread", sse4() | threads(1)),
        Processor("avx2-2", "no AVX-512, 2 threads", avx2() | threads(2)),
        *own,
        Processor("sse4-2", "no AVX, 2 threads", sse4() | threads(2)),
        Processor("avx2-1", "no AVX-512, 1 thread", avx2() | threads(1)),
    ]
