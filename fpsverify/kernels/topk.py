"""The k entries of largest magnitude, with ties decided by the lowest index.

Entries that are exactly zero are never chosen: the result has fewer than k entries if there are fewer than
k nonzero values. So it is a function of the values alone, whatever the order of work or number of threads.
"""

from __future__ import annotations

import torch
from torch import Tensor


def largest(indices: Tensor, values: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """The k largest |values|; `indices` must increase, and so do those of the result."""
    keep = positions_of_largest(values.abs(), k)
    return indices[keep], values[keep]


def positions_of_largest(magnitudes: Tensor, k: int) -> Tensor:
    """Increasing positions of the k largest nonzero magnitudes, the lowest position first among equals."""
    if magnitudes.numel() <= k:
        return torch.nonzero(magnitudes > 0).flatten()
    threshold = torch.topk(magnitudes, k, sorted=False).values.min()
    above = torch.nonzero(magnitudes > threshold).flatten()
    if threshold == 0:
        return above
    equal = torch.nonzero(magnitudes == threshold).flatten()[: k - above.numel()]
    return torch.cat([above, equal]).sort().values
