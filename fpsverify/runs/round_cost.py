"""How long one round takes: a cost model for M devices and d coordinates, FPS and dense updates.

A round is synchronous, as in Algorithm 1, and its parts follow one another:

    waiting     for the slowest of M devices. Their times differ by independent exponential variables of
                mean τ: the last is τ·H_M behind the first possible moment, H_M = 1 + 1/2 + … + 1/M
    sketching   each device sketches its update: measured, a + b·nnz (dense update: a + b·d)
    uplink      over the air all send at once and the channel adds: ⌈n/K⌉ slots for n numbers and any M;
                digitally they take turns: M·⌈n·bits/B_up⌉ slots
    server      adds what has not been added yet, and unsketches (FPS): measured, a + b·d
    broadcast   one transmission to all: 2k numbers (FPS: places and values), or d numbers (dense)

The local training itself is the same for all schemes and is left out. Without the waiting, every scheme costs
`fixed + M·per_device`, so that two schemes cross at one number of devices, known in closed form.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from scipy.special import digamma

from fpsverify.errors import BadInput

What = Literal["sketch", "dense"]
How = Literal["air", "digital"]


@dataclass(frozen=True)
class Line:
    """Seconds for n items: `start + slope·n`."""

    start: float
    slope: float

    def at(self, n: int) -> float:
        return self.start + self.slope * n

    def reaches(self, seconds: float) -> int:
        """The smallest n ≥ 1 that takes at least this long."""
        return max(1, math.ceil((seconds - self.start) / self.slope))


@dataclass(frozen=True)
class Machine:
    """Measured speed of one core, for sketches of `rows` rows (benchmarks/round_cost.py)."""

    rows: int
    sketch_dense: Line  # in d
    sketch_sparse: Line  # in nnz
    unsketch: Line  # in d
    add: Line  # in numbers added up

    @staticmethod
    def of(fits: dict[str, Any], rows: int) -> Machine:
        """From the fits that the benchmark stores."""
        names = ("sketch_dense", "sketch_sparse", "unsketch", "add")
        return Machine(rows, *(Line(fits[name]["start"], fits[name]["slope"]) for name in names))


@dataclass(frozen=True)
class Link:
    """What one slot of the channel carries."""

    slot_seconds: float
    numbers: int  # added up over the air; 0: this channel cannot add
    bits_up: float
    bits_down: float
    bits_per_number: int = 32

    def slots_air(self, n: int) -> int:
        if not self.numbers:
            raise BadInput("link", "a channel that cannot add", "a radio channel for sending over the air")
        return -(-n // self.numbers)

    def slots_up(self, n: int) -> int:
        return math.ceil(n * self.bits_per_number / self.bits_up)

    def slots_down(self, n: int) -> int:
        return math.ceil(n * self.bits_per_number / self.bits_down)


def ofdm(subcarriers: int = 1200) -> Link:
    """LTE, 20 MHz: 1200 subcarriers of 15 kHz, 7 symbols in 0.5 ms (3GPP TS 36.211, normal prefix).

    One number per subcarrier and symbol over the air, as the paper counts its K. Bits per subcarrier and
    symbol: uplink 16-QAM at rate 616/1024, and for the broadcast, which the weakest device must hear too,
    QPSK at rate 308/1024 (channel quality 9 and 4 of TS 36.213, table 7.2.3-1).
    """
    return Link(0.5e-3 / 7, subcarriers, subcarriers * 4 * 616 / 1024, subcarriers * 2 * 308 / 1024)


def ethernet(bits_per_second: float = 10e9) -> Link:
    """A wired network: one slot is a frame of 1500 bytes and the 38 bytes around it (IEEE 802.3)."""
    return Link((1500 + 38) * 8 / bits_per_second, 0, 1500 * 8, 1500 * 8)


@dataclass(frozen=True)
class Round:
    """The size of a round. `nnz` None: every coordinate of an update is nonzero."""

    M: int
    d: int
    buckets: int = 204
    k: int = 200
    nnz: int | None = None
    spread: float = 0.1  # τ in seconds
    slowdown: float = 1.0  # of a device against the measured core

    def __post_init__(self) -> None:
        for name in ("M", "d", "buckets", "k"):
            if getattr(self, name) < 1:
                raise BadInput(name, getattr(self, name), "at least 1")
        if self.spread < 0:
            raise BadInput("spread", self.spread, "at least 0")


@dataclass(frozen=True)
class Parts:
    """Seconds of each part of a round."""

    waiting: float
    sketching: float
    uplink: float
    server: float
    broadcast: float

    @property
    def total(self) -> float:
        return sum(asdict(self).values())

    @property
    def bottleneck(self) -> str:
        """The longest part; of equals the first."""
        parts = asdict(self)
        return max(parts, key=parts.__getitem__)


def round_time(size: Round, machine: Machine, link: Link, what: What, how: How) -> Parts:
    """Expected seconds of each part."""
    return Parts(
        waiting=size.spread * harmonic(size.M),
        sketching=sketching(size, machine) if what == "sketch" else 0,
        uplink=uplink_slots(size, machine, link, what, how) * link.slot_seconds,
        server=server(size, machine, what, how),
        broadcast=broadcast_slots(size, link, what) * link.slot_seconds,
    )


def harmonic(M: int) -> float:
    """H_M = E max of M independent exponential variables of mean 1."""
    return float(digamma(M + 1) + np.euler_gamma)


def sketching(size: Round, machine: Machine) -> float:
    line, n = (machine.sketch_dense, size.d) if size.nnz is None else (machine.sketch_sparse, size.nnz)
    return size.slowdown * line.at(n)


def numbers_sent(size: Round, machine: Machine, what: What) -> int:
    return machine.rows * size.buckets if what == "sketch" else size.d


def uplink_slots(size: Round, machine: Machine, link: Link, what: What, how: How) -> int:
    n = numbers_sent(size, machine, what)
    return link.slots_air(n) if how == "air" else size.M * link.slots_up(n)


def server(size: Round, machine: Machine, what: What, how: How) -> float:
    added = machine.add.at(size.M * numbers_sent(size, machine, what)) if how == "digital" else 0
    return added + (machine.unsketch.at(size.d) if what == "sketch" else 0)


def broadcast_slots(size: Round, link: Link, what: What) -> int:
    return link.slots_down(2 * size.k if what == "sketch" else size.d)


# ---- where one thing overtakes another ------------------------------------------------------------------


@dataclass(frozen=True)
class Affine:
    """A round without its waiting: `fixed + M·per_device`."""

    fixed: float
    per_device: float

    def at(self, M: int) -> float:
        return self.fixed + M * self.per_device


def in_devices(size: Round, machine: Machine, link: Link, what: What, how: How) -> Affine:
    """The same costs as `round_time`, as a function of M; `size.M` does not matter."""
    n = numbers_sent(size, machine, what)
    fixed = broadcast_slots(size, link, what) * link.slot_seconds
    if what == "sketch":
        fixed += sketching(size, machine) + machine.unsketch.at(size.d)
    if how == "air":
        return Affine(fixed + link.slots_air(n) * link.slot_seconds, 0)
    each = link.slots_up(n) * link.slot_seconds + machine.add.slope * n
    return Affine(fixed + machine.add.start, each)


def devices_where_cheaper(one: Affine, other: Affine) -> int | None:
    """The smallest M ≥ 1 from which on `one` costs no more than `other`; None if there is none.

    fixed₁ + M·each₁ ≤ fixed₂ + M·each₂  ⟺  M ≥ (fixed₁ − fixed₂) / (each₂ − each₁) for each₂ > each₁.
    """
    gain, extra = other.per_device - one.per_device, one.fixed - other.fixed
    if gain < 0 or (gain == 0 and extra > 0):
        return None
    return 1 if gain == 0 else max(1, math.ceil(extra / gain))


def dimension_where_unsketch_leads(size: Round, machine: Machine, link: Link) -> int:
    """The smallest d at which unsketching takes at least as long as each of waiting, air and broadcast."""
    air = link.slots_air(machine.rows * size.buckets)
    slots = max(air, broadcast_slots(size, link, "sketch"))
    return machine.unsketch.reaches(max(size.spread * harmonic(size.M), slots * link.slot_seconds))
