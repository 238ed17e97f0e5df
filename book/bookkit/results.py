"""Stored results, as the chapters read them."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from benchmarks.provenance import why_old

from .ledger_data import BOOK

FOLDER = BOOK / "results"


@cache
def load(name: str) -> dict[str, Any]:
    """A committed result."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def provenance(result: dict[str, Any]) -> str:
    """One line of HTML that says how a result was made, and whether its methods are those of today."""
    how = result["provenance"]
    packages = ", ".join(f"{name} {version}" for name, version in how["versions"].items())
    old = why_old(result)
    state = f'<b class="fps-stale">This result {old}.</b> ' if old else ""
    made_by = f"Made by <code>{how['command']}</code> in {how['seconds']:.0f} s ({packages})."
    return f'<p class="fps-place">{state}{made_by}</p>'
