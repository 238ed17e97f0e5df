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

from torch import Tensor

from fpsverify.algorithms import transmit
from fpsverify.algorithms.base import Algorithm, RoundInfo, Setup
from fpsverify.distributed.ranks import Ranks
from fpsverify.sketch.hash import buckets_and_signs, hash_tables
from fpsverify.sketch.sketch import IdentitySketch, Sketch
from fpsverify.vectors import SparseVector, Updates, Vector, add


@dataclass(frozen=True)
class FetchState:
    """`momentum` and `error` are tables of the server; `w` the model."""

    momentum: Tensor
    error: Tensor
    w: Tensor | SparseVector


def init(setup: Setup) -> FetchState:
    table = transmit.blank(setup).table
    return FetchState(table, table.clone(), setup.problem.start)


def step(setup: Setup, state: FetchState, t: int) -> tuple[FetchState, RoundInfo]:
    options = setup.config.algorithm
    gamma = transmit.step_size(setup, "gradient")
    gradients = transmit.descent_directions(setup, state.w, gamma, t)
    tables, holders = _sketches(setup, gradients)
    received = transmit.over_the_air(setup, tables, gamma, t, holders)
    momentum = options.momentum * state.momentum + received.table
    error = transmit.blank(setup).with_table(state.error + gamma * momentum)
    delta = transmit.read_out(setup, error)
    info = transmit.report(setup, received, gradients, delta.indices)
    if received.active == 0:  # an outage: nothing arrived, the last broadcast stays in place
        return state, info
    if options.momentum_masking:
        momentum = without_buckets(error.with_table(momentum), delta.indices)
    return FetchState(momentum, _after(setup, error, delta), add(state.w, delta, -1.0)), info


def _after(setup: Setup, error: Sketch, delta: SparseVector) -> Tensor:
    """The error that is left after Δ was applied, by the reading of `error_feedback`."""
    if setup.config.algorithm.error_feedback == "subtract":
        return error.add(delta.scaled(-1.0)).table
    return without_buckets(error, delta.indices)


def without_buckets(sketch: Sketch, indices: Tensor) -> Tensor:
    """The table with every bucket that one of the coordinates falls into set to 0."""
    table = sketch.table.clone()
    if isinstance(sketch, IdentitySketch):
        table[indices] = 0
        return table
    buckets, _ = buckets_and_signs(hash_tables(sketch.spec, table.device), indices)
    return table.scatter_(1, buckets, 0.0)


def _sketches(setup: Setup, gradients: Updates) -> tuple[Tensor, Ranks]:
    """S(g^m) of the devices, and who holds them."""
    if transmit.averaged(setup.config):
        return transmit.tables_of_mean(setup, transmit.blank(setup, 1), gradients)
    return transmit.blank(setup, len(setup.ranks.mine)).add(gradients).table, setup.ranks


def model(setup: Setup, state: FetchState) -> Vector:
    return state.w


FETCHSGD = Algorithm(
    "fetchsgd",
    "FetchSGD: momentum and error feedback in sketch space",
    FetchState,
    init,
    step,
    model,
    transmit.check_read_out,
)
