"""Tiny runs in the repaired theory's setting with exact expectations: two-point noise, all outcomes followed.

Quadratic device losses l_m(w) = ½(w−a_m)ᵀH_m(w−a_m) with ‖H_m‖ ≤ L; the bias has its full allowed size in a
direction that is known from the past; the noise is ±s along a direction, s² = P_n‖∇l_m‖² + σ². The broadcast
w̃_t = v_t − r_t carries a residual: top-1 of the coordinates, or none.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from theory.rates.parameters import Parameters
from theory.rates.theorem_a import Sources


@dataclass(frozen=True)
class Devices:
    """Hessians (M, d, d) and minimisers (M, d)."""

    H: np.ndarray
    a: np.ndarray

    def gradients(self, w: np.ndarray) -> np.ndarray:
        """(n, M, d) for points (n, d) shared by the devices, or (n, M, d) of their own."""
        points = w[:, None, :] if w.ndim == 2 else w
        return np.einsum("mij,nmj->nmi", self.H, points - self.a)

    def loss(self, w: np.ndarray) -> float:
        shift = w - self.a
        return float(np.einsum("mi,mij,mj->", shift, self.H, shift) / (2 * len(self.a)))

    def lowest(self) -> float:
        """f* of a mean Hessian that is positive definite."""
        mean = self.H.mean(0)
        return self.loss(np.linalg.solve(mean, np.einsum("mij,mj->i", self.H, self.a) / len(self.a)))


@dataclass(frozen=True)
class Errors:
    """Sizes and directions of bias and noise; 'along' the gradient, 'against' it, or a fixed vector."""

    b2: float
    sigma2: float
    bias_along: float
    bias_fixed: np.ndarray
    noise_along: bool
    noise_fixed: np.ndarray


def draw_devices(rng: np.random.Generator, L: float, M: int, d: int) -> Devices:
    """Random symmetric Hessians of norm ≤ L (not all convex) with a convex mean."""
    while True:
        H = rng.normal(size=(M, d, d))
        H = H + H.transpose(0, 2, 1)
        H = L * H / np.abs(np.linalg.eigvalsh(H)).max(axis=1)[:, None, None]
        H[0] = L * np.eye(d) if rng.random() < 0.5 else H[0]
        if np.linalg.eigvalsh(H.mean(0)).min() > 0.02 * L:
            return Devices(H, rng.normal(size=(M, d)) * (rng.random() < 0.8))


def unit(v: np.ndarray, otherwise: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(v, axis=-1, keepdims=True)
    return np.where(length > 0, v / np.where(length > 0, length, 1), otherwise)


def local_updates(q: Parameters, gamma: float, devices: Devices, errors: Errors, x: np.ndarray) -> np.ndarray:
    """(outcomes of one device, n, M, d): w^{m,E} − x along all 2^E sign patterns of the noise (1 without)."""
    results = []
    noisy = q.P_n > 0 or errors.sigma2 > 0
    for signs in product((1.0, -1.0) if noisy else (1.0,), repeat=q.E):
        w = np.repeat(x[:, None, :], len(devices.a), axis=1)
        for sign in signs:
            g = devices.gradients(w)
            size2 = (g**2).sum(-1, keepdims=True)
            toward = unit(
                errors.bias_along * unit(g, errors.bias_fixed) + errors.bias_fixed, errors.bias_fixed
            )
            beta = np.sqrt(float(q.P_b) * size2 + errors.b2) * toward
            way = unit(g, errors.noise_fixed) if errors.noise_along else errors.noise_fixed
            zeta = sign * np.sqrt(float(q.P_n) * size2 + errors.sigma2) * way
            w = w - gamma * (g + beta + zeta + float(q.mu) * (w - x[:, None, :]))
        results.append(w - x[:, None, :])
    return np.stack(results)


def averaged_updates(updates: np.ndarray, shared_noise: bool) -> np.ndarray:
    """(outcomes, n, d): the devices' mean, with one sign pattern for all devices or one for each."""
    outcomes, _, M, _ = updates.shape
    if shared_noise:
        return updates.mean(axis=2)
    picks = product(range(outcomes), repeat=M)
    return np.stack([np.mean([updates[o, :, m] for m, o in enumerate(pick)], axis=0) for pick in picks])


def top1_residual(v: np.ndarray) -> np.ndarray:
    """v minus its largest coordinate."""
    kept = np.zeros_like(v)
    rows = np.arange(len(v))
    best = np.abs(v).argmax(axis=1)
    kept[rows, best] = v[rows, best]
    return v - kept


def measure(
    q: Parameters,
    gamma: float,
    T: int,
    devices: Devices,
    errors: Errors,
    v0: np.ndarray,
    sparse: bool,
    shared: bool,
) -> tuple[float, Sources]:
    """A = (1/T)Σ E‖∇f(w̃_t)‖² exactly, and the sources of error that this run has (ξ = 0)."""
    v, squares, residuals, excess = v0[None, :], [], [], 0.0
    for t in range(T):
        r = top1_residual(v) if sparse else np.zeros_like(v)
        x = v - r
        g = devices.gradients(x)
        f2, each2 = (g.mean(1) ** 2).sum(-1), (g**2).sum(-1).mean(1)
        squares.append(f2.mean())
        residuals.append((r**2).sum(-1).mean())
        excess = max(excess, float((each2 - float(q.B) ** 2 * f2).max()))
        if t + 1 < T:
            steps = averaged_updates(local_updates(q, gamma, devices, errors, x), shared)
            v = (v[None] + steps).reshape(-1, v.shape[1])
    gap = devices.loss(v0) - devices.lowest()
    found = Sources(max(gap, 0.0), float(np.mean(residuals)), max(excess, 0.0), errors.b2, errors.sigma2)
    return float(np.mean(squares)), found
