"""How many local steps E, and which proximal weight μ? Test accuracy at the γ that `advise` gives to each.

    python -m benchmarks.estimates.local_work [--only TEXT] [--json FILE]

The demo's network and MNIST with one class per device. μ is 0 or 1/(γE), where γ is the rate advised for
μ = 0: then the proximal term pulls a device back by about as much as it has moved. Each cell has its own
advised γ and three seeds; all have the same number of rounds, so they use the channel equally. An interrupted
call goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import torch

from benchmarks.estimates.advised_accuracy import accuracy, cases
from benchmarks.provenance import changed, made
from empirical.advice.advise import advise
from fpsverify.config import RunConfig
from fpsverify.files import write_text

STEPS, SHARES, SEEDS = (1, 5, 20), (0.0, 1.0), (101, 102, 103)
COMMAND = "python -m benchmarks.estimates.local_work"


@dataclass(frozen=True)
class Cell:
    """One choice of E and μ."""

    case: str
    config: RunConfig
    E: int
    share: float

    @property
    def name(self) -> str:
        return f"{self.case}-E{self.E}-share{self.share:g}"

    def with_mu(self, first_gamma: float) -> RunConfig:
        """`first_gamma` is the rate advised for this E without a proximal term."""
        mu = self.share / (first_gamma * self.E)
        return self.config.model_copy(
            update={"local": self.config.local.model_copy(update={"E": self.E, "mu": mu})}
        )


def cells() -> Iterator[Cell]:
    """Those of one E one after the other, the one without a proximal term first."""
    for case, config in cases():
        for E in STEPS:
            for share in SHARES:
                yield Cell(case, config, E, share)


def measure(cell: Cell, first_gamma: float) -> dict[str, Any]:
    config = cell.with_mu(first_gamma)
    gamma = advise(config).recommended
    found = [] if gamma is None else [accuracy(_seeded(config, seed), gamma) for seed in SEEDS]
    return {
        "cell": cell.name,
        "case": cell.case,
        "E": cell.E,
        "share": cell.share,
        "mu": config.local.mu,
        "gamma": gamma,
        "accuracy": found,
    }


def _seeded(config: RunConfig, seed: int) -> RunConfig:
    return config.model_copy(update={"seed": seed})


def line(row: dict[str, Any]) -> str:
    if row["gamma"] is None:
        return f"{row['cell']}: no rate is recommended"
    return f"{row['cell']}: {fmean(row['accuracy']):.1%} at γ = {row['gamma']:.4g}, μ = {row['mu']:.3g}"


def kept(path: Path) -> tuple[dict[str, Any], float]:
    """What earlier calls have measured with the same code, by cell, and the seconds that it took."""
    result = json.loads(path.read_text("utf-8")) if path.is_file() else None
    if result is None or changed(result["provenance"]):
        return {}, 0.0
    return {row["cell"]: row for row in result["rows"]}, result["provenance"]["seconds"]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", type=Path, default=Path("book/results/local_work.json"))
    parser.add_argument("--only", default="", help="cells whose name contains this")
    args = parser.parse_args()
    torch.set_num_threads(1)
    (rows, before), start, first_gamma = kept(args.json), time.process_time(), None
    for cell in cells():
        if args.only not in cell.name or (cell.share and first_gamma is None):
            continue
        rows[cell.name] = row = rows.get(cell.name) or measure(cell, first_gamma or 1.0)
        first_gamma = first_gamma if cell.share else row["gamma"]
        print(line(row), flush=True)
        provenance = made(COMMAND, before + time.process_time() - start)
        result = {"seeds": SEEDS, "rows": list(rows.values()), "provenance": provenance}
        write_text(args.json, json.dumps(result, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
