"""One rank of a `torchrun` job: the wire is torch.distributed (gloo for CPU tensors, nccl for those on GPUs).

Of all ranks that fail, the first to say so prints its line and the others end in silence. They agree on who
that is by a counter in torchrun's own store, which outlives any of the ranks.

Bytes are those of the tensors handed to a collective and returned by it; how often a backend forwards them on
the way (a ring of R ranks moves 2(R−1)/R of an all-reduce's tensor per rank) is its own affair.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import NoReturn

import torch
import torch.distributed as dist
from safetensors.torch import load, save
from torch import Tensor

from fpsverify.distributed.ranks import Kind, Tensors, Wire
from fpsverify.errors import BadInput, FpsError, RunFailed

NEEDED = ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")
EXAMPLE = "torchrun --nproc-per-node 2 -m fpsverify run CONFIG.toml --distributed"
CONTINUE = "the last checkpoint is kept, continue with --resume on any number of ranks"


class RankLost(RunFailed):
    """Another rank died, or did not answer in time."""


@dataclass(frozen=True)
class TorchWire:
    """A wire over torch.distributed that keeps books on the bytes of every tensor it is given."""

    rank: int
    world: int
    accelerator: int | None
    books: Counter[str] = field(default_factory=Counter)

    def gather(self, x: Tensor, sizes: list[int], kind: Kind) -> Tensor:
        longest = max(sizes)
        if longest == 0:  # pragma: no cover: one rank under torchrun: benchmarks/equality.py
            return x
        padded = torch.cat([x, x.new_zeros(longest - len(x), *x.shape[1:])])
        parts = [torch.empty_like(padded) for _ in range(self.world)]
        with _in_contact():
            dist.all_gather(parts, padded)
        self._count(kind, padded, self.world)
        return torch.cat([part[:n] for part, n in zip(parts, sizes, strict=True)])

    def add(self, x: Tensor, kind: Kind) -> Tensor:
        total = x.clone(memory_format=torch.contiguous_format)
        with _in_contact():
            dist.all_reduce(total)
        self._count(kind, total, 1)
        return total

    def tell(self, tensors: Tensors) -> Tensors:
        """As the bytes of a safetensors file: nothing that a rank receives is executed."""
        data = torch.frombuffer(bytearray(save(tensors) if self.rank == 0 else b"0"), dtype=torch.uint8)
        length = torch.tensor([len(data)])
        with _in_contact():
            dist.broadcast(length, src=0)
            if self.rank != 0:
                data = torch.empty(int(length), dtype=torch.uint8)
            dist.broadcast(data, src=0)
        return load(data.numpy().tobytes())

    def traffic(self) -> dict[str, float]:
        names = [f"{kind}_bytes_{way}" for kind in ("table", "other") for way in ("sent", "received")]
        seen = {name: float(self.books[name]) for name in names}
        self.books.clear()
        return seen

    def _count(self, kind: Kind, sent: Tensor, times: int) -> None:
        bytes_sent = sent.numel() * sent.element_size()
        self.books[f"{kind}_bytes_sent"] += bytes_sent
        self.books[f"{kind}_bytes_received"] += bytes_sent * times


@contextlib.contextmanager
def _in_contact() -> Iterator[None]:
    try:
        yield
    except RuntimeError:
        raise RankLost(
            f"no contact with another rank: it died or was slower than --rank-timeout; {CONTINUE}"
        ) from None


def together(work: Callable[[Wire], int], timeout: float) -> int:
    """The exit code of `work` as one rank of the job; raises on the rank that is to print the error."""
    store, rank, world = _meet(timeout)
    before = signal.signal(signal.SIGTERM, _stop)
    try:
        with _in_contact():
            limit = timedelta(seconds=timeout)
            dist.init_process_group(store=store, rank=rank, world_size=world, timeout=limit)
        code = work(TorchWire(rank, world, _accelerator()))
        with _in_contact():
            dist.barrier()
        signal.signal(signal.SIGTERM, before)
        return code
    except (FpsError, KeyboardInterrupt):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # torchrun stops the rest; the line comes first
        if _first_to_speak(store):
            raise
        return 1
    finally:
        if dist.is_initialized():
            dist.destroy_process_group()


def _meet(timeout: float) -> tuple[dist.Store, int, int]:
    absent = [name for name in NEEDED if name not in os.environ]
    if absent:
        raise BadInput("--distributed", f"no {absent[0]} in the environment", f"a start by {EXAMPLE}")
    if not 0 < timeout <= 10**6:
        raise BadInput("--rank-timeout", timeout, "seconds, more than 0 and at most 1e6")
    attempt = os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")
    try:
        store, rank, world = next(iter(dist.rendezvous("env://", timeout=timedelta(seconds=timeout))))
        # A store keeps what was written to it: each meeting of the same ranks gets a name of its own.
        meeting = store.add(f"fpsverify/{attempt}/meetings of rank {rank}", 1)
        return dist.PrefixStore(f"fpsverify/{attempt}/{meeting}", store), rank, world
    except (RuntimeError, ValueError) as error:
        place = f"{os.environ['MASTER_ADDR']}:{os.environ['MASTER_PORT']}"
        raise BadInput("--distributed", place, f"torchrun's store there ({type(error).__name__})") from None


def _accelerator() -> int | None:
    local = os.environ.get("LOCAL_RANK", "")
    return int(local) if local.isdecimal() else None


def _stop(number: int, frame: object) -> NoReturn:
    raise RankLost(f"told to stop, most likely because another rank ended; {CONTINUE}")


def _first_to_speak(store: dist.Store) -> bool:
    try:
        return bool(store.add("spoken", 1) == 1)
    except RuntimeError:  # pragma: no cover: a lost connection
        return True  # no store, nobody to agree with: better twice than never
