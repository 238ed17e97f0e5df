"""Random FedProx rounds on quadratics, many at once; the expectation over devices is exact."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from theory.papers.fedprox.parameters import Setting

Array = NDArray[np.float64]
DIMENSION, DEVICES, SMOOTH = 3, 5, 1.0


@dataclass(frozen=True)
class Instances:
    """n rounds: weights p, curvatures H, gradients g, steps D of the devices, and the constants of each."""

    p: Array
    H: Array
    g: Array
    D: Array
    mu: Array
    L_minus: Array
    gamma: Array
    K: Array

    @property
    def gradient(self) -> Array:
        return np.einsum("nk,nki->ni", self.p, self.g)

    @property
    def squared(self) -> Array:
        return np.einsum("ni,ni->n", self.gradient, self.gradient)

    @property
    def B(self) -> Array:
        """√(E_k‖∇F_k‖²/‖∇f‖²)."""
        return np.sqrt(np.einsum("nk,nki,nki->n", self.p, self.g, self.g) / self.squared)

    def gain(self, share: Array) -> Array:
        """(f(w) − E f(w⁺))/‖∇f‖²; `share` is κ: 1/K with replacement."""
        mean = np.einsum("nk,nki->ni", self.p, self.D)
        H = np.einsum("nk,nkij->nij", self.p, self.H)
        of_mean = np.einsum("ni,nij,nj->n", mean, H, mean)
        of_each = np.einsum("nk,nki,nij,nkj->n", self.p, self.D, H, self.D)
        slope = np.einsum("ni,ni->n", self.gradient, mean)
        return -(slope + (of_mean + share * (of_each - of_mean)) / 2) / self.squared


def draw(rng: np.random.Generator, n: int) -> Instances:
    """Convex and nonconvex losses, exact and γ-inexact points, equal and unequal weights."""
    shape = (n, DEVICES, DIMENSION)
    convex = rng.random(n) < 0.5
    L_minus = np.where(convex, 0.0, rng.uniform(0.05, 1.0, n) * SMOOTH)
    low = np.where(convex, rng.uniform(0.0, 0.5, n), -L_minus)[:, None, None]
    middle = low + (SMOOTH - low) * rng.random(shape)
    ends = np.where(rng.random(shape) < 0.5, low, SMOOTH)
    values = np.where(rng.random((n, 1, 1)) < 0.5, middle, ends)
    turned, _ = np.linalg.qr(rng.normal(size=(*shape, DIMENSION)))
    H = np.einsum("nkij,nkj,nklj->nkil", turned, values, turned)
    apart, common = 10 ** rng.uniform(-1, 1, (n, 1, 1)), rng.choice([1.0, 3.0], (n, 1, 1))
    g = rng.normal(size=shape) * apart + rng.normal(size=(n, 1, DIMENSION)) * common
    unequal = rng.dirichlet(np.ones(DEVICES), n)
    p = np.where(rng.random((n, 1)) < 0.5, unequal, 1 / DEVICES)
    mu = L_minus + 10 ** rng.uniform(-1, 2.5, n)
    gamma = np.where(rng.random(n) < 0.3, 0.0, rng.random(n))
    random = rng.normal(size=shape)
    random *= np.linalg.norm(g, axis=2, keepdims=True) / np.linalg.norm(random, axis=2, keepdims=True)
    kinds = rng.integers(3, size=(n, 1, 1))
    residual = gamma[:, None, None] * np.where(kinds == 0, random, np.where(kinds == 1, g, -g))
    D = solved(H, g, residual, mu)
    return Instances(p, H, g, D, mu, L_minus, gamma, rng.integers(1, 40, n).astype(float))


def solved(H: Array, g: Array, residual: Array, mu: Array) -> Array:
    """w_k − w with ∇F_k(w_k) + μ(w_k − w) = residual."""
    local = H + mu[:, None, None, None] * np.eye(H.shape[-1])
    return np.asarray(np.linalg.solve(local, (residual - g)[..., None])[..., 0], dtype=np.float64)


def rhos(x: Instances) -> dict[str, Array]:
    """ρ by each rule at the constants of each instance; −∞ where a rule says nothing."""
    found: dict[str, list[float]] = {"printed": [], "R1": [], "R_K": []}
    for mu, L_minus, gamma, B, K in zip(x.mu, x.L_minus, x.gamma, x.B, x.K, strict=True):
        setting = Setting(SMOOTH, max(B, 1.0), gamma, int(K), L_minus)
        for name, rule in (("printed", setting.rho_printed), ("R1", setting.rho_r1), ("R_K", setting.rho_k)):
            found[name].append(rule(mu))
    return {name: np.array(values) for name, values in found.items()}
