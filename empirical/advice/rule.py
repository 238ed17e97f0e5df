"""The pilot rule: which γ the pilots support, for how long.

c = min(largest certified γ, edge) at the measured constants. Pilots start at c/2. While they end lower than
the one before, γ is doubled; if the first does not end below its start, γ is divided by 4. The γ whose
pilot ended lowest is taken.

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
BETTER = 0.01  # of what was gained so far: less is not worth a larger step
Try = Callable[[float], Pilot]


@dataclass(frozen=True)
class Choice:
    """`gamma` None: no pilot ended below its start. `spent`: the largest γt that helped; `turned`: the pilot
    whose loss turned up first, in γt."""

    gamma: float | None
    best: Pilot | None
    spent: float
    turned: Pilot | None
    capped: bool


def ladder(attempt: Try, first: Pilot) -> tuple[Pilot, ...]:
    """Pilots upwards from the first one, or downwards if it does not help."""
    made = [first]
    if not helps(first):
        while not helps(made[-1]) and len(made) <= MOST_DOWN:
            made.append(attempt(made[-1].gamma / DOWN))
        return tuple(made)
    while len(made) <= MOST_UP:
        before = made[-1]
        made.append(attempt(before.gamma * UP))
        gained = before.losses[0] - tail(before)
        if not tail(made[-1]) < tail(before) - BETTER * gained:
            break
    return tuple(made)


def choose(pilots: tuple[Pilot, ...], T: int, compresses: bool) -> Choice:
    """The γ for T rounds."""
    good = [pilot for pilot in pilots if helps(pilot)]
    if not good:
        return Choice(None, None, 0.0, None, False)
    best = min(good, key=tail)
    spent = max(pilot.gamma * lowest_at(pilot) for pilot in good)
    turned = [pilot for pilot in good if lowest_at(pilot) < pilot.rounds[-1]]
    first = min(turned, key=lambda pilot: pilot.gamma * lowest_at(pilot), default=None)
    gamma = min(best.gamma, spent / T) if compresses else best.gamma
    return Choice(gamma, best, spent, first, gamma < best.gamma)
