"""Band-limited coordinate descent (Zhang et al., 2021): K random coordinates a round, shared by all devices.

"For BLCD, random sparsification selects gradient coordinates based on the number of subcarriers" (Section 6):
`algorithm.k` is K, drawn without replacement, and K is the number of channel uses of a round. The rest of the
round, with the memory of what was not sent, is in sparsified.py.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import torch
from torch import Tensor

from fpsverify.algorithms.base import Algorithm, Setup
from fpsverify.algorithms.sparsified import SparsifiedState, check, init, model, per_device, step_with
from fpsverify.rng import numpy_generator
from fpsverify.vectors import Vector


def random_coordinates(d: int, K: int, seed: int, t: int) -> Tensor:
    """K of d coordinates, increasing; every set of K is equally likely. No vector of length d if K < d/50."""
    drawn = numpy_generator(seed, "blcd", t).choice(d, size=K, replace=False, shuffle=False)
    return torch.from_numpy(np.sort(drawn))


def _choose(setup: Setup, mean: Vector, t: int) -> Tensor:
    chosen = random_coordinates(setup.problem.d, setup.config.algorithm.k, setup.seed, t)
    return chosen.to(setup.device)


BLCD = Algorithm(
    "blcd",
    "band-limited coordinate descent: K random coordinates per round",
    SparsifiedState,
    init,
    partial(step_with, _choose),
    model,
    check,
    per_device,
)
