"""Questions that the paper's tables raise, answered by the numbers of the stored runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from statistics import fmean

from fpsverify.grids.statistics import compare, summarise
from fpsverify.grids.store import final_point
from fpsverify.grids.task import Result
from fpsverify.reproduce.tables import Key, Results

from .show import table

SCENARIOS = (1, 2, 3, 4)
ABSENT = "–"


@dataclass(frozen=True)
class Cell:
    """The finished trials of one cell."""

    done: tuple[Result, ...]
    trials: int

    @staticmethod
    def of(results: Results, *key: object) -> Cell:
        found = results.by_cell.get(_key(*key), [])
        return Cell(tuple(r for r in found if r["status"] == "done"), len(found))

    def mean(self, metric: str) -> float | None:
        """Of a column of the stored row, or of the last evaluation."""
        found = [final_point(r).get(metric, r.get(metric)) for r in self.done]
        return fmean(float(x) for x in found) if found and None not in found else None

    def percent(self, metric: str) -> str:
        found = self.mean(metric)
        if found is None and self.trials > len(self.done):
            return f"{self.trials - len(self.done)} of {self.trials} diverged"
        return ABSENT if found is None else f"{100 * found:.1f}"

    def fall(self) -> float | None:
        """From the best evaluation of a run to its last, the largest over the trials."""
        falls = [max(p["accuracy"] for p in r["curve"]) - final_point(r)["accuracy"] for r in self.done]
        return max(falls) if falls else None


def _key(dataset: str, scenario: int, sigma: float, label: str, reading: str = "") -> Key:
    return dataset, scenario, sigma, label, reading


def zero_scores(results: Results, dataset: str, sigma: float, labels: Sequence[str]) -> str:
    """What the accuracy of each cell would be under either rule for scores of exactly zero."""
    rows = []
    for label in labels:
        for scenario in SCENARIOS:
            cell = Cell.of(results, dataset, scenario, sigma, label)
            if cell.done:
                metrics = (
                    "ties", "accuracy_ties_negative", "accuracy_ties_positive", "majority",
                    "balanced_accuracy", "auc",
                )  # fmt: skip
                rows.append([escape(label), f"S{scenario}", *(cell.percent(m) for m in metrics)])
    header = (
        "algorithm", "scenario", "scores of exactly zero %", "accuracy % if these count as no click",
        "… as a click", "share of no click %", "balanced %", "AUC %",
    )  # fmt: skip
    return table(header, rows)


NOISES = {"": "on the sum", "noise-avg": "on the average", "noise-grad": "at gradient scale"}


def survivable(results: Results, dataset: str, sigma: float) -> str:
    """AUC of FPS without noise and with it in three places; full scan and scan of the support.

    FedProx, which sends all coordinates, shows what could be learned at all.
    """

    def row(scan: str, where: str, s: float, label: str, reading: str) -> list[str]:
        cells = [Cell.of(results, dataset, scenario, s, label, reading) for scenario in SCENARIOS]
        snr = cells[0].mean("snr_db")
        return [scan, where, ABSENT if snr is None else f"{snr:.1f}", *(c.percent("auc") for c in cells)]

    rows = [row("nothing is compressed (FedProx)", "no noise", 0.0, "FedProx", "")]
    rows.append(row("nothing is compressed (FedProx)", "on the sum", sigma, "FedProx", ""))
    for scan, words in (("", "all d coordinates"), ("scan-support", "coordinates that occur")):
        rows.append(row(words, "no noise", 0.0, "FPS", scan))
        for place, where in NOISES.items():
            rows.append(row(words, where, sigma, "FPS", "-".join(part for part in (place, scan) if part)))
    header = ["the server scans", f"noise of σ = {sigma:g}", "SNR dB, S1"]
    return table([*header, *(f"AUC %, S{s}" for s in SCENARIOS)], rows, "fps-numbers")


def noise_helps(results: Results, dataset: str, sigma: float, label: str, scenario: int) -> str:
    """The paired difference between noise and none, in words."""
    noisy, clean = (results.measured(dataset, scenario, s, label, "accuracy") for s in (sigma, 0.0))
    found = compare(noisy, clean, "accuracy")
    if found is None:
        return f"{escape(label)} in Scenario {scenario} has not been run with and without noise."
    with_noise, without = (summarise(list(x.values())) for x in (noisy, clean))
    assert with_noise and without
    return (
        f"{escape(label)} reaches {with_noise.percent()} % with noise and {without.percent()} % without: "
        f"{100 * found.mean:+.2f} points (95 % interval {100 * found.low:+.2f} … {100 * found.high:+.2f})."
    )


def in_noise(results: Results, dataset: str, sigma: float, label: str, readings: Sequence[str]) -> str:
    """Accuracy without and with noise and the largest fall along a noisy run, by scenario and reading."""
    rows = []
    for reading in readings:
        for scenario in SCENARIOS:
            cell = Cell.of(results, dataset, scenario, sigma, label, reading)
            if not cell.trials:
                continue
            clean = Cell.of(results, dataset, scenario, 0.0, label, reading)
            fall = cell.fall()
            words = {"": "as in the table", "default": "the same, grid of readings"}.get(reading, reading)
            accuracies = (cell.percent("accuracy") for cell in (clean, cell))
            shown = ABSENT if fall is None else f"{100 * fall:.1f}"
            rows.append([escape(words), f"S{scenario}", *accuracies, shown])
    header = ("reading", "scenario", "σ = 0 %", f"σ = {sigma:g} %", "largest fall from the best, points")
    return table(header, rows)


def scanned(results: Results, dataset: str, sigma: float) -> str:
    """How many of the coordinates read out occur in the data, and what scanning only those changes."""
    rows = []
    for label in ("FPS", "FetchSGD"):
        for scan, words in (("", "all d coordinates"), ("scan-support", "coordinates that occur")):
            cells = [Cell.of(results, dataset, s, sigma, label, scan) for s in SCENARIOS]
            if not any(cell.done for cell in cells):
                continue
            of = next(cell.mean("selected") for cell in cells if cell.done)
            rows.append([escape(label), words, f"{of:.0f}", *map(_occurring, cells)])
    header = ("algorithm", "the server scans", "read out", *(f"occur (AUC %), S{s}" for s in SCENARIOS))
    return table(header, rows, "fps-numbers")


def _occurring(cell: Cell) -> str:
    inside = cell.mean("selected_in_data")
    return ABSENT if inside is None else f"{inside:.1f} ({cell.percent('auc')})"


def together(*grids: Results) -> Results:
    return Results({key: cell for grid in grids for key, cell in grid.by_cell.items()})
