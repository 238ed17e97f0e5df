"""The numbers that the paper prints: test accuracy in percent, mean and standard deviation."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

LABELS = ("FPS", "FetchSGD", "BLCD", "Top-k", "FedProx")  # the columns of its tables
TABLES = {"mnist": "tab:mnist", "kdd12": "tab:kdd12", "kdd10": "tab:kdd10"}
TRIALS = {"mnist": 3, "kdd12": 5, "kdd10": 5}


@dataclass(frozen=True)
class Printed:
    mean: float
    std: float

    def __str__(self) -> str:
        return f"{self.mean:.2f} ± {self.std:.2f}"


@lru_cache(maxsize=1)
def _tables() -> dict[tuple[str, int, float, str], Printed]:
    text = files("fpsverify.reproduce").joinpath("paper_tables.json").read_text(encoding="utf-8")
    found = {}
    for dataset, rows in json.loads(text)["tables"].items():
        for row in rows:
            for label in LABELS:
                found[dataset, row["scenario"], row["sigma"], label] = Printed(**row[label])
    return found


def printed(dataset: str, scenario: int, sigma: float, label: str) -> Printed | None:
    """The paper's cell; None where it prints none (Fashion-MNIST, synthetic, other readings)."""
    return _tables().get((dataset, scenario, sigma, label))
