"""Results of a grid as two columnar files: one row per run, and one row per point of a curve.

The files hold all that a grid needs to go on and all that its tables show, so they alone can be kept or
passed on; the file of each run (task.py) is what makes a killed grid resumable.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fpsverify.errors import FpsError
from fpsverify.files import write_atomically
from fpsverify.reproduce.task import Result

RESULTS, CURVES = "results.parquet", "curves.parquet"
ABOUT = (
    "task",
    "cell",
    "kind",
    "dataset",
    "scenario",
    "sigma",
    "algorithm",
    "reading",
    "trial",
    "seed",
    "mu",
)
ORIGIN = ("format", "config_digest", "provenance", "d", "status", "message")
FINAL = (
    "accuracy",
    "balanced_accuracy",
    "auc",
    "majority",
    "ties",
    "test_loss",
    "log_test_loss",
    "mse",
    "zero_mse",
    "selected",
    "selected_in_data",
    "snr_db",
    "uses",
    "steps",
)
TIES = ("accuracy_ties_negative", "accuracy_ties_positive")
POINT = ("round", *FINAL)


def final_point(result: Result) -> dict[str, float]:
    """The last evaluation of a run; nothing for one that diverged."""
    return dict(result["curve"][-1]) if result["status"] == "done" and result["curve"] else {}


def result_row(result: Result) -> dict[str, Any]:
    last = final_point(result)
    row = {name: result.get(name) for name in (*ABOUT, *ORIGIN, *TIES)}
    row["versions"] = json.dumps(result["versions"], sort_keys=True)
    row["config"] = json.dumps(result["config"], sort_keys=True)
    return {**row, **{name: last.get(name) for name in FINAL}}


def curve_rows(result: Result) -> list[dict[str, Any]]:
    about = {name: result.get(name) for name in ABOUT}
    return [{**about, **{name: point.get(name) for name in POINT}} for point in result["curve"]]


def write_columns(results: list[Result], folder: Path) -> None:
    _write(folder / RESULTS, [result_row(r) for r in results])
    _write(folder / CURVES, [row for r in results for row in curve_rows(r)])


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    numeric = {*FINAL, *TIES, "sigma", "mu"}
    columns = {}
    for name in rows[0] if rows else ():
        values = [row[name] for row in rows]
        columns[name] = pa.array(values, type=pa.float64()) if name in numeric else pa.array(values)
    write_atomically(path, lambda p: pq.write_table(pa.table(columns), p))


def read_results(folder: Path) -> list[Result]:
    """All stored runs of a grid, tuning and trials, finished or not: columns first, then files of runs."""
    found = {r["task"]: r for r in read_columns(folder)}
    for path in sorted((folder / "cells").glob("*.json")):
        try:
            result = json.loads(path.read_text(encoding="utf-8"))
            found[result["task"]] = result
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise FpsError(f"{path}: unreadable ({' '.join(str(error).split())})") from None
    return [found[name] for name in sorted(found)]


def collect(folder: Path) -> list[Result]:
    """Merge the files of all runs into the columnar files; what was there already stays."""
    results = read_results(folder)
    write_columns(results, folder)
    return results


def read_columns(folder: Path) -> list[Result]:
    """The runs in the columnar files of a folder; none if there are no such files."""
    if not (folder / RESULTS).exists():
        return []
    try:
        rows, points = (pq.read_table(folder / name).to_pylist() for name in (RESULTS, CURVES))
        curves: dict[str, list[dict[str, Any]]] = {row["task"]: [] for row in rows}
        for point in points:
            curves[point["task"]].append(_present(point, POINT))
        return [_result(row, curves[row["task"]]) for row in rows]
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
        raise FpsError(f"{folder / RESULTS}: unreadable ({' '.join(str(error).split())})") from None


def _result(row: dict[str, Any], curve: list[dict[str, Any]]) -> Result:
    texts = {name: json.loads(row[name]) for name in ("versions", "config")}
    return {**_present(row, (*ABOUT, *ORIGIN, *TIES)), **texts, "curve": curve}


def _present(row: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: row[name] for name in names if row[name] is not None}
