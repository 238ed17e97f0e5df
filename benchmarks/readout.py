"""Mean or median of the rows: which read-out trains better, and what averaging the broadcasts adds.

Pairs of runs that differ in `algorithm.recovery` alone, three seeds each: the paper's shapes of MNIST,
synthetic and KDD12 (generated clicks if the data are not there) at the paper's noise, and the demo's network
at several k and a longer run. A pair is won by the lower test loss at the end.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.provenance import made
from fpsverify import config as configs
from fpsverify.cli.run import DEMO
from fpsverify.config import RunConfig
from fpsverify.errors import RunFailed
from fpsverify.methods import RUN
from fpsverify.reproduce.cell import make_cell
from fpsverify.runs.loop import run_in_memory

RULES = ("median", "mean")
SEEDS = (101, 102, 103)


@dataclass(frozen=True)
class Case:
    name: str
    config: RunConfig

    def one(self, rule: str, seed: int) -> RunConfig:
        values = self.config.model_dump(exclude_none=True)
        values["seed"] = seed
        values["algorithm"]["recovery"] = rule
        values["record"] |= {"average": "last_half", "verify": False}
        return configs.parse(values)


def cases() -> Iterator[Case]:
    for k in (200, 400, 800, 1600, 4810):
        yield demo(k=k)
    for rounds, k in ((600, 400), (600, 1600)):
        yield demo(k=k, rounds=rounds)
    yield demo(k=1600, sigma=1.0)
    for scenario in (1, 2, 3, 4):
        for sigma in (0.0, 1.0):
            yield paper("synthetic", scenario, sigma)
    for scan in ("full", "support"):
        for scenario in (1, 2):
            for sigma in (0.0, 1.0):
                yield paper("kdd12", scenario, sigma, f"algorithm.scan={scan}")
    for scenario in (1, 2, 3):
        for sigma in (0.0, 0.8):
            yield paper("mnist", scenario, sigma)


def demo(k: int, rounds: int = 150, sigma: float = 0.05) -> Case:
    changes = [
        f"algorithm.k={k}",
        f"rounds={rounds}",
        f"channel.sigma={sigma}",
        "algorithm.simulate=averaged",
    ]
    return Case(f"demo k={k} T={rounds} σ={sigma:g}", configs.parse(configs.apply_overrides(DEMO, changes)))


def paper(data: str, scenario: int, sigma: float, *overrides: str) -> Case:
    """A cell of the paper's grid in its quick profile, with μ = 0 so that the read-out alone decides."""
    cell = make_cell(data, "quick", scenario, sigma, "FPS", "", "local.mu=0.0", *overrides)
    extra = "".join(f" {o.partition('.')[2]}" for o in overrides)
    return Case(f"{data} S{scenario} σ={sigma:g}{extra}", cell.config)


def measure(config: RunConfig) -> dict[str, float]:
    """What the run ends with; a run that diverges has no loss."""
    names = ("test_loss", "accuracy", "auc", "mse", "averaged_test_loss", "averaged_accuracy")
    try:
        final = run_in_memory(config).summary["final"]
    except RunFailed:
        return {"test_loss": inf}
    return {name: final[name] for name in names if name in final}


def compare(case: Case) -> dict[str, Any]:
    found = {rule: [measure(case.one(rule, seed)) for seed in SEEDS] for rule in RULES}
    losses = {rule: [run["test_loss"] for run in found[rule]] for rule in RULES}
    pairs = list(zip(losses["median"], losses["mean"], strict=True))
    return {
        "case": case.name,
        "config": case.config.digest(),
        "mean_wins": sum(b < a for a, b in pairs),
        "equal": sum(a == b for a, b in pairs),
        "of": len(pairs),
        "runs": {
            rule: [{k: v if v < inf else None for k, v in run.items()} for run in found[rule]]
            for rule in RULES
        },
    }


def line(row: dict[str, Any]) -> str:
    def of(rule: str, name: str) -> str:
        values = [run.get(name) for run in row["runs"][rule]]
        return "diverges" if None in values and name == "test_loss" else _mean(values)

    columns = [
        f"{of(rule, name):>9}" for name in ("test_loss", "averaged_test_loss", "accuracy") for rule in RULES
    ]
    return f"{row['case']:36} {row['mean_wins']}/{row['of']}  " + " ".join(columns)


def _mean(values: list[Any]) -> str:
    there = [v for v in values if v is not None]
    return f"{mean(there):.4g}" if len(there) == len(values) else "-"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, default=Path("book/results/readout.json"))
    parser.add_argument("--only", default="", help="cases whose name contains this")
    args = parser.parse_args()
    start, rows = time.perf_counter(), []
    names = " ".join(f"{n:>9}" for n in ("loss med", "mean", "w̄ med", "mean", "acc med", "mean"))
    print(f"{'case':36} won  {names}", flush=True)
    for case in cases():
        if args.only in case.name:
            rows.append(compare(case))
            print(line(rows[-1]), flush=True)
    won, equal, total = (sum(row[name] for row in rows) for name in ("mean_wins", "equal", "of"))
    print(f"the mean has the lower loss in {won} of {total} pairs, the same in {equal}")
    command = "python -m benchmarks.readout"
    result = {"seeds": SEEDS, "rows": rows, "provenance": made(command, time.perf_counter() - start, RUN)}
    args.json.write_text(json.dumps(result, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
