"""The operations of a count sketch, and the local step, in two interchangeable forms with the same bits:

    numba (CPU, with the extra fpsverify[fast]), torch (any device)

`choose` picks by the device of the data, the argument `backend`, or the environment FPSVERIFY_BACKEND. If
nothing is asked for, a CPU gets the compiled kernels where a call works on many numbers and torch's where it
does not: a small run then ends before they would be compiled. All other devices get torch's.
Sums are whole numbers, exact in any order (see `fixed_point`), so every backend gives the same bits.
"""

from __future__ import annotations

import os
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol, cast

from fpsverify.errors import BadInput, needs

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from fpsverify.sketch.hash import HashTables

BACKENDS = ("numba", "torch")
RULES = ("median", "mean")
# A call on so many numbers (rows times coordinates) is worth compiled code: 10 s to compile, once.
MANY = 1 << 16


class Kernels(Protocol):
    """What a backend offers."""

    def add_dense(self, tables: HashTables, table: Tensor, x: Tensor) -> Tensor:
        """table (M, w, b) or (w, b) plus the sketches of the rows of x, (M, d), or of one x (d,) for all."""

    def add_sparse(self, tables: HashTables, table: Tensor, indices: Tensor, values: Tensor) -> Tensor:
        """table (w, b) plus the sketch of the pairs; repeated indices add up."""

    def proximal(self, W: Tensor, g: Tensor, centre: Tensor, gamma: float, mu: float) -> Tensor:
        """W − γ(g + μ(W − centre)) in W itself, (M, d); for μ = 0 it is W − γg, bit for bit."""

    def estimate(self, tables: HashTables, table: Tensor, indices: Tensor, rule: str) -> Tensor:
        """Point estimates from one table (w, b)."""

    def decode(self, tables: HashTables, table: Tensor) -> Tensor:
        """The mean of the rows at all d coordinates, from one table (w, b)."""

    def scan_top_k(self, tables: HashTables, table: Tensor, k: int, rule: str) -> tuple[Tensor, Tensor]:
        """(indices, values) of the k largest estimates over all coordinates, indices increasing."""


def choose(device: torch.device, backend: str | None = None, work: int = MANY) -> Kernels:
    """What is asked for; else what suits a call on `work` numbers. numba serves the CPU only."""
    name = backend or os.environ.get("FPSVERIFY_BACKEND") or None
    if name is None:
        name = "numba" if work >= MANY and _has_numba() else "torch"
    return _kernels(name if device.type == "cpu" or name not in BACKENDS else "torch")


@lru_cache(maxsize=2)
def _kernels(name: str) -> Kernels:
    """The module of a backend, imported when first used: numba takes a moment."""
    if name not in BACKENDS:
        raise BadInput("backend", name, " or ".join(BACKENDS))
    with needs():
        return cast(Kernels, import_module(f"fpsverify.sketch.{name}_kernels"))


@lru_cache(maxsize=1)
def _has_numba() -> bool:
    return find_spec("numba") is not None
