"""The foot of every page: version, commit and date of what was built."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from benchmarks.provenance import commit


def line() -> str:
    """`fpsverify 0.1.0, commit 1234abcd-dirty, built 2026-11-18`; dirty marks files that differ."""
    return f"fpsverify {installed()}, commit {commit()}, built {datetime.now(UTC):%Y-%m-%d}"


def installed() -> str:
    try:
        return version("fpsverify")
    except PackageNotFoundError:
        return "of unknown version"


def set_footer(app: Any, config: Any) -> None:
    config.html_theme_options["extra_footer"] = f'<p class="fps-place">{line()}</p>'


def setup(app: Any) -> dict[str, bool]:
    app.connect("config-inited", set_footer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
