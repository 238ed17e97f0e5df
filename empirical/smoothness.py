"""L: the largest |eigenvalue| of the devices' Hessians, by Lanczos, and the smallest L the trajectory
allows.

Lanczos from a random start gives Ritz values θ_min, θ_max inside the spectrum. With q steps and probability
at least 1 − 1.648 √d exp(−√ε (2q−1)) (Kuczyński and Woźniakowski 1992, for the matrix shifted to be
positive semidefinite, from either end), each end of the spectrum is within ε·(λ_max − λ_min) of its Ritz
value. So λ_max − λ_min ≤ (θ_max − θ_min)/(1 − 2ε) =: s, and |λ| ≤ max(θ_max, −θ_min) + ε s: an enclosure,
not an asymptotic interval; it covers with at least the stated probability at the points that were looked
at.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor

from empirical.intervals import LEVEL, Interval
from empirical.protocol import Evidence, Iterate, Model
from empirical.replicates import Tick
from fpsverify.errors import FpsError
from fpsverify.rng import torch_generator

STEPS = 24
ROUNDING = 2.0**-20  # relative; a Lanczos vector this small is rounding (the products are float32 at worst)


@dataclass(frozen=True)
class Smoothness:
    """`rounds`: (t, low, high) of the largest |eigenvalue| over devices; `pairs`: what the run needs."""

    rounds: tuple[tuple[int, float, float], ...]
    pairs: float
    pair_count: int
    method: str

    @property
    def hessian(self) -> Interval:
        """Enclosure of the largest |eigenvalue| over all rounds that were looked at."""
        low, high = (max(each[side] for each in self.rounds) for side in (1, 2))
        return Interval(low, low, high, self.method)

    @property
    def L(self) -> Interval:
        """What the theory has to use: both are lower limits of the constant it means."""
        floor = lambda value: max(value, self.pairs)  # noqa: E731
        return self.hessian.map(floor)


def measure(evidence: Evidence, tick: Tick, steps: int = STEPS) -> Smoothness:
    """At all sampled iterates, for all devices; together the enclosures fail with probability ≤ 5 %."""
    tails = (1 - LEVEL) / (2 * len(evidence.iterates) * evidence.model.M)
    found = []
    for iterate in evidence.iterates:
        tick(f"Hessian at round {iterate.t}")
        low, high = spectral_norms(evidence.model, iterate, steps, tails, evidence.seed)
        found.append((iterate.t, float(low.max()), float(high.max())))
    method = f"enclosed by Lanczos at {len(found)} of {evidence.T + 1} rounds, {evidence.model.M} devices"
    return Smoothness(tuple(found), *smallest_from_pairs(evidence), method)


def spectral_norms(
    model: Model, iterate: Iterate, steps: int, delta: float, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Enclosures (low, high) of ‖∇²l_m(w)‖ for each device, each failing with probability ≤ 2δ."""
    W = iterate.w.expand(model.M, -1).double()
    dtype = iterate.w.dtype
    start = torch.randn(W.shape, generator=torch_generator(seed, "lanczos", iterate.t), dtype=torch.float64)
    alpha, beta = lanczos(lambda V: products(model, W.to(dtype), V.to(dtype)).double(), start, steps)
    found = [_enclosure(alpha[m], beta[m], model.d, delta) for m in range(model.M)]
    return np.array([f[0] for f in found]), np.array([f[1] for f in found])


def lanczos(apply: object, start: Tensor, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients (M, q) and (M, q−1) of M tridiagonal matrices, with full reorthogonalisation."""
    basis = [start / start.norm(dim=1, keepdim=True)]
    alpha, beta = [], []
    for _ in range(min(steps, start.shape[1])):
        u = apply(basis[-1])  # type: ignore[operator]
        if not bool(torch.isfinite(u).all()):
            raise FpsError("a Hessian-vector product is not finite")
        alpha.append((u * basis[-1]).sum(1))
        for _ in range(2):
            for q in basis:
                u = u - (u * q).sum(1, keepdim=True) * q
        length = u.norm(dim=1)
        beta.append(length)
        basis.append(u / torch.where(length > 0, length, torch.ones_like(length))[:, None])
    return torch.stack(alpha, 1).numpy(), torch.stack(beta, 1)[:, :-1].numpy()


def _enclosure(alpha: np.ndarray, beta: np.ndarray, d: int, delta: float) -> tuple[float, float]:
    q = _invariant_after(alpha, beta)
    ritz = np.linalg.eigvalsh(np.diag(alpha[:q]) + np.diag(beta[: q - 1], 1) + np.diag(beta[: q - 1], -1))
    norm = max(ritz[-1], -ritz[0], 0.0)
    if q < len(alpha) or q == d:  # an invariant subspace, which a random start almost surely fills
        return norm, norm * (1 + ROUNDING)
    epsilon = (math.log(1.648 * math.sqrt(d) / delta) / (2 * q - 1)) ** 2
    if epsilon >= 0.5:
        return norm, math.inf
    return norm, norm + epsilon * (ritz[-1] - ritz[0]) / (1 - 2 * epsilon)


def _invariant_after(alpha: np.ndarray, beta: np.ndarray) -> int:
    """Steps until the recurrence breaks down: later coefficients are rounding."""
    scale = np.abs(alpha).max() + (beta.max() if len(beta) else 0.0)
    small = np.flatnonzero(beta <= ROUNDING * scale)
    return int(small[0]) + 1 if len(small) else len(alpha)


def products(model: Model, W: Tensor, V: Tensor) -> Tensor:
    """∇²l_m(W_m)V_m, by the model itself or by central differences of its full gradients."""
    own = getattr(model, "hessian_vector_products", None)
    if own is not None:
        result: Tensor = own(W, V)
        return result
    # Step: (machine epsilon)^{1/3} balances truncation and rounding of a central difference.
    h = torch.finfo(W.dtype).eps ** (1 / 3) * max(1.0, float(W.norm(dim=1).max()))
    return (model.full_gradients(W + h * V) - model.full_gradients(W - h * V)) / (2 * h)


def smallest_from_pairs(evidence: Evidence) -> tuple[float, int]:
    """Largest ‖∇l_m(w) − ∇l_m(w')‖/‖w − w'‖, no smaller L is possible, and the number of pairs (w, w').

    Pairs: the rounds t and t+1 at every sampled t, and sampled rounds that follow each other.
    """
    M, largest, count = evidence.model.M, 0.0, 0
    gradient = lambda w: evidence.model.full_gradients(w.expand(M, -1)).double()  # noqa: E731
    here = [(it.w, gradient(it.w)) for it in evidence.iterates]
    after = [(it.after, gradient(it.after)) if it.after is not None else None for it in evidence.iterates]
    steps = [(a, b) for a, b in zip(here, after, strict=True) if b is not None]
    for (w, g), (other, g_other) in [*pairwise(here), *steps]:
        step = float((w.double() - other.double()).norm())
        if step > 0:
            largest, count = max(largest, float((g - g_other).norm(dim=1).max()) / step), count + 1
    return largest, count
