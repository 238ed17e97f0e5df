"""One round of Algorithm 1 cut in two, where the channel is: what a device does, and what the server does.

    device   S^m ← S^m + S(Δ^m)                        step 6, `device_table`
    server   S_t = (1/M) Σ_m S^m + n_t, U_k(S_t)       steps 8 and 9, `receive`

These are the statements of algorithms/fps.py in the same order, so both give the same bits. Of its readings
those that need no more than a table per device and round are served:
    device_sketch  persist: a device keeps S^m, so every device must answer in every round;
                   accum: a device sends S(Δ^m) alone and the server adds up, so devices may come and go
    initial_model  beside; sketch; zero
"""

# pragma: no cover file: needs Flower, which has an environment of its own: make test-engines
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from fpsverify.channel import Received, superpose
from fpsverify.config import AlgorithmConfig, ChannelConfig
from fpsverify.distributed.ranks import ALONE, Ordered
from fpsverify.errors import BadInput, FpsError
from fpsverify.problems.build import DTYPES
from fpsverify.sketching import compressor
from fpsverify.sketching.sketch import CountSketch, SketchSpec
from fpsverify.vectors import SparseVector, Vector, add

SERVED = {
    "name": ("fps",),
    "compressor": ("count_sketch",),
    "device_sketch": ("persist", "accum"),
    "local_iterate": ("dense",),
    "simulate": ("batched",),
}


@dataclass(frozen=True)
class Terms:
    """What the server and a device must agree on in round t: hash and shape of the table, and its meaning."""

    spec: SketchSpec
    dtype: torch.dtype
    device_sketch: str
    initial_model: str
    t: int

    def as_record(self) -> dict[str, int | str]:
        return {
            "fps-rows": self.spec.rows,
            "fps-buckets": self.spec.buckets,
            "fps-d": self.spec.d,
            "fps-hash-seed": self.spec.seed,
            "fps-dtype": str(self.dtype).removeprefix("torch."),
            "fps-device-sketch": self.device_sketch,
            "fps-initial-model": self.initial_model,
            "fps-round": self.t,
        }

    @staticmethod
    def from_record(record: Mapping[str, Any]) -> Terms:
        try:
            rows, buckets, d, seed = (record[f"fps-{name}"] for name in ("rows", "buckets", "d", "hash-seed"))
            dtype, t = DTYPES[record["fps-dtype"]], int(record["fps-round"])
            readings = str(record["fps-device-sketch"]), str(record["fps-initial-model"])
        except (KeyError, TypeError, ValueError) as error:
            raise FpsError(
                f"no terms of FPS in the record ({error}): one side does not use fpsverify"
            ) from None
        return Terms(SketchSpec(rows, buckets, d, seed), dtype, *readings, t)

    def blank(self) -> CountSketch:
        return CountSketch.zeros(self.spec, dtype=self.dtype)


def hash_spec(options: AlgorithmConfig, d: int, seed: int) -> SketchSpec:
    """The hash that a run of this seed uses in the loop of run.py, too."""
    sketch = compressor.empty(options, d, None, seed, torch.empty(0))
    assert isinstance(sketch, CountSketch)
    return sketch.spec


def check_served(options: AlgorithmConfig) -> None:
    for name, values in SERVED.items():
        if getattr(options, name) not in values:
            served = " or ".join(repr(value) for value in values)
            raise BadInput(f"algorithm.{name}", getattr(options, name), f"{served} under Flower")


# ---- device ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OneDevice(Ordered):
    """Device m of M, alone in its process."""

    m: int = 0

    @property
    def mine(self) -> range:
        return range(self.m, self.m + 1)


def one_device(M: int, m: int) -> OneDevice:
    if not 0 <= m < M:
        raise BadInput("partition-id", m, f"a device number from 0 to {M - 1}")
    return OneDevice(ALONE, M, m=m)


def device_table(terms: Terms, held: Tensor | None, w: Vector, update: Vector) -> Tensor:
    """What the device sends: `held` is what it sent in the round before (persist), `w` the broadcast."""
    sketch = terms.blank()
    if terms.device_sketch == "persist" and terms.t == 1 and terms.initial_model == "sketch":
        sketch = sketch.add(w)
    elif terms.device_sketch == "persist" and terms.t > 1:
        assert held is not None
        sketch = sketch.with_table(held)
    return sketch.add(update).table


# ---- server ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Server:
    """All that decides what the server does with the tables it receives."""

    options: AlgorithmConfig
    channel: ChannelConfig
    gamma: float
    seed: int
    support: Tensor | None = None

    def terms(self, state: ServerState, t: int) -> Terms:
        return Terms(state.spec, state.dtype, self.options.device_sketch, self.options.initial_model, t)


@dataclass(frozen=True)
class ServerState:
    """The model is base + u, with u what was read out of the sketch last; `table` adds up (accum only)."""

    spec: SketchSpec
    dtype: torch.dtype
    base: Vector
    u: Vector
    table: Tensor | None

    @property
    def model(self) -> Vector:
        return add(self.base, self.u)


def begin(server: Server, w: Vector, d: int, dtype: torch.dtype) -> ServerState:
    """The state before round 1, with `w` the initial model."""
    compressor.check(server.options, d)
    spec = hash_spec(server.options, d, server.seed)
    sketch = CountSketch.zeros(spec, dtype=dtype)
    base: Vector = w
    u: Vector = SparseVector.zero(d, dtype)
    if server.options.initial_model == "sketch":
        base, u, sketch = _zero_like(w), w, sketch.add(w)
    table = sketch.table if server.options.device_sketch == "accum" else None
    return ServerState(spec, dtype, base, u, table)


def receive(server: Server, state: ServerState, tables: Tensor, t: int) -> tuple[ServerState, Received]:
    """Steps 8 and 9 on the tables (M, w, b) in the order of the devices."""
    received = superpose(server.channel, tables, gamma=server.gamma, seed=server.seed, t=t)
    if received.active == 0:  # an outage: the last broadcast stays in place
        return state, received
    table = received.table if state.table is None else state.table + received.table
    options = server.options
    u = CountSketch(state.spec, table).unsketch(options.k, support=server.support, rule=options.recovery)
    return replace(state, u=u, table=None if state.table is None else table), received


def _zero_like(w: Vector) -> Vector:
    return SparseVector.zero(w.d, w.values.dtype) if isinstance(w, SparseVector) else torch.zeros_like(w)
