"""Short runs in memory: same data, same hash, same draws as the run that they stand for."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from torch import Tensor

from empirical.advice.advice import Pilot
from empirical.advice.case import Case, loss_of
from fpsverify.algorithms import Setup
from fpsverify.errors import RunFailed
from fpsverify.problems.problem import DenseProblem, SparseProblem
from fpsverify.rng import derive_seed
from fpsverify.runs import curves
from fpsverify.vectors import SparseVector, is_finite

SAMPLES = 16  # losses looked at in one pilot
HOPELESS = 100.0  # times the loss at the start
Say = Callable[[str], None]


@dataclass(frozen=True)
class Made:
    """A pilot, the model at its end, and the state to go on from (None where it diverged)."""

    pilot: Pilot
    w: Tensor | None = None
    state: Any = None


def make(case: Case, gamma: float, rounds: int, say: Say, before: Made | None = None, draw: int = 0) -> Made:
    """Run up to round `rounds` at γ, from where `before` ended; stop as soon as the loss is hopeless.

    `draw` 0 is that of the run itself; others have another hash, batches, noise and participants.
    """
    setup, algorithm, problem = drawn(case.at(gamma), draw), case.algorithm, case.setup.problem
    every = max(1, rounds // SAMPLES)
    if before is None:
        state, first = algorithm.init(setup), 0
        seen = [(0, loss_of(problem, algorithm.model(setup, state)))]
    else:
        state, first = before.state, before.pilot.rounds[-1]
        seen = list(zip(before.pilot.rounds, before.pilot.losses, strict=True))
    w: Any = None
    try:
        for t in range(first + 1, rounds + 1):
            state, _ = algorithm.step(setup, state, t)
            if t % every == 0 or t == rounds:
                w = algorithm.model(setup, state)
                seen.append((t, loss_of(problem, w) if is_finite(w) else math.inf))
                say(f"pilot at gamma = {gamma:.3g}: round {t} of {rounds}, loss {seen[-1][1]:.4g}")
                if not seen[-1][1] <= HOPELESS * max(seen[0][1], 1e-12):
                    return Made(_pilot(gamma, seen, True))
    except RunFailed:
        return Made(_pilot(gamma, seen, True))
    end = case.in_model(w.dense() if isinstance(w, SparseVector) else w)
    return Made(_pilot(gamma, seen, False), end, state)


def drawn(setup: Setup, draw: int) -> Setup:
    """The same data, devices and start with another hash, other mini-batches, noise and participants."""
    if draw == 0:
        return setup
    seed = derive_seed(setup.seed, "another draw", draw)
    config, problem = setup.config.model_copy(update={"seed": seed}), setup.problem
    assert isinstance(problem, (DenseProblem, SparseProblem))
    return replace(setup, config=config, problem=replace(problem, seed=seed))


def _pilot(gamma: float, seen: list[tuple[int, float]], diverged: bool) -> Pilot:
    kept = [(t, loss) for t, loss in seen if math.isfinite(loss)]
    return Pilot(gamma, tuple(t for t, _ in kept), tuple(loss for _, loss in kept), diverged)


def tail(pilot: Pilot) -> float:
    """The mean loss at the end; infinite where it diverged."""
    return pilot.end


def helps(pilot: Pilot) -> bool:
    """Did it end below its start?"""
    return tail(pilot) < pilot.losses[0]


def lowest_at(pilot: Pilot) -> int:
    """The round at which its loss turned up; the last one if it did not."""
    return curves.lowest_at(pilot.rounds, pilot.losses)


def fell_and_rose(pilot: Pilot) -> bool:
    """Was the loss below its start before it turned up?"""
    at = lowest_at(pilot)
    return at < pilot.rounds[-1] and pilot.losses[pilot.rounds.index(at)] < pilot.losses[0]
