"""Figures of an estimate: Appendix E (sorted gradients, soft sparsity, norms) and energies with frontiers.

`thin_data` keeps what they show as a few hundred numbers; the figures are drawn from these, so that a stored
estimate can be drawn as well.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from empirical.constants.powerlaw import soft_sparsity
from fpsverify.figure import new_figure

if TYPE_CHECKING:
    from empirical.answer.estimate import Estimates

INSTANTS = 3
RANKS, ROUNDS, DIGITS = 60, 100, 5  # of thin_data: points of a sorted curve, of a series; digits of a number
Values = dict[str, Any]


def thin_data(e: Estimates) -> Values:
    """What the figures show, decimated: sorted sizes at three instants, sparsity, norms, energies."""
    g, d, spread = e.gradients, e.device, e.dissimilarity
    vectors = {"local": g.local, "aggregated": g.aggregated}
    names = ("w_norm_squared", "v_norm_squared", "grad_norm_squared", "residual_squared", "loss")
    at = spaced(len(spread.t))
    models = [it for it in e.evidence.iterates if it.t in g.t]
    return {
        "sorted": {
            name: [{"round": g.t[i]} | thin_ranks(descending(found[i])) for i in instants(len(g.t))]
            for name, found in vectors.items()
        },
        "significant": {
            "round": g.t,
            "gradient": rounded([soft_sparsity(v) for v in g.aggregated]),
            "model": rounded([soft_sparsity(it.w.double().cpu().numpy()) for it in models]),
        },
        "norms_squared": {
            name: thin_series(e.evidence.series[name]) for name in names if name in e.evidence.series
        },
        "energies": {
            "round": d.t.tolist(),
            "x": rounded(d.x),
            "noise": rounded(d.noise),
            "bias": rounded(d.bias),
        },
        "dissimilarity": {
            "round": spread.t[at].tolist(),
            "x": rounded(spread.x[at]),
            "D2": rounded(spread.D2[at]),
        },
    }


def instants(count: int) -> list[int]:
    return [int(i) for i in np.unique(np.linspace(0, count - 1, INSTANTS).round())]


def spaced(count: int) -> np.ndarray:
    return np.unique(np.linspace(0, count - 1, ROUNDS).round().astype(int))


def descending(v: np.ndarray) -> np.ndarray:
    size = np.sort(np.abs(v))[::-1]
    return size[size > 0]


def thin_ranks(size: np.ndarray) -> dict[str, list[float]]:
    """RANKS ranks, evenly spaced on a log scale, first and last among them."""
    at = np.unique(np.geomspace(1, len(size), RANKS).round().astype(int))
    return {"rank": at.tolist(), "size": rounded(size[at - 1])}


def thin_series(values: np.ndarray) -> dict[str, list[float]]:
    at = spaced(len(values))
    return {"index": at.tolist(), "value": rounded(values[at])}


def rounded(values: Any) -> list[float]:
    return [float(f"{value:.{DIGITS}g}") for value in values]


def write_all(values: Values, folder: Path) -> list[Path]:
    """One PNG per figure; the backend needs no display."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    written = []
    for name, draw in FIGURES.items():
        figure = new_figure(5, 3.6)
        draw(figure.subplots(), values)
        path = folder / f"{name}.png"
        FigureCanvasAgg(figure).print_png(str(path))
        written.append(path)
    return written


def draw_all(values: Values) -> Any:
    """All of them on one matplotlib figure."""
    figure = new_figure(15, 11)
    for ax, draw in zip(figure.subplots(3, 3).flat, FIGURES.values(), strict=False):
        draw(ax, values)
    for ax in figure.axes[len(FIGURES) : 9]:
        ax.set_axis_off()
    return figure


def sorted_sizes(name: str, which: str, ax: Any, values: Values) -> None:
    """|g|_(i) against i at three instants, on log scales; a power law is a straight line."""
    for curve in values["curves"]["sorted"][name]:
        ax.loglog(curve["rank"], curve["size"], label=f"round {curve['round']}")
    ax.set(xlabel="rank i", ylabel="|g|₍ᵢ₎", title=f"Sorted stochastic gradient, {which}")
    ax.legend()


def significant(ax: Any, values: Values) -> None:
    found = values["curves"]["significant"]
    ax.plot(found["round"], found["gradient"], "o-", label="sp(g)")
    ax.plot(found["round"], found["model"], "s-", label="sp(w)")
    ax.axhline(values["run"]["d"], color="grey", linestyle=":", label="d")
    ax.set(xlabel="round", ylabel="‖x‖₁²/‖x‖₂²", yscale="log", title="Significant coordinates")
    ax.legend()


def norms(ax: Any, values: Values) -> None:
    series = values["curves"]["norms_squared"]
    for name, label, first in (
        ("w_norm_squared", "‖w̃_t‖", 0),
        ("v_norm_squared", "‖v_t‖ (what the sketch holds)", 1),
    ):
        if name in series:
            ax.plot(np.array(series[name]["index"]) + first, np.sqrt(series[name]["value"]), label=label)
    ax.set(xlabel="round", ylabel="ℓ2 norm", title="Norm of the iterates")
    ax.legend(*ax.get_legend_handles_labels())


def energies(name: str, label: str, ax: Any, values: Values) -> None:
    """Points, and the lowest line over all of them."""
    found = values["curves"]["energies"]
    _cloud(ax, found["x"], found[name], found["round"], values["details"][f"{name}_frontier"])
    ax.set(xlabel="‖∇l_m‖²", ylabel=label, title=f"{label}: points and frontier")


def dissimilarity(ax: Any, values: Values) -> None:
    found = values["curves"]["dissimilarity"]
    _cloud(ax, found["x"], found["D2"], found["round"], values["details"]["dissimilarity_frontier"])
    ax.set(xlabel="‖∇f‖²", ylabel="mean ‖∇l_m‖²", title="Dissimilarity: points and frontier")


def _cloud(ax: Any, x: list[float], y: list[float], t: list[int], pairs: list[list[float]]) -> None:
    """The envelope is the lowest of all admissible lines; its pieces are the frontier's vertices."""
    grid = np.linspace(0, max(x) * 1.05, 200)
    ax.figure.colorbar(ax.scatter(x, y, c=t, s=14, cmap="viridis"), ax=ax, label="round")
    lowest = np.min([P * grid + s2 for P, s2 in pairs], axis=0)
    ax.plot(grid, lowest, color="crimson", linewidth=1.2, label="envelope (upper limits)")
    ax.legend()


FIGURES: dict[str, Callable[[Any, Values], None]] = {
    "sorted_local": partial(sorted_sizes, "local", "device 0"),
    "sorted_aggregated": partial(sorted_sizes, "aggregated", "aggregated"),
    "significant_coordinates": significant,
    "iterate_norms": norms,
    "noise": partial(energies, "noise", "noise energy E‖ζ‖²"),
    "bias": partial(energies, "bias", "bias energy ‖β‖²"),
    "dissimilarity": dissimilarity,
}
