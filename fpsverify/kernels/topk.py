"""The k entries of largest magnitude, with ties decided by the lowest index.

Entries that are exactly zero are never chosen: the result has fewer than k entries if there are fewer than
k nonzero values. So it is a function of the values alone, whatever the order of work or number of threads.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

# A merge has a fixed cost, so it should not happen for every handful of candidates.
MERGE_FROM = 4096


def largest(indices: Tensor, values: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """The k largest |values|; `indices` must increase, and so do those of the result."""
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
        found = torch.nonzero(values.abs() > self.threshold).flatten()
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
        return torch.nonzero(magnitudes > 0).flatten()
    threshold = kth_largest(magnitudes, k)
    chosen = magnitudes > threshold
    if threshold > 0:
        equal = torch.nonzero(magnitudes == threshold).flatten()
        chosen[equal[: k - int(chosen.sum())]] = True
    return torch.nonzero(chosen).flatten()


def kth_largest(values: Tensor, k: int) -> float:
    """On a CPU numpy's partition finds it many times faster than torch's topk. No NaN: callers refuse it."""
    if values.device.type != "cpu":  # pragma: no cover: needs an accelerator
        return float(torch.topk(values, k, sorted=False).values.min())
    place = values.numel() - k
    return float(np.partition(values.numpy(), place)[place])
