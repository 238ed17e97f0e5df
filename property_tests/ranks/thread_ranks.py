"""Ranks as threads of one process: to test how devices are shared out without starting processes."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor


class Meeting:
    """Where the threads of one job exchange values."""

    def __init__(self, world: int) -> None:
        self.slots: list[Any] = [None] * world
        self.barrier = threading.Barrier(world, timeout=60)

    def exchange(self, rank: int, value: Any) -> list[Any]:
        self.slots[rank] = value
        self.barrier.wait()
        seen = list(self.slots)
        self.barrier.wait()
        return seen


@dataclass(frozen=True)
class ThreadWire:
    meeting: Meeting
    rank: int
    world: int
    accelerator: int | None = None

    def gather(self, x: Tensor, sizes: list[int], kind: str) -> Tensor:
        parts = self.meeting.exchange(self.rank, x)
        assert [len(part) for part in parts] == sizes
        return torch.cat(parts)

    def add(self, x: Tensor, kind: str) -> Tensor:
        total, *others = self.meeting.exchange(self.rank, x.clone())
        for other in others:
            total = total + other
        return total

    def tell(self, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
        told: dict[str, Tensor] = self.meeting.exchange(self.rank, tensors)[0]
        return {name: tensor.clone() for name, tensor in told.items()}

    def traffic(self) -> dict[str, float]:
        return {}


def on_threads(world: int, work: Callable[[ThreadWire], Any]) -> list[Any]:
    """What `work` returns, or the error it raises, on each of `world` ranks."""
    meeting, found = Meeting(world), [None] * world

    def one(rank: int) -> None:
        try:
            found[rank] = work(ThreadWire(meeting, rank, world))
        except Exception as error:
            found[rank] = error
            meeting.barrier.abort()

    threads = [threading.Thread(target=one, args=(rank,)) for rank in range(world)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found
