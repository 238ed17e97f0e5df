"""Bias and noise energies at frozen points, from n independent replicates g_1, …, g_n of a gradient.

With e_i = g_i − ∇, K_ij = ⟨e_i, e_j⟩ and Σ the covariance of one replicate:

    ‖β‖²  ←  (1/(n(n−1))) Σ_{i≠j} K_ij            unbiased; ‖mean e‖² would be too large by trΣ/n
    E‖ζ‖² ←  (1/(n−1)) Σ_i ‖e_i − ē‖²             unbiased
    Var of the first = 2 trΣ²/(n(n−1)) + 4 βᵀΣβ/n  (a U-statistic: its degenerate and its linear part)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from empirical.observed.protocol import Evidence, Iterate, Model
from fpsverify.errors import BadInput, FpsError
from fpsverify.rng import numpy_generator

FEWEST_REPLICATES = 8
RECEIVED_AT = 4  # rounds at which the received gradient is drawn: each draw costs a whole round
Tick = Callable[[str], None]


@dataclass(frozen=True)
class Energies:
    """One entry per point: x = ‖∇‖² there, the energies, and how their errors behave.

    Var(bias estimate) = bias_variance0 + bias_slope·‖β‖²: the part that is there without bias, and the
    rest. The first part is skewed like χ² with `bias_dof` degrees of freedom. `sizes` (points, n) are squared
    distances of the replicates from their median, in units of its median: their tail tells whether a variance
    exists.
    """

    t: np.ndarray
    x: np.ndarray
    noise: np.ndarray
    noise_se: np.ndarray
    bias: np.ndarray
    bias_variance0: np.ndarray
    bias_slope: np.ndarray
    bias_dof: np.ndarray
    n: int
    sizes: np.ndarray

    def __len__(self) -> int:
        return len(self.x)


def energies_of(errors: Tensor) -> tuple[float, ...]:
    """(noise, noise_se, bias, bias_variance0, bias_slope, bias_dof) from e_1 … e_n, the rows of `errors`.

    The energies enter to the sixth power, which floats hold only for energies of order 1. A power of 2
    changes no digit. Replicates that are all the same have no noise: the products of a vector with itself,
    summed in different orders, would leave some.
    """
    e = errors.double()
    if bool((e == e[0]).all()):
        return 0.0, 0.0, _finite(float(e[0] @ e[0])), 0.0, 0.0, math.inf
    unit = power_of_two(e)
    e = e / unit
    noise, noise_se, bias, variance0, slope, dof = gram_energies((e @ e.T).cpu().numpy())
    u2 = unit * unit
    found = noise * u2, noise_se * u2, bias * u2, variance0 * u2 * u2, slope * u2, dof
    _finite(*found[:5])
    return found


def _finite(*energies: float) -> float:
    """The first of them, if all are numbers."""
    if not np.isfinite(energies).all():
        raise FpsError("the squared error of a gradient is beyond the range of floats: the run diverged")
    return energies[0]


def power_of_two(x: Tensor) -> float:
    """The one just below the largest |x_i|; 1 where all are 0."""
    largest = float(x.abs().max())
    return 2.0 ** (math.frexp(largest)[1] - 1) if largest > 0 else 1.0


def gram_energies(K: np.ndarray) -> tuple[float, ...]:
    n = K.shape[0]
    if n < 4:
        raise BadInput("replicates", n, "at least 4")
    bias = float(K.sum() - np.trace(K)) / (n * (n - 1))
    centred = K - K.mean(0) - K.mean(1)[:, None] + K.mean()
    each = np.diag(centred) * n / (n - 1)
    noise = float(each.mean())
    trace_square, dof = _spectrum(centred, noise)
    by_row = (K.sum(1) - np.diag(K)) / (n - 1)
    along = max(0.0, float(by_row.var(ddof=1)) - trace_square / (n - 1))
    # βᵀΣβ = λ‖β‖²: λ from the data where there is bias to see it, else the typical eigenvalue trΣ²/trΣ.
    eigenvalue = (along + trace_square / n) / (max(bias, 0.0) + noise / n) if noise > 0 else 0.0
    # The spread of n squared norms is itself poorly known, and small where their mean is: for Gaussian noise
    # it is 2 trΣ², which different pairs of replicates tell better.
    noise_se = float(np.sqrt(max(each.var(ddof=1), 2 * trace_square) / n))
    variance0 = 2 * trace_square / (n * (n - 1))
    return noise, noise_se, bias, variance0, 4 * eigenvalue / n, dof


def _spectrum(centred: np.ndarray, noise: float) -> tuple[float, float]:
    """trΣ², and the ν = (trΣ²)³/(trΣ³)² of the χ² with the same skewness, from products of different
    replicates.

    Centring shifts each product by −trΣ/n; an estimate of trΣ³ that is not positive means no visible
    skewness.
    """
    n = centred.shape[0]
    products = centred + noise / n
    np.fill_diagonal(products, 0.0)
    square = float(np.sum(products**2)) / (n * (n - 1))
    cube = float(np.trace(products @ products @ products)) / (n * (n - 1) * (n - 2))
    return square, max(square**3 / cube**2, 1.0) if cube > 0 else np.inf


def relative_sizes(draws: Tensor) -> np.ndarray:
    """Squared distances of the rows from their median, which no outlier moves, over their own median."""
    lower = (len(draws) - 1) // 2  # torch's median; numpy finds it 8 times faster
    middle_row = torch.from_numpy(np.partition(draws.cpu().numpy(), lower, axis=0)[lower]).to(draws)
    away = (draws - middle_row).double()
    square = (away / power_of_two(away)).square().sum(1).cpu().numpy()
    middle = float(np.median(square))
    sizes: np.ndarray = square / middle if middle > 0 else np.ones_like(square)
    return sizes


def device_energies(evidence: Evidence, n: int, tick: Tick) -> Energies:
    """Points: every sampled broadcast w̃_t and, for E ≥ 2, the devices' last local iterates of that round."""
    points, sizes = [], []
    for iterate in evidence.iterates:
        tick(f"replicates at round {iterate.t}")
        for e in sorted({0, evidence.E - 1}):
            W = local_iterates(evidence, iterate, e)
            found = _energies_at(evidence.model, W, iterate.t, e, n, evidence.seed)
            points += found[0]
            sizes += found[1]
    return collect(points, n, sizes)


def local_iterates(evidence: Evidence, iterate: Iterate, steps: int, draw: str = "path") -> Tensor:
    """(M, d): where the devices are after `steps` local steps, with draws of their own."""
    W = iterate.w.expand(evidence.model.M, -1)
    for e in range(steps):
        g = evidence.model.gradients(W, numpy_generator(evidence.seed, "replicate", iterate.t, draw, e))
        W = W - evidence.gamma * (g + evidence.mu * (W - iterate.w))
    if not bool(torch.isfinite(W).all()):
        raise FpsError(f"round {iterate.t}: the local steps from this iterate are not finite")
    return W


def _energies_at(
    model: Model, W: Tensor, t: int, e: int, n: int, seed: int
) -> tuple[list[tuple[float, ...]], list[np.ndarray]]:
    full = model.full_gradients(W)
    draws = torch.stack([model.gradients(W, numpy_generator(seed, "replicate", t, e, i)) for i in range(n)])
    if not bool(torch.isfinite(full).all() and torch.isfinite(draws).all()):
        raise FpsError(f"round {t}: a gradient is not finite")
    x = full.double().square().sum(1)
    devices = range(full.shape[0])
    points = [(t, float(x[m]), *energies_of(draws[:, m] - full[m])) for m in devices]
    return points, [relative_sizes(draws[:, m]) for m in devices]


def lumped_energies(evidence: Evidence, n: int, tick: Tick) -> dict[str, Energies]:
    """The paper's reading: all error of the gradient that the server receives, relative to ‖∇f(w̃_t)‖²."""
    points: dict[str, list[tuple[float, ...]]] = {}
    sizes: dict[str, list[np.ndarray]] = {}
    own = evidence.received is None
    for iterate in evidence.few(RECEIVED_AT):
        tick(f"received gradients at round {iterate.t}")
        drawn = averaged_gradients(evidence, iterate, n) if own else evidence.received(iterate.t, n)
        for stage, (draws, gradient) in drawn.items():
            x = float(gradient.double().square().sum())
            points.setdefault(stage, []).append((iterate.t, x, *energies_of(draws - gradient)))
            sizes.setdefault(stage, []).append(relative_sizes(draws))
    return {stage: collect(found, n, sizes[stage]) for stage, found in points.items()}


def averaged_gradients(evidence: Evidence, iterate: Iterate, n: int) -> dict[str, tuple[Tensor, Tensor]]:
    """What the server would receive without sketch and channel: −(mean displacement)/(γE), n times, and
    ∇f.
    """
    full = evidence.model.full_gradients(iterate.w.expand(evidence.model.M, -1)).mean(0)
    ends = [local_iterates(evidence, iterate, evidence.E, f"averaged {i}").mean(0) for i in range(n)]
    draws = (iterate.w - torch.stack(ends)) / (evidence.gamma * evidence.E)
    return {"averaged": (draws, full)}


def collect(points: list[tuple[float, ...]], n: int, sizes: list[np.ndarray] | None = None) -> Energies:
    t, x, noise, noise_se, bias, variance0, slope, dof = (np.array(c) for c in zip(*points, strict=True))
    tail = np.ones((len(t), n)) if sizes is None else np.stack(sizes)
    return Energies(t, x, noise, noise_se, bias, variance0, slope, dof, n, tail)
