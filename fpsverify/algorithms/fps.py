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

Devices that do not take part in a round (base.py) compute nothing. Under accum and resync they are
silent, too. Under persist they still send the sketch that they hold: the server keeps none, so without it all
that the device has ever contributed would be missing from the broadcast. The n that take part then add
(M/n) S(Δ^m), so that the mean over all M moves by the mean of their updates. A device that cannot be reached
at all is a case for accum.

`v` is the exact vector whose sketch is averaged (repaired theory), kept only in verification mode.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from fpsverify.algorithms import adaptive_mu, transmit
from fpsverify.algorithms.base import Algorithm, RoundInfo, Setup
from fpsverify.algorithms.mission import mission_updates
from fpsverify.channel import Received
from fpsverify.config import RunConfig
from fpsverify.distributed.ranks import alone
from fpsverify.errors import BadInput
from fpsverify.local import local_updates
from fpsverify.sketch.sketch import Sketch
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
        devices, u, v = blank.table, SparseVector.zero(problem.d, setup.dtype, setup.device), problem.zero()
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
    summed = devices.member(0).with_table(received.table if server is None else server)
    u: Vector = transmit.read_out(setup, summed)
    if received.active == 0:  # an outage: the last broadcast stays in place
        u, server = state.u, state.server
    v = _exact(setup, state, updates)
    info = transmit.report(setup, received, updates, u.indices if isinstance(u, SparseVector) else None)
    if v is not None:
        info |= {"residual_squared": norm_squared(add(v, u, -1.0)), "v_norm_squared": norm_squared(v)}
    return FpsState(devices.table, server, u, v, mu), info | about_mu


def model(setup: Setup, state: FpsState) -> Vector:
    beside = setup.config.algorithm.initial_model == "beside"
    return add(setup.problem.start if beside else setup.problem.zero(), state.u)


def _blank(setup: Setup) -> Sketch:
    return transmit.blank(setup, 1 if transmit.averaged(setup.config) else len(setup.ranks.mine))


def _held(setup: Setup, state: FpsState) -> Sketch:
    """The sketches of those who take part at the start of the round, by the reading of `device_sketch`."""
    reading, blank = setup.config.algorithm.device_sketch, _blank(setup)
    if reading == "persist":
        everyone = setup.taking_part is None or transmit.averaged(setup.config)
        return blank.with_table(state.devices if everyone else state.devices[list(setup.taking_part or ())])
    return blank if reading == "accum" else blank.add(state.u)


def _added(setup: Setup, state: FpsState, held: Sketch, updates: Updates) -> Sketch:
    """The sketches that are sent, with the updates in them; under persist also those of absent devices."""
    if transmit.averaged(setup.config):
        return setup.ranks.add_mean(held, updates)
    if setup.taking_part is None or setup.config.algorithm.device_sketch != "persist":
        return held.add(updates)
    tables = state.devices.clone()
    grown = held.add(updates.scaled(setup.problem.M / setup.ranks.M))
    tables[list(setup.taking_part)] = grown.table
    return held.with_table(tables)


def _updates(setup: Setup, held: Sketch, w: Vector, t: int) -> Updates:
    if setup.config.algorithm.local_iterate == "mission":
        return mission_updates(setup, held, w, t)
    return local_updates(setup.problem, w, setup.config.local, t, setup.ranks)


def _over_the_air(setup: Setup, tables: Tensor, t: int) -> Received:
    """The channel. One averaged table stands for M equal ones, which every rank has already."""
    ranks = setup.everyone if setup.config.algorithm.device_sketch == "persist" else setup.ranks
    if transmit.averaged(setup.config):
        tables, ranks = tables.expand(setup.problem.M, *tables.shape[1:]), alone(setup.problem.M)
    return transmit.over_the_air(setup, tables, 1.0, t, ranks)


def _exact(setup: Setup, state: FpsState, updates: Updates) -> Vector | None:
    """v_{t+1} = v_t + mean_m Δ^m; a re-synchronised sketch starts from the broadcast instead of v_t."""
    if state.v is None:
        return None
    resync = setup.config.algorithm.device_sketch == "resync"
    return add(add(setup.problem.zero(), state.u) if resync else state.v, setup.ranks.mean(updates))


def per_device(config: RunConfig) -> tuple[str, ...]:
    return () if transmit.averaged(config) else ("devices",)


def check(config: RunConfig, d: int) -> None:
    options = config.algorithm
    transmit.check_read_out(config, d)
    if transmit.averaged(config) and (options.local_iterate, options.device_sketch) != ("dense", "persist"):
        right = "'batched' unless local_iterate is dense and device_sketch persist"
        raise BadInput("algorithm.simulate", "averaged", right)
    if options.local_iterate == "mission" and config.problem.objective == "sparse_logistic":
        raise BadInput("algorithm.local_iterate", "mission", "'dense' for sparse data")


FPS = Algorithm(
    "fps", "Federated Proximal Sketching (Algorithm 1)", FpsState, init, step, model, check, per_device
)
