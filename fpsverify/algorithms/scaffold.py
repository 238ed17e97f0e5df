"""SCAFFOLD (Karimireddy et al., 2020): control variates c_m and c correct the drift of local steps.

    y ← y − γ(g_m(y) − c_m + c), E times from w        on each device that takes part
    c_m⁺ = c_m − c + (w − y)/(Eγ)                      option II of that paper; c_m of the others stays
    w ← w + (1/n) Σ (y − w) + noise                    n devices take part
    c ← c + (n/M)((1/n) Σ (c_m⁺ − c_m) + noise)

Two vectors go up, so a round costs 2d channel uses, and noise of the same σ reaches both; in c it adds up
over rounds. Going down, the broadcast has two vectors as well (channel uses count the way up). The correction
takes the place of the proximal term, so μ = 0. All control variates start at 0: the first round is FedAvg's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from fpsverify.algorithms import transmit
from fpsverify.algorithms.base import Algorithm, RoundInfo, Setup
from fpsverify.config import RunConfig
from fpsverify.errors import BadInput
from fpsverify.local import check_finite, dense_updates
from fpsverify.problems.problem import DenseProblem, steps_in_round
from fpsverify.vectors import DenseUpdates, Vector, norm_squared


@dataclass(frozen=True)
class ScaffoldState:
    """The model, the server's control variate c, and one row c_m per device (of this rank)."""

    w: Tensor
    control: Tensor
    devices: Tensor


def init(setup: Setup) -> ScaffoldState:
    start = setup.problem.start
    assert isinstance(start, Tensor)
    zero = torch.zeros_like(start)
    return ScaffoldState(start, zero, zero.repeat(len(setup.everyone.mine), 1))


def one_round(setup: Setup, state: ScaffoldState, t: int) -> tuple[ScaffoldState, RoundInfo]:
    problem, local, ranks = setup.problem, setup.config.local, setup.ranks
    assert isinstance(problem, DenseProblem)
    taking = slice(None) if setup.taking_part is None else list(setup.taking_part)
    held = state.devices[taking]
    updates = dense_updates(problem, state.w, local, t, ranks, shift=state.control - held)
    check_finite(updates, t, ranks)
    steps = held.new_tensor([steps_in_round(problem.sizes, local)[m] for m in ranks.mine])
    change = -state.control - updates.values / (local.gamma * steps[:, None])
    step = transmit.step_size(setup, "update")
    sent = torch.cat([updates.values / -step, change], dim=1)
    received = transmit.over_the_air(setup, sent, step, t)
    moved, turned = received.table.split(problem.d)
    devices = state.devices.clone()
    devices[taking] = held + change
    info = {
        **received.as_row(),
        **transmit.sent_energy(setup, DenseUpdates(sent)),
        "control_norm_squared": norm_squared(state.control),
    }
    control = state.control + turned * (ranks.M / problem.M)
    return replace(state, w=state.w - step * moved, control=control, devices=devices), info


def model(setup: Setup, state: ScaffoldState) -> Vector:
    return state.w


def check(config: RunConfig, d: int) -> None:
    if config.problem.objective == "sparse_logistic":
        right = "another algorithm for sparse data: control variates are dense vectors of length d"
        raise BadInput("algorithm.name", "scaffold", right)
    if config.local.mu:
        raise BadInput("local.mu", config.local.mu, "0 with scaffold, whose correction takes its place")
    if config.channel.kind == "rayleigh":
        raise BadInput("channel.kind", "rayleigh", "gaussian or ideal: scaffold hears all who take part")
    if config.channel.noise_on == "grad":
        raise BadInput("channel.noise_on", "grad", "sum or avg: scaffold sends two vectors of unlike scale")


SCAFFOLD = Algorithm(
    "scaffold",
    "SCAFFOLD: control variates against drift, two vectors per round",
    ScaffoldState,
    init,
    one_round,
    model,
    check,
    lambda config: ("devices",),
)
