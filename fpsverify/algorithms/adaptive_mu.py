"""A proximal weight μ that follows the training loss: the heuristic of FedProx (Li et al., 2020).

    μ ← μ + s   whenever the loss of the broadcast model has risen since the last round
    μ ← μ − s   (not below 0) whenever it has fallen five rounds in a row

s is `local.mu_step`; without it μ is fixed and nothing here does anything. The loss is the mean over devices
of l_m on `ROWS` rows that each device draws once: exact in no round, but the same rows in all of them, so
that a rise is a rise of one fixed function. The paper tunes μ by hand and leaves this ablation open.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf

import torch
from torch import Tensor

from fpsverify.algorithms.base import RoundInfo, Setup
from fpsverify.problems.problem import DenseProblem, SparseProblem
from fpsverify.rng import numpy_generator
from fpsverify.vectors import SparseVector, Vector

ROWS = 100
PATIENCE = 5


def start(setup: Setup) -> Tensor | None:
    """(μ, loss of the last round, falls in a row), or None when μ is fixed."""
    if setup.config.local.mu_step is None:
        return None
    return torch.tensor([setup.config.local.mu, inf, 0.0], dtype=torch.float64)


def follow(setup: Setup, memory: Tensor | None, w: Vector) -> tuple[Setup, Tensor | None, RoundInfo]:
    """The setup with this round's μ, what to remember, and what to report."""
    step = setup.config.local.mu_step
    if memory is None or step is None:
        return setup, memory, {}
    memory = next_memory(memory, sampled_loss(setup, w), step)
    mu = float(memory[0])
    local = setup.config.local.model_copy(update={"mu": mu})
    adapted = replace(setup, config=setup.config.model_copy(update={"local": local}))
    return adapted, memory, {"mu": mu, "mu_loss": float(memory[1])}


def next_memory(memory: Tensor, loss: float, step: float) -> Tensor:
    mu, before, falls = memory.tolist()
    if loss > before:
        mu, falls = mu + step, 0.0
    elif loss < before and before < inf:
        falls += 1
        if falls == PATIENCE:
            mu, falls = max(0.0, mu - step), 0.0
    else:
        falls = 0.0
    return torch.tensor([mu, loss, falls], dtype=torch.float64)


def sampled_loss(setup: Setup, w: Vector) -> float:
    """The mean over devices of the loss on the rows that each has drawn."""
    mine = [_device_loss(setup, w, m) for m in setup.everyone.mine]
    return sum(setup.everyone.numbers(mine)) / setup.problem.M


def _device_loss(setup: Setup, w: Vector, m: int) -> float:
    problem = setup.problem
    assert isinstance(problem, DenseProblem | SparseProblem)
    shard = problem.shards[m]
    chosen = numpy_generator(setup.seed, "mu", m).permutation(len(shard))[:ROWS]
    rows = torch.from_numpy(shard[chosen])
    if isinstance(problem, SparseProblem):
        assert isinstance(w, SparseVector)
        return float(problem.objective.loss(w, problem.train.rows(rows)))
    assert isinstance(w, Tensor)
    rows = rows.to(problem.X.device)
    return float(problem.objective.loss(w[None], problem.X[rows][None], problem.y[rows][None])[0])
