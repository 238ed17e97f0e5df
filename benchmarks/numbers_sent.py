"""Accuracy against numbers sent: `python -m benchmarks.numbers_sent run|store [DATA]`; it resumes.

Every method trains the same problem for the same rounds, E = 5 local steps a round, and sends m numbers per
round and device (FedAvg: d). γ is the best of a grid for seed 1 by test accuracy, and the other seeds run at
that γ. Two channels: ideal, and noise at 0 dB where every round's table is scaled to the same power (equal
channel uses and equal power). Grids whose best γ lies at an end go on by a factor 3.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.provenance import ROOT, made
from fpsverify.config import RunConfig
from fpsverify.errors import FpsError
from fpsverify.files import write_text
from fpsverify.methods import RUN
from fpsverify.runs.loop import run_in_memory

WORK, STORE = ROOT / "reproduced" / "numbers_sent.jsonl", ROOT / "book" / "results" / "numbers_sent.json"
ROUNDS, E = 150, 5
GRID = (0.03, 0.1, 0.3)
ENDS = (0.001, 3.0)
IDEAL: dict[str, Any] = {"kind": "ideal"}
NOISY: dict[str, Any] = {"kind": "gaussian", "sigma": 1.0, "power": 1.0, "noise_on": "sum"}
CHANNELS = {"ideal": IDEAL, "0 dB": NOISY}


@dataclass(frozen=True)
class Data:
    """A problem and the numbers that a device may send in a round."""

    problem: dict[str, Any]
    d: int
    sizes: tuple[int, ...]
    noisy: tuple[int, ...]
    seeds: tuple[int, ...] = (1, 2, 3, 4, 5)
    scenario: int = 2
    batch: int = 32


IMAGES = {"objective": "mlp", "hidden": 128}
DATA = {
    "blobs": Data(
        {"data": "blobs", "objective": "mlp", "hidden": 64},
        4_810,
        (50, 200, 1_000, 2_400),
        (200, 1_000),
        scenario=3,
    ),
    "mnist": Data({"data": "mnist", **IMAGES}, 101_770, (100, 500, 2_000, 10_000), (500, 2_000), (1, 2, 3)),
    "fashion": Data({"data": "fashion", **IMAGES}, 101_770, (500, 2_000), (), (1, 2, 3), scenario=3),
}
METHODS = (
    "fresh",
    "fresh with memory",
    "FPS",
    "FPS as printed",
    "FetchSGD",
    "BLCD",
    "Top-k",
    "FedAvg",
)


def algorithm(method: str, m: int, d: int) -> dict[str, Any]:
    """The options of a method that sends m numbers; what its server sends back is in `downlink`."""
    rows = 5 if m >= 50 else 1
    table = {"rows": rows, "buckets": m // rows}
    options: dict[str, dict[str, Any]] = {
        "fresh": {"name": "fresh", "rows": 1, "buckets": m},
        "fresh with memory": {"name": "fresh", "rows": 1, "buckets": m, "memory_share": 0.8},
        "FPS": {"name": "fps", **table, "k": d // 3, "recovery": "mean", "simulate": "averaged"},
        "FPS as printed": {"name": "fps", **table, "k": m // 2, "recovery": "median", "simulate": "averaged"},
        "FetchSGD": {"name": "fetchsgd", **table, "k": max(1, m // 2), "recovery": "median"},
        "BLCD": {"name": "blcd", "k": m},
        "Top-k": {"name": "topk", "k": m},
        "FedAvg": {"name": "fedavg"},
    }
    return options[method]


def downlink(method: str, m: int, d: int) -> int:
    """Numbers in the broadcast of a round: a coordinate of its own choice counts twice, with its index."""
    broadcast = {"FPS": 2 * (d // 3), "FPS as printed": m, "FetchSGD": m, "FedAvg": d, "Top-k": 2 * m}
    return min(broadcast.get(method, m), d)


def config(data: str, channel: str, method: str, m: int, gamma: float, seed: int) -> RunConfig:
    given = DATA[data]
    options = algorithm(method, m, given.d)
    options["transmit"] = "full_power" if channel != "ideal" else "update"
    if channel != "ideal":
        options["simulate"] = "batched"
    values = {
        "seed": seed,
        "rounds": ROUNDS,
        "problem": given.problem,
        "devices": {"M": 10, "scenario": given.scenario},
        "local": {"E": E, "batch": given.batch, "gamma": gamma},
        "algorithm": options,
        "channel": CHANNELS[channel],
        "record": {"evaluate_every": ROUNDS, "average": "last_half"},
    }
    return RunConfig.model_validate(values)


def cells(data: str) -> Iterator[tuple[str, str, int]]:
    for channel in CHANNELS:
        yield channel, "FedAvg", DATA[data].d
        for m in DATA[data].sizes if channel == "ideal" else DATA[data].noisy:
            for method in METHODS[:-1]:
                yield channel, method, m


class Log:
    """One line of JSON for each run; what is there is not run again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        lines = path.read_text().splitlines() if path.exists() else []
        self.found = {tuple(each["key"]): each for each in map(json.loads, lines)}

    def accuracy(self, data: str, channel: str, method: str, m: int, gamma: float, seed: int) -> float:
        key = (data, channel, method, m, gamma, seed)
        if key not in self.found:
            started = time.process_time()
            try:
                result = run_in_memory(config(data, channel, method, m, gamma, seed))
                row: dict[str, Any] = {k: v for k, v in result.rows[-1].items() if k in KEPT}
            except FpsError as error:  # a run that diverges is a result
                row = {"accuracy": 0.0, "error": str(error)}
            each = {"key": key, **row, "cpu_seconds": round(time.process_time() - started, 2)}
            self.found[key] = each
            self.path.parent.mkdir(exist_ok=True)
            with self.path.open("a") as file:
                file.write(json.dumps(each) + "\n")
            print(*key, row, flush=True)
        return float(self.found[key]["accuracy"])


KEPT = (
    "accuracy",
    "test_loss",
    "averaged_accuracy",
    "balanced_accuracy",
    "channel_uses",
    "max_power",
    "snr_db",
)


def best(log: Log, data: str, channel: str, method: str, m: int) -> float:
    """The best γ for seed 1; a grid whose best is at its end goes on."""
    grid = list(GRID)
    while True:
        scores = {gamma: log.accuracy(data, channel, method, m, gamma, DATA[data].seeds[0]) for gamma in grid}
        top = max(grid, key=lambda gamma: scores[gamma])
        if top == max(grid) and top < ENDS[1]:
            grid.append(float(f"{3 * top:.2g}"))
        elif top == min(grid) and top > ENDS[0]:
            grid.append(float(f"{top / 3:.2g}"))
        else:
            return top


def main() -> int:
    task, wanted = sys.argv[1], sys.argv[2:] or list(DATA)
    log = Log(WORK)
    for data in wanted:
        for channel, method, m in cells(data):
            gamma = best(log, data, channel, method, m)
            for seed in DATA[data].seeds[1:]:
                log.accuracy(data, channel, method, m, gamma, seed)
    if task == "store":
        table: list[dict[str, Any]] = [
            dict(zip(("data", "channel", "method", "m"), (data, *cell), strict=True))
            for data in wanted
            for cell in cells(data)
        ]
        for each in table:
            at = (each["data"], each["channel"], each["method"], each["m"])
            each["gamma"] = best(log, *at)
            runs = [log.found[(*at, each["gamma"], seed)] for seed in DATA[each["data"]].seeds]
            each["accuracy"] = [run["accuracy"] for run in runs]
            each["averaged"] = [run.get("averaged_accuracy", 0.0) for run in runs]
            each["downlink"] = downlink(each["method"], each["m"], DATA[each["data"]].d)
        about = made("python -m benchmarks.numbers_sent store", None, RUN)
        found = {"rounds": ROUNDS, "E": E, "cells": table, "provenance": about}
        write_text(STORE, json.dumps(found, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
