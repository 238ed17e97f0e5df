"""Charts of the paper's experiments: paper against measurement, and what the paper leaves open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape

from fpsverify.grids.page import mean_curve
from fpsverify.grids.statistics import summarise
from fpsverify.grids.store import final_point
from fpsverify.reproduce.budgets import Budget
from fpsverify.reproduce.paper import LABELS, printed
from fpsverify.reproduce.tables import Results, main_metric

from ..charts import Axis, Series, figure, fitted, line_chart, number
from ..palette import ALGORITHMS, colour
from .tables import Cell

ROW, GAP, LEFT, RIGHT, TOP, BOTTOM, WIDTH = 21, 13, 130, 16, 8, 50, 640

NAMES = {"mnist": "MNIST", "fashion": "Fashion-MNIST", "synthetic": "Regression"}
Line = tuple[int, str, float | None, dict[Budget, float]]  # scenario, algorithm, paper, measured, in percent


def lines(results: Results, dataset: str, sigma: float) -> list[Line]:
    """Every algorithm of every scenario that has a measurement."""
    found: list[Line] = []
    budgets: tuple[Budget, Budget] = ("steps", "uses")
    for scenario in (1, 2, 3, 4):
        for label in LABELS:
            means = {}
            for budget in budgets:
                values = results.measured(dataset, scenario, sigma, label, "accuracy", budget)
                summary = summarise(list(values.values()))
                if summary is not None:
                    means[budget] = 100 * summary.mean
            paper = printed(dataset, scenario, sigma, label)
            if means:
                found.append((scenario, label, paper.mean if paper else None, means))
    return found


def accuracy_chart(results: Results, dataset: str, sigma: float, caption: str) -> str:
    """One row per algorithm and scenario; empty if nothing was measured."""
    rows = lines(results, dataset, sigma)
    if not rows:
        return ""
    scenarios = list(dict.fromkeys(row[0] for row in rows))
    height = TOP + ROW * len(rows) + GAP * (len(scenarios) - 1) + BOTTOM
    x = fitted(Axis("", low=0.0, high=100.0), [0.0, 100.0], LEFT, WIDTH - RIGHT)
    parts = []
    for tick in x.ticks():
        at = x.at(tick)
        parts.append(
            f'<line class="fps-grid" x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{height - BOTTOM}"/>'
        )
        parts.append(
            f'<text x="{at:.1f}" y="{height - BOTTOM + 19}" text-anchor="middle">{number(tick)}</text>'
        )
    parts.append(f'<text x="{(LEFT + WIDTH) / 2}" y="{height - 7}" text-anchor="middle">accuracy in %</text>')
    for i, (scenario, label, paper, means) in enumerate(rows):
        y = TOP + ROW * (i + 0.5) + GAP * scenarios.index(scenario)
        parts.append(
            f'<text x="{LEFT - 9}" y="{y + 5:.1f}" text-anchor="end">S{scenario} {escape(label)}</text>'
        )
        places = [x.at(v) for v in (paper, *means.values()) if v is not None]
        parts.append(
            f'<line class="fps-axis" x1="{min(places):.1f}" x2="{max(places):.1f}" y1="{y}" y2="{y}"/>'
        )
        parts.append(_marks(paper, means, x.at, y, colour(ALGORITHMS[label])))
    legend = (
        '<div class="fps-legend"><span>○ the paper</span><span>● measured after equal gradient steps</span>'
        "<span>◆ measured at the channel uses of FPS</span></div>"
    )
    return figure("".join(parts), caption, legend, (WIDTH, height))


def _marks(
    paper: float | None, means: dict[Budget, float], place: Callable[[float], float], y: float, shade: str
) -> str:
    marks = ""
    if "uses" in means:
        c = place(means["uses"])
        marks += f'<path d="M{c - 6:.1f},{y} l6,-6 l6,6 l-6,6 Z" style="fill:{shade}"/>'
    if "steps" in means:
        marks += f'<circle cx="{place(means["steps"]):.1f}" cy="{y}" r="5" style="fill:{shade}"/>'
    if paper is not None:
        ring = f'fill="none" style="stroke:{shade}" stroke-width="2.4"'
        marks += f'<circle cx="{place(paper):.1f}" cy="{y}" r="5.5" {ring}/>'
    return marks


def panels(results: Results, dataset: str, sigma: float) -> Iterator[str]:
    """One chart per scenario that has curves: the main metric against channel uses."""
    metric = main_metric(dataset)
    share = metric == "accuracy"
    unit, words = (100.0, "accuracy in %") if share else (1.0, metric.replace("_", " "))
    for scenario in (1, 2, 3, 4):
        series = []
        for label in LABELS:
            uses, values = mean_curve(results.cell(dataset, scenario, sigma, label), metric)
            if uses:
                series.append(Series(label, uses[1:], [unit * v for v in values[1:]], ALGORITHMS[label]))
        if series:
            fps = printed(dataset, scenario, sigma, "FPS")
            marks = [("FPS in the paper", fps.mean)] if fps else []
            yield line_chart(
                series,
                Axis("channel uses", log=True),
                Axis(words),
                "What to see: above one place of the axis all have used the channel equally often, so the "
                "best line makes the best use of it. Lines end after equally many gradient steps. "
                f"{NAMES[dataset]}, Scenario {scenario}, σ = {sigma:g}; mean of the trials.",
                marks,
            )


STEPS = (1, 2, 5, 10, 20)


def of(results: Results, reading: str) -> Cell:
    return Cell.of(results, "mnist", 2, 0.8, "FPS", reading)


def mean(results: Results, reading: str) -> float | None:
    found = of(results, reading).mean("accuracy")
    return None if found is None else 100 * found


def accuracies(results: Results, reading: str) -> list[float]:
    """The last accuracy of each trial, as a share."""
    return [final_point(r)["accuracy"] for r in of(results, reading).done]


def against_E(results: Results) -> str:
    """Accuracy against the number of local steps: the line of means, a mark for each trial."""
    done = [(E, final_point(r)) for E in STEPS for r in of(results, f"E{E}").done]
    return line_chart(
        [
            Series("FPS, mean", STEPS, [mean(results, f"E{E}") for E in STEPS], "fps"),
            Series(
                "each trial",
                [E for E, _ in done],
                [100 * p["accuracy"] for _, p in done],
                "fps",
                markers=True,
            ),
        ],
        Axis("local steps E, at equal gradient steps", log=True),
        Axis("accuracy, per cent"),
        "What to see: more local steps cost accuracy at equal gradient steps; E = 20 uses the channel a "
        "twentieth as often as E = 1. FPS, noisy MNIST, Scenario 2, μ = 0.",
    )


def shorter(gamma: float, mu: float, E: int) -> float:
    """The share of a round that the proximal term takes away: 1 − Ē/E, Ē = Σ_e (1 − γμ)^(E−1−e)."""
    return 1 - sum((1 - gamma * mu) ** e for e in range(E)) / E
