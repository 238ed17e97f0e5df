"""The stored results behind the article, each with a mark if it may be older than its code."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks import provenance

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "book" / "results"
OLDER, UNKNOWN = "†", "‡"
USED = ("validation", "worst_case", "advice", "estimate_mnist", "readout", "bench")
GRIDS = ("mnist", "synthetic", "kdd12", "kdd10")
UNRECORDED = "made before results recorded their code"


@cache
def load(name: str) -> dict[str, Any]:
    """A stored result."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def mark(name: str) -> str:
    """† if code that the result depends on has changed since, ‡ if it does not say what it depends on."""
    changed = provenance.changed(load(name).get("provenance", {}))
    return UNKNOWN if changed is None else OLDER if changed else ""


def state(name: str) -> str:
    """The mark in words."""
    changed = provenance.changed(load(name).get("provenance", {}))
    if changed is None:
        return UNRECORDED
    return f"older than its code ({len(changed)} files changed)" if changed else "current"


def numbers() -> dict[str, Any]:
    """One row for each stored result, and which marks the text needs."""
    rows = [
        {
            "name": f"{name}.json",
            "command": load(name).get("provenance", {}).get("command", "make bench"),
            "state": state(name),
            "mark": mark(name),
        }
        for name in USED
    ]
    rows += [
        {
            "name": f"reproduced/{grid}-full",
            "command": f"fpsverify reproduce {grid} --profile full",
            "state": UNRECORDED,
            "mark": UNKNOWN,
        }
        for grid in GRIDS
    ]
    return {
        "rows": rows,
        "marks": {name: mark(name) for name in USED} | {"grids": UNKNOWN},
    }
