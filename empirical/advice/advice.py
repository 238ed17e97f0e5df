"""The answer to "which learning rate may I use?": three numbers, what each rests on, and what to change."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from empirical.advice import shown

CERTIFIED = "certified"
TAIL = 5  # losses at the end whose mean is compared
UNTRIED = "as used; larger not tried"


@dataclass(frozen=True)
class Pilot:
    """A short run at γ: f at the sampled `rounds`; it stops early where it diverges."""

    gamma: float
    rounds: tuple[int, ...]
    losses: tuple[float, ...]
    diverged: bool = False

    @property
    def end(self) -> float:
        """The mean loss at the end; infinite where it diverged."""
        return math.inf if self.diverged else sum(self.losses[-TAIL:]) / len(self.losses[-TAIL:])

    def as_json(self) -> dict[str, Any]:
        return {**vars(self), "rounds": list(self.rounds), "losses": list(self.losses)}

    @staticmethod
    def from_json(stored: Mapping[str, Any]) -> Pilot:
        rounds, losses = tuple(stored["rounds"]), tuple(stored["losses"])
        return Pilot(stored["gamma"], rounds, losses, stored["diverged"])


@dataclass(frozen=True)
class Rival:
    """An algorithm with as many numbers sent: its rate, and the loss at the end of so many rounds."""

    name: str
    gamma: float | None
    loss: float | None
    rounds: int


@dataclass(frozen=True)
class Column:
    """The largest certified γ and the edge, for one choice of constants (None: there is none)."""

    certified: float | None
    edge: float | None


@dataclass(frozen=True, repr=False)
class Advice:
    """
    recommended      the γ to use; None: none that was tried lowers the loss
    guaranteed       the largest γ that a theorem covers for the whole run; None: no theorem applies
    edge             where a round stops being stable for this problem and its own hash
    edge_from_below  is the edge a lower limit of it?
    labels           what each of the three rests on, in words
    change           what to change, with numbers
    reasons          how the numbers came about
    at_estimates     certified γ and edge with every constant at its estimate
    over_intervals   the same with every constant at the worse end of its interval
    pilots           the runs that were made
    rivals           what other algorithms reach with as many numbers sent, the best first (if asked for)
    draws            the run at the recommended rate with another hash, other batches and noise
    """

    recommended: float | None
    guaranteed: float | None
    edge: float | None
    labels: Mapping[str, str]
    change: tuple[str, ...]
    reasons: tuple[str, ...]
    at_estimates: Column
    over_intervals: Column
    pilots: tuple[Pilot, ...] = ()
    draws: tuple[Pilot, ...] = ()
    rivals: tuple[Rival, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    edge_from_below: bool = False

    @property
    def gamma(self) -> float | None:
        """The recommended learning rate."""
        return self.recommended

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "recommended": self.recommended,
            "guaranteed": self.guaranteed,
            "edge": self.edge,
            "edge_from_below": self.edge_from_below,
            "labels": dict(self.labels),
            "change": list(self.change),
            "reasons": list(self.reasons),
            "at_estimates": vars(self.at_estimates).copy(),
            "over_intervals": vars(self.over_intervals).copy(),
            "pilots": [pilot.as_json() for pilot in self.pilots],
            "draws": [pilot.as_json() for pilot in self.draws],
            "rivals": [vars(rival).copy() for rival in self.rivals],
            "facts": dict(self.facts),
        }

    @staticmethod
    def from_json(stored: Mapping[str, Any]) -> Advice:
        """What `as_json` wrote."""
        return Advice(
            recommended=stored["recommended"],
            guaranteed=stored["guaranteed"],
            edge=stored["edge"],
            edge_from_below=stored["edge_from_below"],
            labels=stored["labels"],
            change=tuple(stored["change"]),
            reasons=tuple(stored["reasons"]),
            at_estimates=Column(**stored["at_estimates"]),
            over_intervals=Column(**stored["over_intervals"]),
            pilots=tuple(map(Pilot.from_json, stored["pilots"])),
            draws=tuple(map(Pilot.from_json, stored["draws"])),
            rivals=tuple(Rival(**rival) for rival in stored["rivals"]),
            facts=stored["facts"],
        )

    def summary(self, detail: bool = False) -> str:
        """At most 80 columns: the answer, then the reasons; with `detail` every pilot."""
        return shown.summary(self, detail)

    def to_frame(self) -> Any:
        """A pandas table: one line per number, with both columns and its label."""
        return shown.frame(self)

    def plot(self) -> Any:
        """The losses of the pilots against γ·t, as a matplotlib figure."""
        return shown.figure(self)

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        numbers = (f"{name}={shown.number(getattr(self, name))}" for name in shown.NUMBERS)
        return f"Advice({', '.join(numbers)})"

    def _repr_html_(self) -> str:
        return shown.html(self)
