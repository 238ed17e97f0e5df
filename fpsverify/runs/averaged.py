"""w̄: the mean of the broadcasts w̃_t, an output beside the last one (`record.average`).

    last_half     the plain mean of rounds t > T/2
    exponential   w̄ ← 0.95 w̄ + 0.05 w̃_t from round 1 on, starting at w̃_1

Noise of the channel and swaps of the read-out move every w̃_t; their mean moves less. It helps where k is
small, the run long or the noise strong, and costs one vector. Nothing of it goes back into the run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from fpsverify.algorithms import Algorithm, Setup
from fpsverify.config import RunConfig
from fpsverify.runs.record import AVERAGED, Row, averaged_rounds, evaluated
from fpsverify.vectors import SparseVector, Vector, add

FORGET = 0.05


@dataclass(frozen=True)
class Average:
    """The mean so far, and of how many rounds: tensors, because a checkpoint stores them."""

    averaged: Tensor | SparseVector | None = None
    averaged_rounds: Tensor | None = None

    def with_round(self, config: RunConfig, w: Vector, t: int) -> Average:
        n = averaged_rounds(config, t)
        if n == 0:
            return self
        share = 1 / n if config.record.average == "last_half" else FORGET
        mean = w if self.averaged is None else add(scaled(self.averaged, 1 - share), w, share)
        return Average(mean, torch.tensor(n))


def scaled(v: Vector, scale: float) -> Vector:
    return v.scaled(scale) if isinstance(v, SparseVector) else v * scale


def with_averages(
    algorithm: Algorithm, setup: Setup, found: Iterator[tuple[int, Any, Row]], average: Average
) -> Iterator[tuple[int, Any, Average, Row]]:
    """The rounds of the loop, each with w̄ so far; rows with an evaluation also have that of w̄."""
    for t, state, row in found:
        average = average.with_round(setup.config, algorithm.model(setup, state), t)
        if average.averaged is not None and setup.ranks.leads and evaluated(setup.config, t):
            metrics = setup.problem.evaluate(average.averaged, setup.config.record.tie_rule)
            row = {**row, **{AVERAGED + name: value for name, value in metrics.items()}}
        yield t, state, average, row
