"""How a stored result was made: command, time, packages, commit, and the methods that it rests on."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from fpsverify.methods import raised, versions_of
from fpsverify.runs.record import versions

ROOT = Path(__file__).resolve().parents[1]


def made(command: str, seconds: float | None, methods: Iterable[str]) -> dict[str, Any]:
    """The provenance of a result that was made by these methods (see `fpsverify.methods`)."""
    return {
        "command": command,
        "seconds": seconds if seconds is None else round(seconds, 1),
        "versions": versions(),
        "commit": commit(),
        "methods": versions_of(methods),
    }


def commit(root: Path = ROOT) -> str:
    """The commit that the files come from, marked if they differ from it; "unknown" without git."""
    return git("describe", "--always", "--dirty", "--abbrev=12", "--exclude=*", root=root) or "unknown"


def git(*words: str, root: Path = ROOT) -> str:
    """What git says about a repository; nothing where there is none."""
    try:
        done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def why_old(result: Mapping[str, Any]) -> str:
    """Why a stored result may not fit the methods of today; empty if it is current.

    >>> why_old({"provenance": {"methods": {"hash": 0}}})
    'was made before hash changed'
    """
    kept = result.get("provenance", {}).get("methods")
    if kept is None:
        return "does not name the methods that made it"
    if differ := [run["task"] for run in result.get("replayed", ()) if not run["agrees"]]:
        return f"is not what the code gives when it is run again ({', '.join(differ)})"
    changed = raised(kept)
    return f"was made before {', '.join(changed)} changed" if changed else ""
