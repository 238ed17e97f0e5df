"""One problem with one algorithm, ready for pilots and looks."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from empirical.facts import of_config
from empirical.observed.protocol import Evidence, Iterate
from empirical.observed.recorded import in_model
from empirical.observed.run_models import DenseModel, SparseModel, model_of
from empirical.spelling import Spelling, spelling_of
from fpsverify.algorithms import Algorithm, Setup
from fpsverify.config import RunConfig
from fpsverify.objectives import DenseObjective
from fpsverify.problems.problem import CHUNK, DenseProblem, Problem, steps_in_round
from fpsverify.runs.loop import prepare
from fpsverify.vectors import Vector
from theory.facts import Facts

if TYPE_CHECKING:
    from fpsverify.own.federation import Federation

KINKS = re.compile(  # operations of torch's graph
    "Relu|LeakyRelu|Prelu|Rrelu|Hard|Threshold|(Adaptive)?MaxPool|(Max|Min|Abs)Backward|Maxi|Mini|Amax|Amin|Clamp|L1L"
)
MOST_WORK = 5e8  # rows · d beyond which curvature is measured on a sample of each device's rows


@dataclass(frozen=True)
class Case:
    """`model` has the rows that curvature is measured on, which is `sampled` for large problems."""

    algorithm: Algorithm
    setup: Setup
    model: DenseModel | SparseModel
    sampled: bool

    @property
    def config(self) -> RunConfig:
        return self.setup.config

    @property
    def d(self) -> int:
        return self.setup.problem.d

    @property
    def E(self) -> int:
        """Local steps of the busiest device in a round."""
        if self.algorithm.name == "mission":
            return 1
        return max(steps_in_round(self.model.problem.sizes, self.config.local))

    @property
    def n(self) -> int:
        """Devices that take part in a round, about; with fading a gain is above g with probability e^-g."""
        heard = math.exp(-self.config.channel.gain_threshold) if self.fading else 1.0
        return max(1, round(heard * self.config.devices.per_round))

    @property
    def fading(self) -> bool:
        return self.config.channel.kind == "rayleigh"

    @property
    def all_take_part(self) -> bool:
        """A device with a weak channel is silent for the round."""
        silent = self.fading and self.config.channel.gain_threshold > 0
        return self.config.devices.per_round == self.model.M and not silent

    @cached_property
    def facts(self) -> Facts:
        """What is known before any constant is."""
        config = self.config.model_dump(mode="json", exclude_none=True)
        known = of_config(config, d=self.d, E=self.E, everyone=self.all_take_part, kinked=self._kinked())
        return replace(known, sampled=self.sampled)

    @property
    def spelling(self) -> Spelling:
        """How this problem's reader calls what is advised."""
        return spelling_of(
            {"problem": {"data": self.config.problem.data, "source": self.config.problem.source}}
        )

    @property
    def mu(self) -> float:
        return self.facts.mu

    @property
    def mu_follows(self) -> bool:
        """Does μ change along the run, and does it matter? The first local step knows no μ."""
        return self.facts.mu_follows

    @property
    def sketched(self) -> bool:
        return self.fresh or (
            self.algorithm.name == "fps" and self.config.algorithm.compressor == "count_sketch"
        )

    @property
    def fresh(self) -> bool:
        """Is a hash drawn for every round?"""
        return self.facts.compression is not None and self.facts.compression.hash == "fresh"

    @property
    def averaged(self) -> bool:
        """Does the server apply the mean of the devices' displacements, up to a sketch?"""
        return self.facts.averaged

    @property
    def compresses(self) -> bool:
        """Is anything lost between the devices and the broadcast?"""
        return self.facts.compression is not None

    @property
    def cuts(self) -> bool:
        """Are fewer than all coordinates broadcast?"""
        return self.algorithm.name == "fps" and self.config.algorithm.k < self.d

    @property
    def noiseless(self) -> bool:
        """Full gradients over a channel without noise or fading."""
        return self.facts.noiseless

    @property
    def random(self) -> bool:
        """Does a run depend on what is drawn: a hash, mini-batches, noise, participants?"""
        return self.sketched or not self.noiseless or not self.all_take_part

    @property
    def objective(self) -> str:
        return str(self.config.problem.objective)

    @property
    def convex(self) -> bool:
        return self.facts.loss in ("quadratic", "convex")

    @property
    def kinked(self) -> bool:
        return self.facts.loss == "kinked"

    def _kinked(self) -> bool:
        """Does computing the loss take an operation with kinks?"""
        problem = self.setup.problem
        if self.objective == "mlp" or not isinstance(problem, DenseProblem):
            return self.objective == "mlp"
        w, rows = problem.start.detach().clone().requires_grad_(), torch.from_numpy(problem.shards[0][:2])
        with torch.enable_grad():
            loss = problem.objective.loss(w[None], problem.X[rows][None], problem.y[rows][None])
        return any(KINKS.match(name) for name in _operations(loss.grad_fn))

    def at(self, gamma: float) -> Setup:
        """The same with another learning rate, without what a pilot does not need."""
        local = self.config.local.model_copy(update={"gamma": gamma})
        return replace(self.setup, config=self.config.model_copy(update={"local": local}))

    def uncompressed(self) -> Case | None:
        """The same if devices sent whole vectors and all of them were broadcast; None where it is not FPS on
        dense data: others may not be able to."""
        if self.algorithm.name not in ("fps", "fresh") or not isinstance(self.setup.problem, DenseProblem):
            return None
        whole: dict[str, Any] = {"compressor": "identity", "k": self.d, "memory_share": 0.0}
        options = self.config.algorithm.model_copy(update=whole)
        config = self.config.model_copy(update={"algorithm": options})
        return replace(self, setup=replace(self.setup, config=config))

    def in_model(self, w: Vector) -> Tensor:
        return in_model(self.model, w)

    def evidence(self, points: tuple[tuple[int, Tensor], ...]) -> Evidence:
        """For the edge: Hessians at these points."""
        config = self.config
        return Evidence(
            model=self.model,
            iterates=tuple(Iterate(t, w) for t, w in points),
            gamma=config.local.gamma,
            mu=self.mu,
            E=self.E,
            T=config.rounds,
            seed=config.seed,
            series={},
            k=config.algorithm.k if self.algorithm.name != "fedavg" else None,
            full_d=self.d,
            config=config.model_dump(mode="json"),
        )


def _operations(node: Any) -> Iterator[str]:
    """The names of everything that was computed on the way to this node of torch's graph."""
    seen, ahead = set(), [node]
    while ahead:
        if (at := ahead.pop()) is not None and at not in seen:
            seen.add(at)
            yield at.name()
            ahead += [before for before, _ in at.next_functions]


def case_of(config: RunConfig, federation: Federation | None = None) -> Case:
    record = config.record.model_copy(
        update={"verify": False, "evaluate_every": 10**9}  # pragma: no mutate: later than any round
    )
    algorithm, setup, _ = prepare(config.model_copy(update={"record": record}), federation=federation)
    model = model_of(setup.problem, config.local)
    smaller = _sample(setup.problem)
    if smaller is None:
        return Case(algorithm, setup, model, False)
    return Case(algorithm, setup, model_of(smaller, config.local), True)


def _sample(problem: Problem) -> Problem | None:
    """Evenly spaced rows of each device, so that a Hessian-vector product stays cheap; None: all rows."""
    if not isinstance(problem, DenseProblem):
        return None
    share = MOST_WORK / (problem.d * sum(problem.sizes))
    if share >= 1:
        return None
    shards = tuple(_evenly(shard, max(32, int(share * len(shard)))) for shard in problem.shards)
    return replace(problem, shards=shards)


def _evenly(shard: np.ndarray, most: int) -> np.ndarray:
    at = np.unique(np.linspace(0, len(shard) - 1, min(most, len(shard))).round().astype(int))
    return np.ascontiguousarray(shard[at])


def loss_of(problem: Problem, w: Vector) -> float:
    """f(w) without its gradient where that is cheaper."""
    if not isinstance(problem, DenseProblem):
        return problem.full_gradient(w).loss
    assert isinstance(w, Tensor)
    return float(device_losses(problem, w.expand(problem.M, -1)).mean())


def device_losses(problem: DenseProblem, W: Tensor) -> Tensor:
    """l_m(W_m) of every device."""
    pairs = zip(W, problem.shards, strict=True)
    found = [_device_loss(problem, problem.objective, w, shard) for w, shard in pairs]
    return torch.tensor(found, dtype=torch.float64)


def _device_loss(problem: DenseProblem, objective: DenseObjective, w: Tensor, shard: np.ndarray) -> float:
    total = 0.0
    for first in range(0, len(shard), CHUNK):
        rows: Any = np.ascontiguousarray(shard[first : first + CHUNK])
        found = objective.loss(w[None], problem.X[rows][None], problem.y[rows][None])
        total += len(rows) / len(shard) * float(found[0])
    return total
