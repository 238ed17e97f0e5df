"""Local proximal steps (Section 4, "Loss function design"): w ← w − γ(g + μ(w − w_gb)), E times per round.

The proximal gradient is μ(w − w_gb) with w_gb the last broadcast, so at the first step of a round it is
exactly zero. What a device hands on is its displacement Δ^m = w^{m,E} − w_gb.
"""

from __future__ import annotations

from math import isfinite

import numpy as np
import torch
from torch import Tensor

from fpsverify.config import LocalConfig
from fpsverify.distributed.ranks import Ranks, alone
from fpsverify.errors import RunFailed
from fpsverify.problems.problem import DenseProblem, Problem, SparseProblem, sample_rows, steps_in_round
from fpsverify.sketch.kernels import choose
from fpsverify.vectors import (
    DenseUpdates,
    SparseUpdates,
    SparseVector,
    Updates,
    Vector,
    is_finite,
)


def local_updates(
    problem: Problem, w_gb: Vector, local: LocalConfig, t: int, ranks: Ranks | None = None
) -> Updates:
    """Δ^m of every device (of this rank) in round t, checked to be finite."""
    ranks = ranks or alone(problem.M)
    if isinstance(problem, DenseProblem) and isinstance(w_gb, Tensor):
        updates: Updates = dense_updates(problem, w_gb, local, t, ranks)
    elif isinstance(problem, SparseProblem) and isinstance(w_gb, SparseVector):
        updates = _sparse(problem, w_gb, local, t, ranks)
    else:
        raise TypeError(f"{type(problem).__name__} does not take a {type(w_gb).__name__}")
    check_finite(updates, t, ranks)
    return updates


def proximal_step(W: Tensor, g: Tensor, w_gb: Tensor, local: LocalConfig) -> Tensor:
    """One step of descent on l + (μ/2)‖w − w_gb‖², in W itself; μ = 0 leaves no trace, bit for bit."""
    step = choose(W.device, work=W.numel()).proximal
    if W.ndim == 1:
        return step(W[None], g[None], w_gb, local.gamma, local.mu)[0]
    return step(W, g, w_gb, local.gamma, local.mu)


def dense_updates(
    problem: DenseProblem,
    w_gb: Tensor,
    local: LocalConfig,
    t: int,
    ranks: Ranks,
    shift: Tensor | None = None,
) -> DenseUpdates:
    """Δ^m of the devices; `shift` is added to the gradients of each of them, row by row."""
    W = w_gb.repeat(len(ranks.mine), 1)
    for e in range(most_steps(problem, local, ranks)):
        for some, g, busy in problem.gradient_blocks(W, local, t, e, ranks):
            idle = [i for i, has in enumerate(busy) if not has]
            before = W[some][idle] if idle else None
            proximal_step(W[some], g if shift is None else g + shift[some], w_gb, local)
            if before is not None:
                W[some][idle] = before
            del g  # its memory serves the next one, and is in the cache
    return DenseUpdates(W.sub_(w_gb))


def most_steps(problem: DenseProblem | SparseProblem, local: LocalConfig, ranks: Ranks) -> int:
    """Local steps of the busiest device of this rank."""
    steps = steps_in_round(problem.sizes, local)
    return max(steps[m] for m in ranks.mine)


def _sparse(
    problem: SparseProblem, w_gb: SparseVector, local: LocalConfig, t: int, ranks: Ranks
) -> SparseUpdates:
    steps = steps_in_round(problem.sizes, local)
    drawn = [
        sample_rows(problem.sizes, local, problem.seed, t, e, ranks.mine)
        for e in range(most_steps(problem, local, ranks))
    ]
    return SparseUpdates(
        tuple(
            _sparse_device(problem, w_gb, local, m, [rows[i] for rows in drawn[: steps[m]]])
            for i, m in enumerate(ranks.mine)
        )
    )


def _sparse_device(
    problem: SparseProblem, w_gb: SparseVector, local: LocalConfig, m: int, batches: list[np.ndarray]
) -> SparseVector:
    """Device m in the compact space of the coordinates that its batches of this round touch.

    Outside that space the gradient is zero and so is the proximal term, since w stays at w_gb there.
    """
    shard = problem.shards[m]
    touched, rows = problem.train.compact(torch.from_numpy(np.concatenate([shard[r] for r in batches])))
    start = w_gb.gather(touched)
    w, first = start.clone(), 0
    for r in batches:
        _, g = problem.objective.loss_gradient(w, rows.span(first, first + len(r)))
        w = proximal_step(w, g, start, local)
        first += len(r)
    return SparseVector(problem.d, touched, w - start)


def check_finite(updates: Updates, t: int, ranks: Ranks | None = None) -> None:
    """Stop at the first device whose update is not a number, naming it; earlier checkpoints stay.

    The norms are recorded anyway, and one is finite only if its terms are. Only if one overflows are the
    updates themselves looked at.
    """
    if all(map(isfinite, updates.norms_squared)):
        return
    parts = updates.values if isinstance(updates, DenseUpdates) else [part.values for part in updates.parts]
    for i, part in enumerate(parts):
        if not is_finite(part):
            m = ranks.mine[i] if ranks else i
            raise RunFailed(
                f"round {t}, device {m}: the local update is not finite; use a smaller local.gamma"
            )
