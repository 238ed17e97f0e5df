"""Speed of the count sketch and of whole rounds as ratios against stand-ins:
`python -m benchmarks.run [--quick] [--only TEXT] [--json FILE]`.

One thread, process time, tuned malloc, contenders interleaved; median and quartiles of per-round ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path

import numba
import numpy
import torch

from benchmarks.cases import Row, dense_rows, sparse_rows, unsketch_rows
from benchmarks.interleave import tune_malloc
from benchmarks.provenance import made
from benchmarks.whole_round import fresh_round_rows, whole_round_rows
from fpsverify.methods import RUN

LINE = "{:<40} {:<30} {:>8} {:>16} {:>8} {:>5}"
Case = tuple[str, Callable[[], list[Row]]]


def cases(quick: bool) -> Iterator[Case]:
    """(name, measurement) of every comparison."""
    for b in (204,) if quick else (204, 4000):
        for d in (10_000, 1_000_000) if quick else (10_000, 100_000, 1_000_000, 10_000_000):
            yield f"dense {d} {b}", partial(dense_rows, d, b)
        for nnz in (1_000, 100_000) if quick else (1_000, 10_000, 100_000):
            yield f"sparse {nnz} {b}", partial(sparse_rows, 10_000_000, b, nnz)
        for d in (1_000_000,) if quick else (1_000_000, 10_000_000):
            yield f"unsketch {d} {b}", partial(unsketch_rows, d, b)
    yield "round", whole_round_rows
    yield "fresh round", fresh_round_rows


def print_row(row: Row) -> None:
    r, sign = row.ratio, "≤" if row.at_most else "≥"
    spread = f"{r.low:.2f} … {r.high:.2f}"
    cells = row.operation, row.compared, f"{r.median:.2f}", spread, f"{sign} {row.target}"
    print(LINE.format(*cells, "yes" if row.met else "NO"), flush=True)


def measured(quick: bool, only: str) -> list[Row]:
    """Measure and print every comparison whose name contains `only`."""
    print(LINE.format("operation", "ratio of CPU time", "median", "quartiles", "target", "met"))
    rows = []
    for name, measure in cases(quick):
        for row in measure() if only in name else ():
            rows.append(row)
            print_row(row)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer sizes, under two minutes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all numbers to FILE")
    parser.add_argument("--only", default="", help="ratios whose name (as 'dense 10000 204') contains this")
    options, start = parser.parse_args(), time.perf_counter()
    setting = {
        "tuned_malloc": tune_malloc(),
        "load_before": round(os.getloadavg()[0], 2),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "torch": torch.__version__,
        "numba": numba.__version__,
    }
    print(" · ".join(f"{key} {value}" for key, value in setting.items()))
    torch.set_num_threads(1)
    rows = measured(options.quick, options.only)
    missed = sum(not row.met for row in rows)
    print(f"{missed} of {len(rows)} targets missed" if missed else "all targets met")
    if options.json:
        command = "python -m benchmarks.run --json book/results/bench.json"
        ratios = [asdict(row) | {"met": row.met} for row in rows]
        about = made(command, time.perf_counter() - start, RUN)
        report = {"setting": setting, "ratios": ratios, "provenance": about}
        options.json.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
