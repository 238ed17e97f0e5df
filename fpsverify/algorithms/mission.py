"""MISSION (Appendix A): one device, one sketch, a stochastic gradient per step, no channel.

S ← S + S(−γ g_t(w_t)),   w_{t+1} = U_k(S).

The `mission` reading of FPS's local iterate sends every local step through the device's own sketch:
w^{m,e+1} = U_k(S^m + S(−γ(g + μ(w^{m,e} − w̃_t)))), so that a device never holds more than k coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from fpsverify.algorithms import transmit
from fpsverify.algorithms.base import Algorithm, RoundInfo, Setup
from fpsverify.config import LocalConfig, RunConfig
from fpsverify.errors import BadInput
from fpsverify.local import check_finite, local_updates, most_steps
from fpsverify.problems.problem import DenseProblem
from fpsverify.sketch.sketch import Sketch
from fpsverify.vectors import DenseUpdates, SparseVector, Vector, add


@dataclass(frozen=True)
class MissionState:
    table: Tensor
    w: Tensor | SparseVector


def init(setup: Setup) -> MissionState:
    return MissionState(transmit.blank(setup).table, setup.problem.start)


def step(setup: Setup, state: MissionState, t: int) -> tuple[MissionState, RoundInfo]:
    local = setup.config.local
    one_step = LocalConfig(E=1, unit="steps", batch=local.batch, gamma=local.gamma, mu=0.0)
    updates = local_updates(setup.problem, state.w, one_step, t, setup.ranks)
    sketch = transmit.blank(setup).with_table(state.table).add(setup.ranks.mean(updates))
    w = sketch.unsketch(setup.config.algorithm.k, rule=setup.config.algorithm.recovery)
    info = {"selected": float(w.indices.numel())}
    return MissionState(sketch.table, add(setup.problem.start, w)), info


def model(setup: Setup, state: MissionState) -> Vector:
    return state.w


def check(config: RunConfig, d: int) -> None:
    transmit.check_read_out(config, d)
    if config.devices.M != 1:
        raise BadInput("devices.M", config.devices.M, "1: MISSION runs on a single device")


def mission_updates(setup: Setup, held: Sketch, w_gb: Vector, t: int) -> DenseUpdates:
    """The total that E steps add to each device's sketch, with the local iterate read off that sketch."""
    problem, local, options = setup.problem, setup.config.local, setup.config.algorithm
    assert isinstance(problem, DenseProblem)
    assert isinstance(w_gb, Tensor)
    start = problem.start if options.initial_model == "beside" else problem.zero()
    devices = range(len(setup.ranks.mine))
    W = w_gb.expand(len(devices), -1)
    total = torch.zeros_like(W)
    sketch = held
    for e in range(most_steps(problem, local, setup.ranks)):
        g, busy = problem.gradients(W, local, t, e, setup.ranks)
        change = -local.gamma * (g + local.mu * (W - w_gb)) * torch.tensor(busy, device=W.device)[:, None]
        check_finite(DenseUpdates(change), t, setup.ranks)
        total = total + change
        sketch = sketch.add(DenseUpdates(change))
        found = [sketch.member(m).unsketch(options.k, rule=options.recovery) for m in devices]
        W = torch.stack([start + u.dense() for u in found])
    return DenseUpdates(total)


MISSION = Algorithm("mission", "MISSION on one device (Appendix A)", MissionState, init, step, model, check)
