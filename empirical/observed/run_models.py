"""The problems of the reference system behind the protocol of `protocol.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from fpsverify.config import LocalConfig
from fpsverify.data.labelled import CsrRows
from fpsverify.problems.problem import CHUNK, DenseProblem, Problem, SparseProblem

Batches = list[np.ndarray]
Curvature = Callable[[Tensor], Tensor]
Linearised = tuple[Tensor, Tensor, Tensor]  # devices, their points, their gradients there
LEAST_SHARE = 4  # a block is at least this part of the rows that are left: many small ones are slow
FEW = 1024  # rows, up to half of them padding, that go faster in one block than in several
HELD = 2**28  # bytes of rows that are kept in order of devices


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
        """Devices go together, the largest first, a block of rows each; who has no rows left drops out."""
        total, gradient = torch.zeros_like(W), self.problem.objective.gradient
        for block in self._blocks():
            total[block.devices] += block.share(W) * gradient(W[block.devices], *block.rows(W))
        return total

    def in_double(self) -> DenseModel:
        """The same losses in float64: a kink shows only when points can come close."""
        p = self.problem
        y = p.y.double() if p.y.is_floating_point() else p.y
        return replace(self, problem=replace(p, X=p.X.double(), y=y, start=p.start.double()))

    def curvature_at(self, W: Tensor) -> Curvature:
        """V ↦ ∇²l_m(W_m)V_m, with one forward pass for all V where the rows fit into HELD bytes."""
        if self._held is None:
            return lambda V: self._product(V, (self._linearised(W, block) for block in self._blocks()))
        graphs = [self._linearised(W, block) for block in self._held]
        return lambda V: self._product(V, graphs)

    def hessian_vector_products(self, W: Tensor, V: Tensor) -> Tensor:
        return self.curvature_at(W)(V)

    def _linearised(self, W: Tensor, block: Block) -> Linearised:
        """From the loss: torch differentiates the gradient of attention under `vmap` wrongly (2.13)."""
        at = W[block.devices].detach().requires_grad_()
        with torch.enable_grad():
            losses = self.problem.objective.loss(at, *block.rows(W))
            total = (block.share(W)[:, 0] * losses).sum()
            return block.devices, at, torch.autograd.grad(total, at, create_graph=True)[0]

    def _product(self, V: Tensor, graphs: Iterable[Linearised]) -> Tensor:
        """A reverse pass through the gradient: (∂g/∂w)ᵀv = Hv, because H is symmetric."""
        total = torch.zeros_like(V)
        for devices, at, gradient in graphs:
            total[devices] += torch.autograd.grad(gradient, at, V[devices], retain_graph=True)[0]
        return total

    def _blocks(self) -> Iterable[Block]:
        return self._gathered() if self._held is None else self._held

    @cached_property
    def _held(self) -> list[Block] | None:
        """All rows in order of devices, if they are few."""
        size = sum(self.sizes) * self.problem.X[0].numel() * self.problem.X.element_size()
        return list(self._gathered()) if size <= HELD else None

    def _gathered(self) -> Iterator[Block]:
        """At most CHUNK rows at a time, and as many of each device, so that little is padded."""
        p, first = self.problem, 0
        sizes = torch.tensor(self.sizes, device=p.X.device)
        on = lambda x: torch.from_numpy(x).to(p.X.device)  # noqa: E731
        order = np.argsort([-n for n in self.sizes], kind="stable")
        while len(active := [m for m in order if self.sizes[m] > first]) > 0:
            longest = _block_rows([self.sizes[m] - first for m in active])
            parts = [p.shards[m][first : first + longest] for m in active]
            rows = on(np.stack([np.pad(part, (0, longest - len(part)), "edge") for part in parts]))
            weights = on(np.arange(longest) < np.array([[len(part)] for part in parts]))
            devices = on(np.array(active))
            yield Block(devices, p.X[rows], p.y[rows], weights, weights.sum(1).double() / sizes[devices])
            first += longest


def _block_rows(left: list[int]) -> int:
    """Rows of each device in the next block, given how many each has left."""
    if len(left) * max(left) <= min(FEW, 2 * sum(left)):
        return max(left)
    return max(1, min(CHUNK // len(left), max(min(left), max(left) // LEAST_SHARE)))


@dataclass(frozen=True)
class Block:
    """Rows of some devices, padded to the same number; `part`: their share in all rows of the device."""

    devices: Tensor
    X: Tensor
    y: Tensor
    weights: Tensor
    part: Tensor

    def share(self, W: Tensor) -> Tensor:
        return self.part.to(W)[:, None]

    def rows(self, W: Tensor) -> tuple[Tensor, Tensor, Tensor | None]:
        """What an objective takes; no weights where nothing is padded."""
        return self.X, self.y, None if bool(self.weights.all()) else self.weights.to(W)


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

    def curvature_at(self, W: Tensor) -> Curvature:
        each = [self._curvature(W[m], self._rows_of(m)) for m in range(self.M)]
        return lambda V: torch.stack([product(v) for product, v in zip(each, V, strict=True)])

    def hessian_vector_products(self, W: Tensor, V: Tensor) -> Tensor:
        return self.curvature_at(W)(V)

    def _curvature(self, w: Tensor, rows: CsrRows) -> Curvature:
        """v ↦ Xᵀ diag(s(1−s)) X v / n with s = sigmoid(Xw)."""
        values, owner = rows.values.to(w.dtype), rows.owner()
        s = rows.sum_by_row(values * w[rows.indices]).sigmoid()
        slope = s * (1 - s) / rows.n

        def product(v: Tensor) -> Tensor:
            scaled = rows.sum_by_row(values * v[rows.indices]) * slope
            return torch.zeros_like(w).index_add_(0, rows.indices, values * scaled[owner])

        return product
