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

from fpsverify import tables
from fpsverify.config import RunConfig
from fpsverify.errors import FpsError

Row = dict[str, float]
ROUNDS = "rounds.parquet"
SUMMARY = "summary.json"
PACKAGES = ("fpsverify", "numpy", "torch", "numba", "pyarrow", "safetensors")


ALWAYS = ("round", "w_norm_squared", "loss", "grad_norm_squared", "device_grad_norm_squared")
AVERAGED = "averaged_"  # before the name of what was measured of w̄


def averaged_rounds(config: RunConfig, t: int) -> int:
    """How many broadcasts w̄ is the mean of after round t."""
    kind = config.record.average
    return t if kind == "exponential" else max(0, t - config.rounds // 2) if kind else 0


def as_of(config: RunConfig, rows: list[Row]) -> list[Row]:
    """The rows of a run that was to end earlier, as this longer one has them: less is evaluated."""
    tests = {name for name in rows[0] if name not in ALWAYS}

    def stays(name: str, t: int) -> bool:
        if name.startswith(AVERAGED):
            return evaluated(config, t) and averaged_rounds(config, t) > 0
        return name not in tests or evaluated(config, t)

    return [{name: x for name, x in row.items() if stays(name, int(row["round"]))} for row in rows]


def evaluated(config: RunConfig, t: int) -> bool:
    """Whether the model of round t is evaluated."""
    return t % config.record.evaluate_every == 0 or t == config.rounds


def versions() -> dict[str, str]:
    """Of each package, its own word where it is loaded: it names the build, as in torch 2.13.0+cpu."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = getattr(sys.modules.get(name), "__version__", None) or version(name)
        except PackageNotFoundError:
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
    tables.write(folder / ROUNDS, to_table(rows, metadata))


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
    try:
        table = tables.read(path)
        rows: list[dict[str, Any]] = table.to_pylist()
    except ValueError as error:
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
