"""Unbiased linear compressors with a fresh draw in every round: tables of m = J·b numbers for vectors of R^d.

    S (J·b, d), drawn anew in round t;      A = Sᵀ S / J,     E A = I,     E‖Ax‖² ≤ (1 + ω)‖x‖²

`encode` is S, `decode` is Sᵀ/J, the mean of the rows at every coordinate, so that decode(encode(x)) = A x. In
row r coordinate i has the bucket h_r(i) and the sign s_r(i), and (Sx)[r, q] = Σ s_r(i)·x_i over h_r(i) = q.
What the kinds draw anew, and what that costs (J rows, n_q the sizes of the classes of a row):

    fold          signs; h_r is one fixed permutation of the coordinates modulo b   ω = (⌈d/b⌉ - 1)/J
    balanced      signs, and h(i) = ((u·i + v) mod P) mod b with P ≥ d prime        ω = (d - 1)·p_1/J
    count_sketch  the hash of `sketch.hash`, 5-wise independent               ω = (d - 1)·p_1/J
    identity      nothing: whole vectors are sent                                   ω = 0

p_1 is the probability that two coordinates share a bucket of a row, exactly: Σ n_q(n_q - 1)/(P(P - 1)) for
the classes of 0 … P-1, and Σ (n_q/2^30)² for those of the 2^30 words. The fold's ω is that of its largest
class; with b = d it is 0 and A = I. Signs of the fold and of balanced are independent bits.

Every draw is named by (seed, "fresh", t, row) in the SHAKE input itself. Additions have one order on every
device and backend: the fold adds by halves, all others add whole numbers (`sketch.fixed_point`).

    >>> import torch
    >>> from fpsverify.vectors import DenseUpdates
    >>> x = torch.tensor([[3.0, -1.0, 2.0, 0.5]])
    >>> draws = [Compressor("fold", rows=1, buckets=2, d=4, seed=1).draw(t) for t in range(1000)]
    >>> found = torch.stack([draw.decode(draw.encode(DenseUpdates(x)))[0] for draw in draws])
    >>> [round(v) for v in found.mean(0).tolist()]
    [3, -1, 2, 0]
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from fpsverify.rng import stream
from fpsverify.sketch.fixed_point import FixedPoint
from fpsverify.sketch.hash import SketchSpec
from fpsverify.sketch.sketch import CountSketch
from fpsverify.vectors import DenseUpdates, SparseUpdates, Updates

WORDS = 2**30  # values of the hash of a count sketch, beside its sign
MIXES = 4  # rounds of the permutation of the fold


class Draw(Protocol):
    """S of one round."""

    def encode(self, x: Updates) -> Tensor:
        """S x of every device: (M, J, b)."""

    def decode(self, tables: Tensor) -> Tensor:
        """Sᵀ/J of tables (…, J, b) at the coordinates that are kept: (…, n)."""


@dataclass(frozen=True, eq=False)
class Compressor:
    """A kind and its shape; `draw(t)` is S of round t.

    `kept`: the increasing coordinates that matter (those that occur in sparse data); None: all d of them.
    """

    kind: str
    rows: int
    buckets: int
    d: int
    seed: int
    kept: Tensor | None = None
    dtype: torch.dtype = torch.float32
    device: torch.device | str = "cpu"

    @property
    def uses(self) -> int:
        """m: numbers that a device sends in a round."""
        return self.d if self.kind == "identity" else self.rows * self.buckets

    @property
    def omega(self) -> float:
        """ω with E‖Ax‖² ≤ (1 + ω)‖x‖² for every x."""
        if self.kind == "identity":
            return 0.0
        if self.kind == "fold":
            return (-(-self.d // self.buckets) - 1) / self.rows
        return (self.d - 1) * self.collision / self.rows

    @property
    def collision(self) -> float:
        """p_1: two given coordinates share a bucket of a row (balanced, count_sketch)."""
        if self.kind == "count_sketch":
            least, more = divmod(WORDS, self.buckets)
            return (more * (least + 1) ** 2 + (self.buckets - more) * least**2) / WORDS**2
        P = prime_from(self.d)
        least, more = divmod(P, self.buckets)
        return (more * (least + 1) * least + (self.buckets - more) * least * (least - 1)) / (P * (P - 1))

    def draw(self, t: int) -> Draw:
        if self.kind == "identity":
            return Whole(self)
        if self.kind == "count_sketch":
            spec = SketchSpec(self.rows, self.buckets, self.d, self.seed, t)
            return Hashed(self, CountSketch.zeros(spec, dtype=self.dtype, device=self.device))
        if self.kind == "fold" and self.kept is None:
            return Folded(self, torch.stack([self.signs(t, r) for r in range(self.rows)]))
        return Scattered(self, *self.placed(t))

    def signs(self, t: int, row: int, at: np.ndarray | None = None) -> Tensor:
        """The independent signs ±1 of (seed, t, row): all d, or those numbered `at`."""
        raw = np.frombuffer(stream(-(-self.d // 8), self.seed, "fresh", t, row, "signs"), np.uint8)
        if at is None:
            bits = np.unpackbits(raw, count=self.d, bitorder="little")
        else:
            bits = (raw[at >> 3] >> (at & 7).astype(np.uint8)) & 1
        return torch.from_numpy(bits).to(self.device, self.dtype).mul_(-2).add_(1)

    def placed(self, t: int) -> tuple[Tensor, Tensor]:
        """Bucket and sign of every coordinate that is kept: (J, n) each."""
        at, folds = self._coordinates(), self.kind == "fold"
        where = self._stands if folds else np.stack([self._affine(at, t, row) for row in range(self.rows)])
        signs = [self.signs(t, row, where[row] if folds else at) for row in range(self.rows)]
        return torch.from_numpy(where % self.buckets).to(self.device), torch.stack(signs)

    def _coordinates(self) -> np.ndarray:
        return np.arange(self.d) if self.kept is None else self.kept.cpu().numpy()

    def _affine(self, at: np.ndarray, t: int, row: int) -> np.ndarray:
        P = prime_from(self.d)
        u, v = affine(P, self.seed, t, row)
        return (u * at + v) % P

    @cached_property
    def _stands(self) -> np.ndarray:
        """Of the fold: the place of every coordinate that is kept, (J, n)."""
        at = self._coordinates()
        return np.stack([permuted(at, self.d, self.seed, row) for row in range(self.rows)])

    @cached_property
    def orders(self) -> tuple[Tensor, Tensor]:
        """Of the fold: which coordinate stands at each place, and where each coordinate stands, (J, d)."""
        where = torch.from_numpy(self._stands).to(self.device)
        return where.argsort(dim=1), where


@dataclass(frozen=True, eq=False)
class Whole:
    """The identity: A = I."""

    of: Compressor

    def encode(self, x: Updates) -> Tensor:
        return dense_at(x, self.of.kept)[:, None]

    def decode(self, tables: Tensor) -> Tensor:
        return tables[..., 0, :]


@dataclass(frozen=True, eq=False)
class Folded:
    """Signs of the places (J, d): the coordinate at place j falls into bucket j mod b."""

    of: Compressor
    signs: Tensor

    def encode(self, x: Updates) -> Tensor:
        assert isinstance(x, DenseUpdates)
        order, _ = self.of.orders
        rows = [x.values.index_select(1, o).mul_(s) for o, s in zip(order, self.signs, strict=True)]
        return torch.stack([halved(y, self.of.buckets) for y in rows], dim=1)

    def decode(self, tables: Tensor) -> Tensor:
        _, where = self.of.orders
        d, b = self.of.d, self.of.buckets
        rows = [
            tables[..., r, :].repeat(*(1,) * (tables.ndim - 2), -(-d // b))[..., :d].mul(self.signs[r])
            for r in range(len(where))
        ]
        return mean_of([y.index_select(-1, w) for y, w in zip(rows, where, strict=True)])


@dataclass(frozen=True, eq=False)
class Scattered:
    """Places and signs (J, n) of the coordinates that are kept."""

    of: Compressor
    places: Tensor
    signs: Tensor

    def encode(self, x: Updates) -> Tensor:
        if isinstance(x, DenseUpdates):
            return torch.stack([self._table(values, slice(None)) for values in x.values])
        kept = self.of.kept
        assert kept is not None
        return torch.stack([self._table(p.values, torch.searchsorted(kept, p.indices)) for p in x.parts])

    def _table(self, values: Tensor, at: Tensor | slice) -> Tensor:
        unit = FixedPoint.of(values)
        z = unit.whole(values) * self.signs[:, at].long()
        sums = torch.zeros(len(self.places), self.of.buckets, dtype=torch.int64, device=z.device)
        return unit.plus(values.new_zeros(()), sums.scatter_add_(1, self.places[:, at], z))

    def decode(self, tables: Tensor) -> Tensor:
        rows = enumerate(zip(self.places, self.signs, strict=True))
        return mean_of([tables[..., r, :].index_select(-1, place) * sign for r, (place, sign) in rows])


@dataclass(frozen=True, eq=False)
class Hashed:
    """A count sketch whose hash is that of the round."""

    of: Compressor
    blank: CountSketch

    def encode(self, x: Updates) -> Tensor:
        batch = CountSketch.zeros(self.blank.spec, x.M, self.of.dtype, self.of.device)
        return batch.add(x).table

    def decode(self, tables: Tensor) -> Tensor:
        flat = tables.reshape(-1, *tables.shape[-2:])
        found = [self.blank.with_table(table).decode(self.of.kept) for table in flat]
        return torch.stack(found).reshape(*tables.shape[:-2], -1)


def halved(y: Tensor, b: int) -> Tensor:
    """(…, n) to (…, b): blocks of b places added up, the second half to the first until one is left; in y."""
    while y.shape[-1] > b:
        half = (-(-y.shape[-1] // b) + 1) // 2 * b
        low, high = y[..., :half], y[..., half:]
        low[..., : high.shape[-1]] += high
        y = low
    return torch.nn.functional.pad(y, (0, b - y.shape[-1]))


def mean_of(rows: list[Tensor]) -> Tensor:
    """The mean of the rows, added in their order."""
    total = rows[0]
    for row in rows[1:]:
        total = total + row
    return total / len(rows) if len(rows) > 1 else total


def dense_at(x: Updates, kept: Tensor | None) -> Tensor:
    """The kept coordinates of every device's vector, (M, n)."""
    if isinstance(x, DenseUpdates):
        return x.values if kept is None else x.values[:, kept]
    assert isinstance(x, SparseUpdates) and kept is not None
    return torch.stack([part.gather(kept) for part in x.parts])


@lru_cache(maxsize=8)
def prime_from(d: int) -> int:
    """The least prime P ≥ d.

    >>> prime_from(90), prime_from(101_770)
    (97, 101771)
    """
    P = max(2, d)
    while any(P % q == 0 for q in range(2, int(P**0.5) + 1)):
        P += 1
    return P


def affine(P: int, seed: int, t: int, row: int) -> tuple[int, int]:
    """u in 1 … P-1 and v in 0 … P-1, uniform: 128 bits each, so off by at most a share of P/2^128."""
    raw = stream(32, seed, "fresh", t, row, "affine")
    first, second = (int.from_bytes(raw[i : i + 16], "little") for i in (0, 16))
    return 1 + first % (P - 1), second % P


def permuted(keys: np.ndarray, d: int, seed: int, row: int) -> np.ndarray:
    """π(keys) for a permutation π of 0 … d-1 that is named by (seed, row) and never redrawn.

    Steps that each permute the numbers of as many bits as d needs; a result that is not below d is put in
    again until one is. So nothing of length d is needed to know where one coordinate goes.

    >>> sorted(permuted(np.arange(5), 5, seed=1, row=0).tolist())
    [0, 1, 2, 3, 4]
    """
    bits = (d - 1).bit_length()
    mask = (1 << bits) - 1
    words = np.frombuffer(stream(16 * MIXES, seed, "fresh", row, "fold"), "<u8").reshape(MIXES, 2)
    words = words & np.uint64(mask)

    def mixed(x: np.ndarray) -> np.ndarray:
        for factor, offset in words:
            x = (x * (factor | np.uint64(1)) + offset) & np.uint64(mask)
            x = x ^ (x >> np.uint64(bits // 2 + 1))
        return x

    found = mixed(keys.astype(np.uint64))
    while (out := found >= d).any():
        found[out] = mixed(found[out])
    return found.astype(np.int64)
