"""Speed of the count sketch and of whole rounds as ratios against stand-ins:
`python -m benchmarks.run [--quick] [--json FILE]`.

One thread, process time, tuned malloc, contenders interleaved; median and quartiles of per-round ratios.
Hashing is on the fly; "kept" is the option `keep_indices`, which serves small sketches: here d ≤ 1e5 in the
numba kernels and d ≤ 1e6 in torch. `--threads N` compares wall time on N threads instead, on an idle machine.
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

from benchmarks.cases import BACKENDS, Row, dense_rows, sparse_rows, torch_floor, unsketch_rows
from benchmarks.interleave import Ratio, tune_malloc
from benchmarks.provenance import made
from benchmarks.scaling import many_devices, peak_memory
from benchmarks.scaling.growth import Growth, growths
from benchmarks.whole_round import whole_round_rows
from fpsverify.methods import RUN

LINE = "{:<40} {:<30} {:>8} {:>16} {:>8} {:>5}"
GIGABYTE = 10**9
# More than this many programs waiting for a processor: wall time would measure them too.
IDLE_LOAD = 0.5

Case = tuple[str, Callable[[], list[Row]]]


def cases(quick: bool) -> Iterator[Case]:
    """(name, measurement) of every comparison on one thread."""
    for b in (204,) if quick else (204, 4000):
        for d in (10_000, 1_000_000) if quick else (10_000, 100_000, 1_000_000, 10_000_000):
            yield f"dense {d} {b}", partial(dense_rows, d, b)
        for nnz in (1_000, 100_000) if quick else (1_000, 10_000, 100_000):
            yield f"sparse {nnz} {b}", partial(sparse_rows, 10_000_000, b, nnz)
        for d in (1_000_000,) if quick else (1_000_000, 10_000_000):
            yield f"unsketch {d} {b}", partial(unsketch_rows, d, b)
    yield "round", whole_round_rows


def threaded_cases() -> Iterator[Case]:
    """What uses several threads: long dense updates and full scans, by wall clock."""
    for b in (204, 4000):
        yield f"dense 10000000 {b}", partial(dense_rows, 10_000_000, b, clock=time.perf_counter)
        yield f"unsketch 10000000 {b}", partial(unsketch_rows, 10_000_000, b, clock=time.perf_counter)


def print_row(row: Row) -> None:
    r, sign = row.ratio, "≤" if row.at_most else "≥"
    spread = f"{r.low:.2f} … {r.high:.2f}"
    cells = row.operation, row.compared, f"{r.median:.2f}", spread, f"{sign} {row.target}"
    print(LINE.format(*cells, "yes" if row.met else "NO"), flush=True)


def print_growth(g: Growth) -> None:
    sizes = f"{g.sizes[0]} … {g.sizes[-1]}"
    cells = f"growth of {g.operation} in {g.variable}", sizes, f"{g.exponent:.2f}", "", f"≤ {g.limit}"
    print(LINE.format(*cells, "yes" if g.met else "NO"), flush=True)


def torch_floors(quick: bool) -> dict[str, dict[str, float]]:
    """The best that torch could do in the longest dense updates, for comparison; no target."""
    d = 1_000_000 if quick else 10_000_000
    floors = {}
    for b in (204,) if quick else (204, 4000):
        operation, r = f"dense update d={d:.0e} b={b}", torch_floor(d, b)
        floors[operation] = asdict(r)
        print_without_target(operation, "stand-in / torch, no hashing", r)
    return floors


def print_without_target(operation: str, compared: str, r: Ratio) -> None:
    cells = f"{r.median:.2f}", f"{r.low:.2f} … {r.high:.2f}", "none", ""
    print(LINE.format(operation, compared, *cells), flush=True)


def memory_reports() -> dict[str, dict[str, float]]:
    reports = {}
    for backend in BACKENDS:
        seen = reports[backend] = peak_memory.measure(backend)
        name = f"unsketch d={peak_memory.D_KDD12} ({backend})"
        cells = f"{seen['peak'] / GIGABYTE:.2f}", f"{seen['seconds']:.2f} s", "< 1"
        met = "yes" if seen["peak"] < GIGABYTE else "NO"
        print(LINE.format(name, "peak memory of process, GB", *cells, met), flush=True)
    return reports


def device_memory() -> dict[str, dict[str, int]]:
    """What rounds with 10, 100 and 1000 devices take; no target."""
    found = many_devices.memories()
    for who, bytes_of in found.items():
        sizes = " ".join(f"{n / 10**6:.0f}" for n in bytes_of.values())
        print(
            LINE.format(
                f"round, {who}, M={'/'.join(bytes_of)}", "peak memory of process, MB", sizes, "", "", ""
            )
        )
    return found


def run_threaded(threads: int) -> None:
    """Ratios of wall time on several threads. They have no targets: those are stated for one thread."""
    load = os.getloadavg()[0]
    if load > IDLE_LOAD:
        raise SystemExit(f"load {load:.1f}: wall time needs an idle machine (at most {IDLE_LOAD})")
    torch.set_num_threads(threads)
    print(f"wall time on {threads} threads")
    for _, measure in threaded_cases():
        for row in measure():
            print_without_target(row.operation, row.compared, row.ratio)


def run_ratios(quick: bool, only: str) -> list[Row]:
    """Measure and print every comparison whose name contains `only`."""
    print(LINE.format("operation", "ratio of CPU time", "median", "quartiles", "target", "met"))
    rows = []
    for name, measure in cases(quick):
        for row in measure() if only in name else ():
            rows.append(row)
            print_row(row)
    return rows


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer sizes, under two minutes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all numbers to FILE")
    parser.add_argument("--only", default="", metavar="TEXT", help="ratios whose name (as 'dense 10000 204')"
                        " contains TEXT, and nothing else")  # fmt: skip
    parser.add_argument("--threads", type=int, default=1, help="compare wall time on so many threads")
    return parser.parse_args()


def main() -> None:
    options, start = parse_options(), time.perf_counter()
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
    if options.threads > 1:
        run_threaded(options.threads)
        return
    torch.set_num_threads(1)
    rows = run_ratios(options.quick, options.only)
    if options.only:
        return
    floors, memory, by_devices = torch_floors(options.quick), memory_reports(), device_memory()
    grown = [*growths(options.quick), *many_devices.device_growths()]
    for g in grown:
        print_growth(g)
    missed = sum(not row.met for row in rows) + sum(not g.met for g in grown)
    print(f"{missed} of {len(rows) + len(grown)} targets missed" if missed else "all targets met")
    if options.json:
        report = {
            "setting": setting,
            "ratios": [asdict(row) | {"met": row.met} for row in rows],
            "torch_floors": floors,
            "memory": memory,
            "device_memory": by_devices,
            "growth": [asdict(g) | {"met": g.met} for g in grown],
            "provenance": made(
                "python -m benchmarks.run --json book/results/bench.json", time.perf_counter() - start, RUN
            ),
        }
        options.json.write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
