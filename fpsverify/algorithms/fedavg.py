"""FedAvg, and FedProx when μ > 0: dense displacements over the same channel, d subcarriers per round.

w_{t+1} = w_t + (1/M) Σ_m (w^{m,E} − w_t) + noise.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from fpsverify.algorithms.base import Algorithm, RoundInfo, Setup
from fpsverify.channel import superpose
from fpsverify.config import RunConfig
from fpsverify.errors import BadInput
from fpsverify.local import local_updates
from fpsverify.vectors import DenseUpdates, Vector


@dataclass(frozen=True)
class FedAvgState:
    w: Tensor


def init(setup: Setup) -> FedAvgState:
    w0 = setup.problem.start
    if not isinstance(w0, Tensor):
        raise BadInput("algorithm.name", "fedavg", "fps for sparse data: fedavg sends all d coordinates")
    return FedAvgState(w0)


def step(setup: Setup, state: FedAvgState, t: int) -> tuple[FedAvgState, RoundInfo]:
    config = setup.config
    updates = local_updates(setup.problem, state.w, config.local, t)
    assert isinstance(updates, DenseUpdates)
    received = superpose(config.channel, updates.values, gamma=config.local.gamma, seed=config.seed, t=t)
    info = {**received.as_row(), "update_norm_squared": sum(updates.norms_squared()) / updates.M}
    return FedAvgState(state.w + received.table), info


def model(setup: Setup, state: FedAvgState) -> Vector:
    return state.w


def check(config: RunConfig, d: int) -> None:
    if config.problem.objective == "sparse_logistic":
        raise BadInput("algorithm.name", "fedavg", "fps for sparse data: fedavg sends all d coordinates")


FEDAVG = Algorithm(
    "fedavg", "FedAvg; FedProx with local.mu > 0 (no compression)", FedAvgState, init, step, model, check
)
