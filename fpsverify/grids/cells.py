"""Runs that differ in nothing but their seed, put together; what tells these cells apart; their values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fpsverify.config import RunConfig
from fpsverify.config_keys import flat
from fpsverify.grids.statistics import Interval, interval
from fpsverify.grids.store import final_point
from fpsverify.grids.task import Result

LONG_VALUE = 18  # characters of a value, such as a digest, that a label shows
BESIDE_THE_POINT = ("record.", "problem.source")  # they change what is kept, not what is trained
MAIN = ("accuracy", "train_accuracy", "mse", "train_mse")
LOSS = ("test_loss", "train_loss")
SQUARED = "squared error"  # the other objectives have cross-entropy


@dataclass(frozen=True)
class Cell:
    """`settings` are the keys in which cells differ, with the values that they have here."""

    settings: dict[str, Any]
    results: tuple[Result, ...]

    @property
    def label(self) -> str:
        return ", ".join(f"{key}={text}" for key, text in self.shown.items()) or "this config"

    @property
    def shown(self) -> dict[str, str]:
        return {key: _short(value) for key, value in self.settings.items()}

    @property
    def diverged(self) -> tuple[int, ...]:
        """Seeds of the runs that diverged."""
        return tuple(r["seed"] for r in self.results if r["status"] != "done")

    def values(self, metric: str) -> dict[int, float]:
        """Seed → metric at the end of the run; runs that diverged have none."""
        found = {r["seed"]: final_point(r).get(metric) for r in self.results}
        return {seed: float(value) for seed, value in found.items() if value is not None}

    def interval(self, metric: str) -> Interval | None:
        found = interval(list(self.values(metric).values()))
        return _possible(found, metric, own=self._problem["objective"] == "own")

    @property
    def _problem(self) -> dict[str, Any]:
        found: dict[str, Any] = self.results[0]["config"]["problem"]
        return found

    def yardstick(self, metric: str) -> dict[str, str | None]:
        """What a value is measured on and with; values compare only where this is the same."""
        problem = self._problem
        own = dict(part.split("=", 1) for part in (problem.get("federation") or "").split() if "=" in part)
        found = {"data": problem["data"], "test rows": own.get("test")}
        loss = SQUARED if problem["objective"] == "least_squares" else own.get("loss")
        return found | {"loss": loss} if metric in LOSS else found


def _possible(found: Interval | None, metric: str, own: bool) -> Interval | None:
    """Student's interval without what no run can reach: a share lies in [0, 1], an error above 0.

    So do our losses, squared error and cross-entropy; `own`: a loss of the reader may be negative.
    """
    if found is None or found.low is None or found.high is None:
        return found
    if "accuracy" in metric:
        return replace(found, low=max(found.low, 0.0), high=min(found.high, 1.0))
    return found if own and metric in LOSS else replace(found, low=max(found.low, 0.0))


def cells(results: list[Result], over: Sequence[str] = ()) -> tuple[Cell, ...]:
    """In the order in which their first runs were given; a run that was given twice counts once.

    Their settings are those that change training, where these are enough to tell the cells apart: first the
    keys `over` which they were swept, in this order.
    """
    groups: dict[str, dict[int, Result]] = {}
    for r in results:
        rest = {key: value for key, value in r["config"].items() if key != "seed"}
        groups.setdefault(json.dumps(rest, sort_keys=True), {})[r["seed"]] = r
    configs = [flat(next(iter(group.values()))["config"]) for group in groups.values()]
    keys = _in_order({key for config in configs for key in config if key != "seed"}, over)
    differing = [key for key in keys if len({json.dumps(config.get(key)) for config in configs}) > 1]
    telling = [key for key in differing if not key.startswith(BESIDE_THE_POINT)]
    if len({json.dumps([config.get(key) for key in telling]) for config in configs}) < len(configs):
        telling = differing
    names = _brief(telling)
    return tuple(
        Cell({names[key]: config.get(key) for key in telling}, tuple(group.values()))
        for config, group in zip(configs, groups.values(), strict=True)
    )


def metrics(found: tuple[Cell, ...]) -> tuple[str, ...]:
    """What cells are compared by: accuracy or squared error, and the loss, as far as runs have them."""
    there = {name for cell in found for r in cell.results for name in final_point(r)}
    return tuple(name for name in (*MAIN, *LOSS) if name in there)


def _in_order(keys: Iterable[str], over: Sequence[str]) -> list[str]:
    """As in a config after those of `over`: a stored result has its keys in the order of the alphabet."""
    order = {key: i for i, key in enumerate(dict.fromkeys([*over, *flat(RunConfig().model_dump())]))}
    return sorted(keys, key=lambda key: (order.get(key, len(order)), key))


def _brief(keys: list[str]) -> dict[str, str]:
    """The last part of a key where that is enough to tell the keys apart."""
    last = [key.rpartition(".")[2] for key in keys]
    return {key: end if last.count(end) == 1 else key for key, end in zip(keys, last, strict=True)}


def _short(value: Any) -> str:
    text = f"{value:g}" if isinstance(value, float) else "–" if value is None else str(value)
    return text if len(text) <= LONG_VALUE else text[: LONG_VALUE - 1] + "…"
