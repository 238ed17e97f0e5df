"""What a run had reached at a given use of the channel, or at the end (equal gradient steps)."""

from __future__ import annotations

from typing import Literal

from fpsverify.grids.statistics import LOWER_IS_BETTER
from fpsverify.grids.store import final_point
from fpsverify.grids.task import Result

Budget = Literal["steps", "uses"]
BITS_PER_USE = 32  # one float32 per subcarrier, were it sent digitally


def point_at_uses(result: Result, uses: float) -> dict[str, float]:
    """The evaluation that had used the channel most nearly `uses` times; of two as near, the earlier."""
    points = result["curve"] if result["status"] == "done" else []
    return dict(min(points, key=lambda p: abs(p["uses"] - uses))) if points else {}


def uses_to_reach(result: Result, metric: str, target: float) -> float | None:
    """Channel uses at the first evaluation that is at least as good as `target`; None if none is."""
    sign = -1.0 if metric in LOWER_IS_BETTER else 1.0
    for point in result["curve"]:
        value = point.get(metric)
        if value is not None and sign * value >= sign * target:
            return float(point["uses"])
    return None


def values(results: list[Result], metric: str, budget: Budget, reference: list[Result]) -> dict[int, float]:
    """Trial → metric, at the end (equal gradient steps) or at the channel uses of the reference's same trial.

    Trials that the reference lacks, or in which it diverged, have no value at its channel uses.
    """
    limits = {r["trial"]: final_point(r).get("uses") for r in reference}
    found = {}
    for result in results:
        if budget == "steps":
            at = final_point(result)
        else:
            limit = limits.get(result["trial"])
            at = {} if limit is None else point_at_uses(result, limit)
        if at.get(metric) is not None:
            found[result["trial"]] = float(at[metric])
    return found
