"""A grid of the paper: first the tuning of μ on held-out rows, then the trials with the μ that won."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from fpsverify.grids.executors import Executor
from fpsverify.grids.runner import Progress, opened
from fpsverify.grids.task import Result, Task
from fpsverify.reproduce.cell import Cell


@dataclass(frozen=True)
class Outcome:
    """Results of all trials, and the μ that was chosen for each tuned cell; see runner.py for the counts."""

    trials: list[Result]
    tuned: dict[str, float]
    reused: int
    shared: int = 0


def tuning_tasks(cell: Cell) -> list[Task]:
    return [_task(cell, "tuning", i, mu) for i, mu in enumerate(cell.mus)]


def trial_tasks(cell: Cell, mu: float | None) -> list[Task]:
    return [_task(cell, "trial", i, mu) for i in range(cell.trials)]


def _task(cell: Cell, kind: str, number: int, mu: float | None) -> Task:
    config = cell.trial(number, mu) if kind == "trial" else cell.tuning(mu or 0.0)
    return Task(cell.name, kind, number, config, {**cell.labels, "mu": config.local.mu})


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
    """All results of the grid; they are also in `folder`. The options are those of `opened`."""
    with opened(folder, where, resume, progress, other) as grid:
        tuning = grid.run([task for cell in cells for task in tuning_tasks(cell)])
        tuned = {cell.name: best_mu(cell, tuning.results) for cell in cells if cell.mus}
        trials = grid.run([task for cell in cells for task in trial_tasks(cell, tuned.get(cell.name))])
    reused, shared = tuning.reused + trials.reused, tuning.shared + trials.shared
    return Outcome(trials.results, tuned, reused, shared)


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
