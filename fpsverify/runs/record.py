"""What a run leaves behind: `rounds.parquet` (one row per round, row 0 is w_0) and `summary.json`.

Nothing in these files depends on the clock or on interruptions, so an interrupted and resumed run leaves the
same bytes as an uninterrupted one.
"""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fpsverify.config import RunConfig
from fpsverify.errors import FpsError
from fpsverify.files import write_atomically

Row = dict[str, float]
ROUNDS = "rounds.parquet"
SUMMARY = "summary.json"
PACKAGES = ("fpsverify", "numpy", "torch", "numba", "pyarrow", "safetensors")


def evaluated(config: RunConfig, t: int) -> bool:
    """Whether the model of round t is evaluated."""
    return t % config.record.evaluate_every == 0 or t == config.rounds


def versions() -> dict[str, str]:
    """Of each package, its own word where it is loaded: it names the build, as in torch 2.13.0+cpu."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = getattr(sys.modules.get(name), "__version__", None) or version(name)
        except PackageNotFoundError:  # pragma: no cover: every package is installed here
            found[name] = "not installed"
    return found


def to_table(rows: list[Row], metadata: dict[str, str]) -> pa.Table:
    """Columns in the order of first appearance; `round` is an integer, all else float64 or null."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = [
        pa.array([row.get(name) for row in rows], type=pa.int64() if name == "round" else pa.float64())
        for name in names
    ]
    return pa.table(columns, names=names).replace_schema_metadata(metadata)


def write_rows(folder: Path, rows: list[Row], metadata: dict[str, str]) -> None:
    table = to_table(rows, metadata)
    write_atomically(folder / ROUNDS, lambda path: pq.write_table(table, path))


def broken(path: Path, wrong: str, right: str) -> FpsError:
    """How every file of a run directory that cannot be used is reported."""
    return FpsError(f"{path}: {' '.join(wrong.split())}; expected {right}")


def right_rows(folder: Path) -> str:
    return f"the rows of all rounds; fpsverify run {folder / 'config.toml'} --out NEW makes them again"


def read_rows(folder: Path) -> list[Row]:
    """Rows as dictionaries without nulls."""
    path, right = folder / ROUNDS, right_rows(folder)
    if not path.exists():
        raise broken(path, "missing", right)
    if path.is_dir():  # which pyarrow would read as a table in parts
        raise broken(path, "unreadable (a folder)", right)
    try:
        rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    except (pa.ArrowException, OSError, ValueError) as error:
        raise broken(path, f"unreadable ({error})", right) from None
    found = [{name: value for name, value in row.items() if value is not None} for row in rows]
    if not found:
        raise broken(path, "no rows", right)
    if not all("round" in row and all(type(x) in (int, float) for x in row.values()) for row in found):
        raise broken(path, "not a table of rounds and numbers", right)
    return found


def summarise(rows: list[Row]) -> dict[str, Any]:
    """Final and best figures of a run, from its rows alone."""
    last: Row = {}
    for row in rows:
        last.update(row)
    uses = sum(row.get("channel_uses", 0.0) for row in rows)
    snr = [row["snr_db"] for row in rows if "snr_db" in row]
    accuracy = [row["accuracy"] for row in rows if "accuracy" in row]
    gradients = [row["grad_norm_squared"] for row in rows[:-1] if "grad_norm_squared" in row]
    return {
        "rounds": int(rows[-1]["round"]),
        "final": {name: value for name, value in last.items() if name != "round"},
        "best_accuracy": max(accuracy) if accuracy else None,
        "channel_uses_total": int(uses),
        "median_snr_db": sorted(snr)[len(snr) // 2] if snr else None,
        "mean_grad_norm_squared": sum(gradients) / len(gradients) if gradients else None,
    }
