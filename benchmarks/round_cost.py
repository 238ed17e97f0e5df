"""What the parts of a round cost on this machine, as lines fitted to measurements.

    python -m benchmarks.round_cost --out book/results/round_cost.json

One thread, process time, medians of interleaved repetitions (benchmarks/interleave.py). Each line is the
least squares fit of `start + slope·n` to the medians, in relative errors, so that all decades count alike.
The intervals are Student's, with as many degrees of freedom as there are points beyond the unknowns.
"""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from scipy import stats

from benchmarks.interleave import Work, interleaved_times, tune_malloc
from benchmarks.provenance import made
from fpsverify.files import write_json
from fpsverify.sketching.sketch import CountSketch, SketchSpec

ROWS, BUCKETS, K, SEED = 5, 204, 200, 1
D_KDD12 = 54_686_452
LEVEL = 0.95


@dataclass(frozen=True)
class Fit:
    """start + slope·n seconds; `power` is the slope on double logarithmic axes, 1 for a true line."""

    start: float
    slope: float
    slope_low: float
    slope_high: float
    power: float
    power_low: float
    power_high: float
    worst: float  # largest relative distance of a median from the line


def fit(sizes: list[int], seconds: list[float]) -> Fit:
    n, t = np.array(sizes, float), np.array(seconds)
    (slope, start), radius = least_squares(np.stack([n / t, 1 / t], axis=1), np.ones_like(t))
    if start < 0:  # no work takes less than no time: a line through the origin
        (slope,), radius = least_squares((n / t)[:, None], np.ones_like(t))
        start = 0.0
    (power, _), wide = least_squares(np.stack([np.log(n), np.ones_like(t)], axis=1), np.log(t))
    worst = float(np.max(np.abs(start + slope * n - t) / t))
    return Fit(start, slope, slope - radius, slope + radius, power, power - wide, power + wide, worst)


def least_squares(A: np.ndarray, y: np.ndarray) -> tuple[list[float], float]:
    """The solution, and the radius of the interval of its first number."""
    found, *_ = np.linalg.lstsq(A, y, rcond=None)
    left, freedom = y - A @ found, len(y) - A.shape[1]
    variance = np.linalg.inv(A.T @ A)[0, 0] * (left @ left) / freedom
    return found.tolist(), float(stats.t.ppf((1 + LEVEL) / 2, freedom) * np.sqrt(variance))


# ---- what is measured -----------------------------------------------------------------------------------


def families(buckets: int, quick: bool) -> dict[str, tuple[Callable[[int], Work], list[int]]]:
    """Name → (work of size n, sizes). Large tables are scanned up to 1e7 only: that takes seconds already."""
    top = 1_000_000 if quick else 10_000_000
    dimensions = [100_000, 300_000, 1_000_000, 3_000_000, 10_000_000]
    scanned = [100_000, 1_000_000, 10_000_000, D_KDD12]
    most = top if quick or buckets > 4096 else D_KDD12
    return {
        "sketch_dense": (lambda d: dense(buckets, d), [d for d in dimensions if d <= top]),
        "sketch_sparse": (lambda nnz: touched(buckets, nnz), [1_000, 10_000, 100_000, 1_000_000]),
        "unsketch": (lambda d: scan(buckets, d), sorted({*(d for d in scanned if d <= most), 300_000})),
    }


def spec(buckets: int, d: int) -> SketchSpec:
    return SketchSpec(ROWS, buckets, d, SEED)


def dense(buckets: int, d: int) -> Work:
    zero, x = CountSketch.zeros(spec(buckets, d)), torch.ones(d)
    return lambda: zero.add(x)


def touched(buckets: int, nnz: int) -> Work:
    """A device's update: nnz of the coordinates of KDD12, sorted."""
    zero = CountSketch.zeros(spec(buckets, D_KDD12))
    keys, values = some_coordinates(D_KDD12, nnz)
    return lambda: zero.add_sparse(keys, values)


def scan(buckets: int, d: int) -> Work:
    sketch = CountSketch.zeros(spec(buckets, d)).add_sparse(*some_coordinates(d, 100_000))
    return lambda: sketch.unsketch(K)


def some_coordinates(d: int, n: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(SEED)
    return torch.randint(0, d, (n,), generator=generator).sort().values, torch.randn(n, generator=generator)


def tables_added(numbers: int) -> Work:
    """The server of a digital network: so many numbers in all, as tables of one sketch each."""
    tables = torch.ones(numbers // (ROWS * BUCKETS), ROWS * BUCKETS)
    return lambda: tables.sum(dim=0)


def measured(build: Callable[[int], Work], sizes: list[int]) -> dict[str, Any]:
    times = interleaved_times({str(n): build(n) for n in sizes})
    seconds = [float(np.median(times[str(n)])) for n in sizes]
    return {"sizes": sizes, "seconds": seconds, **asdict(fit(sizes, seconds))}


def measure_all(quick: bool) -> dict[str, Any]:
    """All fits, for the paper's small table and for one that no cache holds."""
    found: dict[str, Any] = {"rows": ROWS, "k": K, "level": LEVEL, "tables": {}}
    counts = [300, 1_000, 3_000] if quick else [5_000, 10_000, 20_000, 40_000]  # beyond what caches hold
    added = measured(tables_added, [M * ROWS * BUCKETS for M in counts])
    for buckets in (BUCKETS, 1 << 18):
        fits = {name: measured(*case) for name, case in families(buckets, quick).items()}
        found["tables"][str(buckets)] = {**fits, "add": added}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    parser.add_argument("--quick", action="store_true", help="small sizes: not for the book")
    options = parser.parse_args()
    torch.set_num_threads(1)
    tune_malloc()
    start = time.perf_counter()
    found = measure_all(options.quick)
    command = "python -m benchmarks.round_cost --out book/results/round_cost.json"
    command += " --quick" if options.quick else ""
    found["provenance"] = made(command, time.perf_counter() - start) | {"machine": platform.machine()}
    write_json(options.out, found)
    for buckets, fits in found["tables"].items():
        for name, f in fits.items():
            slope, low, high = (f[key] * 1e9 for key in ("slope", "slope_low", "slope_high"))
            line = f"{f['start'] * 1e6:9.1f} µs + n · {slope:.3f} ns ({low:.3f} … {high:.3f})"
            print(f"b = {buckets:>6} {name:<14} {line}, power {f['power']:.2f}, worst {f['worst']:.0%}")


if __name__ == "__main__":
    main()
