"""Federated Proximal Sketching (Algorithm 1).

    S^m ← S^m + S(w^{m,E} − w̃_t)          step 6, E local proximal steps (local.py)
    S_t = (1/M) Σ_m S^m + n_t              step 8, the channel (channel.py)
    w̃_{t+1} = U_k(S_t)                     step 9; step 10 broadcasts it

The paper leaves choices open; each is a named option, the default first:
    device_sketch  persist: never reset (Section 6.2, "without re-initializing the CS data structure");
                   accum: the server adds up noisy sketches of the round's updates;
                   resync: a device replaces its sketch by that of the broadcast (diverges at large k/b)
    initial_model  beside: w̃ = w_0 + U_k(S(Δ)); sketch: w_0 is sketched too (step 2); zero: w_0 = 0
    local_iterate  dense: plain local steps, the displacement is sketched; mission: unsketch after every step
    recovery       median of rows (the paper's reading, robust where few coordinates are large: power laws,
                   clicks); mean of rows (recommended for networks, where many matter; its edge of
                   stability is proved; `fps.train` uses it; book/results/readout.json has both on six shapes)
    scan           full: every coordinate is a candidate; support: only those that occur in the data (then the
                   server must know the supports: another algorithm, reported as such)
    simulate       batched: M sketches; averaged: one, equal by linearity up to rounding (persist, dense)
                   and the same on every rank

Devices that do not take part in a round (participation.py) compute nothing. Under accum and resync they are
silent, too. Under persist they still send the sketch that they hold: the server keeps none, so without it all
that the device has ever contributed would be missing from the broadcast. The n that take part then add
(M/n) S(Δ^m), so that the mean over all M moves by the mean of their updates. A device that cannot be reached
at all is a case for accum.

`v` is the exact vector whose sketch is averaged (repaired theory), kept only in verification mode.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from fpsverify.algorithms import adaptive_mu
from fpsverify.algorithms.base import Algorithm, RoundInfo, Setup
from fpsverify.algorithms.mission import mission_updates
from fpsverify.channel import Received, superpose
from fpsverify.config import RunConfig
from fpsverify.distributed.ranks import alone
from fpsverify.errors import BadInput
from fpsverify.local import local_updates
from fpsverify.sketching import compressor
from fpsverify.sketching.compressor import Compressor
from fpsverify.vectors import SparseVector, Updates, Vector, add, norm_squared


@dataclass(frozen=True)
class FpsState:
    """`devices`: tables (M, …) of the device sketches (a rank holds those of its own devices).

    `server`: the accumulated table (accum only).
    `u` is what was read out of the sketch last: the model is w_0 + u (beside) or u itself.
    `mu` is the memory of a μ that follows the loss (adaptive_mu.py).
    """

    devices: Tensor
    server: Tensor | None
    u: Tensor | SparseVector
    v: Tensor | SparseVector | None
    mu: Tensor | None = None


def init(setup: Setup) -> FpsState:
    options, problem = setup.config.algorithm, setup.problem
    blank = _blank(setup)
    if options.initial_model == "sketch":
        devices, u, v = blank.add(problem.start).table, problem.start, problem.start
    else:
        devices, u, v = blank.table, _nothing(setup), problem.zero()
    server = devices[0].clone() if options.device_sketch == "accum" else None
    return FpsState(devices, server, u, v if setup.config.record.verify else None, adaptive_mu.start(setup))


def step(setup: Setup, state: FpsState, t: int) -> tuple[FpsState, RoundInfo]:
    w = model(setup, state)
    setup, mu, about_mu = adaptive_mu.follow(setup, state.mu, w)
    held = _held(setup, state)
    updates = _updates(setup, held, w, t)
    devices = _added(setup, state, held, updates)
    received = _over_the_air(setup, devices.table, t)
    server = None if state.server is None else state.server + received.table
    u: Vector = _unsketch(setup, devices.member(0).with_table(received.table if server is None else server))
    if received.active == 0:  # an outage: the last broadcast stays in place
        u, server = state.u, state.server
    v = _exact(setup, state, updates)
    info = {
        **received.as_row(),
        "update_norm_squared": sum(setup.ranks.norms_squared(updates)) / setup.ranks.M,
        **_selection(setup, u),
        **_residual(u, v),
        **about_mu,
    }
    return FpsState(devices.table, server, u, v, mu), info


def model(setup: Setup, state: FpsState) -> Vector:
    beside = setup.config.algorithm.initial_model == "beside"
    return add(setup.problem.start if beside else setup.problem.zero(), state.u)


def _nothing(setup: Setup) -> SparseVector:
    return SparseVector.zero(setup.problem.d, setup.dtype, setup.device)


def _blank(setup: Setup) -> Compressor:
    options = setup.config.algorithm
    batch = 1 if _averaged(setup.config) else len(setup.ranks.mine)
    like = torch.empty(0, dtype=setup.dtype, device=setup.device)
    return compressor.empty(options, setup.problem.d, batch, setup.seed, like)


def _held(setup: Setup, state: FpsState) -> Compressor:
    """The sketches of those who take part at the start of the round, by the reading of `device_sketch`."""
    reading, blank = setup.config.algorithm.device_sketch, _blank(setup)
    if reading == "persist":
        return blank.with_table(_of_participants(setup, state.devices))
    return blank if reading == "accum" else blank.add(state.u)


def _of_participants(setup: Setup, tables: Tensor) -> Tensor:
    everyone = setup.taking_part is None or _averaged(setup.config)
    return tables if everyone else tables[list(setup.taking_part or ())]


def _added(setup: Setup, state: FpsState, held: Compressor, updates: Updates) -> Compressor:
    """The sketches that are sent, with the updates in them; under persist also those of absent devices."""
    if _averaged(setup.config):
        return setup.ranks.add_mean(held, updates)
    if setup.taking_part is None or setup.config.algorithm.device_sketch != "persist":
        return held.add(updates)
    tables = state.devices.clone()
    grown = held.add(updates.scaled(setup.problem.M / setup.ranks.M))
    tables[list(setup.taking_part)] = grown.table
    return held.with_table(tables)


def _updates(setup: Setup, held: Compressor, w: Vector, t: int) -> Updates:
    if setup.config.algorithm.local_iterate == "mission":
        return mission_updates(setup, held, w, t)
    return local_updates(setup.problem, w, setup.config.local, t, setup.ranks)


def _averaged(config: RunConfig) -> bool:
    return config.algorithm.simulate == "averaged"


def _over_the_air(setup: Setup, tables: Tensor, t: int) -> Received:
    """The channel. One averaged table stands for M equal ones, which every rank has already."""
    config = setup.config
    ranks = setup.everyone if config.algorithm.device_sketch == "persist" else setup.ranks
    if _averaged(config):
        tables, ranks = tables.expand(setup.problem.M, *tables.shape[1:]), alone(setup.problem.M)
    return superpose(
        config.channel,
        tables,
        gamma=config.local.gamma,
        seed=config.seed,
        t=t,
        ranks=ranks,
        full_power=config.algorithm.transmit == "full_power",
    )


def _unsketch(setup: Setup, sketch: Compressor) -> SparseVector:
    options = setup.config.algorithm
    support = setup.problem.support if options.scan == "support" else None
    found = sketch.unsketch(options.k, support=support, rule=options.recovery)
    assert isinstance(found, SparseVector)
    return found


def _exact(setup: Setup, state: FpsState, updates: Updates) -> Vector | None:
    """v_{t+1} = v_t + mean_m Δ^m; a re-synchronised sketch starts from the broadcast instead of v_t."""
    if state.v is None:
        return None
    resync = setup.config.algorithm.device_sketch == "resync"
    return add(add(setup.problem.zero(), state.u) if resync else state.v, setup.ranks.mean(updates))


def _residual(u: Vector, v: Vector | None) -> RoundInfo:
    if v is None:
        return {}
    return {"residual_squared": norm_squared(add(v, u, -1.0)), "v_norm_squared": norm_squared(v)}


def _selection(setup: Setup, u: Vector) -> RoundInfo:
    if not isinstance(u, SparseVector):  # pragma: no cover: an outage before the first broadcast
        return {}
    info = {"selected": float(u.indices.numel())}
    if setup.problem.support is not None:
        info["selected_in_data"] = float(torch.isin(u.indices, setup.problem.support).sum())
    return info


def per_device(config: RunConfig) -> tuple[str, ...]:
    return () if _averaged(config) else ("devices",)


def check(config: RunConfig, d: int) -> None:
    options = config.algorithm
    compressor.check(options, d)
    if options.simulate == "averaged" and (options.local_iterate, options.device_sketch) != (
        "dense",
        "persist",
    ):
        raise BadInput(
            "algorithm.simulate",
            "averaged",
            "'batched' unless local_iterate is dense and device_sketch persist",
        )
    if options.local_iterate == "mission" and config.problem.objective == "sparse_logistic":
        raise BadInput("algorithm.local_iterate", "mission", "'dense' for sparse data")
    if options.scan == "support" and config.problem.objective != "sparse_logistic":
        raise BadInput("algorithm.scan", "support", "'full' for dense data: every coordinate occurs")


FPS = Algorithm(
    "fps", "Federated Proximal Sketching (Algorithm 1)", FpsState, init, step, model, check, per_device
)
