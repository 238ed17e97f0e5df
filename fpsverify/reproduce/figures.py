"""The paper's Section 6 figures: test accuracy (or log test loss) of every algorithm, one panel per scenario.

The horizontal axis is the number of channel uses, which is what algorithms compete for; a diamond marks the
last evaluation, where all have taken the same number of gradient steps. Dotted lines are the paper's values.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fpsverify.figure import new_figure
from fpsverify.files import write_text
from fpsverify.grids.page import mean_curve, svg
from fpsverify.reproduce.paper import LABELS, printed
from fpsverify.reproduce.tables import Results, main_metric

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
