"""Run a grid: first the tuning of μ, then the trials, parallel over tasks. Kill it any time and resume.

Each finished task has a file of its own (executors.py says where tasks run and who stores them). At the end
all runs are merged into `results.parquet` and their curves into `curves.parquet`. A resumed grid runs only
what is in neither place. Tasks of equal config are run once, and runs of other grids can be taken over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from fpsverify.errors import BadInput, FpsError
from fpsverify.files import make_folder, only_one
from fpsverify.reproduce.cell import Cell
from fpsverify.reproduce.executors import Executor, Here
from fpsverify.reproduce.store import RESULTS, collect, read_columns
from fpsverify.reproduce.task import Result, Task, is_of, stored, taken_over, trial_tasks, tuning_tasks

Progress = Callable[[Result], None]


@dataclass(frozen=True)
class Outcome:
    """Results of all trials.

    `reused` counts the tasks that an earlier run had finished, `shared` those that are the same run as
    another one, of this grid or of `other`.
    """

    trials: list[Result]
    tuned: dict[str, float]
    reused: int
    shared: int = 0


def count_tasks(cells: Iterable[Cell]) -> int:
    return sum(len(cell.mus) + cell.trials for cell in cells)


def run_grid(
    cells: list[Cell],
    folder: Path,
    where: Executor | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    other: Iterable[Result] = (),
) -> Outcome:
    """All results of the grid; they are also in `folder`. Without `where`, tasks run in this process.

    Runs of `other` grids that have the config of a task are not run again.
    """
    where = where or Here()
    known = {r["config_digest"]: r for r in other}
    _open(folder, resume)
    with only_one(folder):
        tuning = [task for cell in cells for task in tuning_tasks(cell)]
        tuned_results, *before = _all(tuning, folder, where, progress, known)
        tuned = {cell.name: best_mu(cell, tuned_results) for cell in cells if cell.mus}
        trials = [task for cell in cells for task in trial_tasks(cell, tuned.get(cell.name))]
        results, *more = _all(trials, folder, where, progress, known)
        collect(folder)
    return Outcome(results, tuned, *map(sum, zip(before, more, strict=True)))


def best_mu(cell: Cell, results: list[Result]) -> float:
    """The μ with the best last evaluation on held-out rows; of equals the smallest. Diverged runs lose."""
    mine = sorted((r for r in results if r["cell"] == cell.name), key=lambda r: r["mu"])
    finished = [r for r in mine if r["status"] == "done"]
    if not finished:
        return float(mine[0]["mu"])
    return float(max(finished, key=lambda r: score(r["curve"][-1]))["mu"])


def score(point: dict[str, float]) -> float:
    """What tuning maximises: accuracy, or minus the loss in regression."""
    return point["accuracy"] if "accuracy" in point else -point["test_loss"]


def _open(folder: Path, resume: bool) -> None:
    begun = folder.exists() and (
        not folder.is_dir() or any((folder / "cells").glob("*.json")) or (folder / RESULTS).exists()
    )
    if begun and not resume:
        raise BadInput("--out", str(folder), "a new folder, or add --resume to continue")
    make_folder(folder / "cells", "--out")


def _all(
    tasks: list[Task], folder: Path, where: Executor, progress: Progress | None, known: dict[str, Result]
) -> tuple[list[Result], int, int]:
    """Results in the order of the tasks, how many were found finished, and how many share a run."""
    columns = {r["task"]: r for r in read_columns(folder)}
    done = {}
    for task in tasks:
        result = stored(task, folder) or columns.get(task.name)
        if result is not None and is_of(task, result):
            done[task.name] = result
    reused = len(done)
    known = known | {r["config_digest"]: r for r in done.values()}
    left = [t for t in tasks if t.name not in done]
    same = [t for t in left if t.config.digest() in known]
    done |= {t.name: taken_over(t, known[t.config.digest()], folder) for t in same}
    for result in done.values():
        _show(progress, result)
    twins = _by_config(t for t in left if t.name not in done)
    for result in where.results([first for first, *_ in twins.values()], folder):
        if result["status"] == "error":
            raise FpsError(f"{result['task']}: {result['message']}")
        _, *others = twins[result["config_digest"]]
        for found in (result, *(taken_over(task, result, folder) for task in others)):
            done[found["task"]] = found
            _show(progress, found)
    shared = len(left) - len(twins)
    return [done[task.name] for task in tasks], reused, shared


def _by_config(tasks: Iterable[Task]) -> dict[str, list[Task]]:
    """Tasks that are one and the same run, by the digest of their config."""
    found: dict[str, list[Task]] = {}
    for task in tasks:
        found.setdefault(task.config.digest(), []).append(task)
    return found


def _show(progress: Progress | None, result: Result) -> None:
    if progress:
        progress(result)
