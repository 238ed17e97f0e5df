"""A count sketch in numpy, small and explicit: buckets, signs, and the matrix they form."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class CountSketch:
    """J rows of K columns; bucket and sign have shape (J, d)."""

    bucket: NDArray[np.int64]
    sign: Array
    K: int
    average: bool = False  # estimate by the mean of rows instead of the median

    @classmethod
    def draw(cls, rng: np.random.Generator, J: int, K: int, d: int, average: bool = False) -> CountSketch:
        return cls(rng.integers(0, K, (J, d)), rng.choice([-1.0, 1.0], (J, d)), K, average)

    def insert(self, v: Array) -> Array:
        """S(v), shape (J, K)."""
        return np.stack([np.bincount(b, s * v, self.K) for b, s in zip(self.bucket, self.sign, strict=True)])

    def estimate(self, table: Array) -> Array:
        """One estimate per coordinate."""
        rows = self.sign * np.take_along_axis(table, self.bucket, axis=1)
        return rows.mean(axis=0) if self.average else np.median(rows, axis=0)

    def collisions(self) -> int:
        """ϑ: the largest number of rows in which some pair of coordinates collides."""
        same = sum((b[:, None] == b[None, :]).astype(int) for b in self.bucket)
        np.fill_diagonal(same, 0)
        return int(same.max())


def top_k(v: Array, k: int) -> Array:
    """Keep the k largest entries in absolute value (stable: a tie keeps the lower index)."""
    kept = np.argsort(-np.abs(v), kind="stable")[:k]
    result = np.zeros_like(v)
    result[kept] = v[kept]
    return result
