"""The whole table on your GPU in five minutes: `python -m benchmarks.gpu [--quick]` (needs fpsverify[gpu]).

First the bits: updates and scans by Triton and by torch on the GPU against the CPU, many times over, on
values of all magnitudes. A race between blocks would show here, and only here: the machines on which this
package is tested have no GPU. Then the times, as medians of CUDA events, against a stand-in for the usual
torch sketch (tables for all coordinates) and against reading the vector once.

Without a GPU, `TRITON_INTERPRET=1 python -m benchmarks.gpu --quick` takes the same steps on tiny sizes.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import Tensor

from benchmarks.standin import StoredTableSketch
from fpsverify.device import runs_triton
from fpsverify.sketching.sketch import CountSketch, SketchSpec

ROWS, K, SEED = 5, 1000, 7
BACKENDS = ("triton", "torch")
LINE = "{:<28} {:>6} {:<12} {:>10} {:>12} {:>10}"
Work = Callable[[], object]


@dataclass(frozen=True)
class Plan:
    """How much is done: full sizes on a GPU, tiny ones elsewhere."""

    device: torch.device
    sizes: tuple[int, ...]
    stored: int  # the largest d for which the stand-in has room for its tables
    nnz: int
    checks: int
    rounds: int


def plan(quick: bool) -> Plan:
    if torch.cuda.is_available():
        sizes = (1_000_000,) if quick else (1_000_000, 10_000_000, 54_686_452)
        return Plan(torch.device("cuda"), sizes, 10_000_000, 100_000, 5 if quick else 50, 10 if quick else 30)
    if runs_triton(torch.device("cpu")) and quick:
        return Plan(torch.device("cpu"), (3000,), 3000, 500, 2, 1)
    raise SystemExit("needs a CUDA or ROCm device and fpsverify[gpu] (or TRITON_INTERPRET=1 and --quick)")


# ---- the bits -------------------------------------------------------------------------------------------


def wild(d: int, dtype: torch.dtype) -> Tensor:
    """Values from 1e-9 to 1e9, so that sums in another order would differ if they were sums of floats."""
    generator = torch.Generator().manual_seed(d)
    size = torch.empty(d, dtype=torch.float64).uniform_(-9, 9, generator=generator)
    return (torch.randn(d, dtype=torch.float64, generator=generator) * 10**size).to(dtype)


def check_bits(p: Plan, d: int, b: int, dtype: torch.dtype) -> None:
    """Every backend on the device against the CPU, `p.checks` times; a difference ends the program."""
    spec = SketchSpec(ROWS, b, d, SEED)
    x, keys = wild(d, dtype), torch.randint(0, d, (p.nnz,), generator=torch.Generator().manual_seed(1))
    here = CountSketch.zeros(spec, dtype=dtype)
    expected = here.add(x).add_sparse(keys, x[: p.nnz])
    top = {rule: expected.unsketch(min(K, d), rule=rule) for rule in ("median", "mean")}
    zero = CountSketch.zeros(spec, dtype=dtype, device=p.device)
    x, keys = x.to(p.device), keys.to(p.device)
    for backend in BACKENDS:
        for _ in range(p.checks):
            seen = zero.add(x, backend=backend).add_sparse(keys, x[: p.nnz], backend=backend)
            require(torch.equal(seen.table.cpu(), expected.table), f"{backend}: another table, d={d} b={b}")
        for rule, best in top.items():
            found = seen.unsketch(min(K, d), rule=rule, backend=backend)
            same = torch.equal(found.indices.cpu(), best.indices) and torch.equal(
                found.values.cpu(), best.values
            )
            require(same, f"{backend}: another top k by {rule}, d={d} b={b}")


def require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise SystemExit(f"NOT THE SAME BITS: {otherwise}")


# ---- the times ------------------------------------------------------------------------------------------


def seconds(p: Plan, work: Work) -> float:
    """Median time of one call; two calls warm up."""
    times = []
    for i in range(p.rounds + 2):
        spent = timed(p.device, work)
        if i >= 2:
            times.append(spent)
    return float(np.median(times))


def timed(device: torch.device, work: Work) -> float:
    if device.type != "cuda":
        start = time.perf_counter()
        work()
        return time.perf_counter() - start
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    first.record()
    work()
    last.record()
    torch.cuda.synchronize()
    return first.elapsed_time(last) / 1000


def contenders(p: Plan, spec: SketchSpec) -> dict[str, dict[str, Work]]:
    """What is timed, by operation and by who does it."""
    d, device = spec.d, p.device
    x = torch.randn(d, generator=torch.Generator().manual_seed(1)).to(device)
    keys = torch.randint(0, d, (p.nnz,), generator=torch.Generator().manual_seed(2)).to(device)
    zero, values = CountSketch.zeros(spec, device=device), x[: p.nnz]
    sketch = zero.add(x)
    work: dict[str, dict[str, Work]] = {
        "dense update": {b: partial(zero.add, x, backend=b) for b in BACKENDS},
        f"sparse update nnz={p.nnz:.0e}": {
            b: partial(zero.add_sparse, keys, values, backend=b) for b in BACKENDS
        },
        f"unsketch k={K}": {b: partial(sketch.unsketch, min(K, d), backend=b) for b in BACKENDS},
    }
    work["dense update"]["read once"] = x.sum
    if d <= p.stored:
        other = StoredTableSketch(spec)
        other.buckets, other.signs = other.buckets.to(device), other.signs.to(device)
        dense, sparse, scan = work.values()
        dense["stand-in"] = partial(other.dense, x)
        sparse["stand-in"] = partial(other.sparse, keys, values)
        scan["stand-in"] = partial(other.unsketch, sketch.table, min(K, d))
    return work


def print_times(p: Plan, spec: SketchSpec) -> None:
    for operation, ways in contenders(p, spec).items():
        spent = {name: seconds(p, work) for name, work in ways.items()}
        for name, s in spent.items():
            against = f"{spent['stand-in'] / s:.2f}x" if "stand-in" in spent else ""
            rate = f"{spec.d / s / 1e9:.2f} G/s"
            title = f"{operation} d={spec.d:.0e}"
            print(LINE.format(title, spec.buckets, name, f"{1e3 * s:.3f} ms", rate, against), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the smallest size only")
    p = plan(parser.parse_args().quick)
    name = torch.cuda.get_device_name() if p.device.type == "cuda" else "no GPU: Triton's interpreter"
    print(f"{name}, torch {torch.__version__}, Python {sys.version.split()[0]}")
    for dtype in (torch.float32, torch.float64):
        for d in p.sizes[:2]:
            for b in (204, 4000):
                check_bits(p, d, b, dtype)
    print(f"the same bits as on the CPU, {p.checks} times in every case")
    print(LINE.format("operation", "b", "by", "time", "coordinates", "stand-in"))
    for d in p.sizes:
        for b in (204, 4000):
            print_times(p, SketchSpec(ROWS, b, d, SEED))


if __name__ == "__main__":
    main()
