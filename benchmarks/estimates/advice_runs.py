"""The runs of the advice experiment: each is made once and kept; which are safe, and up to which γ."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.estimates.advice_problems import ROUNDS
from empirical.advice.case import Case, loss_of
from empirical.advice.pilots import HOPELESS, drawn
from fpsverify.errors import FpsError

HORIZONS = (100, 300)
EVERY = 5  # rounds between losses
FAR = 6  # factors of 2 that the grid goes in either direction, at most


@dataclass
class Curves:
    """Losses of a run at γ, every EVERY rounds; each run is made once and kept."""

    path: Path
    known: dict[tuple[str, float], list[float]] = field(default_factory=dict)

    @staticmethod
    def at(path: Path) -> Curves:
        rows = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        return Curves(path, {(row["problem"], row["gamma"]): row["losses"] for row in rows})

    def losses(self, problem: str, subject: Case, gamma: float, draw: int | None = None) -> list[float]:
        name = problem if draw is None else f"{problem}, draw {draw}"
        if (name, gamma) not in self.known:
            self.known[name, gamma] = run(subject, gamma, draw)
            row = {"problem": name, "gamma": gamma, "losses": self.known[name, gamma]}
            with self.path.open("a") as handle:
                handle.write(json.dumps(row) + "\n")
        return self.known[name, gamma]


def run(subject: Case, gamma: float, draw: int | None = None) -> list[float]:
    """f every EVERY rounds; shorter where the run is hopeless or not finite."""
    algorithm = subject.algorithm
    setup = drawn(subject.at(gamma), draw or 0)
    state = algorithm.init(setup)
    seen = [loss_of(setup.problem, algorithm.model(setup, state))]
    try:
        for t in range(1, ROUNDS + 1):
            state, _ = algorithm.step(setup, state, t)
            if t % EVERY == 0:
                loss = loss_of(setup.problem, algorithm.model(setup, state))
                if not loss <= HOPELESS * seen[0]:
                    break
                seen.append(loss)
    except FpsError:
        pass  # not finite
    return seen


def final(losses: list[float], T: int) -> float:
    """The mean over the last tenth of T rounds; infinite if the run did not get there."""
    last = T // EVERY
    return math.inf if len(losses) <= last else float(np.mean(losses[last - T // 10 // EVERY + 1 : last + 1]))


def is_safe(losses: list[float], T: int) -> bool:
    return final(losses, T) < losses[0]


def search(losses: Callable[[int], list[float]], middle: int) -> dict[int, list[float]]:
    """Powers of 2 around `middle`, until both ends are clearly worse than the best and the limit is seen."""
    made = {middle: losses(middle)}
    for step in (1, -1):
        j = middle
        while abs(j + step - middle) <= FAR and not _done(made, j, step):
            j += step
            made[j] = losses(j)
    return made


def _done(made: dict[int, list[float]], j: int, step: int) -> bool:
    """Upwards: no longer safe. Downwards: safe, and worse than its upper neighbour for every horizon."""
    if step > 0:
        return not is_safe(made[j], ROUNDS)
    above = made.get(j + 1)
    worse = above is not None and all(final(made[j], T) > final(above, T) for T in HORIZONS)
    return worse and is_safe(made[j], ROUNDS)


def true_limit(grid: dict[int, list[float]], losses: Callable[[float], list[float]]) -> float | None:
    """The largest safe γ below the first unsafe one above it, on a log scale to 2^(1/4); None: none is."""
    safe = [j for j in sorted(grid) if is_safe(grid[j], ROUNDS)]
    if not safe:
        return None
    low, high = 2.0 ** safe[-1], 2.0 ** (safe[-1] + 1)
    if safe[-1] == max(grid):
        return math.inf
    for _ in range(2):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if is_safe(losses(middle), ROUNDS) else (low, middle)
    return low
