"""The other tie rule: scores of exactly zero, here counted as no click, count as a click.

A run is tested by that rule once, at its end. An earlier evaluation has an accuracy by it only if nothing was
tied; elsewhere it is unknown, and so is a verdict that needs it.
"""

from __future__ import annotations

from typing import Any

from fpsverify.grids.task import Result
from fpsverify.reproduce.tables import Results

AS_CLICKS = "if ties count as a click"


def ties_as_clicks(results: Results) -> Results:
    return Results({key: [_as_clicks(run) for run in cell] for key, cell in results.by_cell.items()})


def _as_clicks(run: Result) -> Result:
    curve = [_known(point) for point in run["curve"]]
    at_the_end = run.get("accuracy_ties_positive")
    if run["status"] == "done" and curve and at_the_end is not None:
        curve[-1] = {**curve[-1], "accuracy": at_the_end}
    return {**run, "curve": curve}


def _known(point: dict[str, Any]) -> dict[str, Any]:
    """Without its accuracy if that hangs on the rule."""
    return {**point, "accuracy": None} if point.get("ties") else point
