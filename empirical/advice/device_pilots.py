"""Does a single device drive the model away? Where few take part in a round, a pilot may never draw it.

A device that is drawn moves the mean of n devices by a part 1/n of its own E local steps. Repeated round
after round this must not diverge. For least squares and E = 1 it does so exactly if γh/n > 2, h being the
largest curvature of the device.

Only devices whose local steps overshoot, γ(h + μ) > 2, are looked at, the stiffest first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from empirical.advice.case import Case, device_losses
from empirical.advice.pilots import HOPELESS
from empirical.constants.lanczos import STEPS
from empirical.constants.smoothness import spectral_norms
from empirical.observed.run_models import DenseModel
from empirical.statistics.intervals import LEVEL

MOST_DEVICES, ROUNDS, EVERY = 64, 64, 8


@dataclass(frozen=True)
class Devices:
    """All devices, and at the start of the run the largest curvature of each (a lower limit of it)."""

    model: DenseModel
    start: Tensor
    curvature: Tensor


def devices_of(case: Case) -> Devices | None:
    """None where all take part in every round, or for a sparse logistic loss: its gradients are bounded."""
    if case.all_take_part or not isinstance(case.model, DenseModel):
        return None
    model, w = case.model, case.in_model(case.setup.problem.start)
    seed = (case.config.seed, 0, "single devices")
    found = spectral_norms(model, w.expand(model.M, -1), STEPS, (1 - LEVEL) / (2 * model.M), seed)
    return Devices(model, w, torch.as_tensor(found[0]))


def diverges(case: Case, devices: Devices, gamma: float) -> bool:
    steepest = torch.argsort(devices.curvature, descending=True)[:MOST_DEVICES]
    stiff = steepest[gamma * (devices.curvature[steepest] + case.mu) > 2].tolist()
    if not stiff:
        return False
    problem = devices.model.problem
    alone = DenseModel(replace(problem, shards=tuple(problem.shards[m] for m in stiff)), devices.model.local)
    return _driven_away(case, alone, devices.start.expand(len(stiff), -1), gamma)


def _driven_away(case: Case, alone: DenseModel, W: Tensor, gamma: float) -> bool:
    limit = HOPELESS * device_losses(alone.problem, W).clamp_min(case.model.loss(W[0]))
    for t in range(1, ROUNDS + 1):
        W = _round(case, alone, W, gamma)
        if t % EVERY == 0 and not bool((device_losses(alone.problem, W) <= limit).all()):
            return True
    return False


def _round(case: Case, alone: DenseModel, W: Tensor, gamma: float) -> Tensor:
    V = W
    for _ in range(case.E):
        V = V - gamma * (alone.full_gradients(V) + case.mu * (V - W))
    return W + (V - W) / case.n
