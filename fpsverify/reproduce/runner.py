"""Run a grid: first the tuning of μ, then the trials, parallel over tasks. Kill it any time and resume.

Each task stores its own file (task.py); a resumed grid runs only what has no file yet. At the end all trials
are merged into `results.parquet` and their curves into `curves.parquet`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from fpsverify.errors import BadInput, FpsError
from fpsverify.files import make_folder, only_one
from fpsverify.reproduce.cell import Cell
from fpsverify.reproduce.store import write_columns
from fpsverify.reproduce.task import Result, Task, perform, stored, trial_tasks, tuning_tasks

Progress = Callable[[Result], None]


@dataclass(frozen=True)
class Outcome:
    """Results of all trials; `reused` counts the tasks that an earlier run had finished."""

    trials: list[Result]
    tuned: dict[str, float]
    reused: int


def count_tasks(cells: Iterable[Cell]) -> int:
    return sum(len(cell.mus) + cell.trials for cell in cells)


def run_grid(
    cells: list[Cell], folder: Path, jobs: int = 1, resume: bool = False, progress: Progress | None = None
) -> Outcome:
    """All results of the grid; they are also in `folder`."""
    if jobs < 1:
        raise BadInput("--jobs", jobs, "at least 1")
    _open(folder, resume)
    with only_one(folder):
        tuning = [task for cell in cells for task in tuning_tasks(cell)]
        tuned_results, reused = _all(tuning, folder, jobs, progress)
        tuned = {cell.name: best_mu(cell, tuned_results) for cell in cells if cell.mus}
        trials = [task for cell in cells for task in trial_tasks(cell, tuned.get(cell.name))]
        results, more = _all(trials, folder, jobs, progress)
        write_columns(results, folder)
    return Outcome(results, tuned, reused + more)


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
    begun = folder.exists() and (not folder.is_dir() or any((folder / "cells").glob("*.json")))
    if begun and not resume:
        raise BadInput("--out", str(folder), "a new folder, or add --resume to continue")
    make_folder(folder / "cells", "--out")


def _all(tasks: list[Task], folder: Path, jobs: int, progress: Progress | None) -> tuple[list[Result], int]:
    """Results in the order of the tasks, and how many were found finished."""
    done = {task.name: result for task in tasks if (result := stored(task, folder)) is not None}
    reused = len(done)
    for result in done.values():
        _show(progress, result)
    for result in _perform_all([t for t in tasks if t.name not in done], folder, jobs):
        if result["status"] == "error":
            raise FpsError(f"{result['task']}: {result['message']}")
        done[result["task"]] = result
        _show(progress, result)
    return [done[task.name] for task in tasks], reused


def _perform_all(tasks: list[Task], folder: Path, jobs: int) -> Iterator[Result]:
    if jobs == 1 or len(tasks) <= 1:
        yield from (perform(task, folder) for task in tasks)
        return
    from joblib import Parallel, delayed

    yield from Parallel(n_jobs=jobs, return_as="generator_unordered")(
        delayed(perform)(task, folder) for task in tasks
    )


def _show(progress: Progress | None, result: Result) -> None:
    if progress:
        progress(result)
