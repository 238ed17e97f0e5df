"""The tests as another processor would run them: `python -m benchmarks.processors ROW [arguments of pytest]`.

A library chooses its instructions when it is loaded, and with them the order of sums and the last bits of
exp and log. Each has a switch that makes it choose as on an older processor; a row of the matrix is a set of
these environment variables, with one or two threads. GLIBC_TUNABLES is the switch of the C library, and so of
`math`; OPENBLAS_CORETYPE of scipy and of numpy's products; MKL and oneDNN serve torch.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from typing import Any

import numpy as np

umath: Any = import_module(f"numpy.{'_core' if np.__version__ >= '2' else 'core'}._multiarray_umath")
BEFORE_AVX512 = {  # a processor of 2013 to 2023
    "ATEN_CPU_CAPABILITY": "avx2",
    "MKL_ENABLE_INSTRUCTIONS": "AVX2",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "OPENBLAS_CORETYPE": "Haswell",
    "NUMBA_CPU_NAME": "haswell",
    "NUMBA_CPU_FEATURES": "",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F",
}
BEFORE_AVX = {  # no fused multiply-add either
    "ATEN_CPU_CAPABILITY": "default",
    "MKL_CBWR": "COMPATIBLE",
    "ONEDNN_MAX_CPU_ISA": "SSE41",
    "OPENBLAS_CORETYPE": "Nehalem",
    "NUMBA_CPU_NAME": "nehalem",
    "NUMBA_CPU_FEATURES": "",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F",
}
PROCESSORS = {"sse4": BEFORE_AVX, "avx2": BEFORE_AVX512, "own": {}}
THREADS = ("FPSVERIFY_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def environment(row: str) -> dict[str, str]:
    """The variables of a row such as `sse4-1` (before AVX, one thread).

    >>> environment("own-2")["OMP_NUM_THREADS"]
    '2'
    """
    processor, _, threads = row.partition("-")
    found = PROCESSORS[processor] | dict.fromkeys(THREADS, threads)
    return found if processor == "own" else found | {"NPY_DISABLE_CPU_FEATURES": disabled(processor)}


def disabled(processor: str) -> str:
    """What numpy shall not use; it warns about names that this processor does not have."""
    already = os.environ.get("NPY_DISABLE_CPU_FEATURES", "").split()
    here = [n for n in umath.__cpu_dispatch__ if umath.__cpu_features__.get(n) or n in already]
    return " ".join(n for n in here if processor == "sse4" or n.startswith("AVX512") or n == "X86_V4")


if __name__ == "__main__":
    command = [sys.executable, "-m", "pytest", "-q", *(sys.argv[2:] or ["property_tests", "-n", "2"])]
    sys.exit(subprocess.run(command, env={**os.environ, **environment(sys.argv[1])}).returncode)
