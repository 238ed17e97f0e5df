"""What an estimator needs to know about a model: the protocol, and the points at which it is looked at.

Bring your own model: any object with

    d, M                              dimension, number of devices
    loss(w)                           f(w) = (1/M) Σ_m l_m(w) at w (d,)
    gradients(W, generator)           (M, d): row m is one mini-batch gradient of device m at W[m], drawn
                                      with the numpy generator; independent generators give independent draws
    full_gradients(W)                 (M, d): row m is the exact ∇l_m(W[m])

and optionally

    curvature_at(W)                   a function from V (M, d) to (M, d): row m is ∇²l_m(W[m]) V[m]; without
                                      it `hessian_vector_products(W, V)`, else central differences
    in_double()                       the same model in float64, for the search of kinks
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from torch import Tensor

from fpsverify.runs.checkpoint import Flaw

Row = dict[str, float]


class Model(Protocol):
    """M local losses on R^d, as described above."""

    @property
    def d(self) -> int: ...
    @property
    def M(self) -> int: ...
    def loss(self, w: Tensor) -> float: ...
    def gradients(self, W: Tensor, generator: np.random.Generator) -> Tensor: ...
    def full_gradients(self, W: Tensor) -> Tensor: ...


@dataclass(frozen=True)
class Iterate:
    """w̃_t; `exact` is v_t as a point of the model's space, `stored` the sketched v_t itself (without w_0);

    `after` is w̃_{t+1}.
    """

    t: int
    w: Tensor
    exact: Tensor | None = None
    stored: Tensor | None = None
    after: Tensor | None = None


@dataclass(frozen=True)
class Evidence:
    """All that the estimators look at.

    `series` has one entry per round, where recorded: w_norm_squared, grad_norm_squared,
    device_grad_norm_squared, residual_squared, v_norm_squared, loss. `unbiased` says why E[g | past] = ∇l_m
    holds by construction (empty: it is measured). `received(t, n)` gives n replicates of the gradient as
    the server receives it in round t + 1, by name of the stage at which it is looked at; without it the
    mean of the devices' displacements is drawn from the model. `per_round` devices take part in a round
    (None: all). `left_out` are checkpoints that could not be used. `reached` are the last metrics,
    `broke` is the round in which the run diverged.
    """

    model: Model
    iterates: tuple[Iterate, ...]
    gamma: float
    mu: float
    E: int
    T: int
    seed: int
    series: dict[str, np.ndarray]
    loss_floor: float = 0.0
    unbiased: str = ""
    without_replacement: bool = False
    k: int | None = None
    full_d: int | None = None
    per_round: int | None = None
    received: Any = None
    notes: tuple[str, ...] = ()
    left_out: tuple[Flaw, ...] = ()
    reached: dict[str, float] = field(default_factory=dict)
    broke: int | None = None
    config: dict[str, Any] = field(default_factory=dict)

    def few(self, most: int) -> tuple[Iterate, ...]:
        """At most so many iterates, evenly spaced, first and last among them."""
        at = np.unique(np.linspace(0, len(self.iterates) - 1, most).round().astype(int))
        return tuple(self.iterates[i] for i in at)

    @property
    def d(self) -> int:
        return self.model.d if self.full_d is None else self.full_d
