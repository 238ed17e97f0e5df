"""Devices with known curvature, and one exact round of local steps on them, with bias and noise."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Quadratics:
    """l_m(x) = ½ xᵀH_m x − c_mᵀx."""

    H: Array
    c: Array

    @property
    def devices(self) -> int:
        return len(self.H)

    def gradient(self, m: int, x: Array) -> Array:
        return self.H[m] @ x - self.c[m]

    def value(self, m: int, x: Array) -> float:
        return float(x @ self.H[m] @ x / 2 - self.c[m] @ x)

    def minimiser(self) -> Array:
        """Of the mean loss."""
        return np.linalg.solve(self.H.mean(0), self.c.mean(0))


@dataclass(frozen=True)
class Waves:
    """l_m(x) = Σ_k a_mk cos(u_k·x + p_mk): curvature within ±Σ_k |a_mk||u_k|²."""

    a: Array
    u: Array
    p: Array

    @property
    def devices(self) -> int:
        return len(self.a)

    def gradient(self, m: int, x: Array) -> Array:
        return -(self.a[m] * np.sin(self.u @ x + self.p[m])) @ self.u

    def value(self, m: int, x: Array) -> float:
        return float(self.a[m] @ np.cos(self.u @ x + self.p[m]))


Losses = Quadratics | Waves
Bias = Callable[[int, int, Array], Array]


def random_quadratics(draws: np.random.Generator, devices: int, d: int, low: float) -> Quadratics:
    """Hessians with eigenvalues in [low, 1], some of them at the ends."""
    frames = np.linalg.qr(draws.standard_normal((devices, d, d)))[0]
    h = draws.uniform(low, 1, (devices, d))
    ends = draws.random((devices, d))
    h = np.where(ends < 0.3, 1.0, np.where(ends < 0.6, low, h))
    H = np.einsum("mij,mj,mkj->mik", frames, h, frames)
    return Quadratics(H, draws.standard_normal((devices, d)) * draws.choice([0.0, 0.3]))


def with_a_full_device(draws: np.random.Generator, devices: int, d: int, low: float) -> Quadratics:
    """One device has full curvature, so that f has one minimiser."""
    H = random_quadratics(draws, devices, d, low).H
    H[0] = np.eye(d)
    return Quadratics(H, draws.standard_normal((devices, d)))


def random_waves(draws: np.random.Generator, devices: int, d: int) -> Waves:
    """Three waves a device, scaled to curvature at most 1."""
    u = draws.standard_normal((3, d))
    a = draws.standard_normal((devices, 3))
    a /= (np.abs(a) @ (u**2).sum(1)).max()
    return Waves(a, u, draws.uniform(0, 6, (devices, 3)))


def mean_value(losses: Losses, x: Array) -> float:
    return float(np.mean([losses.value(m, x) for m in range(losses.devices)]))


def gradients(losses: Losses, x: Array) -> Array:
    return np.array([losses.gradient(m, x) for m in range(losses.devices)])


def mean_square_gradient(losses: Losses, points: list[Array]) -> float:
    return float(np.mean([(gradients(losses, x).mean(0) ** 2).sum() for x in points]))


def spread_excess(losses: Losses, points: list[Array], B: float) -> float:
    """mean |∇l_m|² − B²|∇f|², averaged over equally likely points: what G² must be at least."""
    each = [gradients(losses, x) for x in points]
    return float(np.mean([(g**2).sum(1).mean() - B**2 * (g.mean(0) ** 2).sum() for g in each]))


def one_round(
    losses: Losses,
    x: Array,
    gamma: float,
    E: int,
    mu: float = 0.0,
    bias: Bias | None = None,
    signs: Array | None = None,
    noise: float = 0.0,
) -> Array:
    """The next broadcast; `signs[m, e]` = ±1 gives the noise ±√noise·∇l_m at that step."""
    ends = []
    for m in range(losses.devices):
        w = x
        for e in range(E):
            g = losses.gradient(m, w)
            moved = g if bias is None else g + bias(m, e, g)
            if signs is not None:
                moved = moved + signs[m, e] * np.sqrt(noise) * g
            w = w - gamma * (moved + mu * (w - x))
        ends.append(w)
    return np.mean(ends, axis=0)


def broadcasts(losses: Losses, V: Array, residuals: Array, gamma: float, E: int) -> list[Array]:
    """Of a run whose exact vector starts at V: each round's broadcast misses it by a residual."""
    found = []
    for r in residuals:
        found.append(V - r)
        V = V + one_round(losses, found[-1], gamma, E) - found[-1]
    return found


def all_signs(devices: int, E: int, shared: bool) -> list[Array]:
    """Every outcome of fair signs: one for each device and step, or one a step for all devices."""
    count = E if shared else devices * E
    outcomes = [np.array(each) for each in product((-1.0, 1.0), repeat=count)]
    return [np.tile(o, (devices, 1)) if shared else o.reshape(devices, E) for o in outcomes]
