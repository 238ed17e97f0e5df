"""Results of a grid as two columnar files: one row per run, and one row per point of a curve.

The files hold all that a grid needs to go on and all that its tables show, so they alone can be kept or
passed on; the file of each run (task.py) is what makes a killed grid resumable.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa

from fpsverify import tables
from fpsverify.errors import BadInput, FpsError
from fpsverify.files import read_result
from fpsverify.grids.task import Result

RESULTS, CURVES = "results.parquet", "curves.parquet"
ABOUT = ("task", "cell", "kind")
ORIGIN = ("format", "config_digest", "provenance", "d", "status", "message")
TIES = ("accuracy_ties_negative", "accuracy_ties_positive")
TEXTS = ("versions", "config")  # as JSON
FIRST_POINT = "round"  # in the curves: what a run is called stands before, what it measured from here on


def final_point(result: Result) -> dict[str, float]:
    """The last evaluation of a run; nothing for one that diverged."""
    return dict(result["curve"][-1]) if result["status"] == "done" and result["curve"] else {}


def labels(results: list[Result]) -> list[str]:
    """The columns that say which run a row is of."""
    measured = {*ORIGIN, *TIES, *TEXTS, "curve", *ABOUT, "trial", "seed"}
    return [*ABOUT, *sorted({name for r in results for name in r} - measured), "trial", "seed"]


def metrics(results: list[Result]) -> list[str]:
    """All that was measured at some evaluation."""
    return sorted({name for r in results for point in r["curve"] for name in point} - {FIRST_POINT})


def write_columns(results: list[Result], folder: Path) -> None:
    names, numbers = labels(results), metrics(results)
    rows = [{**r, **_as_text(r), **final_point(r)} for r in results]
    points = [{**r, **point} for r in results for point in r["curve"]]
    # The curves first: killed in between, those of the runs that the results name are there.
    _write(folder / CURVES, points, [*names, FIRST_POINT], numbers)
    _write(folder / RESULTS, rows, [*names, *ORIGIN, *TEXTS], [*TIES, *numbers])


def _as_text(result: Result) -> dict[str, str]:
    return {name: json.dumps(result[name], sort_keys=True) for name in TEXTS}


def _write(path: Path, rows: list[dict[str, Any]], names: list[str], numbers: list[str]) -> None:
    columns = {name: _column([row.get(name) for row in rows]) for name in names}
    for name in numbers:
        columns[name] = pa.array([row.get(name) for row in rows], type=pa.float64())
    tables.write(path, pa.table(columns))


def _column(values: list[Any]) -> pa.Array:
    """Labels of one kind keep it, whole numbers and fractions are fractions, a mixture becomes text."""
    kinds = {type(v) for v in values if v is not None}
    if kinds == {int, float}:
        return pa.array(values, type=pa.float64())
    if len(kinds) > 1:
        return pa.array([None if v is None else json.dumps(v) for v in values])
    return pa.array(values)


def read_results(folder: Path) -> list[Result]:
    """All stored runs of a grid, tuning and trials, finished or not: columns first, then files of runs."""
    found = {r["task"]: r for r in read_columns(folder)}
    for path in sorted((folder / "cells").glob("*.json")):
        try:
            result = read_result(path)
            found[result["task"]] = result
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise FpsError(f"{path}: unreadable ({' '.join(str(error).split())})") from None
    return [found[name] for name in sorted(found)]


def holds_grid(folder: Path) -> bool:
    """Are there runs of a sweep or of a table of the paper?"""
    try:
        return (folder / RESULTS).exists() or any((folder / "cells").glob("*.json"))
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadInput("RUN", str(folder), f"the name of a folder ({why})") from None


def collect(folder: Path) -> list[Result]:
    """Merge the files of all runs into the columnar files; what was there already stays."""
    results = read_results(folder)
    write_columns(results, folder)
    return results


def read_columns(folder: Path) -> list[Result]:
    """The runs in the columnar files of a folder; none if there are no such files."""
    if not (folder / RESULTS).exists():
        return []
    name = RESULTS
    try:
        rows, name = tables.read(folder / RESULTS).to_pylist(), CURVES
        table = tables.read(folder / CURVES)
        names = table.column_names
        first = names.index(FIRST_POINT)
        curves: dict[str, list[dict[str, Any]]] = {row["task"]: [] for row in rows}
        for point in table.to_pylist():
            if point["task"] in curves:
                curves[point["task"]].append(_present(point, names[first:]))
        return [_result(row, names[:first], curves[row["task"]]) for row in rows]
    except (ValueError, KeyError, TypeError) as error:
        raise FpsError(f"{folder / name}: unreadable ({' '.join(str(error).split())})") from None


def _result(row: dict[str, Any], names: list[str], curve: list[dict[str, Any]]) -> Result:
    texts = {name: json.loads(row[name]) for name in TEXTS}
    return {**_present(row, [*names, *ORIGIN, *TIES]), **texts, "curve": curve}


def _present(row: dict[str, Any], names: list[str]) -> dict[str, Any]:
    return {name: row[name] for name in names if row[name] is not None}
