"""What is compared with what. Every case checks that its contenders agree before it times them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import cycle

import numpy as np
import torch

from benchmarks.interleave import Ratio, Work, interleaved_times, ratio
from benchmarks.standin import (
    StoredTableSketch,
    gather_stored,
    scatter_stored,
    stored_packed,
)
from fpsverify.sketch.numba_kernels import signed_slots
from fpsverify.sketch.sketch import CountSketch, SketchSpec

ROWS, K, SEED = 5, 1000, 7
BACKENDS = ("numba", "torch")
# The targets of torch, below and from d = 1e6 on: the fewer keys, the more its calls themselves cost.
DENSE_TARGETS = {"numba": (3.0, 3.0), "torch": (1.3, 2.0)}
# Relative to Σ|x| of the largest sum here: 1e7 float32 additions in the stand-in, u = 2^-24, in random order.
AGREEMENT = 1e-4


@dataclass(frozen=True)
class Row:
    """One line of the report: `ratio` must be at least (or, for a limit, at most) `target`."""

    operation: str
    compared: str
    ratio: Ratio
    target: float
    at_most: bool = False

    @property
    def met(self) -> bool:
        return self.ratio.median <= self.target if self.at_most else self.ratio.median >= self.target


def dense_rows(d: int, b: int) -> list[Row]:
    """A dense vector into a sketch, hashed on the fly."""
    spec = SketchSpec(ROWS, b, d, SEED)
    standin, packed, zero = StoredTableSketch(spec), stored_packed(spec), CountSketch.zeros(spec)
    x = torch.randn(d, generator=torch.Generator().manual_seed(1))
    slots = np.zeros((ROWS, 2 * b), np.float32)
    work: dict[str, Work] = {
        "stand-in": lambda: standin.dense(x),
        "stored scatter": lambda: scatter_stored(slots, packed, x.numpy()),
        **{name: partial(zero.add, x, backend=name) for name in BACKENDS},
    }
    for name in BACKENDS:
        require_close(standin.dense(x), zero.add(x, backend=name).table)
    operation = f"dense update d={d:.0e} b={b}"
    times = interleaved_times(work)
    targets = {name: DENSE_TARGETS[name][d >= 1e6] for name in BACKENDS}
    limit = ratio(times["numba"], times["stored scatter"])
    rows = against_standin(operation, times, targets)
    return [*rows, Row(operation, "numba / stored-index scatter", limit, 2.5, at_most=True)]


def sparse_rows(d: int, b: int, nnz: int) -> list[Row]:
    """Fresh coordinates in every call, as in training; all contenders see the same ones."""
    spec = SketchSpec(ROWS, b, d, SEED)
    standin, zero = StoredTableSketch(spec), CountSketch.zeros(spec)
    generator = torch.Generator().manual_seed(2)
    sets = [torch.randint(0, d, (nnz,), generator=generator).sort().values for _ in range(64)]
    values = torch.randn(nnz, generator=generator)
    for name in BACKENDS:
        ours = zero.add_sparse(sets[0], values, backend=name)
        require_close(standin.sparse(sets[0], values), ours.table)
    work = {"stand-in": over(sets, lambda keys: standin.sparse(keys, values))}
    for name in BACKENDS:
        work[name] = over(sets, partial(zero.add_sparse, values=values, backend=name))
    operation = f"sparse update nnz={nnz:.0e} d={d:.0e} b={b}"
    return against_standin(operation, interleaved_times(work), {"numba": 10.0, "torch": 2.0})


def over(inputs: list[torch.Tensor], work: Callable[[torch.Tensor], object]) -> Work:
    """Work that takes the next of `inputs` in every call, round and round."""
    turn = cycle(inputs)
    return lambda: work(next(turn))


def unsketch_rows(d: int, b: int) -> list[Row]:
    spec = SketchSpec(ROWS, b, d, SEED)
    standin, packed = StoredTableSketch(spec), stored_packed(spec)
    sketch = CountSketch.zeros(spec).add(torch.randn(d, generator=torch.Generator().manual_seed(3)))
    signed, out = signed_slots(sketch.table), np.empty(d, np.float32)
    work: dict[str, Work] = {
        "stand-in": lambda: standin.unsketch(sketch.table, K),
        "plain gather": lambda: gather_stored(out, signed, packed),
        **{name: partial(sketch.unsketch, K, backend=name) for name in BACKENDS},
    }
    for name in BACKENDS:
        # Ties are many and the stand-in breaks them as it likes: the magnitudes must agree, not the places.
        require_equal_magnitudes(
            standin.unsketch(sketch.table, K)[1], sketch.unsketch(K, backend=name).values
        )
    operation = f"unsketch k={K} d={d:.0e} b={b}"
    times = interleaved_times(work)
    rows = against_standin(operation, times, {"numba": 14.0, "torch": 4.5})
    limit = ratio(times["numba"], times["plain gather"])
    return [*rows, Row(operation, "numba / plain gather", limit, 2.5, at_most=True)]


def against_standin(operation: str, times: dict[str, np.ndarray], targets: dict[str, float]) -> list[Row]:
    return [
        Row(operation, f"stand-in / {name}", ratio(times["stand-in"], times[name]), target)
        for name, target in targets.items()
    ]


def require_close(expected: torch.Tensor, seen: torch.Tensor) -> None:
    scale = float(expected.abs().max())
    if float((expected.double() - seen.double()).abs().max()) > AGREEMENT * scale:
        raise SystemExit("the contenders do not compute the same sketch")


def require_equal_magnitudes(expected: torch.Tensor, seen: torch.Tensor) -> None:
    if not torch.equal(expected.abs().sort().values, seen.abs().sort().values):
        raise SystemExit("the contenders do not find the same top k")
