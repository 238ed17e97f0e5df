"""A round through a sketch that is drawn anew, with every draw enumerated, or in exact second moments.

Quadratic devices l_m(x) = ½⟨x, H_m x⟩ − ⟨c_m, x⟩. p is the probability that two coordinates share a bucket.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from theory.rates.fresh_sketch import FreshSketch

Array = NDArray[np.float64]


def all_tables(kind: str, d: int, b: int) -> list[Array]:
    """Every S (b × d) of one row that the kind draws, all as likely."""
    if kind == "count_sketch":
        places = itertools.product(range(b), repeat=d)
    elif kind == "fold":
        places = iter([tuple(i % b for i in range(d))])
    else:
        P = next(n for n in itertools.count(d) if n > 1 and all(n % k for k in range(2, n)))
        maps = itertools.product(range(1, P), range(P))
        places = (tuple((u * i + v) % P % b for i in range(d)) for u, v in maps)
    tables = []
    for where in places:
        for signs in itertools.product((1.0, -1.0), repeat=d):
            S = np.zeros((b, d))
            S[where, range(d)] = signs
            tables.append(S)
    return tables


def extra(H: Array, p: float) -> Array:
    """Ω = E(A−I)H(A−I) for pairs that all share a bucket with the same probability (Lemma 1)."""
    return p * (H + np.trace(H) * np.eye(len(H)) - 2 * np.diag(np.diag(H)))


def classes_extra(H: Array, classes: Sequence[int]) -> Array:
    """The same of the fold: class by class."""
    same = np.equal.outer(classes, classes)
    block = H * same
    return block + np.diag([np.trace(H * np.outer(row, row)) for row in same]) - 2 * np.diag(np.diag(H))


def from_above(H: Array) -> Array:
    """The least curvature from above that is positive semidefinite, for a symmetric H."""
    values, vectors = np.linalg.eigh(H)
    return np.asarray((vectors * np.maximum(values, 0)) @ vectors.T)


@dataclass
class Devices:
    """H (M, d, d) with eigenvalues in [−1, 1], and c (M, d)."""

    H: Array
    c: Array

    @property
    def mean(self) -> Array:
        return np.asarray(self.H.mean(0))

    def value(self, x: Array) -> float:
        return float(x @ self.mean @ x / 2 - self.c.mean(0) @ x)

    def gradients(self, x: Array) -> Array:
        return np.asarray(self.H @ x - self.c)

    def displacements(self, x: Array, gamma: float, E: int, mu: float = 0.0) -> Array:
        w = np.tile(x, (len(self.H), 1))
        for _ in range(E):
            w = w - gamma * (np.einsum("mij,mj->mi", self.H, w) - self.c + mu * (w - x))
        return w - x

    def after(self, x: Array, moved: Array, Omega: Array, kappa: float) -> float:
        """E f at the next broadcast: exact for quadratics, with Ω of the mean Hessian."""
        mean = moved.mean(0)
        spread = moved - mean
        curved = self.mean + Omega
        deviations = np.einsum("mi,ij,mj->m", spread, curved, spread).mean()
        return self.value(x + mean) + float(mean @ Omega @ mean) / 2 + kappa * float(deviations) / 2


def drawn_devices(draws: np.random.Generator, M: int, d: int, alike: bool, convex: bool = False) -> Devices:
    """Unlike devices with curvature up to 1, some with corners of it."""
    made = []
    for _ in range(1 if alike else M):
        Q = np.linalg.qr(draws.normal(size=(d, d)))[0]
        low = 0.0 if convex else -1.0
        spectrum = draws.uniform(low, 1, d) if draws.random() < 0.5 else draws.choice([low, 1.0], d)
        made.append((Q * spectrum) @ Q.T)
    H = np.array(made * M if alike else made)
    return Devices(H, 0.3 * draws.normal(size=(1 if alike else M, d)).repeat(M if alike else 1, axis=0))


def price_of(H: Array, sketch: FreshSketch) -> tuple[float, float]:
    """λ_max(Ω) as it is, and what the formula allows, for the curvature from above of H."""
    above = from_above(H)
    return float(np.linalg.eigvalsh(extra(above, float(sketch.sharing)))[-1]), float(sketch.omega_L)
