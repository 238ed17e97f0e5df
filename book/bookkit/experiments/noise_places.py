"""Noisy MNIST with the noise where the paper prints it, which is not where our verdicts have it."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from fpsverify.grids.statistics import Comparison
from fpsverify.reproduce.budgets import Budget
from fpsverify.reproduce.tables import Results

SIGMA = 0.8
SCENARIOS = (1, 2)  # those that were run with the noise in other places
RIVALS = ("FetchSGD", "BLCD", "Top-k", "FedProx")
BUDGETS: tuple[Budget, ...] = ("steps", "uses")

# The readings of FPS. Its rivals send gradients with noise on the average: γ multiplies both after the
# channel, so theirs is the noise of Algorithm 1 and of equations (3) and (4).
RIVALS_READING = "noise-avg"
ALGORITHM_1 = "noise-avg"
EQUATIONS_3_4 = "noise-grad"
EQUATIONS_3_4_ADDED_UP = "noise-grad-accum"


@dataclass(frozen=True)
class Standing:
    """FPS beside its rivals with the noise in one place."""

    results: Results

    @staticmethod
    def of(readings: Results, fps: str) -> Standing:
        return Standing(readings.with_rivals_of(readings, RIVALS_READING).with_fps_of(readings, fps))

    def mean(self, scenario: int, label: str, metric: str = "accuracy") -> float:
        """Over the trials, at the end."""
        return fmean(self.results.measured("mnist", scenario, SIGMA, label, metric).values())

    def fps(self, metric: str = "accuracy") -> list[float]:
        """By scenario."""
        return [self.mean(scenario, "FPS", metric) for scenario in SCENARIOS]

    def rivals(self, metric: str = "accuracy") -> list[float]:
        """In all scenarios."""
        return [self.mean(scenario, label, metric) for scenario in SCENARIOS for label in RIVALS]

    def ahead(self) -> list[bool]:
        """By scenario: is FPS above all rivals in the mean, at equal gradient steps?"""
        best = [max(self.mean(scenario, label) for label in RIVALS) for scenario in SCENARIOS]
        return [own > other for own, other in zip(self.fps(), best, strict=True)]

    def outcomes(self) -> list[str]:
        """Of FPS against each rival, in each scenario, at both budgets."""
        return [self._against(s, label, b).outcome for b in BUDGETS for s in SCENARIOS for label in RIVALS]

    def _against(self, scenario: int, label: str, budget: Budget) -> Comparison:
        found = self.results.fps_against("mnist", scenario, SIGMA, label, "accuracy", budget)
        if found is None:
            raise LookupError(f"no two trials for {label} in Scenario {scenario}")
        return found
