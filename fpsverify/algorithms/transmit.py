"""What the baselines share: what a device sends, how it is received, and how a sketch is read out.

`transmit` says at which scale devices send, which decides what noise of a given σ does:
    gradient  G^m = −Δ^m/γ, the (sum of the) local gradients; the server multiplies by γ, noise included.
              Section 3.1: "g_t := (1/M) Σ g_t^m + n_t", then "w_{t+1} = w_t − γ g_t"
    update    −Δ^m itself, "the gradient update vector −γ g" (Section 4); noise is not multiplied by γ
    full_power  −Δ^m, scaled in every round to the power that is allowed (channel.py): noise is relative to
              what is sent. Fading has no other scale. Algorithms that send unlike things are compared so.
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from fpsverify.algorithms.base import RoundInfo, Setup
from fpsverify.channel import Received, superpose
from fpsverify.config import RunConfig
from fpsverify.distributed.ranks import H, Ranks, alone
from fpsverify.errors import BadInput
from fpsverify.local import local_updates
from fpsverify.sketch.sketch import Sketch, empty
from fpsverify.vectors import DenseUpdates, SparseVector, Updates, Vector

Scale = Literal["gradient", "update", "full_power"]


def step_size(setup: Setup, default: Scale) -> float:
    """What the server multiplies the received average by: γ for gradients, 1 for updates at any power."""
    chosen = setup.config.algorithm.transmit or default
    return setup.config.local.gamma if chosen == "gradient" else 1.0


def descent_directions(setup: Setup, w: Vector, step: float, t: int) -> Updates:
    """(w − w^{m,E})/step of every device: with E = 1 and step = γ, its stochastic gradient."""
    updates = local_updates(setup.problem, w, setup.config.local, t, setup.ranks)
    if isinstance(updates, DenseUpdates):
        return DenseUpdates(updates.values / -step)
    return updates.scaled(-1 / step)


def over_the_air(setup: Setup, tables: Tensor, step: float, t: int, ranks: Ranks | None = None) -> Received:
    """The average of the devices' tables; the `grad` reading of noise means γ n after the server's own step.

    `ranks`: who holds the tables, if not the ranks that hold the devices.
    """
    config = setup.config
    return superpose(
        config.channel,
        tables,
        gamma=config.local.gamma / step,
        seed=config.seed,
        t=t,
        ranks=ranks or setup.ranks,
        full_power=config.algorithm.transmit == "full_power",
    )


def blank(setup: Setup, batch: int | None = None) -> Sketch:
    """The run's sketch of 0, or `batch` of them."""
    like = torch.empty(0, dtype=setup.dtype, device=setup.device)
    return empty(setup.config.algorithm, setup.problem.d, batch, setup.seed, like)


def averaged(config: RunConfig) -> bool:
    """One sketch of the mean stands for those of M devices, equal by linearity up to rounding."""
    return config.algorithm.simulate == "averaged"


def tables_of_mean(setup: Setup, zero: H, sent: Updates) -> tuple[Tensor, Ranks]:
    """What M devices send under `averaged`, M equal tables, and who holds them: every rank has them all."""
    table = setup.ranks.add_mean(zero, sent).table
    return table.expand(setup.ranks.M, *table.shape[1:]), alone(setup.ranks.M)


def read_out(setup: Setup, sketch: Sketch) -> SparseVector:
    """U_k by the run's readings of scan and recovery."""
    options = setup.config.algorithm
    support = setup.problem.support if options.scan == "support" else None
    return sketch.unsketch(options.k, support=support, rule=options.recovery)


def report(setup: Setup, received: Received, sent: Updates, chosen: Tensor | None) -> RoundInfo:
    """The round's channel, what devices sent, and how many of the chosen coordinates occur in the data."""
    info = {**received.as_row(), **sent_energy(setup, sent)}
    if chosen is None:  # pragma: no cover: an outage before the first broadcast
        return info
    info["selected"] = float(chosen.numel())
    if setup.problem.support is not None:
        info["selected_in_data"] = float(torch.isin(chosen, setup.problem.support).sum())
    return info


def sent_energy(setup: Setup, sent: Updates) -> RoundInfo:
    """The mean of ‖·‖² over what the devices sent."""
    return {"update_norm_squared": sum(setup.ranks.norms_squared(sent)) / setup.ranks.M}


def check_read_out(config: RunConfig, d: int) -> None:
    if config.algorithm.k > d:
        raise BadInput("algorithm.k", config.algorithm.k, f"at most the number of parameters, d = {d}")
    if config.algorithm.scan == "support" and config.problem.objective != "sparse_logistic":
        raise BadInput("algorithm.scan", "support", "'full' for dense data: every coordinate occurs")
