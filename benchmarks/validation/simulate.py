"""Runs of the repaired setting, many noise outcomes side by side.

Axis 0 holds the outcomes: one (no noise), all of them (an exact noise tree: every sign pattern, equal
probability), or a sample. Bias and noise attain their bounds: β = √(P_b‖∇l‖²+b²)·(unit vector that
depends on the past only) and ζ = √(P_n‖∇l‖²+σ²)·ε·(fixed unit vector) with independent fair signs ε, so
A2 holds with equality and ν = 1/M.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np

from benchmarks.validation.count_sketch import Array, CountSketch, top_k
from benchmarks.validation.problems import Problem


@dataclass(frozen=True)
class Setup:
    """Constants of one run; `lean` turns the bias: −1 against the gradient, +1 with it, 0 across it."""

    gamma: float
    E: int
    T: int
    mu: float = 0.0
    P_b: float = 0.0
    b2: float = 0.0
    P_n: float = 0.0
    sigma2: float = 0.0
    lean: int = -1
    channel: float = 0.0  # standard deviation of the noise on each bucket that is read


@dataclass(frozen=True)
class Read:
    """How v becomes the broadcast: "none", "top-k" (exact), or a count sketch."""

    k: int
    sketch: CountSketch | None = None
    exact: bool = False

    def broadcast(self, v: Array, noise: Callable[[tuple[int, int]], Array]) -> Array:
        """w̃ for each outcome."""
        if self.sketch is None:
            return np.stack([top_k(x, self.k) for x in v]) if self.exact else v.copy()
        shape = (len(self.sketch.bucket), self.sketch.K)
        return np.stack(
            [top_k(self.sketch.estimate(self.sketch.insert(x) + noise(shape)), self.k) for x in v]
        )


@dataclass(frozen=True)
class Trace:
    """Per round t < T and outcome: v_t, w̃_t; and mean_m‖w^{m,e} − w̃_t‖² for e < E."""

    v: Array  # (T, outcomes, d)
    w: Array  # (T, outcomes, d)
    drift2: Array  # (T, outcomes, E)


def all_signs(T: int, M: int, E: int) -> Array:
    """Every outcome of T·M·E fair signs, shape (2^{TME}, T, M, E)."""
    patterns = np.array(list(product((-1.0, 1.0), repeat=T * M * E)))
    return patterns.reshape(-1, T, M, E)


def simulate(
    problem: Problem, setup: Setup, read: Read, v_0: Array, signs: Array, rng: np.random.Generator
) -> Trace:
    """T rounds from v_0 for every outcome of the signs. rng draws directions and channel noise only."""
    directions = _unit(rng.standard_normal((setup.T, problem.M, setup.E, problem.d)))
    across = _unit(rng.standard_normal((problem.M, problem.d)))
    v = np.repeat(v_0[None, :], len(signs), axis=0)
    history: list[tuple[Array, Array, Array]] = []
    for t in range(setup.T):
        w = read.broadcast(v, lambda shape: setup.channel * rng.standard_normal(shape))
        local, drift2 = _round(problem, setup, w, signs[:, t], directions[t], across)
        history.append((v, w, drift2))
        v = v + (local.mean(axis=1) - w)
    return Trace(*(np.stack(column) for column in zip(*history, strict=True)))


def _round(
    problem: Problem, setup: Setup, x: Array, signs: Array, directions: Array, across: Array
) -> tuple[Array, Array]:
    """E local proximal steps of every device, from the broadcast x."""
    start = np.repeat(x[:, None, :], problem.M, axis=1)
    w, drift2 = start, []
    for e in range(setup.E):
        drift2.append(((w - start) ** 2).sum(axis=-1).mean(axis=1))
        g = problem.gradients(w)
        size2 = (g**2).sum(axis=-1, keepdims=True)
        beta = np.sqrt(setup.P_b * size2 + setup.b2) * _bias_direction(g, setup.lean, across)
        zeta = np.sqrt(setup.P_n * size2 + setup.sigma2) * signs[:, :, e, None] * directions[:, e]
        w = w - setup.gamma * (g + beta + zeta + setup.mu * (w - start))
    return w, np.stack(drift2, axis=-1)


def _bias_direction(g: Array, lean: int, across: Array) -> Array:
    return lean * _unit(g) if lean else np.broadcast_to(across, g.shape)


def _unit(v: Array) -> Array:
    norm = np.linalg.norm(v, axis=-1, keepdims=True)
    return np.divide(v, norm, out=np.zeros_like(v), where=norm > 0)
