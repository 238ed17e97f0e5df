"""FPS against its rivals under another reading of what these send: who is better, where, at which budget."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from html import escape

from fpsverify.grids.statistics import Comparison, compare
from fpsverify.reproduce.budgets import Budget, values
from fpsverify.reproduce.tables import Results

from .experiments import OUTCOMES as SIGNS
from .questions import ABSENT, SCENARIOS, Cell
from .show import table

BUDGETS: tuple[Budget, ...] = ("steps", "uses")


@dataclass(frozen=True)
class Contest:
    """FPS by its default readings against one rival by `reading`, trial by trial."""

    rival: str
    scenario: int
    budget: Budget
    found: Comparison

    @property
    def outcome(self) -> str:
        return self.found.outcome


def contests(results: Results, dataset: str, sigma: float, reading: str) -> list[Contest]:
    """Every pair that has been run."""
    found = []
    for (data, scenario, noise, rival, name), cell in results.by_cell.items():
        if (data, noise, name) != (dataset, sigma, reading) or rival == "FPS":
            continue
        fps = results.fps(dataset, scenario, sigma)
        own = values(fps, "accuracy", "steps", fps)
        for budget in BUDGETS:
            against = compare(own, values(cell, "accuracy", budget, fps), "accuracy")
            if against is not None:
                found.append(Contest(rival, scenario, budget, against))
    return found


def contest_table(results: Results, dataset: str, sigma: float, reading: str) -> str:
    """Accuracies of FPS and of the rivals, each with the outcome for FPS at equal steps and at equal uses."""
    signs = {
        (c.rival, c.scenario, c.budget): SIGNS[c.outcome] for c in contests(results, dataset, sigma, reading)
    }
    fps = [_mean(Cell(tuple(results.fps(dataset, s, sigma)), 0)) for s in SCENARIOS]
    rows = [["FPS", *fps]]
    for rival in dict.fromkeys(rival for rival, _, _ in signs):
        cells = [Cell.of(results, dataset, s, sigma, rival, reading) for s in SCENARIOS]
        marks = ["".join(signs.get((rival, s, budget), "") for budget in BUDGETS) for s in SCENARIOS]
        shown = [f"{_mean(cell)} {mark}".strip() for cell, mark in zip(cells, marks, strict=True)]
        rows.append([escape(rival), *shown])
    return table(["accuracy %", *(f"S{s}" for s in SCENARIOS)], rows, "fps-numbers")


def tally(results: Results, dataset: str, sigma: float, reading: str) -> str:
    """How often FPS is better, in words."""
    parts = []
    for budget, words in zip(BUDGETS, ("at equal gradient steps", "at equal channel uses"), strict=True):
        found = [c for c in contests(results, dataset, sigma, reading) if c.budget == budget]
        counts = Counter(c.outcome for c in found)
        said = ", ".join(f"{counts[outcome]} {outcome}" for outcome in SIGNS if counts[outcome])
        parts.append(f"{words}, FPS in {len(found)} comparisons: {said or ABSENT}")
    return "; ".join(parts)


def _mean(cell: Cell) -> str:
    return cell.percent("accuracy")
