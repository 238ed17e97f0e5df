"""FedAvg, and FedProx when μ > 0: all d coordinates over the same channel, d channel uses per round.

w_{t+1} = w_t + (1/M) Σ_m (w^{m,E} − w_t) + noise.

"It communicates the entire gradient update vector to the central server" (Section 6.1): `transmit` is
`update` unless the config says `gradient` (transmit.py). The names fedavg and fedprox run the same code.

Sparse data: noise reaches all d coordinates, but only those that occur in the training or test rows can
change a loss, a score or a later gradient. The model is kept on these alone, so no vector of length d exists.
d channel uses are counted; noise energy, SNR and ‖w‖² are those of the kept coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from fpsverify.algorithms import adaptive_mu, transmit
from fpsverify.algorithms.base import Algorithm, RoundInfo, Setup
from fpsverify.algorithms.sparsified import restricted
from fpsverify.config import RunConfig
from fpsverify.errors import BadInput
from fpsverify.problems.problem import Problem, SparseProblem
from fpsverify.vectors import DenseUpdates, SparseVector, Updates, Vector


@dataclass(frozen=True)
class FedAvgState:
    """`w` is dense, or sparse with the same coordinates in every round; `mu` as in adaptive_mu.py."""

    w: Tensor | SparseVector
    mu: Tensor | None = None


def init(setup: Setup) -> FedAvgState:
    return FedAvgState(occurring(setup.problem), adaptive_mu.start(setup))


def occurring(problem: Problem) -> Vector:
    """w_0, of a sparse problem on the coordinates that occur in training or test rows."""
    if not isinstance(problem, SparseProblem):
        return problem.start
    at = torch.unique(torch.cat([problem.support, problem.test.indices]))
    return SparseVector(problem.d, at, problem.start.gather(at))


def step(setup: Setup, state: FedAvgState, t: int) -> tuple[FedAvgState, RoundInfo]:
    setup, mu, about_mu = adaptive_mu.follow(setup, state.mu, state.w)
    gamma = transmit.step_size(setup, "update")
    sent = transmit.descent_directions(setup, state.w, gamma, t)
    received = transmit.over_the_air(setup, _tables(sent, state.w), gamma, t)
    received = replace(received, uses=setup.problem.d)
    info = {**received.as_row(), **transmit.sent_energy(setup, sent), **about_mu}
    return FedAvgState(moved(state.w, received.table * -gamma), mu), info


def _tables(sent: Updates, w: Vector) -> Tensor:
    """What the M devices put on the air, on the coordinates that the model is kept on."""
    if isinstance(sent, DenseUpdates):
        return sent.values
    assert isinstance(w, SparseVector)
    return restricted(sent, w.indices)


def moved(w: Vector, change: Tensor) -> Vector:
    """w + change, which has the coordinates that w is kept on."""
    if isinstance(w, SparseVector):
        return SparseVector(w.d, w.indices, w.values + change)
    return w + change


def model(setup: Setup, state: FedAvgState) -> Vector:
    return state.w


def check(config: RunConfig, d: int) -> None:
    if config.problem.objective == "sparse_logistic" and config.channel.kind == "rayleigh":
        raise BadInput("channel.kind", "rayleigh", "gaussian or ideal: power is shared by all d coordinates")


FEDAVG = Algorithm(
    "fedavg", "FedAvg; FedProx with local.mu > 0 (no compression)", FedAvgState, init, step, model, check
)
FEDPROX = replace(FEDAVG, name="fedprox", summary="FedProx: fedavg under the name of Section 6")
