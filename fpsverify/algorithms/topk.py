"""Global Top-k: every device sends the k coordinates that are largest in the mean of all devices' vectors.

"the top-k algorithm requires additional communication rounds between edge devices to achieve consensus on
global top-k gradient coordinates" (Section 6.1). The consensus is idealised: exact, free of noise, and not
counted; channel uses are the k numbers sent. So this is a best case for Top-k, not a protocol. The rest of
the round, with the memory of what was not sent, is in sparsified.py.
"""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor

from fpsverify.algorithms.base import Algorithm, Setup
from fpsverify.algorithms.sparsified import SparsifiedState, check, init, model, per_device, step_with
from fpsverify.kernels.topk import positions_of_largest
from fpsverify.vectors import SparseVector, Vector


def largest_coordinates(v: Vector, k: int) -> Tensor:
    """The k largest nonzero |v_i|, increasing; of equals the lowest index. Fewer if fewer are nonzero."""
    if isinstance(v, SparseVector):
        return v.indices[positions_of_largest(v.values.abs(), k)]
    return positions_of_largest(v.abs(), k)


def _choose(setup: Setup, mean: Vector, t: int) -> Tensor:
    chosen = largest_coordinates(mean, setup.config.algorithm.k)
    if chosen.numel() == 0:  # nothing to send: one coordinate keeps the round defined
        return torch.zeros(1, dtype=torch.int64, device=setup.device)
    return chosen


TOPK = Algorithm(
    "topk",
    "global Top-k with idealised consensus",
    SparsifiedState,
    init,
    partial(step_with, _choose),
    model,
    check,
    per_device,
)
