"""Speed of the count sketch as ratios against a stand-in: `python -m benchmarks.run [--quick] [--json FILE]`.

One thread, process time, tuned malloc, contenders interleaved; median and quartiles of per-round ratios.
The numba kernels always hash on the fly; the torch kernels keep the indices of dense keys for d up to 2^20.
"""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numba
import numpy
import torch

from benchmarks import peak_memory
from benchmarks.cases import BACKENDS, Row, dense_rows, sparse_rows, unsketch_rows
from benchmarks.growth import Growth, growths
from benchmarks.interleave import tune_malloc

LINE = "{:<40} {:<30} {:>8} {:>16} {:>8} {:>5}"
GIGABYTE = 10**9


def all_rows(quick: bool) -> Iterator[Row]:
    for b in (204,) if quick else (204, 4000):
        for d in (10_000, 1_000_000) if quick else (10_000, 100_000, 1_000_000, 10_000_000):
            yield from dense_rows(d, b)
        yield from sparse_rows(10_000_000, b, (1_000, 100_000) if quick else (1_000, 10_000, 100_000))
        for d in (1_000_000,) if quick else (1_000_000, 10_000_000):
            yield from unsketch_rows(d, b)


def print_row(row: Row) -> None:
    r, sign = row.ratio, "≤" if row.at_most else "≥"
    spread = f"{r.low:.2f} … {r.high:.2f}"
    cells = row.operation, row.compared, f"{r.median:.2f}", spread, f"{sign} {row.target}"
    print(LINE.format(*cells, "yes" if row.met else "NO"), flush=True)


def print_growth(g: Growth) -> None:
    sizes = f"{g.sizes[0]} … {g.sizes[-1]}"
    cells = f"growth of {g.operation} in {g.variable}", sizes, f"{g.exponent:.2f}", "", f"≤ {g.limit}"
    print(LINE.format(*cells, "yes" if g.met else "NO"), flush=True)


def memory_reports() -> dict[str, dict[str, float]]:
    reports = {}
    for backend in BACKENDS:
        seen = reports[backend] = peak_memory.measure(backend)
        name = f"unsketch d={peak_memory.D_KDD12} ({backend})"
        cells = f"{seen['peak'] / GIGABYTE:.2f}", f"{seen['seconds']:.2f} s", "< 1"
        met = "yes" if seen["peak"] < GIGABYTE else "NO"
        print(LINE.format(name, "peak memory of process, GB", *cells, met), flush=True)
    return reports


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer sizes, under two minutes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all numbers to FILE")
    options = parser.parse_args()
    torch.set_num_threads(1)
    setting = {
        "tuned_malloc": tune_malloc(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "torch": torch.__version__,
        "numba": numba.__version__,
    }
    print(" · ".join(f"{key} {value}" for key, value in setting.items()))
    print(LINE.format("operation", "ratio of CPU time", "median", "quartiles", "target", "met"))
    rows = []
    for row in all_rows(options.quick):
        rows.append(row)
        print_row(row)
    memory = memory_reports()
    grown = growths(options.quick)
    for g in grown:
        print_growth(g)
    missed = sum(not item.met for item in [*rows, *grown])
    print(f"{missed} of {len(rows) + len(grown)} targets missed" if missed else "all targets met")
    if options.json:
        report = {
            "setting": setting,
            "ratios": [asdict(row) | {"met": row.met} for row in rows],
            "memory": memory,
            "growth": [asdict(g) | {"met": g.met} for g in grown],
        }
        options.json.write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
