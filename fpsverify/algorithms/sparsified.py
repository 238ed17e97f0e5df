"""Algorithms that send the same few coordinates from every device: BLCD and global Top-k.

    a^m = g^m + e^m                          gradients, with the memory of what was not sent yet
    I   = the coordinates of the round       the same for all devices
    w_I ← w_I − γ((1/M) Σ_m a^m_I + n)       |I| channel uses, noise on these coordinates only
    e^m ← a^m outside of I, 0 on I

`memory` = False drops e. The paper on sparsification (Section 2): "these approaches rely on the ability to
store compression errors locally and reintroduce them in subsequent iterations to ensure convergence".

All devices choose the same I, so only the mean ē = (1/M) Σ e^m is ever needed and it alone is kept: sending
g^m + ē has the same sum. With fading some devices are silent and this would not be exact; it is refused.
If only some devices take part in a round, M vectors e^m are kept: an absent device's memory stays as it is.

`blcd`, band-limited coordinate descent (Zhang et al., 2021): I is random. "For BLCD, random sparsification
selects gradient coordinates based on the number of subcarriers" (Section 6): `algorithm.k` is K, drawn
without replacement, and K is the number of channel uses of a round.

`topk`: I holds the k coordinates that are largest in the mean of all devices' vectors. "the top-k algorithm
requires additional communication rounds between edge devices to achieve consensus on global top-k gradient
coordinates" (Section 6.1). The consensus is idealised: exact, free of noise, and not counted; channel uses
are the k numbers sent. So this is a best case for Top-k, not a protocol.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import Tensor

from fpsverify.algorithms import transmit
from fpsverify.algorithms.base import Algorithm, RoundInfo, Setup
from fpsverify.config import RunConfig
from fpsverify.errors import BadInput
from fpsverify.rng import numpy_generator
from fpsverify.sketch.order import positions_of_largest
from fpsverify.vectors import DenseUpdates, SparseVector, Updates, Vector, add

Choose = Callable[[Setup, Vector, int], Tensor]


@dataclass(frozen=True)
class SparsifiedState:
    """The model, and the memory: ē, or one row e^m per device if not all take part; None without memory."""

    w: Tensor | SparseVector
    memory: Tensor | SparseVector | None


def init(setup: Setup) -> SparsifiedState:
    memory = setup.problem.zero() if setup.config.algorithm.memory else None
    if isinstance(memory, Tensor) and per_device(setup.config):
        memory = memory.repeat(setup.problem.M, 1)
    return SparsifiedState(setup.problem.start, memory)


def step_with(
    choose: Choose, setup: Setup, state: SparsifiedState, t: int
) -> tuple[SparsifiedState, RoundInfo]:
    """One round; `choose(setup, mean of a, t)` gives the increasing coordinates I."""
    gamma = transmit.step_size(setup, "gradient")
    gradients = transmit.descent_directions(setup, state.w, gamma, t)
    wanted, shared = _with_memory(setup, gradients, state.memory)
    mean = setup.ranks.mean(wanted)
    if shared is not None:
        mean = add(mean, shared)
    chosen = choose(setup, mean, t)
    tables = restricted(wanted, chosen)
    if shared is not None:
        tables = tables + at(shared, chosen)
    received = transmit.over_the_air(setup, tables, gamma, t)
    change = SparseVector(setup.problem.d, chosen, received.table)
    memory = _remembered(setup, state.memory, wanted, mean, chosen)
    info = transmit.report(setup, received, gradients, chosen)
    return SparsifiedState(add(state.w, change, -gamma), memory), info


def _with_memory(setup: Setup, gradients: Updates, memory: Vector | None) -> tuple[Updates, Vector | None]:
    """a^m of those who take part if each device has a memory of its own; else g^m, and the ē they share."""
    if setup.taking_part is None or memory is None:
        return gradients, memory
    assert isinstance(gradients, DenseUpdates) and isinstance(memory, Tensor)
    return DenseUpdates(gradients.values + memory[list(setup.taking_part)]), None


def _remembered(
    setup: Setup, memory: Vector | None, wanted: Updates, mean: Vector, chosen: Tensor
) -> Vector | None:
    """What was not sent: in the mean, or of each device that took part."""
    if setup.taking_part is None or memory is None:
        return None if memory is None else cleared(mean, chosen)
    assert isinstance(wanted, DenseUpdates) and isinstance(memory, Tensor)
    kept, left = memory.clone(), wanted.values.clone()
    left[:, chosen] = 0
    kept[list(setup.taking_part)] = left
    return kept


def at(v: Vector, coordinates: Tensor) -> Tensor:
    return v.gather(coordinates) if isinstance(v, SparseVector) else v[coordinates]


def restricted(updates: Updates, coordinates: Tensor) -> Tensor:
    """The given coordinates of every device's vector, (M, |I|)."""
    if isinstance(updates, DenseUpdates):
        return updates.values[:, coordinates]
    return torch.stack([part.gather(coordinates) for part in updates.parts])


def cleared(v: Vector, coordinates: Tensor) -> Vector:
    """v with the given coordinates set to 0."""
    if isinstance(v, SparseVector):
        keep = ~torch.isin(v.indices, coordinates)
        return SparseVector(v.d, v.indices[keep], v.values[keep])
    out = v.clone()
    out[coordinates] = 0
    return out


def model(setup: Setup, state: SparsifiedState) -> Vector:
    return state.w


def per_device(config: RunConfig) -> tuple[str, ...]:
    partial = config.devices.per_round < config.devices.M
    return ("memory",) if partial and config.algorithm.memory else ()


def check(config: RunConfig, d: int) -> None:
    transmit.check_read_out(config, d)
    if config.algorithm.memory and config.channel.kind == "rayleigh":
        raise BadInput("algorithm.memory", True, "false with fading: devices then differ in what they sent")
    if per_device(config) and config.problem.objective == "sparse_logistic":
        right = "false for sparse data unless all devices take part: M memories of length d"
        raise BadInput("algorithm.memory", True, right)


def random_coordinates(d: int, K: int, seed: int, t: int) -> Tensor:
    """K of d coordinates, increasing; every set of K is equally likely. No vector of length d if K < d/50."""
    drawn = numpy_generator(seed, "blcd", t).choice(d, size=K, replace=False, shuffle=False)
    return torch.from_numpy(np.sort(drawn))


def largest_coordinates(v: Vector, k: int) -> Tensor:
    """The k largest nonzero |v_i|, increasing; of equals the lowest index. Fewer if fewer are nonzero."""
    if isinstance(v, SparseVector):
        return v.indices[positions_of_largest(v.values.abs(), k)]
    return positions_of_largest(v.abs(), k)


def _random(setup: Setup, mean: Vector, t: int) -> Tensor:
    return random_coordinates(setup.problem.d, setup.config.algorithm.k, setup.seed, t).to(setup.device)


def _largest(setup: Setup, mean: Vector, t: int) -> Tensor:
    chosen = largest_coordinates(mean, setup.config.algorithm.k)
    if chosen.numel() == 0:  # nothing to send: one coordinate keeps the round defined
        return torch.zeros(1, dtype=torch.int64, device=setup.device)
    return chosen


def _algorithm(name: str, summary: str, choose: Choose) -> Algorithm:
    one_round = partial(step_with, choose)
    return Algorithm(name, summary, SparsifiedState, init, one_round, model, check, per_device)


BLCD = _algorithm("blcd", "band-limited coordinate descent: K random coordinates per round", _random)
TOPK = _algorithm("topk", "global Top-k with idealised consensus", _largest)
