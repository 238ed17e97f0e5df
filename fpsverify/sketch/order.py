"""The median of w values by a fixed list of min/max steps, and the k entries of largest magnitude.

Both are functions of the values alone, whatever the order of work or number of threads. Among equals the
lowest index wins; entries that are exactly zero are never chosen, so the result has fewer than k entries if
fewer are nonzero.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

# A merge has a fixed cost, so it should not happen for every handful of candidates.
MERGE_FROM = 4096


def middle(w: int) -> tuple[int, int]:
    """The places of the middle values after sorting; equal for odd w, the two to be averaged for even w."""
    return (w - 1) // 2, w // 2


def sorting_network(w: int) -> list[tuple[int, int]]:
    """Batcher's merge exchange (Knuth, vol. 3, 5.2.2, algorithm M): the pairs to compare, in order."""
    pairs: list[tuple[int, int]] = []
    top = 1 << max(w - 1, 1).bit_length() - 1
    p = top
    while p > 0 and w > 1:
        q, r, distance = top, 0, p
        while True:
            pairs += [(i, i + distance) for i in range(w - distance) if i & p == r]
            if q == p:
                break
            distance, q, r = q - p, q >> 1, p
        p >>= 1
    return pairs


@lru_cache(maxsize=64)
def median_steps(w: int) -> tuple[tuple[int, int], ...]:
    """The pairs of the sorting network that reach a middle place: min to the first, max to the second.

    >>> median_steps(3)
    ((0, 2), (0, 1), (1, 2))
    """
    needed = set(middle(w))
    steps: list[tuple[int, int]] = []
    for pair in reversed(sorting_network(w)):
        if needed & set(pair):
            steps.append(pair)
            needed |= set(pair)
    return tuple(reversed(steps))


def largest(indices: Tensor, values: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """The k largest |values|; `indices` must increase, and so do those of the result.

    >>> largest(torch.tensor([2, 5, 9]), torch.tensor([1.0, -3.0, 2.0]), 2)
    (tensor([5, 9]), tensor([-3.,  2.]))
    """
    keep = positions_of_largest(values.abs(), k)
    return indices[keep], values[keep]


class RunningTopK:
    """The k largest of values offered in index order, in memory that does not grow with their number.

    Candidates above the threshold wait until there are enough of them; then the k largest stay and the
    smallest of those becomes the threshold. Strictly above: an equal value at a later index loses anyway.
    """

    def __init__(self, k: int, like: Tensor) -> None:
        self.k, self.threshold, self.waiting = k, 0.0, 0
        self.indices = [torch.empty(0, dtype=torch.int64, device=like.device)]
        self.values = [torch.empty(0, dtype=like.dtype, device=like.device)]

    def offer(self, start: int, values: Tensor) -> None:
        """Values of the coordinates start, start + 1, …"""
        found = places(values.abs() > self.threshold)
        if found.numel():
            self.indices.append(found + start)
            self.values.append(values[found])
            self.waiting += found.numel()
        if self.waiting > max(self.k, MERGE_FROM):
            self.result()

    def result(self) -> tuple[Tensor, Tensor]:
        indices, values = largest(torch.cat(self.indices), torch.cat(self.values), self.k)
        self.indices, self.values, self.waiting = [indices], [values], 0
        if values.numel() == self.k:
            self.threshold = float(values.abs().min())
        return indices, values


def positions_of_largest(magnitudes: Tensor, k: int) -> Tensor:
    """Increasing positions of the k largest nonzero magnitudes, the lowest position first among equals."""
    if magnitudes.numel() <= k:
        return places(magnitudes > 0)
    threshold = kth_largest(magnitudes, k)
    chosen = magnitudes > threshold
    if threshold > 0:
        equal = places(magnitudes == threshold)
        chosen[equal[: k - int(chosen.sum())]] = True
    return places(chosen)


def places(chosen: Tensor) -> Tensor:
    """Where `chosen` is true; on a CPU numpy finds it several times faster."""
    if chosen.device.type != "cpu":  # pragma: no cover: needs an accelerator
        return torch.nonzero(chosen).flatten()
    return torch.from_numpy(np.flatnonzero(chosen.numpy()))


def kth_largest(values: Tensor, k: int) -> float:
    """On a CPU numpy's partition finds it many times faster than torch's topk. No NaN: callers refuse it."""
    if values.device.type != "cpu":  # pragma: no cover: needs an accelerator
        return float(torch.topk(values, k, sorted=False).values.min())
    place = values.numel() - k
    return float(np.partition(values.numpy(), place)[place])
