"""Test accuracy of a setting at the γ that `advise` gives to it: what two experiments share.

Three seeds each, looked at early too. A grid of γ around the advised one tells what another γ would have
reached: it is doubled upwards until its largest is not the best. An interrupted call goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

import torch

from benchmarks.provenance import made, why_old
from empirical.advice.advise import advise
from fpsverify.config import RunConfig
from fpsverify.errors import BadInput, RunFailed
from fpsverify.files import write_text
from fpsverify.methods import METHODS
from fpsverify.runs.loop import run_in_memory

SEEDS = (101, 102, 103)
POWERS = (-2, -1, 1, 2)
EARLY = (20,)  # rounds; both runs are tested there


def at_own_rate(config: RunConfig, grid: bool = False) -> dict[str, Any]:
    """The advised γ and its accuracies; the same at that γ times powers of 2."""
    gamma = advise(config).recommended
    if gamma is None:
        return {"gamma": None, "accuracy": [], "early": {}, "grid": []}
    own = at_rate(config, gamma)
    others = [at_rate(config, gamma * 2.0**j) for j in POWERS] if grid else []
    while others and others[-1] is max([own, *others], key=lambda tried: fmean(tried["accuracy"])):
        others.append(at_rate(config, 2 * others[-1]["gamma"]))
    return own | {"grid": others}


def at_rate(config: RunConfig, gamma: float) -> dict[str, Any]:
    """One γ: by seed the accuracy at the end, and after each of the early numbers of rounds."""
    curves = [curve(config.model_copy(update={"seed": seed}), gamma) for seed in SEEDS]
    early = {str(t): [found.get(t, 0.0) for found in curves] for t in EARLY}
    return {"gamma": gamma, "accuracy": [found.get(config.rounds, 0.0) for found in curves], "early": early}


def curve(config: RunConfig, gamma: float) -> dict[int, float]:
    """Test accuracy by round; nothing of a run that diverges, or whose scores overflow before that."""
    local = config.local.model_copy(update={"gamma": gamma})
    record = config.record.model_copy(update={"verify": False})
    try:
        rows = run_in_memory(config.model_copy(update={"local": local, "record": record})).rows
    except (BadInput, RunFailed):
        return {}
    return {int(row["round"]): float(row["accuracy"]) for row in rows if row.get("accuracy") is not None}


@dataclass
class Rows:
    """What has been measured, by name; written after each row, with its provenance."""

    path: Path
    command: str
    found: dict[str, Any] = field(default_factory=dict)
    before: float = 0.0
    start: float = field(default_factory=time.process_time)

    def __post_init__(self) -> None:
        result = json.loads(self.path.read_text("utf-8")) if self.path.is_file() else None
        if result is not None and not why_old(result):
            self.found = {row["cell"]: row for row in result["rows"]}
            self.before = result["provenance"]["seconds"]

    def row(self, name: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        if name not in self.found:
            self.found[name] = {"cell": name} | make()
            provenance = made(self.command, self.before + time.process_time() - self.start, METHODS)
            result = {"seeds": SEEDS, "rows": list(self.found.values()), "provenance": provenance}
            write_text(self.path, json.dumps(result, indent=1) + "\n")
        print(line(self.found[name]), flush=True)
        found: dict[str, Any] = self.found[name]
        return found


def line(row: dict[str, Any]) -> str:
    if row["gamma"] is None:
        return f"{row['cell']}: no rate is recommended"
    return f"{row['cell']}: {fmean(row['accuracy']):.1%} at γ = {row['gamma']:.4g}"


def asked(what: str, name: str) -> tuple[Rows, str]:
    """The rows of a result of this name, and which cells are asked for."""
    parser = argparse.ArgumentParser(description=what.partition("\n")[0])
    parser.add_argument("--json", type=Path, default=Path(f"book/results/{name}.json"))
    parser.add_argument("--only", default="", help="cells whose name contains this")
    args = parser.parse_args()
    torch.set_num_threads(1)
    return Rows(args.json, f"python -m benchmarks.estimates.{name}"), args.only
