"""The table of the advice experiment: per form, how often it was safe, how blunt, and what it cost."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

FORMS = ("recommended", "half", "certified", "guaranteed", "theorem_a", "paper", "gamma_0.01")
HORIZONS = (100, 300)


def gamma_of(row: dict[str, Any], form: str, T: int) -> dict[str, Any] | None:
    """What the runs say about a form's γ for T rounds; None where it gave none."""
    found: dict[str, Any] | None = row["forms"].get(f"recommended_{T}" if form == "recommended" else form)
    return found


def regret(row: dict[str, Any], form: str, T: int) -> float | None:
    """0: as good as the best γ; 1: as good as not training; None where no γ lowers the loss."""
    best, start = row["best"][str(T)]["loss"], row["f_0"]
    if not best < start:
        return None
    given = gamma_of(row, form, T)
    if given is None:
        return 1.0
    return math.inf if given[f"loss_{T}"] is None else (given[f"loss_{T}"] - best) / (start - best)


def figures(rows: list[dict[str, Any]], form: str, T: int) -> dict[str, Any]:
    given = [(row, found) for row in rows if (found := gamma_of(row, form, T)) is not None]
    costs = [r for row in rows if (r := regret(row, form, T)) is not None]
    out: dict[str, Any] = {"problems": len(rows), "given": len(given)}
    if given:
        out["safe"] = sum(found[f"safe_{T}"] for _, found in given)
        ratios = [_limit(row) / found["gamma"] for row, found in given if row["limit"] is not None]
        out["limit_over_gamma"] = _quantiles(ratios)
    out["regret"] = _quantiles(costs)
    return out


def _limit(row: dict[str, Any]) -> float:
    return math.inf if row["limit"] == "inf" else row["limit"]


def _quantiles(values: list[float]) -> dict[str, float | None]:
    if not values:
        return {"median": None, "90 %": None, "max": None}
    x = np.sort(np.array(values))
    at = {"median": 0.5, "90 %": 0.9, "max": 1.0}
    found = {name: float(np.quantile(x, q, method="higher")) for name, q in at.items()}
    return {name: value if math.isfinite(value) else None for name, value in found.items()}


GROUPS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "all": lambda row: True,
    "without a sketch": lambda row: not row["sketched"],
    "least squares without a sketch": lambda row: not row["sketched"] and row["loss"] == "least_squares",
    "with a sketch": lambda row: row["sketched"],
    "a part of the devices": lambda row: row["part"],
    "with a proximal term": lambda row: row["proximal"],
}
HALVES = {"open": False, "held_out": True}


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Half → group → form → horizon → figures."""
    return {
        half: {
            name: _forms([r for r in rows if r["held_out"] == held and has(r)])
            for name, has in GROUPS.items()
        }
        for half, held in HALVES.items()
    }


def _forms(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {form: {str(T): figures(rows, form, T) for T in HORIZONS} for form in FORMS}
