"""Accuracies for several E and μ, each at its own advised learning rate."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import Any

from .. import results

RUNS = {"demo": "the demo's network", "mnist": "MNIST, one class per device"}
STEPS, SHARES, USUAL = (1, 5, 20), (0.0, 1.0), (5, 0.0)


@dataclass(frozen=True)
class Work:
    """Accuracies in per cent by run, E and μ (as a share of 1/(γE)), and the advised rates."""

    accuracy: dict[tuple[str, int, float], list[float]]
    gamma: dict[tuple[str, int, float], float]
    made: dict[str, Any]

    @staticmethod
    def load() -> Work:
        found = results.load("local_work") or {"rows": []}
        rows = {(row["case"], row["E"], row["share"]): row for row in found["rows"]}
        return Work(
            {key: [100 * a for a in row["accuracy"]] for key, row in rows.items()},
            {key: row["gamma"] for key, row in rows.items()},
            found,
        )

    @property
    def runs(self) -> dict[str, str]:
        """Those of which every cell was measured, with their names."""
        cells = [(steps, share) for steps in STEPS for share in SHARES]
        return {case: name for case, name in RUNS.items() if all((case, *c) in self.accuracy for c in cells)}

    def in_words(self) -> str:
        """How far the usual choice is behind the best one."""
        return " and ".join(f"{self.behind(case):.1f} points on {name}" for case, name in self.runs.items())

    def mean(self, case: str, E: int, share: float) -> float:
        return fmean(self.accuracy[case, E, share])

    def behind(self, case: str) -> float:
        """Points that the usual choice, E = 5 and μ = 0, is behind the best one."""
        best = max(fmean(found) for (run, *_), found in self.accuracy.items() if run == case)
        return best - self.mean(case, *USUAL)

    def cell(self, case: str, E: int, share: float) -> str:
        found = self.accuracy[case, E, share]
        spread = f"{fmean(found):.1f} % ({min(found):.1f} … {max(found):.1f})"
        return f"{spread}<br><small>γ = {self.gamma[case, E, share]:.2g}</small>"
