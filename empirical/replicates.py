"""Bias and noise energies at frozen points, from n independent replicates g_1, …, g_n of a gradient.

With e_i = g_i − ∇, K_ij = ⟨e_i, e_j⟩ and Σ the covariance of one replicate:

    ‖β‖²  ←  (1/(n(n−1))) Σ_{i≠j} K_ij            unbiased; ‖mean e‖² would be too large by trΣ/n
    E‖ζ‖² ←  (1/(n−1)) Σ_i ‖e_i − ē‖²             unbiased
    Var of the first = 2 trΣ²/(n(n−1)) + 4 βᵀΣβ/n  (a U-statistic: its degenerate and its linear part)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from empirical.protocol import Evidence, Iterate, Model
from fpsverify.errors import BadInput, FpsError
from fpsverify.rng import numpy_generator

FEWEST_REPLICATES = 8
Tick = Callable[[str], None]


@dataclass(frozen=True)
class Energies:
    """One entry per point: x = ‖∇‖² there, the energies, and how their errors behave.

    Var(bias estimate) = bias_variance0 + bias_slope·‖β‖²: the part that is there without bias, and the
    rest. The first part is skewed like χ² with `bias_dof` degrees of freedom.
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

    def __len__(self) -> int:
        return len(self.x)


def energies_of(errors: Tensor) -> tuple[float, ...]:
    """(noise, noise_se, bias, bias_variance0, bias_slope, bias_dof) from e_1 … e_n, the rows of `errors`."""
    e = errors.double()
    return gram_energies((e @ e.T).cpu().numpy())


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
    noise_se, variance0 = float(each.std(ddof=1) / np.sqrt(n)), 2 * trace_square / (n * (n - 1))
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


def device_energies(evidence: Evidence, n: int, tick: Tick) -> Energies:
    """Points: every sampled broadcast w̃_t and, for E ≥ 2, the devices' last local iterates of that round."""
    points = []
    for iterate in evidence.iterates:
        tick(f"replicates at round {iterate.t}")
        for e in sorted({0, evidence.E - 1}):
            W = local_iterates(evidence, iterate, e)
            points += _energies_at(evidence.model, W, iterate.t, e, n, evidence.seed)
    return collect(points, n)


def local_iterates(evidence: Evidence, iterate: Iterate, steps: int) -> Tensor:
    """(M, d): where the devices are after `steps` local steps, with draws of their own."""
    W = iterate.w.expand(evidence.model.M, -1)
    for e in range(steps):
        g = evidence.model.gradients(W, numpy_generator(evidence.seed, "replicate", iterate.t, "path", e))
        W = W - evidence.gamma * (g + evidence.mu * (W - iterate.w))
    if not bool(torch.isfinite(W).all()):
        raise FpsError(f"round {iterate.t}: the local steps from this iterate are not finite")
    return W


def _energies_at(model: Model, W: Tensor, t: int, e: int, n: int, seed: int) -> list[tuple[float, ...]]:
    full = model.full_gradients(W)
    draws = torch.stack([model.gradients(W, numpy_generator(seed, "replicate", t, e, i)) for i in range(n)])
    if not bool(torch.isfinite(full).all() and torch.isfinite(draws).all()):
        raise FpsError(f"round {t}: a gradient is not finite")
    x = full.double().square().sum(1)
    return [(t, float(x[m]), *energies_of(draws[:, m] - full[m])) for m in range(full.shape[0])]


def lumped_energies(evidence: Evidence, n: int, tick: Tick) -> dict[str, Energies]:
    """The paper's reading: all error of the gradient that the server receives, relative to ‖∇f(w̃_t)‖²."""
    if evidence.received is None:
        return {}
    points: dict[str, list[tuple[float, ...]]] = {}
    for iterate in evidence.iterates:
        tick(f"received gradients at round {iterate.t}")
        for stage, (draws, gradient) in evidence.received(iterate.t, n).items():
            x = float(gradient.double().square().sum())
            points.setdefault(stage, []).append((iterate.t, x, *energies_of(draws - gradient)))
    return {stage: collect(found, n) for stage, found in points.items()}


def collect(points: list[tuple[float, ...]], n: int) -> Energies:
    t, x, noise, noise_se, bias, variance0, slope, dof = (np.array(c) for c in zip(*points, strict=True))
    return Energies(t, x, noise, noise_se, bias, variance0, slope, dof, n)
