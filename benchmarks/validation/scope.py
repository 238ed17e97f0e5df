"""What Theorem A does not say: runs of a persistent sketch with fewer buckets than coordinates, as T grows.

f = ½‖w − w*‖², one device, E = 1, no bias or noise: (★) needs only the residual, and that is all that grows.
It grows like T² for a dense minimiser. For an exactly sparse one that top-k finds it stays bounded, and (★)
with a constant ξ then falls with T: compression alone is not what breaks the limit.
The same runs test Proposition F, whose hypothesis ‖v_T‖ = o(T) fails here and holds for exact top-k.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

import numpy as np

from benchmarks.validation.count_sketch import Array, CountSketch, top_k
from theory.errors import InvalidParameter
from theory.rates.parameters import Parameters
from theory.rates.theorem_a import Sources, solve


@dataclass(frozen=True)
class Shape:
    """d coordinates, J × K buckets (J = 0: exact top-k), k kept."""

    d: int
    J: int
    K: int
    k: int


@dataclass(frozen=True)
class Snapshot:
    """Means over the first T rounds. `bound_xi` uses the best constant ξ, the mean residual."""

    T: int
    A: float
    R2: float
    bound: float
    R2_xi: float
    bound_xi: float
    v_over_T: float
    floor_T: float  # RF.5 at this T, from the mean broadcast: A is never below it


def power_law_minimiser(d: int, exponent: float) -> Array:
    """w*_i = ±i^{−exponent}, alternating signs."""
    return np.asarray(np.arange(1, d + 1) ** -exponent * np.where(np.arange(d) % 2, -1.0, 1.0), float)


def sparse_minimiser(d: int, nonzero: int) -> Array:
    """Ones on the first coordinates."""
    return (np.arange(d) < nonzero).astype(float)


def growth(shape: Shape, w_star: Array, gamma: float, horizons: tuple[int, ...], seed: int) -> list[Snapshot]:
    """One run, read at several horizons."""
    if not horizons or list(horizons) != sorted(set(horizons)) or horizons[0] < 1:
        raise InvalidParameter("horizons", horizons, "increasing positive integers")
    rng = np.random.default_rng(seed)
    sketch = CountSketch.draw(rng, shape.J, shape.K, shape.d) if shape.J else None
    v, residual, total = np.zeros(shape.d), np.zeros(shape.d), np.zeros(shape.d)
    A = R2 = 0.0
    found = []
    for t in range(1, horizons[-1] + 1):
        w = top_k(v if sketch is None else sketch.estimate(sketch.insert(v)), shape.k)
        gradient, r = w - w_star, v - w
        A, R2, residual = A + float(gradient @ gradient), R2 + float(r @ r), residual + r
        total = total + w
        v = v - gamma * gradient
        if t in horizons:
            floor_T = finite_floor(total / t, w_star, shape.k)
            found.append(_snapshot(t, A / t, R2 / t, residual / t, w_star, gamma, v, floor_T))
    return found


def _snapshot(
    T: int, A: float, R2: float, xi: Array, w_star: Array, gamma: float, v: Array, floor_T: float
) -> Snapshot:
    R2_xi = max(0.0, R2 - float(xi @ xi))
    plain = Sources(Delta=0.5 * float(w_star @ w_star), R2=R2)
    shifted = Sources(Delta=0.5 * float((xi + w_star) @ (xi + w_star)), R2=R2_xi)
    bounds = [solve(Parameters(L=1), gamma, T, s).bound for s in (plain, shifted)]
    return Snapshot(T, A, R2, bounds[0], R2_xi, bounds[1], float(np.linalg.norm(v)) / T, floor_T)


def exponent(first: Snapshot, last: Snapshot) -> float:
    """s in R² ~ T^s between two horizons."""
    return math.log(last.R2 / first.R2) / math.log(last.T / first.T)


def residual_growth(horizons: tuple[int, ...]) -> dict[str, object]:
    """d = 200, 5 × 20, k = 20, γ = 0.1: a dense and an exactly sparse minimiser."""
    shape = Shape(200, 5, 20, 20)
    dense = growth(shape, power_law_minimiser(200, 1.5), 0.1, horizons, seed=0)
    sparse = growth(shape, sparse_minimiser(200, 10), 0.1, horizons, seed=0)
    return {
        "setting": "d = 200, 5x20 buckets, k = 20, gamma = 0.1, f = |w - w*|^2/2",
        "dense": [asdict(s) for s in dense],
        "dense_exponent": exponent(dense[0], dense[-1]),
        "sparse": [asdict(s) for s in sparse],
        "sparse_exponent": exponent(sparse[0], sparse[-1]),
    }


def floor_of(w_star: Array, k: int) -> float:
    """Proposition F with L = 1: ‖w*‖²(sp(w*)/k − 1)."""
    return max(0.0, float(np.abs(w_star).sum()) ** 2 / k - float(w_star @ w_star))


def finite_floor(mean_broadcast: Array, w_star: Array, k: int) -> float:
    """RF.5 with L = 1: ‖w̄‖_1²/k − 2⟨w̄, w*⟩ + ‖w*‖²."""
    size = float(np.abs(mean_broadcast).sum()) ** 2 / k
    return size - 2 * float(mean_broadcast @ w_star) + float(w_star @ w_star)


def hash_reuse(T: int) -> dict[str, float]:
    """Residual of the final v under the hash that shaped it, and under fresh hashes (mean of 20)."""
    rng, shape, gamma = np.random.default_rng(0), Shape(200, 5, 20, 20), 0.1
    own, w_star, v = (
        CountSketch.draw(rng, shape.J, shape.K, shape.d),
        power_law_minimiser(200, 1.5),
        np.zeros(200),
    )
    for _ in range(T):
        v = v - gamma * (top_k(own.estimate(own.insert(v)), shape.k) - w_star)

    def residual(sketch: CountSketch) -> float:
        return float(((v - top_k(sketch.estimate(sketch.insert(v)), shape.k)) ** 2).sum())

    fresh = [residual(CountSketch.draw(rng, shape.J, shape.K, shape.d)) for _ in range(20)]
    return {
        "own": residual(own),
        "fresh": float(np.mean(fresh)),
        "ratio": residual(own) / float(np.mean(fresh)),
    }


def floor_experiment(T: int) -> dict[str, object]:
    """d = 60, k = 5: exact top-k approaches the floor; a 3 × 8 sketch ends below it, as ‖v_T‖ grows
    like T.
    """
    w_star = power_law_minimiser(60, 0.5)
    halves = (T // 2, T)
    exact = growth(Shape(60, 0, 0, 5), w_star, 0.1, halves, seed=0)
    sketched = growth(Shape(60, 3, 8, 5), w_star, 0.1, halves, seed=0)
    return {
        "floor": floor_of(w_star, 5),
        "exact_top_k": [asdict(s) for s in exact],
        "sketch_3x8": [asdict(s) for s in sketched],
    }
