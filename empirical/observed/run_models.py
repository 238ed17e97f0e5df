"""The problems of the reference system behind the protocol of `protocol.py`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from fpsverify.config import LocalConfig
from fpsverify.data.csr import CsrRows
from fpsverify.problems.problem import CHUNK, DenseProblem, Problem, SparseProblem

Batches = list[np.ndarray]


def model_of(problem: Problem, local: LocalConfig) -> DenseModel | SparseModel:
    if isinstance(problem, DenseProblem):
        return DenseModel(problem, local)
    assert isinstance(problem, SparseProblem)
    support, rows = problem.train.compact()
    return SparseModel(problem, local, support, rows)


def draw_rows(sizes: tuple[int, ...], local: LocalConfig, generator: np.random.Generator) -> Batches:
    """One mini-batch per device as the run draws them: with replacement, or the head of a shuffled epoch."""
    if local.batch == 0:
        return [np.arange(n) for n in sizes]
    if local.unit == "steps":
        return [generator.integers(n, size=local.batch) for n in sizes]
    return [generator.permutation(n)[: local.batch] for n in sizes]


@dataclass(frozen=True)
class DenseModel:
    problem: DenseProblem
    local: LocalConfig

    @property
    def d(self) -> int:
        return self.problem.d

    @property
    def M(self) -> int:
        return self.problem.M

    @property
    def sizes(self) -> tuple[int, ...]:
        return self.problem.sizes

    def loss(self, w: Tensor) -> float:
        return self.problem.full_gradient(w).loss

    def gradients(self, W: Tensor, generator: np.random.Generator) -> Tensor:
        if self.local.batch == 0:  # summed in the same order: their difference is 0, not rounding
            return self.full_gradients(W)
        p = self.problem
        rows = draw_rows(p.sizes, self.local, generator)
        if len({len(r) for r in rows}) > 1:
            return torch.stack([self._gradient(W, m, p.shards[m][r]) for m, r in enumerate(rows)])
        at = torch.from_numpy(np.stack([shard[r] for shard, r in zip(p.shards, rows, strict=True)]))
        return p.objective.gradient(W, p.X[at], p.y[at])

    def _gradient(self, W: Tensor, m: int, rows: np.ndarray) -> Tensor:
        at = torch.from_numpy(np.ascontiguousarray(rows))
        return self.problem.objective.gradient(
            W[m : m + 1], self.problem.X[at][None], self.problem.y[at][None]
        )[0]

    def full_gradients(self, W: Tensor) -> Tensor:
        return torch.stack([self.problem.device_gradient(w, m)[1] for m, w in enumerate(W)])

    def in_double(self) -> DenseModel:
        """The same losses in float64: a kink shows only when points can come close."""
        p = self.problem
        y = p.y.double() if p.y.is_floating_point() else p.y
        return replace(self, problem=replace(p, X=p.X.double(), y=y, start=p.start.double()))

    def hessian_vector_products(self, W: Tensor, V: Tensor) -> Tensor:
        """A reverse pass through the hand-written gradient: (∂g/∂w)ᵀv = Hv, because H is symmetric.

        Devices go together, the largest first, a block of rows each; those that have no rows left drop out.
        """
        p, total = self.problem, torch.zeros_like(W)
        for devices, rows, weights in self._blocks_of_rows:
            at = W[devices].detach().requires_grad_()
            share = weights.sum(1, keepdim=True).to(W) / self._sizes[devices, None]
            with torch.enable_grad():
                gradient = p.objective.gradient(at, p.X[rows], p.y[rows], weights.to(W))
                product = torch.autograd.grad(gradient, at, V[devices] * share)[0]
            total[devices] += product
        return total

    @cached_property
    def _sizes(self) -> Tensor:
        return torch.tensor(self.sizes, dtype=self.problem.X.dtype, device=self.problem.X.device)

    @cached_property
    def _blocks_of_rows(self) -> list[tuple[Tensor, Tensor, Tensor]]:
        """(devices, rows of X for each, 0 or 1 for each), at most CHUNK rows at a time."""
        device, shards = self.problem.X.device, self.problem.shards
        order, found, first = np.argsort([-n for n in self.sizes], kind="stable"), [], 0
        while len(active := [m for m in order if self.sizes[m] > first]) > 0:
            parts = [shards[m][first : first + max(1, CHUNK // len(active))] for m in active]
            longest = max(map(len, parts))
            rows = np.stack([np.pad(part, (0, longest - len(part)), "edge") for part in parts])
            weights = np.arange(longest) < np.array([[len(part)] for part in parts])
            found.append((np.array(active), rows, weights))
            first += longest
        on = lambda x: torch.from_numpy(x).to(device)  # noqa: E731
        return [(on(devices), on(rows), on(weights)) for devices, rows, weights in found]


@dataclass(frozen=True)
class SparseModel:
    """The coordinates that occur in the training rows; outside them every gradient is exactly 0."""

    problem: SparseProblem
    local: LocalConfig
    support: Tensor
    rows: CsrRows

    @property
    def d(self) -> int:
        return int(self.support.shape[0])

    @property
    def M(self) -> int:
        return self.problem.M

    @property
    def sizes(self) -> tuple[int, ...]:
        return self.problem.sizes

    def loss(self, w: Tensor) -> float:
        losses = [self.problem.objective.loss_gradient(w, self._rows_of(m))[0] for m in range(self.M)]
        return float(torch.stack(losses).mean())

    def gradients(self, W: Tensor, generator: np.random.Generator) -> Tensor:
        rows = draw_rows(self.problem.sizes, self.local, generator)
        return torch.stack([self._gradient(W[m], self.problem.shards[m][r]) for m, r in enumerate(rows)])

    def full_gradients(self, W: Tensor) -> Tensor:
        return torch.stack([self._gradient(W[m], self.problem.shards[m]) for m in range(self.M)])

    def _rows_of(self, m: int) -> CsrRows:
        return self.rows.rows(torch.from_numpy(np.ascontiguousarray(self.problem.shards[m])))

    def _gradient(self, w: Tensor, rows: np.ndarray) -> Tensor:
        batch = self.rows.rows(torch.from_numpy(np.ascontiguousarray(rows)))
        return self.problem.objective.loss_gradient(w, batch)[1]

    def hessian_vector_products(self, W: Tensor, V: Tensor) -> Tensor:
        return torch.stack([self._hessian_vector(W[m], V[m], self._rows_of(m)) for m in range(self.M)])

    def _hessian_vector(self, w: Tensor, v: Tensor, rows: CsrRows) -> Tensor:
        """Xᵀ diag(s(1−s)) X v / n with s = sigmoid(Xw)."""
        values = rows.values.to(w.dtype)
        s = rows.sum_by_row(values * w[rows.indices]).sigmoid()
        scaled = rows.sum_by_row(values * v[rows.indices]) * s * (1 - s) / rows.n
        return torch.zeros_like(w).index_add_(0, rows.indices, values * scaled[rows.owner()])
