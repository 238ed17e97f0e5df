"""Least squares with known Hessians, and the vocabulary that oracles of algorithms share."""

from typing import Any

import numpy as np
import torch

from fpsverify.algorithms import Setup, find
from fpsverify.config import RunConfig
from fpsverify.objectives import LeastSquares
from fpsverify.problems.problem import DenseProblem
from property_tests.support.small_runs import small

# Every device uses its full gradient once per round: runs are then deterministic recursions.
EXACT = (
    "problem.data=synthetic",
    "problem.objective=least_squares",
    "problem.features=8",
    "problem.power_law=1.0",
    "problem.samples=80",
    "algorithm.k=8",
    "local.E=1",
    "local.batch=0",
    "local.gamma=0.3",
    "channel.sigma=0.0",
)


def exact(*overrides: str) -> RunConfig:
    return small(*EXACT, *overrides)


def hessians(problem: DenseProblem) -> tuple[np.ndarray, np.ndarray]:
    """H_m and c_m with ∇l_m(w) = H_m w − c_m, straight from the rows."""
    parts = [(problem.X[s].numpy(), problem.y[s].numpy()) for s in problem.shards]
    H = np.stack([X.T @ X / len(X) for X, _ in parts])
    return H, np.stack([X.T @ y / len(X) for X, y in parts])


def diagonal(h: list[float], start: list[float], config: RunConfig, M: int = 3) -> Setup:
    """f(w) = ½ Σ h_i w_i² on every device: coordinates do not interact, and the minimum is 0."""
    d = len(h)
    rows = torch.diag(torch.tensor(h, dtype=torch.float64).mul(d).sqrt())
    X = rows.repeat(M, 1)
    y = torch.zeros(d * M, dtype=torch.float64)
    shards = tuple(np.arange(m * d, (m + 1) * d) for m in range(M))
    w0 = torch.tensor(start, dtype=torch.float64)
    problem = DenseProblem(LeastSquares(d), X, y, shards, X, y, "regression", config.seed, w0)
    return Setup(config, problem, torch.float64)


def advance(setup: Setup, rounds: int) -> tuple[list[Any], list[dict[str, float]]]:
    """States 0 … rounds and what each round reported."""
    algorithm = find(setup.config.algorithm.name)
    states, infos = [algorithm.init(setup)], []
    for t in range(1, rounds + 1):
        state, info = algorithm.step(setup, states[-1], t)
        states.append(state)
        infos.append(info)
    return states, infos
