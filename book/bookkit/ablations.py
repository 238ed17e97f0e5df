"""Charts of what the paper leaves open: E, μ, k and K against accuracy (marks: trials, lines: means)."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from fpsverify.grids.store import final_point
from fpsverify.report.svg import COLOURS, Axis, Series, line_chart
from fpsverify.reproduce.budgets import values
from fpsverify.reproduce.tables import Results

from .questions import Cell

STEPS = (1, 2, 5, 10, 20)
MUS = (0.01, 0.1, 1.0)
ADAPTIVE = (0, 1)
SELECTED = (2000, 5000, 10_000)
SUBCARRIERS = (5000, 10_000, 20_000)
ACCURACY = Axis("accuracy, per cent")


def of(results: Results, reading: str) -> Cell:
    return Cell.of(results, "mnist", 2, 0.8, "FPS", reading)


def mean(results: Results, reading: str) -> float | None:
    found = of(results, reading).mean("accuracy")
    return None if found is None else 100 * found


def accuracies(results: Results, reading: str) -> dict[int, float]:
    """Trial → last accuracy."""
    return {r["trial"]: final_point(r)["accuracy"] for r in of(results, reading).done}


def mean_at_default_uses(results: Results, reading: str) -> float:
    """What the cell had reached when it had used the channel as often as FPS by default uses it in all."""
    place = "mnist", 2, 0.8
    found = values(results.cell(*place, "FPS", reading), "accuracy", "uses", results.fps(*place))
    return 100 * fmean(found.values())


def spread(
    results: Results, name: str, at: Sequence[float], readings: Sequence[str], i: int = 0
) -> list[Series]:
    """The line of means and, in its colour, a mark for each trial."""
    found = [(x, r) for x, reading in zip(at, readings, strict=True) for r in of(results, reading).done]
    line = Series(name, at, [mean(results, reading) for reading in readings], COLOURS[i])
    marks = [100 * final_point(r)["accuracy"] for _, r in found]
    return [line, Series(f"{name}, each trial", [x for x, _ in found], marks, COLOURS[i], markers=True)]


def against_E(results: Results) -> str:
    return line_chart(
        spread(results, "FPS", STEPS, [f"E{E}" for E in STEPS]),
        Axis("local steps E, at equal gradient steps", log=True, low=0.8, high=25),
        ACCURACY,
        "More local steps mean fewer rounds: E = 20 uses the channel a twentieth as often as E = 1. μ = 0.",
    )


def against_mu(results: Results) -> str:
    others = {"μ = 0": "mu0"} | {f"adaptive, from {start}": f"mu-adaptive-from-{start}" for start in ADAPTIVE}
    levels = [(name, level) for name, r in others.items() if (level := mean(results, r)) is not None]
    return line_chart(
        spread(results, "μ fixed", MUS, [f"mu{mu:g}" for mu in MUS]),
        Axis("proximal weight μ", log=True),
        ACCURACY,
        "Horizontal lines: no proximal term, and μ that follows the loss (FedProx's heuristic).",
        levels,
    )


def against_k_and_K(results: Results) -> str:
    found = [
        spread(results, f"K = {K:,}", SELECTED, [f"k{k}-K{K}" for k in SELECTED], i)
        for i, K in enumerate(SUBCARRIERS)
    ]
    lines, marks = zip(*found, strict=True)
    return line_chart(
        [*lines, *marks],
        Axis("coordinates k that the server reads out"),
        ACCURACY,
        "Coordinates read out, for three numbers K of subcarriers (5 rows of K/5 buckets). μ = 0.",
    )
