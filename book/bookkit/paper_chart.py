"""Paper against measurement in one picture: a ring for the paper, a filled mark for what was measured."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from fpsverify.grids.statistics import summarise
from fpsverify.report.svg import Axis, figure, fitted, number
from fpsverify.reproduce.budgets import Budget
from fpsverify.reproduce.figures import COLOURS
from fpsverify.reproduce.paper import LABELS, printed
from fpsverify.reproduce.tables import Results

ROW, GAP, LEFT, RIGHT, TOP, BOTTOM, WIDTH = 21, 13, 130, 16, 8, 50, 640

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
        parts.append(_marks(paper, means, x.at, y, COLOURS[label]))
    legend = (
        '<div class="fps-legend"><span>○ the paper</span><span>● measured after equal gradient steps</span>'
        "<span>◆ measured at the channel uses of FPS</span></div>"
    )
    return figure("".join(parts), caption, legend, (WIDTH, height))


def _marks(
    paper: float | None, means: dict[Budget, float], place: Callable[[float], float], y: float, colour: str
) -> str:
    marks = ""
    if "uses" in means:
        c = place(means["uses"])
        marks += f'<path d="M{c - 6:.1f},{y} l6,-6 l6,6 l-6,6 Z" fill="{colour}"/>'
    if "steps" in means:
        marks += f'<circle cx="{place(means["steps"]):.1f}" cy="{y}" r="5" fill="{colour}"/>'
    if paper is not None:
        ring = f'fill="none" stroke="{colour}" stroke-width="2.4"'
        marks += f'<circle cx="{place(paper):.1f}" cy="{y}" r="5.5" {ring}/>'
    return marks
