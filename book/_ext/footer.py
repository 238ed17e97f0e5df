"""The foot of every page: version, commit and date of what was built."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def line() -> str:
    """`fpsverify 0.1.0, commit 1234abcd+, built 2026-11-18`; the plus marks files that differ."""
    commit, dirty = (
        git("rev-parse", "--short=10", "HEAD"),
        git("status", "--porcelain", "--untracked-files=no"),
    )
    shown = f", commit {commit}{'+' if dirty else ''}" if commit else ""
    return f"fpsverify {installed()}{shown}, built {datetime.now(UTC):%Y-%m-%d}"


def installed() -> str:
    try:
        return version("fpsverify")
    except PackageNotFoundError:
        return "of unknown version"


def git(*words: str) -> str:
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def set_footer(app: Any, config: Any) -> None:
    config.html_theme_options["extra_footer"] = f'<p class="fps-place">{line()}</p>'


def setup(app: Any) -> dict[str, bool]:
    app.connect("config-inited", set_footer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
