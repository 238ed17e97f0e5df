"""A federated problem: f(w) = (1/M) Σ_m l_m(w), with l_m the mean loss over device m's own rows.

`DenseProblem` computes all devices at once on (M, d) tensors. `SparseProblem` works per device on the
coordinates that a batch touches, and never allocates a vector of length d. Both draw their mini-batches from
named generators, so batch (t, e) is a function of the seed alone.

Mini-batches of `unit = "steps"` are drawn with replacement: E[g | past] is exactly the device's gradient.
Epochs visit every row once in a shuffled order; within an epoch the draws depend on each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from fpsverify.config import LocalConfig
from fpsverify.data.labelled import CsrRows, Task
from fpsverify.device import block_bytes
from fpsverify.distributed.ranks import Ranks, alone
from fpsverify.objectives import DenseObjective, SparseLogistic
from fpsverify.problems import metrics
from fpsverify.rng import numpy_generator
from fpsverify.vectors import DenseUpdates, SparseUpdates, SparseVector, Updates, Vector

CHUNK = 4096  # rows per block of a full pass: bounds memory and fixes the order of summation


@dataclass(frozen=True)
class FullGradient:
    """Loss and gradient of f at one point, with the device energies that Assumption 5 speaks of."""

    loss: float
    gradient: Vector
    device_norms_squared: tuple[float, ...]


class Problem(Protocol):
    """What an algorithm may ask for. A `Vector` is dense for dense problems and sparse for sparse ones.

    `start` is w_0; `support` the sorted coordinates that occur in sparse training data (None if dense).
    """

    @property
    def d(self) -> int: ...
    @property
    def M(self) -> int: ...
    @property
    def start(self) -> Vector: ...
    @property
    def support(self) -> Tensor | None: ...
    def zero(self) -> Vector: ...
    def full_gradient(self, w: Vector, ranks: Ranks | None = None) -> FullGradient: ...
    def evaluate(self, w: Vector, tie: metrics.TieRule) -> dict[str, float]: ...


def sample_rows(
    sizes: tuple[int, ...],
    local: LocalConfig,
    seed: int,
    t: int,
    e: int,
    devices: Sequence[int] | None = None,
) -> list[np.ndarray]:
    """Row numbers (within each device) of mini-batch e in round t; an empty array where a device is done.

    `devices` are those that are asked for (default: all); what a device draws does not depend on them.
    """
    asked = range(len(sizes)) if devices is None else devices
    if local.batch == 0:
        return [np.arange(sizes[m]) for m in asked]
    if local.unit == "steps":
        u = numpy_generator(seed, "batch", t, e).random((len(sizes), local.batch))
        n = np.array(sizes)[:, None]
        rows = np.minimum((u * n).astype(np.int64), n - 1)
        return [rows[m] for m in asked]
    return [_epoch_rows(sizes[m], local, seed, t, e, m) for m in asked]


def _epoch_rows(n: int, local: LocalConfig, seed: int, t: int, e: int, m: int) -> np.ndarray:
    epoch, step = divmod(e, math.ceil(n / local.batch))
    if epoch >= local.E:
        return np.arange(0)
    order = numpy_generator(seed, "epoch", t, epoch, m).permutation(n)
    return order[step * local.batch : (step + 1) * local.batch]


def batch_lengths(sizes: tuple[int, ...], local: LocalConfig, e: int) -> np.ndarray:
    """How many rows mini-batch e has on each device, without drawing it."""
    n = np.array(sizes)
    if local.batch == 0:
        return n
    if local.unit == "steps":
        return np.full(len(n), local.batch)
    epoch, step = np.divmod(e, -(-n // local.batch))
    return np.where(epoch < local.E, np.minimum(local.batch, n - step * local.batch), 0)


def steps_in_round(sizes: tuple[int, ...], local: LocalConfig) -> list[int]:
    """Local steps of each device in one round."""
    if local.unit == "steps" or local.batch == 0:
        return [local.E] * len(sizes)
    return [local.E * math.ceil(n / local.batch) for n in sizes]


def _padded(
    shards: list[np.ndarray], rows: list[np.ndarray], shortest: int, longest: int
) -> tuple[np.ndarray, np.ndarray | None]:
    """Data rows (devices, longest) and 0/1 weights, None when the batches of all M devices are equally long.

    A device that is done keeps weight on one row, so that its (unused) mean stays defined.
    """
    index = np.zeros((len(rows), max(longest, 1)), dtype=np.int64)
    for row, shard, r in zip(index, shards, rows, strict=True):
        row[: len(r)] = shard[r]
    if shortest == index.shape[1]:
        return index, None
    lengths = np.array([len(r) for r in rows])
    return index, np.arange(index.shape[1])[None, :] < np.maximum(lengths, 1)[:, None]


def _over_all(ranks: Ranks, losses: list[float], gradients: Updates) -> FullGradient:
    """What a rank found on its devices, brought together."""
    loss = sum(ranks.numbers(losses)) / ranks.M
    return FullGradient(loss, ranks.mean(gradients), tuple(ranks.norms_squared(gradients)))


@dataclass(frozen=True)
class DenseProblem:
    objective: DenseObjective
    X: Tensor
    y: Tensor
    shards: tuple[np.ndarray, ...]
    X_test: Tensor
    y_test: Tensor
    task: Task
    seed: int
    start: Tensor
    support: None = None

    @property
    def d(self) -> int:
        return self.objective.d

    @property
    def M(self) -> int:
        return len(self.shards)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        return tuple(len(s) for s in self.shards)

    def zero(self) -> Tensor:
        return torch.zeros_like(self.start)

    def gradients(
        self, W: Tensor, local: LocalConfig, t: int, e: int, ranks: Ranks | None = None
    ) -> tuple[Tensor, list[bool]]:
        """Mini-batch gradients at the rows of W, one per device (of this rank), and who has a step to do."""
        found = list(self.gradient_blocks(W, local, t, e, ranks or alone(self.M)))
        return torch.cat([g for _, g, _ in found]), [has for _, _, busy in found for has in busy]

    def gradient_blocks(
        self, W: Tensor, local: LocalConfig, t: int, e: int, ranks: Ranks
    ) -> Iterator[tuple[slice, Tensor, list[bool]]]:
        """The same for some devices after the others: which rows of W, their gradients, and who is busy."""
        rows = sample_rows(self.sizes, local, self.seed, t, e, ranks.mine)
        lengths = batch_lengths(self.sizes, local, e)
        index, weights = _padded([self.shards[m] for m in ranks.mine], rows, lengths.min(), lengths.max())
        at = torch.from_numpy(index).to(self.X.device)
        mask = None if weights is None else torch.from_numpy(weights).to(self.X.device)
        for b, X in self._blocks(at):
            inputs = W[b], X, self.y[at[b]], None if mask is None else mask[b]
            yield b, ranks.per_device(self.objective.gradient, *inputs), [len(r) > 0 for r in rows[b]]

    def _blocks(self, at: Tensor) -> Iterator[tuple[slice, Tensor]]:
        """The rows `at` of X, as many devices at a time as stay in the cache between being read and used.

        Each block is written over the last one.
        """
        each = at.shape[1] * self.X.shape[1] * self.X.element_size()
        size = max(1, block_bytes(self.X.device) // each)
        if size >= len(at):
            yield slice(None), self.X.index_select(0, at.flatten()).unflatten(0, at.shape)
            return
        room = self.X.new_empty((size * at.shape[1], self.X.shape[1]))
        for first in range(0, len(at), size):
            index = at[first : first + size]
            X = torch.index_select(self.X, 0, index.flatten(), out=room[: index.numel()])
            yield slice(first, first + size), X.unflatten(0, index.shape)

    def device_gradient(self, w: Tensor, m: int) -> tuple[float, Tensor]:
        """Exact l_m(w) and ∇l_m(w), summed over blocks of rows in a fixed order."""
        rows = torch.from_numpy(np.ascontiguousarray(self.shards[m])).to(self.X.device)
        first, *others = rows.split(CHUNK)
        loss, gradient = self._share(w, first, len(rows))
        for block in others:
            more, by_more = self._share(w, block, len(rows))
            loss, gradient = loss + more, gradient.add_(by_more)
        return loss, gradient

    def _share(self, w: Tensor, block: Tensor, n: int) -> tuple[float, Tensor]:
        """What a block of rows adds to the mean loss over n rows, and to its gradient."""
        X, y = self.X.index_select(0, block)[None], self.y[block][None]
        losses, gradients = self.objective.loss_gradient(w[None], X, y)
        share = len(block) / n
        return share * float(losses[0]), gradients[0] if share == 1 else share * gradients[0]

    def full_gradient(self, w: Vector, ranks: Ranks | None = None) -> FullGradient:
        assert isinstance(w, Tensor)
        ranks = ranks or alone(self.M)
        parts = [self.device_gradient(w, m) for m in ranks.mine]
        gradients = DenseUpdates(torch.stack([g for _, g in parts]))
        return _over_all(ranks, [loss for loss, _ in parts], gradients)

    def evaluate(self, w: Vector, tie: metrics.TieRule) -> dict[str, float]:
        """Test loss and metrics."""
        assert isinstance(w, Tensor)
        loss = 0.0
        for X, y in zip(self.X_test.split(CHUNK), self.y_test.split(CHUNK), strict=True):
            loss += len(y) / len(self.y_test) * float(self.objective.loss(w[None], X[None], y[None])[0])
        scores = torch.cat([self.objective.scores(w, X) for X in self.X_test.split(CHUNK)])
        return {"test_loss": loss, **metrics.evaluate(self.task, scores, self.y_test, tie).as_row()}


@dataclass(frozen=True)
class SparseProblem:
    objective: SparseLogistic
    train: CsrRows
    shards: tuple[np.ndarray, ...]
    test: CsrRows
    seed: int
    support: Tensor
    dtype: torch.dtype = torch.float32

    @property
    def d(self) -> int:
        return self.objective.d

    @property
    def M(self) -> int:
        return len(self.shards)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        return tuple(len(s) for s in self.shards)

    @property
    def start(self) -> SparseVector:
        return self.zero()

    def zero(self) -> SparseVector:
        return SparseVector.zero(self.d, self.dtype, self.train.values.device)

    def full_gradient(self, w: Vector, ranks: Ranks | None = None) -> FullGradient:
        assert isinstance(w, SparseVector)
        ranks = ranks or alone(self.M)
        rows = [self.train.rows(torch.from_numpy(self.shards[m])) for m in ranks.mine]
        losses = [float(self.objective.loss(w, r)) for r in rows]
        gradients = SparseUpdates(tuple(self.objective.gradient(w, r) for r in rows))
        return _over_all(ranks, losses, gradients)

    def evaluate(self, w: Vector, tie: metrics.TieRule) -> dict[str, float]:
        """Test loss and metrics."""
        assert isinstance(w, SparseVector)
        found = metrics.evaluate("binary", self.objective.scores(w, self.test), self.test.labels, tie)
        return {"test_loss": float(self.objective.loss(w, self.test)), **found.as_row()}
