"""One run of a grid: what it is called, how it is run, and the small file it leaves.

Its file is written once, whole, by the process that ran it; a run that diverges is a result too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fpsverify.config import RunConfig
from fpsverify.errors import FpsError, RunFailed
from fpsverify.files import json_safe, read_result, write_result

if TYPE_CHECKING:
    from fpsverify.own.federation import Federation

Result = dict[str, Any]
Round = tuple[int, Any, dict[str, float]]
FORMAT = 1
MEASURED = (
    "versions",
    "status",
    "message",
    "provenance",
    "d",
    "curve",
    "accuracy_ties_negative",
    "accuracy_ties_positive",
)


@dataclass(frozen=True)
class Task:
    """Run `number` of a cell; `labels` are the columns by which tables find it.

    `federation` is the problem of a config whose data are `own`; with `trust` it is made where the task runs,
    by the file that the config names.
    """

    cell: str
    kind: str  # "trial", or "tuning" for a run that only chooses an option
    number: int
    config: RunConfig
    labels: Mapping[str, Any] = field(default_factory=dict)
    federation: Federation | None = None
    trust: bool = False

    def problem(self) -> Federation | None:
        """What prepares the run; None where the config describes it or nobody consented."""
        if self.federation is None and self.trust:
            from fpsverify.own.source import given

            return given(self.config, None, self.trust)
        return self.federation

    @property
    def name(self) -> str:
        return f"{self.cell}--{self.kind}{self.number}"

    def path(self, folder: Path) -> Path:
        return folder / "cells" / f"{self.name}.json"


def stored(task: Task, folder: Path) -> Result | None:
    """The finished result of exactly this task; None if its file is unreadable or of another config."""
    try:
        result: Result = read_result(task.path(folder))
        return result if is_of(task, result) else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def is_of(task: Task, result: Result) -> bool:
    return bool(result["format"] == FORMAT and result["config_digest"] == task.config.digest())


def perform(task: Task, folder: Path) -> Result:
    """Run the task and store its result."""
    result: Result = json_safe(measure(task))
    if result["status"] != "error":
        write_result(task.path(folder), result)
    return result


def about(task: Task) -> Result:
    """What a result says of the task itself: known before it is run."""
    return {
        "format": FORMAT,
        "task": task.name,
        "cell": task.cell,
        "kind": task.kind,
        **task.labels,
        "trial": task.number,
        "seed": task.config.seed,
        "config_digest": task.config.digest(),
        "config": task.config.model_dump(mode="json"),
    }


def taken_over(task: Task, result: Result, folder: Path) -> Result:
    """The finished run of another task as that of this one: the config alone decides a run. Stored."""
    if result["config_digest"] != task.config.digest():
        raise ValueError(f"{result['task']} is a run of another config than {task.name}")
    same: Result = {**{name: result[name] for name in MEASURED if name in result}, **about(task)}
    write_result(task.path(folder), same)
    return same


def measure(task: Task) -> Result:
    """The result, on one thread. Bad input becomes status `error`: it has to cross a process boundary."""
    from fpsverify.runs.record import versions
    from fpsverify.threads import one_thread

    result: Result = {
        **about(task),
        "versions": versions(),
        "status": "done",
        "message": "",
        "curve": [],
    }
    try:
        with one_thread():
            for part in _measurements(task):
                result["curve"].append(part.pop("point")) if "point" in part else result.update(part)
    except RunFailed as error:
        result.update(status="diverged", message=str(error))
    except FpsError as error:
        result.update(status="error", message=str(error))
    return result


def _measurements(task: Task) -> Iterator[Result]:
    """The provenance, one point per evaluation, and the final model under every tie rule."""
    from fpsverify.runs.loop import prepare, rounds

    algorithm, setup, built = prepare(task.config, federation=task.problem())
    yield {"provenance": built.provenance, "d": setup.problem.d}
    start, uses = algorithm.init(setup), 0.0
    w = algorithm.model(setup, start)
    for t, state, row in _checked(rounds(algorithm, setup, start, 0)):
        w = algorithm.model(setup, state)
        uses += row.get("channel_uses", 0.0)
        if evaluated(row):
            yield {"point": {**row, "uses": uses, "steps": t * task.config.local.E}}
    for rule in ("negative", "positive"):
        found = setup.problem.evaluate(w, rule)
        if "accuracy" in found:
            yield {f"accuracy_ties_{rule}": found["accuracy"]}


def evaluated(row: Mapping[str, float]) -> bool:
    """Was the model tested in this round? A federation without test rows has its training loss instead."""
    return "test_loss" in row or "train_loss" in row


def _checked(steps: Iterator[Round]) -> Iterator[Round]:
    """The input was accepted, so whatever stops a round (an infinite table, say) is a failure of the run."""
    try:
        yield from steps
    except FpsError as error:
        raise RunFailed(str(error)) from None
