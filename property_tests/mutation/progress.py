"""What is known so far: kept on disk, so that an interrupted check goes on where it stopped.

Verdicts hold for one state of the code and the tests only: any other state starts anew, and takes from the
last table no more than which test killed a mutant then, to try that one first.
"""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from property_tests.mutation.copies import ROOT

PLACE = ROOT / "build" / "mutants.json"
WATCHED = ("fpsverify", "theory", "empirical", "property_tests", "pyproject.toml")
DRIVER = "property_tests/mutation/"  # changes of the check itself do not change what a test says


def digest_of_sources() -> str:
    """Of every source file that a test may read or run, the check itself excepted."""
    files = [
        path for name in WATCHED for path in ([ROOT / name] if name.endswith("toml") else _sources(name))
    ]
    total = hashlib.sha256()
    for path in files:
        total.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes() + b"\0")
    return total.hexdigest()[:12]


def _sources(name: str) -> list[Path]:
    found = sorted((ROOT / name).rglob("*.py"))
    return [path for path in found if not str(path.relative_to(ROOT)).startswith(DRIVER)]


@dataclass
class Progress:
    """Rows by mutant, seconds by test without a mutant, and the wall time of all parts of the check."""

    sources: str
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    baseline: dict[str, dict[str, float]] = field(default_factory=dict)
    seconds: float = 0.0
    place: Path = PLACE
    _since: float = field(default_factory=time.monotonic)

    @staticmethod
    def load(sources: str, place: Path = PLACE) -> Progress:
        try:
            known = json.loads(place.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            known = {}
        if known.get("sources") != sources:
            return Progress(sources, place=place)
        return Progress(sources, known["rows"], known["baseline"], known["seconds"], place)

    @property
    def elapsed(self) -> float:
        return self.seconds + time.monotonic() - self._since

    def save(self) -> None:
        from fpsverify.files import make_folder, write_json

        make_folder(self.place.parent, "folder")
        kept = {"sources": self.sources, "rows": dict(self.rows), "baseline": dict(self.baseline)}
        write_json(self.place, kept | {"seconds": round(self.elapsed, 1)})


def last_killers(table: Path) -> dict[str, str]:
    """For each mutant of the last table, the test that killed it."""
    try:
        rows = json.loads(table.read_text(encoding="utf-8"))["mutants"]
    except (OSError, ValueError, KeyError):
        return {}
    return {row["mutant"]: row["by"] for row in rows if row.get("killed") and row.get("by")}
