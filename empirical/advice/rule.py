"""The pilot rule: which γ the pilots support, and what whole runs say about it.

c = min(largest certified γ, edge) at the measured constants. Pilots start at c/2. While they end lower than
the one before, γ is doubled. If the first does not end below its start, or turned up in its first half, γ is
divided by 4 while that helps. The γ whose pilot ended lowest is taken, divided by 1.5 if the pilot above it
diverged.

A pilot says nothing about the rounds after it: noise and the error of a sketch may add up in them. So the γ
taken is run to the end. While the loss turns up, γ falls to what helped; of all that was tried the γ that
ended lowest is taken, and none if no loss ended below its start.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from empirical.advice.advice import Pilot
from empirical.advice.pilots import helps, lowest_at, tail

SHARE = 4  # a pilot is that part of the run
FEWEST_ROUNDS = 10
UP, DOWN = 2.0, 4.0
MOST_UP, MOST_DOWN = 8, 5
EARLY = 0.5  # of a pilot's rounds: a loss that is lowest before asks for a smaller γ
MARGIN = 1.5  # from a γ whose double diverged
BETTER = 0.01  # of what was gained so far: less is not worth a larger step
TRIALS = 3  # whole runs on the run's own draw, at most
Try = Callable[[float], Pilot]


@dataclass(frozen=True)
class Choice:
    """`gamma` None: no pilot ended below its start. `spent`: the largest γt that helped, that of the pilot
    `farthest`; `turned`: the pilot whose loss turned up first, in γt. `too_much`: what the pilots allow but a
    single row, device or another draw does not, and `stiff` says which. `trial`: a whole run at γ; `draws`:
    the same with another hash, batches and noise."""

    gamma: float | None
    best: Pilot | None
    spent: float
    turned: Pilot | None
    capped: bool
    too_much: float | None = None
    stiff: str = ""
    farthest: Pilot | None = None
    trial: Pilot | None = None
    draws: tuple[Pilot, ...] = ()

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


def choose(pilots: tuple[Pilot, ...], T: int, capped: bool, whole: bool = False) -> Choice:
    """The γ for T rounds. `capped`: γT may not be beyond what some pilot has shown to help; for a loss that
    may fall and rise again, where nothing tries the whole run. `whole`: each pilot was the run itself."""
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
    cut = capped and spent / T < gamma
    return Choice(spent / T if cut else gamma, best, spent, first, cut, farthest=farthest)


def pilot_rounds(T: int) -> int:
    """How long a pilot is for a run of T rounds."""
    return min(T, max(FEWEST_ROUNDS, -(-T // SHARE)))


def tried(
    choice: Choice, T: int, attempt: Try, more: Callable[[], bool] = lambda: True
) -> tuple[Choice, tuple[Pilot, ...]]:
    """The choice after a few whole runs of T rounds, and these; unchanged where a pilot was one. `more`: may
    another one be afforded?"""
    if choice.gamma is None or choice.known(T):
        return choice, ()
    made = [attempt(choice.gamma)]
    while _lasted(made[-1]) < 1 and len(made) < TRIALS and more():
        made.append(attempt(made[-1].gamma * max(_lasted(made[-1]), 1 / DOWN)))
    best = min((run for run in made if helps(run)), key=tail, default=None)
    turned = next((run for run in made if _lasted(run) < 1), choice.turned)
    gamma = None if best is None else best.gamma
    return replace(choice, gamma=gamma, trial=best or made[-1], turned=turned), tuple(made)


def _lasted(run: Pilot) -> float:
    """The share of its rounds that helped; 0 if it ended above its start without a turn."""
    share = lowest_at(run) / run.rounds[-1] if run.rounds[-1] else 0.0
    return 0.0 if run.diverged or (share == 1 and not helps(run)) else share


def scored(choice: Choice, draws: tuple[Pilot, ...]) -> Choice:
    """With other draws of the same run: half of γ if one of them did not end below its start."""
    if choice.gamma is None or all(map(helps, draws)):
        return replace(choice, draws=draws)
    return replace(choice, gamma=choice.gamma / 2, too_much=choice.gamma, stiff="draw", draws=draws)
