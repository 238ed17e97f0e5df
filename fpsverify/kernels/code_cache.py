"""Where compiled kernels are kept: a folder of the user's own, which survives clones and new installations.

    $NUMBA_CACHE_DIR, or fpsverify in $XDG_CACHE_HOME, or ~/.cache/fpsverify

Inside, one folder for each processor, version of Python, numba and LLVM, and text of the kernels: code that
was compiled from another text or for another processor is never found. The file `complete` is written when
every kernel is there. This module imports neither numba nor torch: both take longer than a small run.
"""

from __future__ import annotations

import hashlib
import os
import sys
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

SOURCES = ("compiled_loops.py", "fixed_point.py", "jit.py")
PROCESSOR = ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")
COMPLETE = "complete"
# How `compile_ahead` ends if another process is at it, or if there is no place to keep the code.
EXIT_ANOTHER, EXIT_REFUSED = 3, 4


def folder() -> Path:
    """The folder of this text, these versions and this processor; it need not exist."""
    return _root() / _name(*(os.environ.get(name, "") for name in PROCESSOR))


def is_complete() -> bool:
    return (folder() / COMPLETE).exists()


def is_writable(path: Path) -> bool:
    """Make the folder; False if that is refused."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(path, os.W_OK | os.X_OK)


def _root() -> Path:
    own = os.environ.get("NUMBA_CACHE_DIR")
    if own:
        return Path(own)
    xdg = os.environ.get("XDG_CACHE_HOME")
    return (Path(xdg) if xdg else Path(os.path.expanduser("~")) / ".cache") / "fpsverify"


@lru_cache(maxsize=8)
def _name(cpu: str, features: str) -> str:
    """Versions in words, the rest as a digest."""
    from llvmlite import binding  # type: ignore[import-untyped]

    here = Path(__file__).parent
    parts = [cpu or binding.get_host_cpu_name(), features or binding.get_host_cpu_features().flatten()]
    parts += [version("llvmlite"), sys.version, *((here / name).read_text("utf-8") for name in SOURCES)]
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    return f"numba-{version('numba')}-py{sys.version_info[0]}.{sys.version_info[1]}-{digest}"
