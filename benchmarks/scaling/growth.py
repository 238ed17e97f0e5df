"""How the time of our own operations grows: exponents in d, nnz, M, w (about 1) and b (about 0)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch

from benchmarks.interleave import Work, growth_exponent, interleaved_times
from fpsverify.sketching.sketch import CountSketch, SketchSpec


@dataclass(frozen=True)
class Growth:
    """time ~ size^exponent over the given sizes."""

    operation: str
    variable: str
    sizes: list[int]
    exponent: float
    limit: float

    @property
    def met(self) -> bool:
        return self.exponent <= self.limit


def growths(quick: bool) -> list[Growth]:
    top = 1 << (21 if quick else 23)
    doubling = [top >> 3, top >> 2, top >> 1, top]
    cases: list[tuple[str, str, Callable[[int], Work], list[int], float]] = [
        ("dense update", "d", lambda d: dense(SketchSpec(5, 204, d, 1)), doubling, 1.05),
        ("unsketch", "d", lambda d: scan(SketchSpec(5, 204, d, 1)), doubling, 1.05),
        ("sparse update", "nnz", sparse, [20_000, 40_000, 80_000, 160_000], 1.05),
        ("dense update", "M", lambda M: dense(SketchSpec(5, 204, 1 << 17, 1), M), [2, 4, 8, 16], 1.05),
        ("dense update", "w", lambda w: dense(SketchSpec(w, 204, 1 << 19, 1)), [3, 6, 12, 24], 1.05),
        # "About 0": from 204 to 4000 buckets, a factor of 20, the time may grow by less than 20^0.15 = 1.6.
        (
            "dense update",
            "b",
            lambda b: dense(SketchSpec(5, b, 1 << 20, 1)),
            [204, 512, 1024, 2048, 4000],
            0.15,
        ),
    ]
    return [measure(*case) for case in cases]


def measure(
    operation: str, variable: str, build: Callable[[int], Work], sizes: list[int], limit: float
) -> Growth:
    """All sizes in one interleaved run; the median time of each."""
    times = interleaved_times({str(size): build(size) for size in sizes})
    medians = [float(np.median(times[str(size)])) for size in sizes]
    return Growth(operation, variable, sizes, growth_exponent(sizes, medians), limit)


def dense(spec: SketchSpec, M: int | None = None) -> Work:
    zero = CountSketch.zeros(spec, batch=M)
    x = torch.ones(spec.d) if M is None else torch.ones(M, spec.d)
    return lambda: zero.add(x)


def sparse(nnz: int) -> Work:
    zero = CountSketch.zeros(SketchSpec(5, 204, 10_000_000, 1))
    keys = torch.randint(0, 10_000_000, (nnz,), generator=torch.Generator().manual_seed(1))
    values = torch.ones(nnz)
    return lambda: zero.add_sparse(keys, values)


def scan(spec: SketchSpec) -> Work:
    x = torch.randn(spec.d, generator=torch.Generator().manual_seed(1))
    sketch = CountSketch.zeros(spec).add(x)
    return lambda: sketch.unsketch(1000)
