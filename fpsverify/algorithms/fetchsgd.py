"""FetchSGD (Rothchild et al., 2020): momentum and error accumulation in sketch space.

    S_t = (1/M) Σ_m S(g^m) + n_t        devices sketch gradients, the channel adds them
    u ← ρ u + S_t                       momentum
    e ← e + γ u                         error accumulation
    Δ = U_k(e),   w ← w − Δ             the server reads out and steps
    e ← e − S(Δ)                        what was applied is removed from the error

Readings (`error_feedback`): `zero` sets the buckets that hold extracted coordinates to 0, which is what that
paper's experiments do; `subtract` is its Algorithm 1 as written. With `momentum_masking`, u forgets the same
buckets ("momentum factor masking" there). `momentum` = 0.9 is that paper's; ours does not name a value.

With E > 1, g^m stands for the sum of the local gradients. Every round costs w·b channel uses.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from fpsverify.algorithms import transmit
from fpsverify.algorithms.base import Algorithm, RoundInfo, Setup
from fpsverify.config import RunConfig
from fpsverify.distributed.ranks import Ranks, alone
from fpsverify.sketching import compressor
from fpsverify.sketching.compressor import Compressor, IdentitySketch
from fpsverify.sketching.hashing import buckets, hash_tables
from fpsverify.vectors import SparseVector, Updates, Vector, add


@dataclass(frozen=True)
class FetchState:
    """`momentum` and `error` are tables of the server; `w` the model."""

    momentum: Tensor
    error: Tensor
    w: Tensor | SparseVector


def init(setup: Setup) -> FetchState:
    table = _blank(setup, None).table
    return FetchState(table, table.clone(), setup.problem.start)


def step(setup: Setup, state: FetchState, t: int) -> tuple[FetchState, RoundInfo]:
    options = setup.config.algorithm
    gamma = transmit.step_size(setup, "gradient")
    gradients = transmit.descent_directions(setup, state.w, gamma, t)
    tables, holders = _sketches(setup, gradients)
    received = transmit.over_the_air(setup, tables, gamma, t, holders)
    momentum = options.momentum * state.momentum + received.table
    error = _blank(setup, None).with_table(state.error + gamma * momentum)
    delta = transmit.read_out(setup, error)
    info = transmit.report(setup, received, gradients, delta.indices)
    if received.active == 0:  # an outage: nothing arrived, the last broadcast stays in place
        return state, info
    if options.momentum_masking:
        momentum = without_buckets(error.with_table(momentum), delta.indices)
    return FetchState(momentum, _after(setup, error, delta), add(state.w, delta, -1.0)), info


def _after(setup: Setup, error: Compressor, delta: SparseVector) -> Tensor:
    """The error that is left after Δ was applied, by the reading of `error_feedback`."""
    if setup.config.algorithm.error_feedback == "subtract":
        return error.add(delta.scaled(-1.0)).table
    return without_buckets(error, delta.indices)


def without_buckets(sketch: Compressor, indices: Tensor) -> Tensor:
    """The table with every bucket that one of the coordinates falls into set to 0."""
    table = sketch.table.clone()
    if isinstance(sketch, IdentitySketch):
        table[indices] = 0
        return table
    return table.scatter_(1, buckets(hash_tables(sketch.spec, table.device), indices), 0.0)


def _sketches(setup: Setup, gradients: Updates) -> tuple[Tensor, Ranks]:
    """S(g^m) of the devices, and who holds them; `averaged` sketches their mean once, equal by linearity.

    That one table stands for M equal ones, which every rank has already.
    """
    ranks = setup.ranks
    if setup.config.algorithm.simulate == "batched":
        return _blank(setup, len(ranks.mine)).add(gradients).table, ranks
    table = ranks.add_mean(_blank(setup, 1), gradients).table
    return table.expand(ranks.M, *table.shape[1:]), alone(ranks.M)


def _blank(setup: Setup, batch: int | None) -> Compressor:
    like = torch.empty(0, dtype=setup.dtype, device=setup.device)
    return compressor.empty(setup.config.algorithm, setup.problem.d, batch, setup.seed, like)


def model(setup: Setup, state: FetchState) -> Vector:
    return state.w


def check(config: RunConfig, d: int) -> None:
    compressor.check(config.algorithm, d)
    transmit.check_scan(config)


FETCHSGD = Algorithm(
    "fetchsgd", "FetchSGD: momentum and error feedback in sketch space", FetchState, init, step, model, check
)
