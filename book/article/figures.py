"""The figures of the article, as SVG with outlined text."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from book.article import claim_numbers, rate_numbers, sketch_numbers
from book.article.run_numbers import without_errors
from book.bookkit.palette import SHADES

PAPER, PROVED, SAFE, FATAL, QUIET = (
    SHADES[name][0] for name in ("paper", "proved", "safe", "fatal", "neutral")
)
STYLE = {
    "svg.hashsalt": "fpsverify",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "lines.linewidth": 1.4,
    "legend.frameon": False,
}
WIDTH = 6.3  # inches, the width of the text


def draw(folder: Path) -> list[Path]:
    """All figures, each as NAME.svg."""
    found = []
    makers: tuple[Callable[[], Figure], ...] = (learning_range, rates, sketch, mnist)
    for make in makers:
        with mpl.rc_context(STYLE):
            path = folder / f"{make.__name__}.svg"
            make().savefig(path, metadata={"Date": None})
        found.append(path)
    return found


def _panels(number: int, height: float) -> tuple[Figure, Any]:
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    return figure, figure.subplots(1, number, squeeze=False)[0]


def learning_range() -> Figure:
    """What the paper allows against what gradient descent can bear, and one run between the two."""
    limits = without_errors()
    allowed, turn = float(Fraction(limits["gamma"])), float(Fraction(limits["L"]))
    figure, (left, right) = _panels(2, 2.5)
    L = np.geomspace(2, 300, 200)
    left.fill_between(L, 2 / L, allowed, where=2 / L < allowed, color=FATAL, alpha=0.15, linewidth=0)
    left.plot(L, np.full_like(L, allowed), color=PAPER, label=f"the paper's range: γ ≤ {limits['gamma']}")
    left.plot(L, 2 / L, color=SAFE, label="gradient descent: γ < 2/L")
    left.plot([turn], [allowed], "o", color=FATAL, markersize=4)
    left.annotate(f"L = {limits['L']}", (turn, allowed), xytext=(4, 5), textcoords="offset points")
    left.text(290, 0.045, "allowed,\ndiverges", color=FATAL, ha="right", va="center")
    left.set(xscale="log", yscale="log", xlabel="smoothness L", ylabel="learning rate γ", ylim=(0.005, 2))
    left.legend(loc="upper right", fontsize=7)
    rounds = np.arange(13)
    for smoothness, colour in ((0.75 * turn, SAFE), (turn, QUIET), (1.25 * turn, FATAL)):
        distance = np.abs(1 - allowed * smoothness) ** rounds
        right.plot(rounds, distance, "o-", color=colour, markersize=2.5, label=f"L = {smoothness:g}")
    right.set(yscale="log", xlabel=f"round, at γ = {limits['gamma']}", ylabel="distance to the minimiser")
    right.legend(loc="upper left", fontsize=7)
    return figure


def rates() -> Figure:
    """Theorem A, certified and impossible learning rates against the number of local steps."""
    figure, panels = _panels(3, 2.2)
    for panel, B in zip(panels, (1.0, 1.5, 5.0), strict=True):
        cells = [cell for cell in rate_numbers.cells() if cell.B == B]
        E = [cell.E for cell in cells]
        panel.fill_between(E, [c.impossible for c in cells], 4, color=FATAL, alpha=0.12, linewidth=0)
        panel.plot(E, [c.theorem_a for c in cells], "s--", color=PROVED, markersize=3, label="Theorem A")
        panel.plot(E, [c.certified for c in cells], "o-", color=SAFE, markersize=3, label="certified")
        panel.plot(
            E, [c.impossible for c in cells], "_", color=FATAL, markersize=9, label="impossible from here"
        )
        panel.set(xscale="log", yscale="log", ylim=(0.03, 3), xlabel="local steps E", title=f"B = {B:g}")
        panel.set_xticks(rate_numbers.STEPS, [str(e) for e in rate_numbers.STEPS])
        panel.minorticks_off()
    panels[0].set_ylabel("learning rate times L")
    panels[0].legend(loc="lower left", fontsize=7)
    return figure


def sketch() -> Figure:
    """Just inside and just outside of the edge in sketch space; both far inside of 2/L."""
    found, shown = sketch_numbers.runs(), sketch_numbers.numbers()
    figure, (panel,) = _panels(1, 2.1)
    for curve, colour, gamma in ((found.outside, FATAL, "outside"), (found.inside, SAFE, "inside")):
        panel.plot(
            curve[1], color=colour, label=f"γ = {shown[gamma]}, just {gamma} 2/L$_A$ = {shown['edge']}"
        )
    panel.set(yscale="log", xlabel="round", ylabel="‖S∇f‖², relative", xlim=(0, len(found.inside[1]) - 1))
    panel.legend(loc="center right", fontsize=7)
    return figure


def mnist() -> Figure:
    """Accuracy on noisy MNIST: rings are the paper's, dots are ours."""
    figure, panels = _panels(4, 1.9)
    rows = claim_numbers.accuracies()
    for panel, scenario in zip(panels, (1, 2, 3, 4), strict=True):
        cells = [row for row in rows if row["scenario"] == scenario][::-1]
        for place, cell in enumerate(cells):
            theirs, ours = float(cell["paper"]), float(cell["ours"])
            panel.plot([theirs, ours], [place, place], color="#C9CED6", zorder=1, linewidth=1)
            panel.plot(theirs, place, "o", markerfacecolor="white", color=PAPER, markersize=4.5)
            panel.plot(ours, place, "o", color=PROVED, markersize=4)
        labels = [cell["label"] for cell in cells] if scenario == 1 else [""] * len(cells)
        panel.set_yticks(range(len(cells)), labels)
        panel.set(xlim=(0, 100), title=f"Scenario {scenario}", xlabel="accuracy in %")
    return figure
