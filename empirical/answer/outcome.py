"""How training went, which is said before any theorem: the loss, the accuracy, and the colour of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from empirical.advice.advice import TAIL, Pilot
from empirical.advice.pilots import tail
from empirical.advice.remedies import HARDLY
from empirical.constants.pairs import Scale
from empirical.observed.protocol import Evidence

GREEN, AMBER, RED = "green", "amber", "red"
WINDOW = f"mean of the last {TAIL} rounds"
LOOKED_AT = f"{WINDOW} looked at"


@dataclass(frozen=True)
class Outcome:
    """`share` of the loss at the start that was gone at the end; `constant`: what the commonest class alone
    reaches, where the model's accuracy is no better; `broke`: the round in which the run diverged.
    """

    share: float
    window: str = WINDOW
    accuracy: float | None = None
    constant: float | None = None
    broke: int | None = None

    @property
    def fell(self) -> bool:
        return self.broke is None and self.share >= HARDLY

    @property
    def learned(self) -> bool:
        return self.fell and self.constant is None

    @property
    def words(self) -> str:
        if self.broke is not None:
            return f"The run diverged in round {self.broke}."
        share = f"{abs(100 * self.share):.3g} % ({self.window})"
        if self.share <= 0:
            return f"The run did not learn: the loss rose by {share}."
        if not self.fell:
            return f"The run hardly learned: the loss fell by {share}."
        if self.accuracy is None or self.constant is None:
            return f"The loss fell by {share}."
        return (
            f"The loss fell by {share}, but the accuracy, {self.accuracy:.1%}, is no better than that of "
            f"always answering the commonest class, {self.constant:.1%}."
        )


def of_run(evidence: Evidence, run: Pilot) -> Outcome:
    """`run`: its losses, of every round where recorded, else of the rounds looked at."""
    start, window = run.losses[0], WINDOW if len(run.losses) == evidence.T + 1 else LOOKED_AT
    share = (start - tail(run)) / (abs(start) or 1.0)
    accuracy, constant = _accuracy(evidence.reached)
    worse = accuracy is not None and constant is not None and accuracy <= constant
    return Outcome(share, window, accuracy, constant if worse else None, evidence.broke)


def _accuracy(reached: Mapping[str, float]) -> tuple[float | None, float | None]:
    """Of the model and of its commonest class, on test rows where there are some."""
    kind = "" if "accuracy" in reached else "train_"
    return reached.get(f"{kind}accuracy"), reached.get(f"{kind}majority")


def colour(outcome: Outcome, covered: bool | None, proved: bool) -> str:
    """Green: the loss fell, and a theorem that says something covers the run. Red: it did not train."""
    if not outcome.fell:
        return RED
    return GREEN if outcome.learned and covered and proved else AMBER


def why_empty(bound: float, largest: float, every_round: bool, implied: float | None) -> str:
    """Why a bound on the mean of ‖∇f‖² says nothing of a run: what is known without it is less; "" if not."""
    if bound >= largest:
        return f"no round{'' if every_round else ' looked at'} was above {largest:.4g}"
    if implied is not None and bound >= implied:
        return f"the mean loss alone implies {implied:.4g} (2L times it)"
    return ""


def implied_by_loss(scale: Scale, run: Pilot, floor: float) -> float | None:
    """‖∇f‖² ≤ 2L(f − f*) everywhere, so the mean of the losses bounds that of ‖∇f‖²; f* is the floor."""
    above = np.array(run.losses[:-1] or run.losses) - floor
    return 2 * scale.L * float(above.mean()) if above.min() >= 0 else None
