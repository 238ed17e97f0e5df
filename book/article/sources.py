"""The stored results behind the article, each with a mark if it may be older than its code."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.provenance import why_old
from benchmarks.replay import in_words

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "book" / "results"
OLD = "†"
USED = ("validation", "worst_case", "certified", "advice", "estimate_mnist", "readout", "bench")
GRIDS = ("mnist", "synthetic", "kdd12", "kdd10")


@cache
def load(name: str) -> dict[str, Any]:
    """A stored result."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def mark(name: str) -> str:
    """† if the result may not fit the code of today."""
    return OLD if why_old(load(name)) else ""


def replay(grid: str) -> str:
    return f"reproduced/{grid}-full/replay"


def numbers() -> dict[str, Any]:
    """One row for each stored result, and which marks the text needs."""
    names = {name: f"{name}.json" for name in USED} | {replay(grid): f"{grid}-full" for grid in GRIDS}
    rows = [
        {
            "name": shown,
            "command": load(name)["provenance"]["command"],
            "state": why_old(load(name))
            or (in_words(load(name)) if "replayed" in load(name) else "is current"),
            "mark": mark(name),
        }
        for name, shown in names.items()
    ]
    grids = max(mark(replay(grid)) for grid in GRIDS)
    return {"rows": rows, "marks": {name: mark(name) for name in USED} | {"grids": grids}}
