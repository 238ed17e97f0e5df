"""How exactly the devices of a `fedprox` run solve their local problems, and what each round gains.

γ_k = ‖∇F_k(w_k) + μ(w_k − w)‖/‖∇F_k(w)‖ (FedProx, Definition 2), of every device, from the algorithm's own
local steps. B(w) and ‖∇f(w)‖² come from full gradients, f being the plain mean over the devices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import torch

from fpsverify.config import RunConfig
from fpsverify.errors import BadInput
from fpsverify.local import local_updates
from fpsverify.own.federation import Federation
from fpsverify.problems.problem import DenseProblem
from fpsverify.runs.loop import prepare
from fpsverify.vectors import DenseUpdates, norm_squared


@dataclass(frozen=True)
class ProximalRound:
    """One round, before and after: f(w), f(w⁺), ‖∇f(w)‖², B(w), and γ_k of every device."""

    t: int
    loss: float
    next_loss: float
    squared_gradient: float
    B: float
    gammas: tuple[float, ...]

    @property
    def gamma(self) -> float:
        """The largest of all devices: what Corollary 9 should have."""
        return max(self.gammas)

    @property
    def gain(self) -> float:
        """(f(w) − f(w⁺))/‖∇f(w)‖², to be compared with ρ."""
        return (self.loss - self.next_loss) / self.squared_gradient


def follow(config: RunConfig, federation: Federation | None = None) -> Iterator[ProximalRound]:
    """The rounds of a `fedprox` run."""
    algorithm, setup, _ = prepare(config, federation=federation)
    problem, local = setup.problem, config.local
    if config.algorithm.name != "fedprox" or not local.mu > 0 or local.mu_step is not None:
        found = f"{config.algorithm.name} with mu = {local.mu}, mu_step = {local.mu_step}"
        raise BadInput("config", found, "algorithm.name = fedprox with a fixed local.mu > 0")
    if not isinstance(problem, DenseProblem):
        raise BadInput("problem", config.problem.objective, "one with dense gradients")
    state = algorithm.init(setup)
    for t in range(1, config.rounds + 1):
        w = algorithm.model(setup, state)
        before = problem.full_gradient(w)
        moves = local_updates(problem, w, local, t)
        state, _ = algorithm.step(setup, state, t)
        assert isinstance(moves, DenseUpdates) and isinstance(w, torch.Tensor)
        squared = norm_squared(before.gradient)
        if squared == 0:
            return
        yield ProximalRound(
            t,
            before.loss,
            problem.full_gradient(algorithm.model(setup, state)).loss,
            squared,
            sqrt(sum(before.device_norms_squared) / problem.M / squared),
            tuple(_gamma(problem, w, move, m, local.mu) for m, move in enumerate(moves.values)),
        )


def _gamma(problem: DenseProblem, w: torch.Tensor, move: torch.Tensor, m: int, mu: float) -> float:
    _, at_start = problem.device_gradient(w, m)
    _, at_end = problem.device_gradient(w + move, m)
    return sqrt(norm_squared(at_end + mu * move) / norm_squared(at_start))
