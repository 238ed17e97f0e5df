"""Devices shared out over processes ("ranks"): what a round may ask of all M devices.

Rank r holds the devices `mine`, a block of consecutive numbers, and each round works on these alone. Whatever
concerns all devices goes over a `Wire`; a single process is the wire that has nobody to talk to.

    Ranks    (fast)     a rank adds up its devices, the wire adds up the ranks: one table per rank and round.
                        On R ranks the sum has another order than on one: each value of the received sum moves
                        by at most 2(M−1)u Σ_m|S^m|, u the unit roundoff (two orders, M−1 additions each).
    Ordered  (ordered)  every device is computed on its own, every table is gathered, and all M are added in
                        one fixed way: the same bits for any number of ranks. A rank hands over ⌈M/R⌉ tables
                        and receives R⌈M/R⌉ of them, instead of one and one.

Why `Ordered` computes devices one by one: a batched matrix product may round a device's result differently
when the batch around it changes, so batches must not depend on who holds which devices. Large products depend
on the number of threads in the same way, so a run takes one. Equal bits also need equal processors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, Self, TypeVar

import torch
from torch import Tensor

from fpsverify.errors import BadInput
from fpsverify.vectors import DenseUpdates, SparseUpdates, SparseVector, Updates, Vector

Kind = Literal["table", "other"]
Reduction = Literal["fast", "ordered"]
Tensors = dict[str, Tensor]


class Held(Protocol):
    """Tables to which sketches are added."""

    @property
    def table(self) -> Tensor: ...
    def add(self, x: Updates) -> Self: ...
    def with_table(self, table: Tensor) -> Self: ...


H = TypeVar("H", bound=Held)


class Wire(Protocol):
    """What ranks can do together. `kind` says for the books whether a transfer is the channel's or not."""

    @property
    def rank(self) -> int: ...
    @property
    def world(self) -> int: ...
    @property
    def accelerator(self) -> int | None:
        """Which of several accelerators of its machine this rank should use; None: as the config says."""

    def gather(self, x: Tensor, sizes: list[int], kind: Kind) -> Tensor:
        """The parts of all ranks, `sizes` long, one after the other."""

    def add(self, x: Tensor, kind: Kind) -> Tensor:
        """The sum over ranks, the same bits on each of them."""

    def tell(self, tensors: Tensors) -> Tensors:
        """What rank 0 has; the argument of the others is ignored."""

    def traffic(self) -> dict[str, float]:
        """Bytes handed to and received from the wire since the last call; empty if nothing ever moves."""


@dataclass(frozen=True)
class Alone:
    """The wire of a single process."""

    rank: int = 0
    world: int = 1
    accelerator: int | None = None

    def gather(self, x: Tensor, sizes: list[int], kind: Kind) -> Tensor:
        return x

    def add(self, x: Tensor, kind: Kind) -> Tensor:
        return x

    def tell(self, tensors: Tensors) -> Tensors:
        return tensors

    def traffic(self) -> dict[str, float]:
        return {}


ALONE = Alone()


@dataclass(frozen=True)
class Ranks:
    """M devices on the ranks of a wire. Batches have one row per device of this rank.

    `numbers_of`: which devices of the run these M are; None: 0 … M−1.
    """

    wire: Wire
    M: int
    numbers_of: tuple[int, ...] | None = None

    def among(self, devices: tuple[int, ...]) -> Ranks:
        """Only the given devices, dealt anew: whoever takes part in a round."""
        return replace(self, M=len(devices), numbers_of=devices)

    @property
    def leads(self) -> bool:
        """True on the one rank that evaluates and writes."""
        return self.wire.rank == 0

    @property
    def sizes(self) -> list[int]:
        """Devices per rank; the first ranks hold one more if M is no multiple of their number."""
        each, left = divmod(self.M, self.wire.world)
        return [each + (r < left) for r in range(self.wire.world)]

    @property
    def place(self) -> slice:
        """Where this rank's devices stand among the M."""
        first = sum(self.sizes[: self.wire.rank])
        return slice(first, first + self.sizes[self.wire.rank])

    @property
    def mine(self) -> Sequence[int]:
        """The numbers of this rank's devices."""
        return (range(self.M) if self.numbers_of is None else self.numbers_of)[self.place]

    def per_device(self, f: Callable[..., Tensor], *batches: Tensor | None) -> Tensor:
        """f of this rank's devices, row by row of the batches; here all rows at once."""
        return f(*batches)

    def every(self, x: Tensor) -> Tensor:
        """One row per device of this rank → one row per device of all."""
        return self.wire.gather(x, self.sizes, "other")

    def numbers(self, values: list[float]) -> list[float]:
        """One float per device of this rank → one per device of all."""
        found: list[float] = self.every(torch.tensor(values, dtype=torch.float64)).tolist()
        return found

    def norms_squared(self, updates: Updates) -> list[float]:
        """‖Δ^m‖² of all devices."""
        return self.numbers(updates.norms_squared)

    def sum(self, tables: Tensor, active: Tensor | None = None) -> Tensor:
        """Σ_m of the devices' tables, over the `active` devices (M,) only if given: the channel."""
        return self.wire.add(self._heard(tables, active, self.place).sum(dim=0), "table")

    def mean(self, updates: Updates) -> Vector:
        """(1/M) Σ_m Δ^m. Sparse updates have no common coordinates to add on, so they are gathered."""
        if self.wire.world == 1:
            return updates.mean()
        if isinstance(updates, SparseUpdates):
            return self._gathered(updates).mean()
        return self.wire.add(updates.values.sum(dim=0), "other") / self.M

    def add_mean(self, held: H, updates: Updates) -> H:
        """held + S((1/M) Σ_m Δ^m), of which every rank has a copy: ranks sketch their share, then add."""
        if self.wire.world == 1:
            return held.add(_batch_of_one(updates.mean()))
        share = _batch_of_one(_scaled(updates.mean(), updates.M / self.M))
        blank = held.with_table(torch.zeros_like(held.table))
        return held.with_table(held.table + self.wire.add(blank.add(share).table, "table"))

    def whole(self, state: Any, fields: tuple[str, ...]) -> Any:
        """A state with the named fields, one row per device of this rank, gathered from all."""
        return replace(state, **{name: self.every(getattr(state, name)) for name in fields})

    def part(self, state: Any, fields: tuple[str, ...]) -> Any:
        """The inverse of `whole`."""
        return replace(state, **{name: getattr(state, name)[self.place] for name in fields})

    def _heard(self, tables: Tensor, active: Tensor | None, place: slice) -> Tensor:
        if active is None:
            return tables
        return tables[active[place].to(tables.device)]

    def _gathered(self, updates: Updates, kind: Kind = "other") -> Updates:
        """The updates of all M devices, in their order."""
        if isinstance(updates, DenseUpdates):
            return DenseUpdates(self.wire.gather(updates.values, self.sizes, kind))
        lengths = self.every(torch.tensor([len(p.indices) for p in updates.parts])).tolist()
        per_rank = [sum(part) for part in _split(lengths, self.sizes)]
        d = updates.parts[0].d
        indices, values = (
            self.wire.gather(torch.cat(parts), per_rank, kind).split(lengths)
            for parts in zip(*((p.indices, p.values) for p in updates.parts), strict=True)
        )
        return SparseUpdates(tuple(SparseVector(d, i, v) for i, v in zip(indices, values, strict=True)))


@dataclass(frozen=True)
class Ordered(Ranks):
    """The same bits for any number of ranks, also for one."""

    def per_device(self, f: Callable[..., Tensor], *batches: Tensor | None) -> Tensor:
        """Copies, because a matrix product may round differently where a row begins elsewhere in memory."""
        devices = len(next(x for x in batches if x is not None))
        rows = ([None if x is None else x[i : i + 1].clone() for x in batches] for i in range(devices))
        return torch.cat([f(*row) for row in rows])

    def sum(self, tables: Tensor, active: Tensor | None = None) -> Tensor:
        everyone = self.wire.gather(tables, self.sizes, "table")
        return self._heard(everyone, active, slice(self.M)).sum(dim=0)

    def mean(self, updates: Updates) -> Vector:
        return self._gathered(updates).mean()

    def add_mean(self, held: H, updates: Updates) -> H:
        """Linearity holds up to rounding only, so the updates themselves travel: d numbers per device."""
        return held.add(_batch_of_one(self._gathered(updates, "table").mean()))


REDUCTIONS: dict[Reduction, type[Ranks]] = {"fast": Ranks, "ordered": Ordered}


def alone(M: int) -> Ranks:
    """All devices in this process."""
    return Ranks(ALONE, M)


def _batch_of_one(v: Vector) -> Updates:
    return DenseUpdates(v[None]) if isinstance(v, Tensor) else SparseUpdates((v,))


def _scaled(v: Vector, scale: float) -> Vector:
    return v.scaled(scale) if isinstance(v, SparseVector) else v * scale


def _split(values: list[int], sizes: list[int]) -> list[list[int]]:
    taken = iter(values)
    return [[next(taken) for _ in range(n)] for n in sizes]


@dataclass(frozen=True)
class Job:
    """How the devices of a run, not known yet, will be shared out; by default not at all."""

    wire: Wire = ALONE
    reduction: Reduction = "fast"

    def over(self, M: int) -> Ranks:
        if self.wire.world > M:
            raise BadInput("--nproc-per-node", self.wire.world, f"at most devices.M = {M} ranks in total")
        return REDUCTIONS[self.reduction](self.wire, M)


SINGLE = Job()
