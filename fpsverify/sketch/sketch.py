"""The count sketch S(x) of x in R^d, one or a batch of M (paper, Section 3 and Algorithm 1, lines 9-13).

    S(x)[r, h_r(i)] += s_r(i)·x_i      for every row r < w and coordinate i        (sketch)
    x̂_i = median over r of s_r(i)·S[r, h_r(i)]                                     (point estimate)

A `CountSketch` is a value: every operation returns a new one. S is linear, so sketches of the same spec
add up. Values are taken in the dtype of the table and added as whole multiples of a power of two that depends
on the largest of them and on how many there are (`fixed_point` says what is lost: less than a float64
sum of them would lose in the worst case). Up to the first version, float64 numbers were added in a fixed
order: the last bits of a table may differ from what it gave.

Same inputs give the same bits, for any number of threads, on every processor and every accelerator, whichever
kernels do the work: hashes are whole numbers, and so is all that is added, so the order cannot matter.
NaN or infinity among the values makes the whole table NaN, and queries refuse it.

Coordinates are hashed on the fly: nothing has length d.

    >>> sketch = CountSketch.zeros(SketchSpec(rows=5, buckets=20, d=1000, seed=1))
    >>> found = sketch.add(SparseVector(1000, torch.tensor([7, 70]), torch.tensor([3.0, -2.0]))).unsketch(2)
    >>> found.indices.tolist(), found.values.tolist()
    ([7, 70], [3.0, -2.0])

The identity is the exact sketch (one bucket per coordinate, no hash): with it FPS becomes FedAvg with an
exact top-k, which is what the reductions and the theory's noise-free statements are tested against.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from fpsverify import tensors
from fpsverify.config import AlgorithmConfig
from fpsverify.device import holds_data
from fpsverify.errors import BadInput, FpsError, SketchMismatch, shorten
from fpsverify.rng import derive_seed
from fpsverify.sketch.hash import HASH_VERSION, HashTables, SketchSpec, hash_tables
from fpsverify.sketch.kernels import RULES, Kernels, choose
from fpsverify.sketch.order import largest
from fpsverify.vectors import DenseUpdates, SparseUpdates, SparseVector, Updates, Vector, is_finite, sum_over

DTYPES = (torch.float32, torch.float64)
FORMAT = f"fpsverify count sketch {HASH_VERSION}"
FIELDS = ("rows", "buckets", "d", "seed", "fresh")
Addable = Vector | Updates


@dataclass(frozen=True, eq=False)
class CountSketch:
    """One sketch, `table` (w, b), or a batch of M, `table` (M, w, b)."""

    spec: SketchSpec
    table: Tensor

    def __post_init__(self) -> None:
        shape, spec = self.table.shape, self.spec
        if len(shape) not in (2, 3) or shape[-2] != spec.rows or shape[-1] != spec.buckets:
            raise BadInput("table", tuple(shape), f"shape (w, b) or (M, w, b) with w, b of {self.spec}")
        if self.table.dtype not in DTYPES:
            raise BadInput("dtype", self.table.dtype, "torch.float32 or torch.float64")

    @staticmethod
    def zeros(
        spec: SketchSpec,
        batch: int | None = None,
        dtype: torch.dtype = torch.float32,
        device: torch.device | str = "cpu",
    ) -> CountSketch:
        """The sketch of 0, or M = `batch` of them; a single one without `batch`."""
        if batch is not None and batch < 1:
            raise BadInput("batch", batch, "at least 1, or None for a single sketch")
        if dtype not in DTYPES:
            raise BadInput("dtype", dtype, "torch.float32 or torch.float64")
        shape = (spec.rows, spec.buckets) if batch is None else (batch, spec.rows, spec.buckets)
        return CountSketch(spec, torch.zeros(shape, dtype=dtype, device=device))

    @property
    def batch(self) -> int | None:
        """M, or None for a single sketch."""
        return self.table.shape[0] if self.table.ndim == 3 else None

    def with_table(self, table: Tensor) -> CountSketch:
        return CountSketch(self.spec, table)

    def member(self, m: int) -> CountSketch:
        if self.batch is None or not 0 <= m < self.batch:
            raise BadInput("member", m, f"a member of a batch of {self.batch}")
        return self.with_table(self.table[m])

    # ---- update -------------------------------------------------------------------------------------

    def add(self, x: Addable, *, backend: str | None = None) -> CountSketch:
        """S(current + x). A batch takes one x for all, or one per member ((M, d) or Updates)."""
        if isinstance(x, Tensor):
            return self._add_dense(x, backend)
        if isinstance(x, DenseUpdates):
            return self._add_dense(x.values, backend)
        if isinstance(x, SparseUpdates):
            return self._add_parts(x, backend)
        self._check_d(x.d)
        return self.add_sparse(x.indices, x.values, backend=backend)

    def _add_dense(self, x: Tensor, backend: str | None) -> CountSketch:
        kernels, x = self._kernels(backend), self._as_table_dtype(x)
        shape = x.shape
        if len(shape) not in (1, 2) or (len(shape) == 2 and shape[0] != self.batch):
            raise BadInput("x", tuple(shape), f"shape (d,) or (M, d) with M = {self.batch}")
        self._check_d(shape[-1])
        return self.with_table(kernels.add_dense(self._hash(), self.table, x))

    def add_sparse(self, indices: Tensor, values: Tensor, *, backend: str | None = None) -> CountSketch:
        """Add Σ values·e_indices (repeated indices add up) to the sketch, or to all members."""
        self._check_indices(indices)
        if values.shape != indices.shape:
            raise BadInput("values", tuple(values.shape), f"one value per index, {tuple(indices.shape)}")
        kernels, values = self._kernels(backend), self._as_table_dtype(values)
        tables = [self.table] if self.batch is None else self.table.unbind(0)
        found = [kernels.add_sparse(self._hash(), table, indices, values) for table in tables]
        return self.with_table(found[0] if self.batch is None else torch.stack(found))

    def _add_parts(self, x: SparseUpdates, backend: str | None) -> CountSketch:
        if self.batch != len(x.parts):
            raise BadInput("updates", len(x.parts), f"one update per member of a batch of {self.batch}")
        members = [self.member(m).add(part, backend=backend).table for m, part in enumerate(x.parts)]
        return self.with_table(torch.stack(members))

    # ---- linear structure ---------------------------------------------------------------------------

    def scaled(self, a: float) -> CountSketch:
        return self.with_table(self.table * a)

    def merge(self, other: CountSketch) -> CountSketch:
        """S(x) + S(y) = S(x + y); refused unless both have the same spec, batch and dtype."""
        require_same(self, other)
        self._check_device(other.table)
        return self.with_table(self.table + other.table)

    def mean(self) -> CountSketch:
        """The average over the batch, as a single sketch."""
        if self.batch is None:
            raise BadInput("batch", None, "a batch of sketches to average")
        total = sum_over(self.table.double(), dim=-3)
        return self.with_table((total / self.batch).to(self.table.dtype))

    # ---- queries ------------------------------------------------------------------------------------

    def l2_squared(self) -> Tensor:
        """Estimate of ‖x‖²: the median over rows of Σ_b S[r, b]² (even w: mean of the two middle rows).

        Float64, a scalar or one per member. Each row is unbiased with variance at most 2‖x‖⁴/b.
        """
        norms = sum_over(self.table.double().square(), dim=-1)
        ordered = norms.sort(dim=-1).values
        w = self.spec.rows
        return (ordered[..., (w - 1) // 2] + ordered[..., w // 2]) / 2

    def estimate(self, indices: Tensor, rule: str = "median", *, backend: str | None = None) -> Tensor:
        """x̂ at `indices`: shape (n,), or (M, n) for a batch.

        rule "median": over rows, for even w the mean of the two middle values; rule "mean": over rows.
        """
        _check_rule(rule)
        self._check_indices(indices)
        kernels = self._kernels(backend)
        estimates = [kernels.estimate(self._hash(), t, indices, rule) for t in self._finite_tables()]
        return estimates[0] if self.batch is None else torch.stack(estimates)

    def decode(self, at: Tensor | None = None, *, backend: str | None = None) -> Tensor:
        """The mean of the rows at all d coordinates, or at those given: Sᵀ/w of the table, (d,) or (n,)."""
        if self.batch is not None:
            raise BadInput("batch", self.batch, "a single sketch")
        if at is not None:
            return self.estimate(at, "mean", backend=backend)
        self._finite_tables()
        return self._kernels(backend).decode(self._hash(), self.table)

    def unsketch(
        self, k: int, support: Tensor | None = None, rule: str = "median", *, backend: str | None = None
    ) -> SparseVector:
        """The k estimates of largest magnitude, among all d coordinates or those in `support`.

        Of equal magnitudes the lowest index wins. Estimates that are exactly 0 are never returned, so the
        result has fewer than k entries if fewer are nonzero. Memory grows with k and √d, not with d.
        """
        if self.batch is not None:
            raise BadInput("batch", self.batch, "a single sketch")
        _check_rule(rule)
        if isinstance(k, bool) or not isinstance(k, int) or not 1 <= k <= self.spec.d:
            raise BadInput("k", k, f"an integer from 1 to d = {self.spec.d}")
        if support is None:
            self._finite_tables()
            kernels = self._kernels(backend)
            return SparseVector(self.spec.d, *kernels.scan_top_k(self._hash(), self.table, k, rule))
        self._check_indices(support)
        support = torch.unique(support, sorted=True)
        return SparseVector(self.spec.d, *largest(support, self.estimate(support, rule, backend=backend), k))

    # ---- storage ------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write a safetensors file; the path holds the old or the new content, never a part of it."""
        known = {name: getattr(self.spec, name) for name in FIELDS}
        about = {"format": FORMAT, **{name: x for name, x in known.items() if x is not None}}
        tensors.write(Path(path), {"table": self.table.detach().cpu().contiguous()}, about)

    @staticmethod
    def load(path: str | Path) -> CountSketch:
        """The stored sketch on the CPU; any file that is not one is refused in one line."""
        try:
            about, found = tensors.read(Path(path))
            if about.get("format") != FORMAT:
                raise FpsError(f"{path}: not a stored count sketch")
            spec = SketchSpec(**{name: int(about[name]) for name in FIELDS if name in about})
            return CountSketch(spec, found["table"])
        except (KeyError, TypeError, ValueError, FpsError) as error:
            raise FpsError(f"{path}: cannot read a count sketch ({shorten(error, 160)})") from error

    # ---- checks -------------------------------------------------------------------------------------

    def _kernels(self, backend: str | None) -> Kernels:
        return choose(self.table.device, backend, self.spec.rows * self.spec.d)

    def _hash(self) -> HashTables:
        return hash_tables(self.spec, self.table.device)

    def _as_table_dtype(self, x: Tensor) -> Tensor:
        self._check_device(x)
        if x.dtype == self.table.dtype and not x.requires_grad:
            return x
        if x.is_complex():
            raise BadInput("dtype", x.dtype, "real values")
        return x.detach().to(self.table.dtype)

    def _check_device(self, x: Tensor) -> None:
        if x.device != self.table.device:
            raise BadInput("device", x.device, f"a tensor where the sketch is, {self.table.device}")

    def _check_indices(self, indices: Tensor) -> None:
        self._check_device(indices)
        if indices.ndim != 1 or indices.dtype != torch.int64:
            raise BadInput("indices", (tuple(indices.shape), indices.dtype), "a one-dimensional int64 tensor")

    def _check_d(self, d: int) -> None:
        if d != self.spec.d:
            raise BadInput("x", d, f"a vector with d = {self.spec.d} coordinates")

    def _finite_tables(self) -> Sequence[Tensor]:
        """The tables of all members, refused if a value is NaN or infinite: no order exists among those."""
        if holds_data(self.table.device) and not is_finite(self.table):
            raise BadInput("table", "NaN or infinity", "finite values to estimate from")
        return [self.table] if self.batch is None else list(self.table.unbind(0))


def require_same(a: CountSketch, b: CountSketch) -> None:
    """Refuse two sketches that cannot be added, naming what differs."""
    for name in FIELDS:
        left, right = getattr(a.spec, name), getattr(b.spec, name)
        if left != right:
            raise SketchMismatch(f"cannot add sketches of different {name}: {left} and {right}")
    if a.batch != b.batch:
        raise SketchMismatch(f"cannot add sketches of different batch: {a.batch} and {b.batch}")
    if a.table.dtype != b.table.dtype:
        raise SketchMismatch(f"cannot add sketches of different dtype: {a.table.dtype} and {b.table.dtype}")


def _check_rule(rule: str) -> None:
    if rule not in RULES:
        raise BadInput("rule", rule, " or ".join(RULES))


@dataclass(frozen=True)
class IdentitySketch:
    """The same operations as `CountSketch` on the vector itself; `table` is (d,) or (M, d)."""

    table: Tensor

    def add(self, x: Addable) -> IdentitySketch:
        if isinstance(x, DenseUpdates):
            return IdentitySketch(self.table + x.values)
        if isinstance(x, Tensor):
            return IdentitySketch(self.table + x)
        table = self.table.clone()
        if isinstance(x, SparseUpdates):
            for row, part in zip(table, x.parts, strict=True):
                row[part.indices] += part.values
        else:
            table[..., x.indices] += x.values
        return IdentitySketch(table)

    def with_table(self, table: Tensor) -> IdentitySketch:
        return IdentitySketch(table)

    def member(self, m: int) -> IdentitySketch:
        return IdentitySketch(self.table[m])

    def unsketch(self, k: int, support: Tensor | None = None, rule: str = "median") -> SparseVector:
        """The k largest coordinates in absolute value, zeros left out; among equals the lowest index wins."""
        candidates = self.table if support is None else self.table[support]
        order = torch.argsort(candidates.abs(), descending=True, stable=True)[:k]
        chosen = torch.sort(order[candidates[order] != 0]).values
        indices = chosen if support is None else support[chosen]
        return SparseVector(self.table.shape[-1], indices, self.table[indices])


Sketch = CountSketch | IdentitySketch


def empty(config: AlgorithmConfig, d: int, batch: int | None, seed: int, like: Tensor) -> Sketch:
    """An all-zero sketch, or `batch` of them; the hash seed is derived from the run's seed."""
    if config.compressor == "identity":
        shape = (d,) if batch is None else (batch, d)
        return IdentitySketch(torch.zeros(shape, dtype=like.dtype, device=like.device))
    hash_seed = derive_seed(seed, "hash") % 2**62  # pragma: no mutate: any draw would do
    spec = SketchSpec(config.rows, config.buckets, d, hash_seed)
    return CountSketch.zeros(spec, batch=batch, dtype=like.dtype, device=like.device)
