"""Run the tasks of a grid, parallel over tasks. Kill it any time and resume.

Each finished task has a file of its own (executors.py says where tasks run and who stores them). At the end
all runs are merged into `results.parquet` and their curves into `curves.parquet`. A resumed grid runs only
what is in neither place. Tasks of equal config are run once, and runs of other grids can be taken over.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fpsverify.errors import BadInput, FpsError
from fpsverify.files import make_folder, only_one
from fpsverify.grids.executors import Executor, Here
from fpsverify.grids.store import collect, holds_grid, read_columns
from fpsverify.grids.task import Result, Task, is_of, stored, taken_over

Progress = Callable[[Result], None]


@dataclass(frozen=True)
class Done:
    """Results in the order of their tasks.

    `reused` counts the tasks that an earlier run had finished, `shared` those that are the same run as
    another one, of this grid or of another.
    """

    results: list[Result]
    reused: int
    shared: int


@dataclass(frozen=True)
class Grid:
    """An open folder, the place where tasks run, and finished runs of other grids by config."""

    folder: Path
    where: Executor = field(default_factory=Here)
    progress: Progress | None = None
    known: dict[str, Result] = field(default_factory=dict)

    def run(self, tasks: list[Task]) -> Done:
        done = self._finished(tasks)
        reused = len(done)
        known = self.known | {r["config_digest"]: r for r in done.values()}
        left = [t for t in tasks if t.name not in done]
        same = [t for t in left if t.config.digest() in known]
        done |= {t.name: taken_over(t, known[t.config.digest()], self.folder) for t in same}
        for result in done.values():
            self._show(result)
        twins = _by_config(t for t in left if t.name not in done)
        for result in self.where.results([first for first, *_ in twins.values()], self.folder):
            if result["status"] == "error":
                raise FpsError(f"{result['task']}: {result['message']}")
            _, *others = twins[result["config_digest"]]
            for found in (result, *(taken_over(task, result, self.folder) for task in others)):
                done[found["task"]] = found
                self._show(found)
        return Done([done[task.name] for task in tasks], reused, len(left) - len(twins))

    def _finished(self, tasks: list[Task]) -> dict[str, Result]:
        columns = {r["task"]: r for r in read_columns(self.folder)}
        found = {}
        for task in tasks:
            result = stored(task, self.folder) or columns.get(task.name)
            if result is not None and is_of(task, result):
                found[task.name] = result
        return found

    def _show(self, result: Result) -> None:
        if self.progress:
            self.progress(result)


@contextlib.contextmanager
def opened(
    folder: Path,
    where: Executor | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    other: Iterable[Result] = (),
) -> Iterator[Grid]:
    """The grid in `folder`, held for this process; at the end all its runs are merged.

    Without `where`, tasks run in this process. Runs of `other` grids that have the config of a task are not
    run again.
    """
    demand_free(folder, resume)
    make_folder(folder / "cells", "--out")
    with only_one(folder):
        yield Grid(folder, where or Here(), progress, {r["config_digest"]: r for r in other})
        collect(folder)


def demand_free(folder: Path, resume: bool) -> None:
    """A folder in which no grid was begun, unless it is to go on."""
    if not resume and folder.exists() and (not folder.is_dir() or holds_grid(folder)):
        raise BadInput("--out", str(folder), "a new folder, or add --resume to continue")


def _by_config(tasks: Iterable[Task]) -> dict[str, list[Task]]:
    """Tasks that are one and the same run, by the digest of their config."""
    found: dict[str, list[Task]] = {}
    for task in tasks:
        found.setdefault(task.config.digest(), []).append(task)
    return found
