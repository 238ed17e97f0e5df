"""The table of the book: all mutants with their fate, and where the figures come from."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

from property_tests.mutation.copies import ROOT
from property_tests.mutation.progress import Progress
from property_tests.mutation.targets import EQUIVALENT

LEAST_SHARE = 0.95


def summary(progress: Progress, seed: int, per_target: int) -> dict[str, Any]:
    """`share` leaves out equivalent mutants; all of them are listed with their reasons."""
    rows = sorted(progress.rows.values(), key=lambda r: (r["file"], r["line"], r["mutant"]))
    rows = [{**row, "equivalent": EQUIVALENT.get(row["key"])} for row in rows]
    killed = sum(row["killed"] for row in rows)
    equivalent = sum(not row["killed"] and row["equivalent"] is not None for row in rows)
    return {
        "seed": seed,
        "per_target": per_target,
        "total": len(rows),
        "killed": killed,
        "equivalent": equivalent,
        "share": killed / (len(rows) - equivalent) if len(rows) > equivalent else None,
        "mutants": rows,
    }


def wrongly_excused(found: dict[str, Any]) -> list[str]:
    """Mutants listed as equivalent that a test has killed: the reason given for them is wrong."""
    return [row["mutant"] for row in found["mutants"] if row["killed"] and row["equivalent"]]


def provenance(progress: Progress) -> dict[str, Any]:
    from hypothesis import __version__

    from benchmarks.provenance import digests
    from fpsverify.runs.record import versions

    return {
        "command": "make mutants",
        "commit": commit(ROOT),
        "sources": progress.sources,
        "seconds": round(progress.elapsed, 1),
        "cores": os.cpu_count(),
        "versions": versions() | {"hypothesis": __version__},
        "code": digests(sorted({row["file"] for row in progress.rows.values()})),
    }


def commit(root: Path) -> str:
    """The commit that was judged; `+` if files differ from it. "unknown" outside of a repository."""

    def git(*words: str) -> str | None:
        try:
            return subprocess.run(
                ["git", *words], cwd=root, capture_output=True, text=True, check=True
            ).stdout
        except (OSError, subprocess.CalledProcessError):
            return None

    head = git("rev-parse", "--short=12", "HEAD")
    if head is None:
        return "unknown"
    return head.strip() + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")
