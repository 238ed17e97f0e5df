"""Figures: Appendix E (sorted gradients, soft sparsity, norms) and energies with their frontiers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from empirical.frontier import Pair
from empirical.lines import lines
from empirical.pairs import Cloud, bias_cloud, noise_cloud
from empirical.powerlaw import soft_sparsity

if TYPE_CHECKING:
    from empirical.estimate import Estimates

INSTANTS = 3


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


def sorted_sizes(ax: Any, t: list[int], vectors: list[np.ndarray], which: str) -> None:
    """|g|_(i) against i at three instants, on log scales; a power law is a straight line."""
    for i in np.unique(np.linspace(0, len(t) - 1, INSTANTS).round().astype(int)):
        size = np.sort(np.abs(vectors[i]))[::-1]
        size = size[size > 0]
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
