"""The recommended γ is run to the end before it is recommended, where that costs no more than a few pilots.

A pilot says nothing about the rounds after it: noise and the error of a sketch may add up in them, so that
the loss rises again although γT is what the pilot had shown to help. While the loss turns up, γ falls to what
helped; of all that was tried the γ that ended lowest is taken, and none if no loss ended below its start.
"""

from __future__ import annotations

from dataclasses import replace

from empirical.advice.advice import Pilot
from empirical.advice.pilots import helps, lowest_at, tail
from empirical.advice.rule import DOWN, Choice, Try

MOST = 4  # times the rounds of a pilot: a longer run is not tried
TRIALS = 3


def tried(choice: Choice, pilot_rounds: int, T: int, attempt: Try) -> tuple[Choice, tuple[Pilot, ...]]:
    """The choice after whole runs of T rounds, and these; unchanged where a pilot was one, or T is long."""
    if choice.gamma is None or T > MOST * pilot_rounds or choice.known(T):
        return choice, ()
    made = [attempt(choice.gamma)]
    while _lasted(made[-1]) < 1 and len(made) < TRIALS:
        made.append(attempt(made[-1].gamma * max(_lasted(made[-1]), 1 / DOWN)))
    best = min((run for run in made if helps(run)), key=tail, default=None)
    turned = next((run for run in made if _lasted(run) < 1), choice.turned)
    gamma = None if best is None else best.gamma
    return replace(choice, gamma=gamma, trial=best or made[-1], turned=turned), tuple(made)


def _lasted(run: Pilot) -> float:
    """The share of its rounds that helped; 0 if it ended above its start without a turn."""
    share = lowest_at(run) / run.rounds[-1] if run.rounds[-1] else 0.0
    return 0.0 if run.diverged or (share == 1 and not helps(run)) else share
