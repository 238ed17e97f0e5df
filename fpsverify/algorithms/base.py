"""What an algorithm is: `init` + `step`, two pure functions, and a way to read the model off its state.

A state is a frozen dataclass whose fields are tensors, `SparseVector`s or None: all that crosses rounds,
and exactly what a checkpoint stores. `RoundInfo` does not cross rounds; it is what a round reports.

Who takes part in a round: n of the M devices, a new set in every round, each set equally likely.
`devices.participation` gives n. Those that do not take part compute nothing in the round. The law is the same
in every algorithm, A_t being the set of round t and Δ^m the update of device m:

    the exact model moves by (1/n) Σ_{m ∈ A_t} Δ^m

What this does to the theory (A_t is drawn apart from all else, so it is noise with mean zero):
    E over A_t   (1/n) Σ_{A_t} Δ^m has the mean (1/M) Σ_m Δ^m: no bias is added, for any E
    variance     φ · mean_m ‖Δ^m − mean Δ‖², φ = (M−n)/(n(M−1)), exactly (drawing without replacement)
    ν            1/n in place of 1/M: the gradient noise of n devices is averaged, not of M
    G and B      stay; at E = 1 without bias the variance above is at most γ²φ(G² + (B²−1)‖∇f‖²)
    the range    at E = 1: νP_nB² becomes P_nB²/n + φ(B²−1) and νσ² becomes σ²/n + φG², so γ must be smaller
                 the more devices differ; nothing changes if all devices have the same gradient. For E > 1
                 the drift of a device stays as it is, and the variance above is added. The ranges that
                 `lr` and `estimate` print are proved for n = M
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch

from fpsverify.config import RunConfig
from fpsverify.distributed.ranks import Ranks, alone
from fpsverify.problems.problem import Problem
from fpsverify.rng import numpy_generator
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


def participants(config: RunConfig, t: int) -> tuple[int, ...] | None:
    """The devices of round t, increasing; None if all M take part."""
    M, n = config.devices.M, config.devices.per_round
    if n == M:
        return None
    drawn = numpy_generator(config.seed, "participation", t).choice(M, size=n, replace=False)
    return tuple(np.sort(drawn).tolist())


def sampling_noise(M: int, n: int) -> float:
    """φ: the variance of a mean over n of M, as a share of the variance over the M."""
    return (M - n) / (n * (M - 1)) if n < M else 0.0
