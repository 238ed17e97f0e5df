"""Accuracies for several E and μ, each at its own advised learning rate."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from .. import results

RUNS = {"demo": "the demo", "mnist": "MNIST, one class per device"}
STEPS, SHARES = (1, 5, 20), (0.0, 1.0)


@dataclass(frozen=True)
class Work:
    """Accuracies in per cent by run, E and μ (as a share of 1/(γE)), and the advised rates."""

    accuracy: dict[tuple[str, int, float], list[float]]
    gamma: dict[tuple[str, int, float], float]
    made: dict[str, Any]
    best: dict[tuple[str, int, float], tuple[float, float]] = field(default_factory=dict)  # γ, mean there

    @staticmethod
    def load() -> Work:
        found = results.load("local_work") or {"rows": []}
        rows = {(row["case"], row["E"], row["share"]): row for row in found["rows"]}
        return Work(
            {key: [100 * a for a in row["accuracy"]] for key, row in rows.items()},
            {key: row["gamma"] for key, row in rows.items()},
            found,
            # At E = 1 a proximal term does nothing, so its grid is that without.
            {(case, E, share): _best(rows[case, E, share if E > 1 else 0.0]) for case, E, share in rows},
        )

    @property
    def runs(self) -> dict[str, str]:
        """Those of which every cell was measured, with their names."""
        cells = [(steps, share) for steps in STEPS for share in SHARES]
        return {case: name for case, name in RUNS.items() if all((case, *c) in self.accuracy for c in cells)}

    def early(self, case: str, E: int, rounds: int) -> tuple[float, float]:
        """The γ that is best after so many rounds, without a proximal term, and the mean accuracy there."""
        (row,) = (r for r in self.made["rows"] if (r["case"], r["E"], r["share"]) == (case, E, 0.0))
        tried = [(at["gamma"], 100 * fmean(at["early"][str(rounds)])) for at in (row, *row["grid"])]
        return max(tried, key=lambda each: each[1])

    def best_by_steps(self, case: str) -> str:
        """Accuracies without a proximal term, by E, each at the best γ that was tried."""
        first, *more = (f"{self.best[case, E, 0.0][1]:.1f}" for E in STEPS)
        return f"{first}, {' and '.join(more)} %"

    def gains_of_mu(self) -> list[float]:
        """What a proximal term gained in the mean, in points, each side at the best γ tried for it."""
        cells = [(case, E) for case in self.runs for E in STEPS if E > 1]
        return [self.best[case, E, 1.0][1] - self.best[case, E, 0.0][1] for case, E in cells]

    def behind(self, rounds: int = 0) -> float:
        """The most points by which one local step falls short of the best number of steps, at the best γ: at
        the end, or after so many rounds."""
        reached = {
            (case, E): (self.early(case, E, rounds) if rounds else self.best[case, E, 0.0])[1]
            for case in self.runs
            for E in STEPS
        }
        return max(max(reached[case, E] for E in STEPS) - reached[case, 1] for case in self.runs)

    def room(self, case: str) -> str:
        """The best γ over the advised one, by E, without a proximal term."""
        first, *more = (f"{self.best[case, E, 0.0][0] / self.gamma[case, E, 0.0]:.2g}" for E in STEPS)
        return f"{first}, {' and '.join(more)}"

    def mean(self, case: str, E: int, share: float) -> float:
        return fmean(self.accuracy[case, E, share])

    def cell(self, case: str, E: int, share: float) -> str:
        found = self.accuracy[case, E, share]
        spread = f"{fmean(found):.1f} %<br><small>({min(found):.1f} … {max(found):.1f})</small>"
        return f"{spread}<br><small>@ {self.gamma[case, E, share]:.2g}</small>"

    def best_cell(self, case: str, E: int, share: float) -> str:
        return _at(*self.best[case, E, share])

    def early_cell(self, case: str, E: int, rounds: int) -> str:
        return _at(*self.early(case, E, rounds))


def _at(gamma: float, mean: float) -> str:
    return f"{mean:.1f} %<br><small>@ {gamma:.2g}</small>"


def _best(row: dict[str, Any]) -> tuple[float, float]:
    """The γ with the largest mean accuracy in per cent, of the advised one and the grid around it."""
    tried = [(row["gamma"], row["accuracy"]), *((at["gamma"], at["accuracy"]) for at in row["grid"])]
    return max(((gamma, 100 * fmean(found)) for gamma, found in tried), key=lambda each: each[1])
