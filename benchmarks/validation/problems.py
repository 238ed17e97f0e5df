"""Small federated problems whose smoothness and minimum are known: quadratics (also nonconvex devices)
and logistic.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks.validation.count_sketch import Array


@dataclass(frozen=True)
class Problem:
    """f = mean_m l_m. `gradients(W)` takes points (…, M, d), one for each device, and returns ∇l_m there.

    f_star is a lower bound of f that is at most rounding below the minimum.
    """

    kind: str
    M: int
    d: int
    L: float
    f_star: float
    gradients: Callable[[Array], Array]
    value: Callable[[Array], float]

    def at_common_point(self, w: Array) -> Array:
        """∇l_m(w) for every device, shape (…, M, d)."""
        return self.gradients(np.repeat(w[..., None, :], self.M, axis=-2))

    def full_gradient(self, w: Array) -> Array:
        return self.at_common_point(w).mean(axis=-2)


def quadratic(rng: np.random.Generator, M: int, d: int, spread: float, nonconvex: bool) -> Problem:
    """l_m = ½(w−z_m)ᵀH_m(w−z_m), eigenvalues in [0.05, 1] or, for nonconvex devices, in [−0.2, 1]."""
    low = -0.2 if nonconvex else 0.05
    H = np.stack([_random_symmetric(rng, rng.uniform(low, 1.0, d)) for _ in range(M)])
    mean = H.mean(axis=0)
    lift = max(0.0, 0.05 - float(np.linalg.eigvalsh(mean)[0]))  # f must have a minimum
    H = H + lift * np.eye(d)
    base = _power_law(rng, d)
    z = base + spread * rng.standard_normal((M, d)) / np.sqrt(d)
    L = float(max(np.abs(np.linalg.eigvalsh(h)).max() for h in H))
    minimiser = np.linalg.solve(H.sum(axis=0), np.einsum("mij,mj->i", H, z))

    def gradients(W: Array) -> Array:
        return np.einsum("mij,...mj->...mi", H, W - z)

    def value(w: Array) -> float:
        return float(0.5 * np.einsum("mi,mij,mj->", w - z, H, w - z) / M)

    return Problem(
        "nonconvex quadratic" if nonconvex else "quadratic", M, d, L, value(minimiser), gradients, value
    )


def logistic(rng: np.random.Generator, M: int, d: int, spread: float) -> Problem:
    """l_m = mean log(1 + exp(−y xᵀw)) + (λ/2)‖w‖², 20 samples a device, λ = 0.05; L_m = ‖X_m‖²/(4n) + λ."""
    n, ridge = 20, 0.05
    shift = spread * rng.standard_normal((M, 1, d)) / np.sqrt(d)
    X = (rng.standard_normal((M, n, d)) + shift) * (np.arange(1, d + 1) ** -0.5)
    y = np.where(X @ _power_law(rng, d) + 0.3 * rng.standard_normal((M, n)) > 0, 1.0, -1.0)
    L = float(max(np.linalg.norm(x, 2) ** 2 for x in X) / (4 * n) + ridge)

    def gradients(W: Array) -> Array:
        margin = y * np.einsum("mnd,...md->...mn", X, W)
        pull = -y / (1 + np.exp(np.clip(margin, -500, 500)))
        return np.einsum("...mn,mnd->...md", pull, X) / n + ridge * W

    def value(w: Array) -> float:
        return float(np.logaddexp(0, -y * (X @ w)).mean() + ridge / 2 * w @ w)

    start = Problem("logistic", M, d, L, 0.0, gradients, value)
    return Problem("logistic", M, d, L, _strongly_convex_floor(start, ridge), gradients, value)


def _strongly_convex_floor(problem: Problem, ridge: float) -> float:
    """f* ≥ f(w) − ‖∇f(w)‖²/(2λ), at a w that gradient descent made nearly stationary."""
    w = np.zeros(problem.d)
    for _ in range(400):
        w = w - problem.full_gradient(w) / problem.L
    g = problem.full_gradient(w)
    return problem.value(w) - float(g @ g) / (2 * ridge)


def _random_symmetric(rng: np.random.Generator, eigenvalues: Array) -> Array:
    Q, _ = np.linalg.qr(rng.standard_normal((eigenvalues.size, eigenvalues.size)))
    return (Q * eigenvalues) @ Q.T


def _power_law(rng: np.random.Generator, d: int) -> Array:
    """A vector whose sorted entries decay like 1/i, in random order and with random signs."""
    return rng.permutation(np.arange(1, d + 1) ** -1.0) * rng.choice([-1.0, 1.0], d)
