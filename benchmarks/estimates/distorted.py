"""Problems of the advice experiment in which devices send distorted gradients, and differ in relative terms.

Mini-batches of ordinary data are unbiased, and their noise is best covered by σ² alone, so they hardly test
what P_b, P_n and B do to a learning rate. Here
    clip       the device's gradient is cut to a largest norm                    bias, relative above it
    sparsify   only its largest coordinates are kept                             bias, relative: P_b > 0
    round      its coordinates are rounded to a few levels                       bias, relative: P_b > 0
    offset     a constant vector is added (a sensor that is off)                 bias, absolute: b² > 0
    fading     it is multiplied by a random gain of mean 1                       noise, relative: P_n > 0
    both       sparsify and fading
`shared` is least squares in which all devices have the same minimiser and different curvatures: gradients
vanish together, so G = 0 and B > 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import numpy as np
import torch
from torch import Tensor

from empirical.observed.run_models import DenseModel
from fpsverify.config import LocalConfig
from fpsverify.distributed.ranks import Ranks
from fpsverify.problems.problem import DenseProblem
from fpsverify.rng import numpy_generator

Distortion = Callable[[Tensor, np.random.Generator], Tensor]


def clip(g: Tensor, generator: np.random.Generator, most: float = 0.5) -> Tensor:
    norm = g.norm(dim=1, keepdim=True)
    return g * (most / norm.clamp(min=most))


def sparsify(g: Tensor, generator: np.random.Generator, share: float = 0.3) -> Tensor:
    """The `share` largest coordinates of each row."""
    k = max(1, int(share * g.shape[1]))
    least = g.abs().topk(k, dim=1).values[:, -1:]
    return torch.where(g.abs() >= least, g, torch.zeros_like(g))


def round_off(g: Tensor, generator: np.random.Generator, levels: int = 4) -> Tensor:
    unit = g.abs().amax(dim=1, keepdim=True).clamp(min=torch.finfo(g.dtype).tiny) / levels
    return (g / unit).round() * unit


def offset(g: Tensor, generator: np.random.Generator, size: float = 0.02) -> Tensor:
    return g + size


def fading(g: Tensor, generator: np.random.Generator, spread: float = 0.5) -> Tensor:
    gain = 1 + spread * generator.standard_normal((g.shape[0], 1))
    return g * torch.from_numpy(gain).to(g)


def both(g: Tensor, generator: np.random.Generator) -> Tensor:
    return fading(sparsify(g, generator), generator)


DISTORTIONS: dict[str, Distortion] = {
    "clip": clip,
    "sparsify": sparsify,
    "round": round_off,
    "offset": offset,
    "fading": fading,
    "both": both,
}
UNBIASED = {"fading": "a gain of mean 1 on mini-batches drawn with replacement"}


@dataclass(frozen=True)
class DistortedProblem(DenseProblem):
    """The problem as its devices see it: mini-batch gradients are distorted, full gradients are not."""

    distortion: str = "clip"

    @staticmethod
    def of(problem: DenseProblem, distortion: str) -> DistortedProblem:
        values = {field.name: getattr(problem, field.name) for field in fields(problem)}
        return DistortedProblem(**values, distortion=distortion)

    def gradients(
        self, W: Tensor, local: LocalConfig, t: int, e: int, ranks: Ranks | None = None
    ) -> tuple[Tensor, list[bool]]:
        g, busy = super().gradients(W, local, t, e, ranks)
        return DISTORTIONS[self.distortion](g, numpy_generator(self.seed, "distortion", t, e)), busy


@dataclass(frozen=True)
class DistortedModel(DenseModel):
    """The same for the estimators."""

    distortion: str = "clip"

    def gradients(self, W: Tensor, generator: np.random.Generator) -> Tensor:
        return DISTORTIONS[self.distortion](super().gradients(W, generator), generator)


def shared_minimiser(problem: DenseProblem, spread: float = 0.6) -> DenseProblem:
    """Least squares with labels that one w fits exactly, device m's features scaled coordinate by
    coordinate.
    """
    generator = numpy_generator(problem.seed, "shared minimiser")
    X = problem.X.clone()
    for rows in problem.shards:
        scale = torch.from_numpy(np.exp(spread * generator.standard_normal(X.shape[1]))).to(X)
        X[torch.from_numpy(np.asarray(rows))] *= scale
    w = torch.from_numpy(generator.standard_normal(X.shape[1])).to(X)
    return replace(problem, X=X, y=(X @ w).to(problem.y.dtype))
