"""Paper against measurement: one line per cell, in Markdown, and the figures of Section 6.

A run is compared at its end (equal gradient steps) or where it had used the channel as often as FPS.

A figure has test accuracy (or log test loss) of every algorithm, one panel per scenario. Its horizontal axis
is the number of channel uses, which is what algorithms compete for; a diamond marks the last evaluation,
where all have taken the same number of gradient steps. Dotted lines are the paper's values.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from fpsverify.figure import new_figure
from fpsverify.files import write_text
from fpsverify.grids.page import mean_curve, svg
from fpsverify.grids.statistics import LOWER_IS_BETTER, Comparison, Summary, compare, summarise
from fpsverify.grids.store import final_point
from fpsverify.grids.task import Result
from fpsverify.reproduce.grid import LABELS, printed

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


UNCHANGED = ("", "default", "mu0")  # the cell of a table, of the readings, of the ablations
Key = tuple[str, int, float, str, str]  # data set, scenario, σ, algorithm, reading


@dataclass(frozen=True)
class Results:
    """All trials of one or more grids, by cell."""

    by_cell: dict[Key, list[Result]]

    @staticmethod
    def of(results: list[Result]) -> Results:
        by_cell: dict[Key, list[Result]] = {}
        for r in sorted(results, key=lambda r: r["trial"]):
            key = (r["dataset"], r["scenario"], r["sigma"], r["algorithm"], r["reading"])
            by_cell.setdefault(key, []).append(r)
        return Results(by_cell)

    def cell(self, dataset: str, scenario: int, sigma: float, label: str, reading: str = "") -> list[Result]:
        return self.by_cell.get((dataset, scenario, sigma, label, reading), [])

    def fps(self, dataset: str, scenario: int, sigma: float) -> list[Result]:
        """FPS by the default readings: the cell of a table, or that of another grid that changes nothing."""
        found = (self.cell(dataset, scenario, sigma, "FPS", reading) for reading in UNCHANGED)
        return next(filter(None, found), [])

    def with_rivals_of(self, readings: Results, reading: str) -> Results:
        """FPS as it is here, beside the rivals as they are in `readings` by that reading; nothing else."""
        rivals = {
            (*k[:4], ""): cell for k, cell in readings.by_cell.items() if k[4] == reading and k[3] != "FPS"
        }
        places = {key[:3] for key in rivals}
        fps = {(*place, "FPS", ""): self.fps(*place) for place in places}
        return Results(rivals | {key: cell for key, cell in fps.items() if cell})

    def trials(self, dataset: str) -> int:
        """How many trials a finished cell of the data set has."""
        return max((len(rs) for key, rs in self.by_cell.items() if key[0] == dataset), default=0)

    def measured(
        self, dataset: str, scenario: int, sigma: float, label: str, metric: str, budget: Budget = "steps"
    ) -> dict[int, float]:
        """Trial → metric of a cell of the table, against the channel uses of FPS in the same place."""
        fps = self.fps(dataset, scenario, sigma)
        return values(self.cell(dataset, scenario, sigma, label), metric, budget, fps)

    def fps_against(
        self, dataset: str, scenario: int, sigma: float, label: str, metric: str, budget: Budget = "steps"
    ) -> Comparison | None:
        fps = self.measured(dataset, scenario, sigma, "FPS", metric)
        return compare(fps, self.measured(dataset, scenario, sigma, label, metric, budget), metric)


def main_metric(dataset: str) -> str:
    return "log_test_loss" if dataset == "synthetic" else "accuracy"


CLASSES = (
    "| S | σ | algorithm | μ | paper | measured, equal steps | at FPS's channel uses | balanced | AUC | "
    "majority | ties | channel uses | uses to {target:.0%} | FPS better? (steps / uses) |"
)
REGRESSION = (
    "| S | σ | algorithm | μ | log test loss, equal steps | at FPS's channel uses | mse of w = 0 | "
    "channel uses | FPS better? (steps / uses) |"
)
SHARES = ("balanced_accuracy", "auc", "majority", "ties")
TARGETS = {"mnist": 0.8, "fashion": 0.7}


def table(results: Results, dataset: str) -> str:
    """Every cell of the data set that has a result, in the order of the paper, readings after the table."""
    keys = sorted(k for k in results.by_cell if k[0] == dataset)
    keys.sort(key=lambda k: (k[4] != "", k[1], k[2], LABELS.index(k[3]), k[4]))
    header = REGRESSION if dataset == "synthetic" else CLASSES.format(target=TARGETS.get(dataset, 0.9))
    rule = "|" + "---|" * (header.count("|") - 1)
    line = _regression_line if dataset == "synthetic" else _class_line
    return "\n".join([_provenance(results, dataset), "", header, rule, *(line(results, key) for key in keys)])


def _provenance(results: Results, dataset: str) -> str:
    found = [r for key, rs in results.by_cell.items() if key[0] == dataset for r in rs]
    sources = sorted({str(r.get("provenance", "")).split(":")[0] for r in found if r.get("provenance")})
    trials = results.trials(dataset)
    return f"**{dataset}**: {' and '.join(sources) or 'no'} data, mean ± std over {trials} trials."


def _common(results: Results, key: Key) -> tuple[list[Result], list[Summary | None], str, str, str]:
    dataset, scenario, sigma, label, reading = key
    cell, metric = results.by_cell[key], main_metric(dataset)
    fps = results.fps(dataset, scenario, sigma)
    budgets: tuple[Budget, Budget] = ("steps", "uses")
    measured = [summarise(list(values(cell, metric, budget, fps).values())) for budget in budgets]
    mu = ", ".join(sorted({f"{r['mu']:g}" for r in cell}))
    own = values(fps, metric, "steps", fps)
    verdicts = " / ".join(
        _better(compare(own, values(cell, metric, budget, fps), metric)) for budget in budgets
    )
    name, trials = f"{label} ({reading})" if reading else label, results.trials(dataset)
    if len(cell) < trials:
        name += f", {len(cell)} of {trials} trials"
    return cell, measured, mu, name, "" if cell is fps else verdicts


def _class_line(results: Results, key: Key) -> str:
    dataset, scenario, sigma, label, reading = key
    cell, measured, mu, name, verdicts = _common(results, key)
    paper = None if reading else printed(dataset, scenario, sigma, label)
    columns = [
        str(scenario),
        f"{sigma:g}",
        name,
        mu,
        str(paper) if paper else "",
        *(_percent(m, cell) for m in measured),
        *(_percent(_final(cell, metric), cell) for metric in SHARES),
        _uses(cell),
        _communication(cell, TARGETS.get(dataset, 0.9)),
        verdicts,
    ]
    return "| " + " | ".join(columns) + " |"


def _regression_line(results: Results, key: Key) -> str:
    _, scenario, sigma, _, _ = key
    cell, measured, mu, name, verdicts = _common(results, key)
    zero = _final(cell, "zero_mse")
    plain = [m.plain() if m else _missing(cell) for m in measured]
    baseline = zero.plain() if zero else ""
    columns = [str(scenario), f"{sigma:g}", name, mu, *plain, baseline, _uses(cell), verdicts]
    return "| " + " | ".join(columns) + " |"


def _final(cell: list[Result], metric: str) -> Summary | None:
    found = [final_point(r).get(metric) for r in cell]
    return summarise([float(x) for x in found if x is not None])


def _percent(summary: Summary | None, cell: list[Result]) -> str:
    return summary.percent() if summary else _missing(cell)


def _missing(cell: list[Result]) -> str:
    return "diverged" if any(r["status"] == "diverged" for r in cell) else "–"


def _uses(cell: list[Result]) -> str:
    uses = _final(cell, "uses")
    return f"{uses.mean:,.0f}" if uses else "–"


def _communication(cell: list[Result], target: float) -> str:
    """Mean channel uses (and bits at float32) to the first evaluation at the target, if all get there."""
    reached = [uses_to_reach(r, "accuracy", target) for r in cell]
    uses = [u for u in reached if u is not None]
    if len(uses) < len(cell):
        return f"{len(uses)} of {len(cell)} trials"
    mean = sum(uses) / len(uses)
    return f"{mean:,.0f} ({mean * BITS_PER_USE / 1e6:,.0f} Mbit)"


def _better(comparison: Comparison | None) -> str:
    if comparison is None:
        return "–"
    word = {"better": "yes", "worse": "no, worse", "undecided": "undecided"}[comparison.outcome]
    return f"{word} (p = {comparison.p:.2g})"


COLOURS = dict(zip(LABELS, ("#1b4965", "#d1495b", "#edae49", "#66a182", "#8d6a9f"), strict=True))


def figure(results: Results, dataset: str, sigma: float) -> Any:
    """Four panels for one noise level."""
    found = new_figure(10, 7)
    axes = found.subplots(2, 2, sharey=True).flatten()
    for scenario, axis in enumerate(axes, start=1):
        for label in LABELS:
            _draw(axis, results, dataset, scenario, sigma, label)
        axis.set(
            title=f"Scenario {scenario}", xlabel="channel uses", ylabel=main_metric(dataset).replace("_", " ")
        )
        axis.set_xscale("log")
    axes[0].legend(fontsize=8)
    found.suptitle(f"{dataset}, σ = {sigma:g}")
    return found


def _draw(axis: Any, results: Results, dataset: str, scenario: int, sigma: float, label: str) -> None:
    uses, values = mean_curve(results.cell(dataset, scenario, sigma, label), main_metric(dataset))
    if not uses:
        return
    axis.plot(uses[1:], values[1:], color=COLOURS[label], label=label)  # round 0 has no place on a log axis
    axis.plot(uses[-1:], values[-1:], "D", color=COLOURS[label], markersize=5)
    paper = printed(dataset, scenario, sigma, label)
    if paper:
        axis.axhline(paper.mean / 100, color=COLOURS[label], linestyle=":", linewidth=0.8)


def write_figures(results: Results, dataset: str, folder: Path) -> list[Path]:
    """One SVG per noise level that was run in the table of the data set; the same results, the same bytes."""
    written = []
    for sigma in sorted({key[2] for key in results.by_cell if key[0] == dataset and key[4] == ""}):
        path = folder / f"{dataset}-sigma{sigma:g}.svg"
        write_text(path, svg(figure(results, dataset, sigma), path.name))
        written.append(path)
    return written
