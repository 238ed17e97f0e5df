"""Figures: Appendix E (sorted gradients, soft sparsity, norms) and energies with their frontiers.

`write_all` draws them; `thin_data` gives the same curves as a few hundred numbers, for a report.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from empirical.answer.lines import lines
from empirical.constants.pairs import Cloud, bias_cloud, noise_cloud
from empirical.constants.powerlaw import soft_sparsity
from empirical.statistics.frontier import Pair

if TYPE_CHECKING:
    from empirical.answer.estimate import Estimates

INSTANTS = 3
RANKS, ROUNDS, DIGITS = 60, 100, 5  # of thin_data: points of a sorted curve, of a series; digits of a number


def write_all(e: Estimates, folder: Path) -> list[Path]:
    """One PNG per figure; the backend needs no display."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figures: dict[str, Callable[[Any], None]] = {
        "sorted_local": lambda ax: sorted_sizes(ax, e.gradients.t, e.gradients.local, "device 0"),
        "sorted_aggregated": lambda ax: sorted_sizes(ax, e.gradients.t, e.gradients.aggregated, "aggregated"),
        "significant_coordinates": lambda ax: significant(ax, e),
        "iterate_norms": lambda ax: norms(ax, e),
        "noise": lambda ax: scatter(
            ax, noise_cloud(e.device), e.device.noise, e.device.t, "noise energy E‖ζ‖²"
        ),
        "bias": lambda ax: scatter(ax, bias_cloud(e.device), e.device.bias, e.device.t, "bias energy ‖β‖²"),
        "dissimilarity": lambda ax: dissimilarity(ax, e),
    }
    written = []
    for name, draw in figures.items():
        figure = Figure(figsize=(5, 3.6), layout="constrained")
        draw(figure.subplots())
        path = folder / f"{name}.png"
        FigureCanvasAgg(figure).print_png(str(path))
        written.append(path)
    return written


def instants(count: int) -> list[int]:
    return [int(i) for i in np.unique(np.linspace(0, count - 1, INSTANTS).round())]


def descending(v: np.ndarray) -> np.ndarray:
    size = np.sort(np.abs(v))[::-1]
    return size[size > 0]


def sorted_sizes(ax: Any, t: list[int], vectors: list[np.ndarray], which: str) -> None:
    """|g|_(i) against i at three instants, on log scales; a power law is a straight line."""
    for i in instants(len(t)):
        size = descending(vectors[i])
        ax.loglog(np.arange(1, len(size) + 1), size, label=f"round {t[i]}")
    ax.set(xlabel="rank i", ylabel="|g|₍ᵢ₎", title=f"Sorted stochastic gradient, {which}")
    ax.legend()


def significant(ax: Any, e: Estimates) -> None:
    ax.plot(e.gradients.t, [soft_sparsity(g) for g in e.gradients.aggregated], "o-", label="sp(g)")
    models = [soft_sparsity(it.w.double().cpu().numpy()) for it in e.evidence.iterates]
    ax.plot(e.gradients.t, models, "s-", label="sp(w)")
    ax.axhline(e.evidence.d, color="grey", linestyle=":", label="d")
    ax.set(xlabel="round", ylabel="‖x‖₁²/‖x‖₂²", yscale="log", title="Significant coordinates")
    ax.legend()


def norms(ax: Any, e: Estimates) -> None:
    series = e.evidence.series.get("w_norm_squared")
    if series is not None:
        ax.plot(np.arange(len(series)), np.sqrt(series), label="‖w̃_t‖")
    else:
        values = [float(it.w.double().norm()) for it in e.evidence.iterates]
        ax.plot([it.t for it in e.evidence.iterates], values, "o-", label="‖w̃_t‖")
    exact = e.evidence.series.get("v_norm_squared")
    if exact is not None:
        ax.plot(np.arange(1, len(exact) + 1), np.sqrt(exact), label="‖v_t‖ (what the sketch holds)")
    ax.set(xlabel="round", ylabel="ℓ2 norm", title="Norm of the iterates")
    ax.legend()


def scatter(ax: Any, cloud: Cloud, y: np.ndarray, t: np.ndarray, label: str) -> None:
    """Points, the lines of the frontier's pairs, and the regression lines that do not cover."""
    grid = np.linspace(0, float(cloud.x.max()) * 1.05, 200)
    shown = ax.scatter(cloud.x, y, c=t, s=14, cmap="viridis")
    ax.figure.colorbar(shown, ax=ax, label="round")
    _envelope(ax, grid, cloud.frontier())
    for line in lines(cloud.x, y, t):
        ax.plot(grid, line.slope * grid + line.intercept, "--", linewidth=1, label=line.kind)
    ax.set(xlabel="‖∇l_m‖²", ylabel=label, title=f"{label}: points and frontier")
    ax.legend()


def _envelope(ax: Any, grid: np.ndarray, pairs: list[Pair]) -> None:
    """The lowest of all admissible lines; its pieces are the frontier's vertices."""
    lowest = np.min([pair.P * grid + pair.s2 for pair in pairs], axis=0)
    ax.plot(grid, lowest, color="crimson", linewidth=1.2, label="envelope (upper limits)")


def dissimilarity(ax: Any, e: Estimates) -> None:
    spread = e.dissimilarity
    shown = ax.scatter(spread.x, spread.D2, c=spread.t, s=14, cmap="viridis")
    ax.figure.colorbar(shown, ax=ax, label="round")
    _envelope(ax, np.linspace(0, float(spread.x.max()) * 1.05, 200), spread.frontier())
    ax.set(xlabel="‖∇f‖²", ylabel="mean ‖∇l_m‖²", title="Dissimilarity: points and frontier")
    ax.legend()


def thin_data(e: Estimates) -> dict[str, Any]:
    """What the figures show, decimated: sorted sizes at three instants, sparsity, norms, energies."""
    g, d = e.gradients, e.device
    vectors = {"local": g.local, "aggregated": g.aggregated}
    return {
        "sorted": {
            name: [{"round": g.t[i]} | thin_ranks(descending(found[i])) for i in instants(len(g.t))]
            for name, found in vectors.items()
        },
        "significant": {
            "round": g.t,
            "gradient": rounded([soft_sparsity(v) for v in g.aggregated]),
            "model": rounded([soft_sparsity(it.w.double().cpu().numpy()) for it in e.evidence.iterates]),
        },
        "norms_squared": {
            name: thin_series(e.evidence.series[name])
            for name in ("w_norm_squared", "v_norm_squared", "grad_norm_squared", "residual_squared")
            if name in e.evidence.series
        },
        "energies": {
            "round": d.t.tolist(),
            "x": rounded(d.x),
            "noise": rounded(d.noise),
            "bias": rounded(d.bias),
        },
    }


def thin_ranks(size: np.ndarray) -> dict[str, list[float]]:
    """RANKS ranks, evenly spaced on a log scale, first and last among them."""
    at = np.unique(np.geomspace(1, len(size), RANKS).round().astype(int))
    return {"rank": at.tolist(), "size": rounded(size[at - 1])}


def thin_series(values: np.ndarray) -> dict[str, list[float]]:
    at = np.unique(np.linspace(0, len(values) - 1, ROUNDS).round().astype(int))
    return {"index": at.tolist(), "value": rounded(values[at])}


def rounded(values: Any) -> list[float]:
    return [float(f"{value:.{DIGITS}g}") for value in values]
