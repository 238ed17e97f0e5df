"""What sharing devices out over two ranks gains or costs: `python -m benchmarks.ranks [--json FILE]`.

Two processes with one thread each are started once by torchrun. In every turn they run the same rounds in
four ways, one after the other with a rotating start: rank 0 alone while rank 1 sleeps, then both, each with
the fast and the ordered reduction. Wall time of rank 0, so the machine should be idle; its load is given.
Medians and quartiles of the ratios of one turn. Data, start-up, evaluation and checkpoints are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.interleave import ratio
from benchmarks.provenance import made
from fpsverify.cli.run import DEMO
from fpsverify.config import RunConfig, apply_overrides, parse
from fpsverify.distributed.ranks import ALONE, Job, Reduction, Wire
from fpsverify.distributed.torchrun import together
from fpsverify.methods import RUN
from fpsverify.runs.loop import prepare, rounds

TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
TIMEOUT = 600.0
BASE = "1 process"
LINE = "  {:<20} {:>8.2f} ms per round   speed-up {:.2f} ({:.2f} … {:.2f})   {:>9,.0f} bytes sent per rank"


@dataclass(frozen=True)
class Way:
    name: str
    both: bool
    reduction: Reduction


@dataclass(frozen=True)
class Case:
    name: str
    rounds: int
    overrides: tuple[str, ...]

    @property
    def config(self) -> RunConfig:
        never = ("record.evaluate_every=1000000", f"rounds={self.rounds}")
        return parse(apply_overrides(DEMO, [*self.overrides, *never]))


WAYS = (
    Way(BASE, False, "fast"),
    Way("1 process, ordered", False, "ordered"),
    Way("2 ranks", True, "fast"),
    Way("2 ranks, ordered", True, "ordered"),
)
CASES = (
    Case("small steps: d = 4,810, batch 32", 40, ("record.verify=false",)),
    Case(
        "large steps: d = 38,410, batch 256",
        5,
        ("record.verify=false", "problem.hidden=512", "local.batch=256", "algorithm.buckets=4000"),
    ),
    Case("verified: the gradient over 40,000 rows in each round", 5, ("problem.samples=40000",)),
)


def measure(wire: Wire, case: Case, turns: int) -> dict[str, Any]:
    """Seconds per round on this rank for every way, turn by turn; the first turn warms up and is dropped."""
    setups = {way: prepare(case.config, Job(wire if way.both else ALONE, way.reduction)) for way in WAYS}
    times: dict[str, list[float]] = {way.name: [] for way in WAYS}
    moved: dict[str, dict[str, float]] = {}
    for turn in range(turns + 1):
        for way in WAYS[turn % len(WAYS) :] + WAYS[: turn % len(WAYS)]:
            wire.add(
                torch.zeros(1), "other"
            )  # both are here; whoever has nothing to do waits at the next one
            wire.traffic()
            begin = time.perf_counter()
            if way.both or wire.rank == 0:
                work(*setups[way][:2])
            times[way.name].append((time.perf_counter() - begin) / case.rounds)
            moved[way.name] = {k: v / case.rounds for k, v in wire.traffic().items()}
    return {"times": {name: t[1:] for name, t in times.items()}, "bytes_per_round": moved}


def work(algorithm: Any, setup: Any) -> None:
    for _ in rounds(algorithm, setup, algorithm.init(setup), 1):
        pass


def summary(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    times = {name: np.array(t) for name, t in found["times"].items()}
    return {
        "name": case.name,
        "rounds": case.rounds,
        "milliseconds_per_round": {name: 1000 * float(np.median(t)) for name, t in times.items()},
        "speed_up": {name: asdict(ratio(times[BASE], t)) for name, t in times.items()},
        "bytes_per_round": found["bytes_per_round"],
    }


def lines(case: dict[str, Any]) -> Iterator[str]:
    yield case["name"]
    for name, ms in case["milliseconds_per_round"].items():
        r, sent = case["speed_up"][name], case["bytes_per_round"][name]["table_bytes_sent"]
        yield LINE.format(name, ms, r["median"], r["low"], r["high"], sent)


def as_rank(turns: int, out: Path | None) -> int:
    """What each of the two processes does; rank 0 prints and writes."""

    start = time.perf_counter()

    def compare(wire: Wire) -> int:
        torch.set_num_threads(1)
        setting = {
            "machine": platform.machine(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "torch": torch.__version__,
            "load_before": os.getloadavg()[0],
            "turns": turns,
        }
        cases = [summary(case, measure(wire, case, turns)) for case in CASES]
        if wire.rank == 0:
            print(" · ".join(f"{key} {value}" for key, value in setting.items()))
            print("\n".join(line for case in cases for line in lines(case)))
        if wire.rank == 0 and out:
            command = "python -m benchmarks.ranks --json book/results/ranks.json"
            about = made(command, time.perf_counter() - start, RUN)
            found = {"setting": setting, "cases": cases, "provenance": about}
            out.write_text(json.dumps(found, indent=1) + "\n")
        return 0

    return together(compare, TIMEOUT)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--turns", type=int, default=15, help="how often each way is timed (default 15)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all numbers to FILE")
    options = parser.parse_args()
    if "RANK" in os.environ:
        return as_rank(options.turns, options.json)
    env = {**os.environ, "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
    return subprocess.run([*TORCHRUN, "-m", "benchmarks.ranks", *sys.argv[1:]], env=env).returncode


if __name__ == "__main__":
    sys.exit(main())
