"""The pilot rule: which γ the pilots support, for how long.

c = min(largest certified γ, edge) at the measured constants. Pilots start at c/2. While they end lower than
the one before, γ is doubled. If the first does not end below its start, or turned up in its first half, γ is
divided by 4 while that helps. The γ whose pilot ended lowest is taken, divided by 1.5 if the pilot above it
diverged.

Where something is lost between the devices and the broadcast (a sketch, top-k), the loss may fall and rise
again, roughly as a function of γt. Then γT must not be beyond what some pilot has shown to help.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from empirical.advice.advice import Pilot
from empirical.advice.pilots import helps, lowest_at, tail

ROUNDS = 50
UP, DOWN = 2.0, 4.0
MOST_UP, MOST_DOWN = 8, 5
EARLY = 0.5  # of a pilot's rounds: a loss that is lowest before asks for a smaller γ
MARGIN = 1.5  # from a γ whose double diverged
BETTER = 0.01  # of what was gained so far: less is not worth a larger step
LITTLE = 0.01  # of the loss at the start: less says nothing about where the run will go
Try = Callable[[float], Pilot]


@dataclass(frozen=True)
class Choice:
    """`gamma` None: no pilot ended below its start. `spent`: the largest γt that helped, that of the pilot
    `farthest`; `turned`: the pilot whose loss turned up first, in γt. `too_much`: what the pilots allow but a
    single row or device does not, and `stiff` says which. `trial`: a whole run at γ (see trial.py)."""

    gamma: float | None
    best: Pilot | None
    spent: float
    turned: Pilot | None
    capped: bool
    too_much: float | None = None
    stiff: str = ""
    farthest: Pilot | None = None
    trial: Pilot | None = None

    def known(self, T: int) -> bool:
        """Was the best pilot a run of T rounds at this very γ?"""
        return self.best is not None and self.gamma == self.best.gamma and self.best.rounds[-1] == T


def ladder(attempt: Try, first: Pilot) -> tuple[Pilot, ...]:
    """Pilots upwards from the first one, or downwards if it does not help for long."""
    if helps(first) and lowest_at(first) > EARLY * first.rounds[-1]:
        return _up(attempt, first)
    return _down(attempt, first)


def _up(attempt: Try, first: Pilot) -> tuple[Pilot, ...]:
    made = [first]
    while len(made) <= MOST_UP:
        before = made[-1]
        made.append(attempt(before.gamma * UP))
        gained = before.losses[0] - tail(before)
        if not tail(made[-1]) < tail(before) - BETTER * gained:
            break
    return tuple(made)


def _down(attempt: Try, first: Pilot) -> tuple[Pilot, ...]:
    made = [first]
    while len(made) <= MOST_DOWN:
        made.append(attempt(made[-1].gamma / DOWN))
        if helps(made[-2]) and not tail(made[-1]) < tail(made[-2]):
            break
        if helps(made[-1]) and lowest_at(made[-1]) == made[-1].rounds[-1]:
            break
    return tuple(made)


def hardly_moved(pilots: tuple[Pilot, ...]) -> Pilot | None:
    """The pilot that ended lowest, if it gained little and another one diverged."""
    best = min(pilots, key=tail)
    little = helps(best) and best.losses[0] - tail(best) < LITTLE * abs(best.losses[0])
    return best if little and any(pilot.diverged for pilot in pilots) else None


def choose(pilots: tuple[Pilot, ...], T: int, compresses: bool, whole: bool = False) -> Choice:
    """The γ for T rounds. `whole`: each pilot was the run itself, so that no other γ is better known."""
    good = [pilot for pilot in pilots if helps(pilot)]
    if not good:
        return Choice(None, None, 0.0, None, False)
    best = min(good, key=tail)
    above = [pilot for pilot in pilots if pilot.gamma > best.gamma]
    broken = bool(above) and min(above, key=lambda pilot: pilot.gamma).diverged
    gamma = best.gamma / MARGIN if broken and not whole else best.gamma
    farthest = max(good, key=lambda pilot: pilot.gamma * lowest_at(pilot))
    spent = farthest.gamma * lowest_at(farthest)
    turned = [pilot for pilot in good if lowest_at(pilot) < pilot.rounds[-1]]
    first = min(turned, key=lambda pilot: pilot.gamma * lowest_at(pilot), default=None)
    capped = compresses and spent / T < gamma
    return Choice(spent / T if capped else gamma, best, spent, first, capped, farthest=farthest)
