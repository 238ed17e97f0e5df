"""Fresh hashes: the sketch S_t is drawn anew in every round, and the update is read out without bias.

    p^m = e^m + y^m                       y^m: displacement of E local (proximal) steps from x_t
    R   = (1/n) Σ_m S_t p^m + noise       over the channel, m = J·b numbers per device
    x_{t+1} = x_t + k·S_tᵀ R/J            everybody decodes the table at all coordinates, k = 1 − ρ(1 − c)
    e^m ← ρ(p^m − c·S_tᵀ S_t p^m/J)       only at those that were heard; c = 1/(1 + ω)

With A = SᵀS/J, E A = I and E‖Ax‖² ≤ (1 + ω)‖x‖² (compressor.py). ρ is `algorithm.memory_share`: at 0, the
default, no device has a state, k = 1, and the certified ranges apply; .8 trains best where γ is tuned. What
is sent grows with it, ‖p^m‖ ≤ max ‖y^m‖/(1 − ρ), surely for the fold with b a divisor of d, in mean else.

Nothing is kept in a table, so there is no null space to lose anything in, and no k: a table serves all d
coordinates. Silent devices keep e^m as it was. On sparse data the model is kept on the coordinates that
occur in training or test rows: no other can change a loss, a score or a later gradient.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import torch
from torch import Tensor

from fpsverify.algorithms import transmit
from fpsverify.algorithms.base import Algorithm, RoundInfo, Setup
from fpsverify.algorithms.compressor import Compressor, Draw
from fpsverify.algorithms.fedavg import moved, occurring
from fpsverify.channel import Received
from fpsverify.config import RunConfig
from fpsverify.distributed.ranks import Ranks
from fpsverify.errors import BadInput
from fpsverify.local import local_updates
from fpsverify.vectors import DenseUpdates, SparseVector, Updates, Vector


@dataclass(frozen=True)
class FreshState:
    """The model, dense or on the coordinates that occur, and e^m, one row per device; None if ρ = 0."""

    w: Tensor | SparseVector
    memory: Tensor | None = None


def init(setup: Setup) -> FreshState:
    w = occurring(setup.problem)
    if not setup.config.algorithm.memory_share:
        return FreshState(w)
    assert isinstance(w, Tensor)
    return FreshState(w, torch.zeros_like(w).repeat(len(setup.everyone.mine), 1))


def one_round(setup: Setup, state: FreshState, t: int) -> tuple[FreshState, RoundInfo]:
    kind = compressor(setup, state.w)
    draw, rho, c = kind.draw(t), setup.config.algorithm.memory_share, 1 / (1 + kind.omega)
    step = transmit.step_size(setup, "update")
    updates = local_updates(setup.problem, state.w, setup.config.local, t, setup.ranks)
    sent = _with_memory(setup, updates, state.memory)
    tables, ranks = _tables(setup, draw, sent)
    received = transmit.over_the_air(setup, tables if step == 1 else tables / step, step, t, ranks)
    info = {**received.as_row(), **transmit.sent_energy(setup, updates)}
    memory = state.memory
    if memory is not None:
        assert isinstance(sent, DenseUpdates)
        left = rho * (sent.values - c * draw.decode(tables))
        memory = _kept(setup, memory, left, received)
        info["sent_norm_squared"] = sum(setup.ranks.norms_squared(sent)) / setup.ranks.M
    if received.active == 0:  # an outage: nothing arrived
        return replace(state, memory=memory), info
    change = draw.decode(received.table) * (step * (1 - rho * (1 - c)))
    return FreshState(moved(state.w, change), memory), info


def compressor(setup: Setup, w: Vector) -> Compressor:
    """The compressor of the run; made once, because the fold's permutation is worth keeping."""
    options, kept = setup.config.algorithm, w.indices if isinstance(w, SparseVector) else None
    shape = options.compressor, options.rows, options.buckets, setup.problem.d, setup.seed
    return _made(*shape, kept, setup.dtype, setup.device)


_made = lru_cache(maxsize=8)(Compressor)


@dataclass(frozen=True)
class Sketched:
    """A table (M, J, b) and the S it was made with: what `Ranks.add_mean` asks for."""

    draw: Draw
    table: Tensor

    def add(self, x: Updates) -> Sketched:
        return self.with_table(self.table + self.draw.encode(x))

    def with_table(self, table: Tensor) -> Sketched:
        return Sketched(self.draw, table)


def _tables(setup: Setup, draw: Draw, sent: Updates) -> tuple[Tensor, Ranks]:
    """The devices' tables, and who holds them."""
    if transmit.averaged(setup.config):
        zero = Sketched(draw, torch.zeros((), dtype=setup.dtype, device=setup.device))
        return transmit.tables_of_mean(setup, zero, sent)
    return draw.encode(sent), setup.ranks


def _with_memory(setup: Setup, updates: Updates, memory: Tensor | None) -> Updates:
    """p^m = y^m + e^m of the devices that take part."""
    if memory is None:
        return updates
    assert isinstance(updates, DenseUpdates)
    return DenseUpdates(updates.values + memory[_rows(setup)])


def _kept(setup: Setup, memory: Tensor, left: Tensor, received: Received) -> Tensor:
    """e^m of all devices: what is left of those that were heard, as it was of all others."""
    after, rows = memory.clone(), _rows(setup)
    if received.heard is not None:
        heard = received.heard[setup.ranks.place].to(memory.device)
        left = torch.where(heard[:, None], left, memory[rows])
    after[rows] = left
    return after


def _rows(setup: Setup) -> slice | list[int]:
    return slice(None) if setup.taking_part is None else list(setup.taking_part)


def model(setup: Setup, state: FreshState) -> Vector:
    return state.w


def per_device(config: RunConfig) -> tuple[str, ...]:
    return ("memory",) if config.algorithm.memory_share else ()


def check(config: RunConfig, d: int) -> None:
    options = config.algorithm
    if not options.memory_share:
        return
    if config.problem.objective == "sparse_logistic":
        right = "0 for sparse data: what a device remembers is a dense vector of length d"
        raise BadInput("algorithm.memory_share", options.memory_share, right)
    if transmit.averaged(config):
        right = "'batched' with a memory_share: every device has its own"
        raise BadInput("algorithm.simulate", "averaged", right)


FRESH = Algorithm(
    "fresh",
    "a fresh sketch every round, read out without bias at all coordinates",
    FreshState,
    init,
    one_round,
    model,
    check,
    per_device,
)
