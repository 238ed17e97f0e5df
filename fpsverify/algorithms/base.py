"""What an algorithm is: `init` + `step`, two pure functions, and a way to read the model off its state.

A state is a frozen dataclass whose fields are tensors, `SparseVector`s or None: all that crosses rounds,
and exactly what a checkpoint stores. `RoundInfo` does not cross rounds; it is what a round reports.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from fpsverify.algorithms.participation import participants
from fpsverify.config import RunConfig
from fpsverify.distributed.ranks import Ranks, alone
from fpsverify.problems.problem import Problem
from fpsverify.vectors import Vector

RoundInfo = dict[str, float]


@dataclass(frozen=True)
class Setup:
    """Everything a round may look at besides the state."""

    config: RunConfig
    problem: Problem
    dtype: torch.dtype = torch.float32
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))
    shared: Ranks | None = None
    taking_part: tuple[int, ...] | None = None

    @property
    def everyone(self) -> Ranks:
        """Who holds which devices: without `shared`, this process holds all."""
        return self.shared or alone(self.problem.M)

    @property
    def ranks(self) -> Ranks:
        """The same for the devices that take part in the round: all, unless `taking_part` says who."""
        return self.everyone if self.taking_part is None else self.everyone.among(self.taking_part)

    @property
    def seed(self) -> int:
        return self.config.seed


@dataclass(frozen=True)
class Algorithm:
    """`one_round(setup, state, t)` works on the devices of `setup.ranks`, which take part in round t.

    `model(setup, state)` is the vector that the server has broadcast last.

    `per_device` names the fields of the state that have one row per device: these are shared out over ranks,
    all others are the same on every rank.
    """

    name: str
    summary: str
    state_type: type
    init: Callable[[Setup], Any]
    one_round: Callable[[Setup, Any, int], tuple[Any, RoundInfo]]
    model: Callable[[Setup, Any], Vector]
    check: Callable[[RunConfig, int], None] = lambda config, d: None
    per_device: Callable[[RunConfig], tuple[str, ...]] = lambda config: ()

    def step(self, setup: Setup, state: Any, t: int) -> tuple[Any, RoundInfo]:
        """Round t, with the devices that take part in it."""
        chosen = participants(setup.config, t)
        if chosen is None:
            return self.one_round(setup, state, t)
        state, info = self.one_round(replace(setup, taking_part=chosen), state, t)
        return state, {**info, "participants": float(len(chosen))}
