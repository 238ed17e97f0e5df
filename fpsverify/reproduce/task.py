"""One run of one cell: what it is called, how it is run, and the small file it leaves.

A task either tunes (one μ, evaluated on held-out training rows) or is a trial (evaluated on the test rows).
Its file is written once, whole, by the process that ran it; a run that diverges is a result too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fpsverify.config import RunConfig
from fpsverify.errors import FpsError, RunFailed
from fpsverify.files import json_safe, write_json
from fpsverify.reproduce.cell import Cell

Result = dict[str, Any]
Round = tuple[int, Any, dict[str, float]]
FORMAT = 1


@dataclass(frozen=True)
class Task:
    cell: Cell
    kind: str  # "tuning" or "trial"
    number: int  # of the trial, or of μ in the cell's list
    mu: float | None

    @property
    def name(self) -> str:
        return f"{self.cell.name}--{self.kind}{self.number}"

    @property
    def config(self) -> RunConfig:
        if self.kind == "tuning":
            assert self.mu is not None
            return self.cell.tuning(self.mu)
        return self.cell.trial(self.number, self.mu)

    def path(self, folder: Path) -> Path:
        return folder / "cells" / f"{self.name}.json"


def tuning_tasks(cell: Cell) -> list[Task]:
    return [Task(cell, "tuning", i, mu) for i, mu in enumerate(cell.mus)]


def trial_tasks(cell: Cell, mu: float | None) -> list[Task]:
    return [Task(cell, "trial", i, mu) for i in range(cell.trials)]


def stored(task: Task, folder: Path) -> Result | None:
    """The finished result of exactly this task; None if its file is unreadable or of another config."""
    try:
        result: Result = json.loads(task.path(folder).read_text(encoding="utf-8"))
        return result if is_of(task, result) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def is_of(task: Task, result: Result) -> bool:
    return bool(result["format"] == FORMAT and result["config_digest"] == task.config.digest())


def perform(task: Task, folder: Path) -> Result:
    """Run the task on one thread and store its result."""
    from fpsverify.threads import one_thread

    with one_thread():
        result: Result = json_safe(measure(task))
    if result["status"] != "error":
        write_json(task.path(folder), result)
    return result


def about(task: Task) -> Result:
    """What a result says of the task itself: known before it is run."""
    cell, config = task.cell, task.config
    return {
        "format": FORMAT,
        "task": task.name,
        "cell": cell.name,
        "kind": task.kind,
        "dataset": cell.dataset,
        "scenario": cell.scenario,
        "sigma": cell.sigma,
        "algorithm": cell.label,
        "reading": cell.reading,
        "trial": task.number,
        "seed": config.seed,
        "mu": config.local.mu,
        "config_digest": config.digest(),
        "config": config.model_dump(mode="json"),
    }


def taken_over(task: Task, result: Result, folder: Path) -> Result:
    """The finished run of another task as that of this one: the config alone decides a run. Stored."""
    if result["config_digest"] != task.config.digest():
        raise ValueError(f"{result['task']} is a run of another config than {task.name}")
    same: Result = {**result, **about(task)}
    write_json(task.path(folder), same)
    return same


def measure(task: Task) -> Result:
    """The result of the task. Bad input becomes status `error`: it has to cross a process boundary."""
    from fpsverify.runs.record import versions

    result: Result = {
        **about(task),
        "versions": versions(),
        "status": "done",
        "message": "",
        "curve": [],
    }
    try:
        for part in _measurements(task.config):
            result["curve"].append(part.pop("point")) if "point" in part else result.update(part)
    except RunFailed as error:
        result.update(status="diverged", message=str(error))
    except FpsError as error:
        result.update(status="error", message=str(error))
    return result


def _measurements(config: RunConfig) -> Iterator[Result]:
    """The provenance, one point per evaluation, and the final model under every tie rule."""
    from fpsverify.runs.loop import prepare, rounds

    algorithm, setup, built = prepare(config)
    yield {"provenance": built.provenance, "d": setup.problem.d}
    start, uses = algorithm.init(setup), 0.0
    w = algorithm.model(setup, start)
    for t, state, row in _checked(rounds(algorithm, setup, start, 0)):
        w = algorithm.model(setup, state)
        uses += row.get("channel_uses", 0.0)
        if "test_loss" in row:
            yield {"point": {**row, "uses": uses, "steps": t * config.local.E}}
    for rule in ("negative", "positive"):
        found = setup.problem.evaluate(w, rule)
        if "accuracy" in found:
            yield {f"accuracy_ties_{rule}": found["accuracy"]}


def _checked(steps: Iterator[Round]) -> Iterator[Round]:
    """The input was accepted, so whatever stops a round (an infinite table, say) is a failure of the run."""
    try:
        yield from steps
    except FpsError as error:
        raise RunFailed(str(error)) from None
