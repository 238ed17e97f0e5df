"""Several runs or cells of a sweep side by side: which is best, by how much, and is that more than chance?"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from fpsverify.config import RunConfig
from fpsverify.errors import BadInput, FpsError, needs
from fpsverify.grids import cells as grid_cells
from fpsverify.grids.cells import Cell
from fpsverify.grids.executors import executor
from fpsverify.grids.runner import Progress
from fpsverify.grids.statistics import Best, best
from fpsverify.grids.store import holds_grid, read_results
from fpsverify.grids.sweep import axes_of, plan, run_sweep, unfinished
from fpsverify.grids.task import Result, evaluated
from fpsverify.status import demand_callable

if TYPE_CHECKING:
    from fpsverify.own.federation import Federation


@dataclass(frozen=True, repr=False)
class Compared:
    """`cells` differ in some key; runs of a cell in their seed alone. `unfinished`: sweeps with runs missing.

    summary() is the answer and the table as text, to_frame() a pandas table with one row per cell, plot() a
    matplotlib figure; notebooks show the page.
    """

    cells: tuple[Cell, ...]
    unfinished: tuple[str, ...] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        return grid_cells.metrics(self.cells)

    def best(self, metric: str) -> Best[int] | None:
        """The number of the best cell; none if they measure different things.

        A cell in which some run diverged is out of the contest.
        """
        if self.unlike(metric):
            return None
        sound = {i: cell.values(metric) for i, cell in enumerate(self.cells) if not cell.diverged}
        return best(sound, metric)

    def unlike(self, metric: str) -> tuple[str, ...]:
        """What keeps this metric from being compared: cells with it differ in data, test rows or loss."""
        found = [cell.yardstick(metric) for cell in self.cells if cell.values(metric)]
        return tuple(name for name in (found[0] if found else ()) if len({one[name] for one in found}) > 1)

    def contests(self) -> dict[str, Any]:
        """Metric → the best cell, those it beats beyond chance, and those that it may only seem to beat."""
        found = {metric: self.best(metric) for metric in self.metrics}
        return {metric: self._contest(one) for metric, one in found.items() if one is not None}

    def _contest(self, found: Best[int]) -> dict[str, Any]:
        names = [cell.label for cell in self.cells]
        beaten, tied = ([names[i] for i in group] for group in (found.beaten, found.tied))
        return {"cell": names[found.name], "beaten": beaten, "within_chance": tied}

    def rows(self) -> list[dict[str, Any]]:
        """One row per cell: its settings, and mean and interval of each metric over the seeds."""
        return [self._row(cell) for cell in self.cells]

    def _row(self, cell: Cell) -> dict[str, Any]:
        row: dict[str, Any] = {**cell.settings, "seeds": len(cell.results), "diverged": len(cell.diverged)}
        for metric in (*self.metrics, "uses"):
            found = cell.interval(metric)
            low, high = (found.low, found.high) if found else (None, None)
            row |= {metric: found.mean if found else None, f"{metric}_low": low, f"{metric}_high": high}
        return row

    def summary(self, detail: bool = False) -> str:
        from fpsverify.grids.words import summary

        return summary(self, detail)

    def to_frame(self) -> Any:
        with needs():
            from pandas import DataFrame

        return DataFrame(self.rows())

    def plot(self) -> Any:
        from fpsverify.grids.page import figure

        return figure(self)

    def _repr_html_(self) -> str:
        from fpsverify.grids.page import body

        return body(self)

    def __repr__(self) -> str:
        runs = sum(len(cell.results) for cell in self.cells)
        return f"Compared({len(self.cells)} cells, {runs} runs, by {', '.join(self.metrics)})"


def compared(results: list[Result], over: Sequence[str] = ()) -> Compared:
    """`over`: the keys of a sweep, in the order in which they are shown."""
    found = grid_cells.cells(results, over)
    if not grid_cells.metrics(found) and all(r["status"] == "done" for r in results):
        raise FpsError("the runs were never evaluated: nothing to compare them by")
    return Compared(found)


def compare(*runs: Any) -> Compared:
    """Compare run folders, finished sweeps (their folders), and results of fps.train or fps.run."""
    if not runs:
        raise BadInput("runs", "none", "run folders, or the folder of a sweep")
    each = [results_of(one) for one in runs]
    folders = [str(one) for one in runs if isinstance(one, (str, Path))]
    over = [key for one in folders for key in plan(Path(one)).over]
    found = _by_folder(compared([result for results in each for result in results], over), runs, each)
    twice = [one for one in dict.fromkeys(folders) if folders.count(one) > 1]
    said = [f"{one} was given more than once; it counts once." for one in twice]
    said += [
        unfinished(Path(one), (str(result["task"]) for result in results))
        for one, results in zip(runs, each, strict=True)
        if isinstance(one, (str, Path)) and "task" in results[0]
    ]
    return replace(found, unfinished=tuple(words for words in said if words))


def _by_folder(found: Compared, runs: Sequence[Any], each: list[list[Result]]) -> Compared:
    """Runs that differ in their data differ in all that makes it, too: their names tell more."""
    single = all(
        isinstance(one, (str, Path)) and "task" not in r[0] for one, r in zip(runs, each, strict=True)
    )
    if not single or not any(found.unlike(metric) for metric in found.metrics):
        return found
    names = {id(results[0]): Path(one).name for one, results in zip(runs, each, strict=True)}
    cells = [
        replace(cell, settings={"run": " ".join(names[id(r)] for r in cell.results)}) for cell in found.cells
    ]
    return replace(found, cells=tuple(cells))


def sweep(
    problem: RunConfig | Federation,
    over: Mapping[str, Iterable[Any]],
    *,
    seeds: int = 3,
    out: str | Path | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    trust: bool = False,
    **options: Any,
) -> Compared:
    """Run every combination of the values with every seed, and compare them.

        fps.sweep(federation, {"local.gamma": [0.01, 0.1]}, rounds=50).summary()

    problem    a RunConfig, or a Federation with the options of fps.train
    over       key of the config → values; `fpsverify config` lists the keys
    seeds      runs of each combination: the seed of the config and those after it
    out        a folder; with resume=True a sweep in it goes on (None: nothing is kept)
    jobs       processes of this machine; or scheduler, the address of a Dask cluster
    progress   called with each result
    trust      run the Python file that a RunConfig names as its problem
    """
    for name, number in (("seeds", seeds), ("jobs", jobs)):
        if not isinstance(number, Integral) or number < 1:
            raise BadInput(name, number, "a whole number, at least 1")
    if progress is not None:
        demand_callable(progress)
    chosen = axes_of(over)
    own = None if isinstance(problem, RunConfig) else problem
    if isinstance(problem, RunConfig):
        if options:
            raise BadInput("options", ", ".join(options), "none beside a RunConfig, which has them")
        config = problem
    else:
        from fpsverify.own.training import demand_federation, run_config

        demand_federation(problem, "problem", "a Federation or a RunConfig")
        config = run_config(problem, **options)
    with contextlib.ExitStack() as stack:
        folder = Path(out or stack.enter_context(TemporaryDirectory()))
        where = stack.enter_context(executor(jobs, scheduler))
        done = run_sweep(config, chosen, seeds, folder, where, resume, progress, own, trust)
    return compared(done.results, [axis.key for axis in chosen])


def results_of(run: Any) -> list[Result]:
    """All trials of a sweep or grid, in the order of its plan, or the one result of a run, also in memory."""
    if not isinstance(run, (str, Path)):
        return [_of_memory(run)]
    folder = Path(run)
    if holds_grid(folder):
        return _as_planned([r for r in read_results(folder) if r["kind"] == "trial"], plan(folder).runs)
    return [_of_folder(folder)]


def _as_planned(results: list[Result], runs: Sequence[str]) -> list[Result]:
    place = {name: i for i, name in enumerate(runs)}
    return sorted(results, key=lambda result: place.get(result["task"], len(place)))


def _of_folder(folder: Path) -> Result:
    from fpsverify.runs import files

    config, rows = files.read_config(folder), files.read_rows(folder)
    if broke := files.broke_in(folder, config, rows):
        raise files.diverged(folder, config, broke)
    if files.read_summary(folder, config) is None:
        on = files.goes_on(folder, config)
        raise FpsError(f"{folder}: this run has not finished; {on} goes on with it")
    return _result(config, rows)


def _of_memory(run: Any) -> Result:
    try:
        return _result(run.config, run.rows)
    except AttributeError:
        raise BadInput("run", run, "a folder, or what fps.run or fps.train gave") from None


def _result(config: Any, rows: list[dict[str, float]]) -> Result:
    uses, curve = 0.0, []
    for row in rows:
        uses += row.get("channel_uses", 0.0)
        if evaluated(row):
            curve.append({**row, "uses": uses, "steps": row["round"] * config.local.E})
    return {"config": config.model_dump(mode="json"), "seed": config.seed, "status": "done", "curve": curve}
