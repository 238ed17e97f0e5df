"""The `mission` reading of FPS's local iterate: every local step goes through the device's own sketch.

w^{m,e+1} = U_k(S^m + S(−γ(g + μ(w^{m,e} − w̃_t)))): the device never holds more than k coordinates.
"""

from __future__ import annotations

import torch
from torch import Tensor

from fpsverify.algorithms.base import Setup
from fpsverify.local import check_finite, most_steps
from fpsverify.problems.problem import DenseProblem
from fpsverify.sketching.compressor import Compressor
from fpsverify.vectors import DenseUpdates, Vector


def mission_updates(setup: Setup, held: Compressor, w_gb: Vector, t: int) -> DenseUpdates:
    """The total that E steps add to each device's sketch, with the local iterate read off that sketch."""
    problem, local, options = setup.problem, setup.config.local, setup.config.algorithm
    assert isinstance(problem, DenseProblem)
    assert isinstance(w_gb, Tensor)
    start = problem.start if options.initial_model == "beside" else problem.zero()
    devices = range(len(setup.ranks.mine))
    W = w_gb.expand(len(devices), -1)
    total = torch.zeros_like(W)
    sketch = held
    for e in range(most_steps(problem, local, setup.ranks)):
        g, busy = problem.gradients(W, local, t, e, setup.ranks)
        change = -local.gamma * (g + local.mu * (W - w_gb)) * torch.tensor(busy, device=W.device)[:, None]
        check_finite(DenseUpdates(change), t, setup.ranks)
        total = total + change
        sketch = sketch.add(DenseUpdates(change))
        found = [sketch.member(m).unsketch(options.k, rule=options.recovery) for m in devices]
        W = torch.stack([start + u.dense() for u in found])
    return DenseUpdates(total)
