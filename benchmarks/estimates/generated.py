"""Generated problems whose constants are known: each trial returns an interval and the true value."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import torch

from empirical.constants import powerlaw, residual, smoothness
from empirical.constants.dissimilarity import Dissimilarity
from empirical.constants.pairs import (
    Cloud,
    Scale,
    bias_cloud,
    choose,
    for_all_rounds,
    noise_cloud,
    pair_intervals,
)
from empirical.observed.protocol import Evidence, Iterate
from empirical.observed.replicates import Energies, collect, energies_of
from empirical.statistics import unseen
from empirical.statistics.frontier import Pair
from empirical.statistics.intervals import (
    LEVEL,
    Interval,
    largest_mean,
    log_scale,
    mean_interval,
    ratio_interval,
    score_scale,
)

Trial = Callable[[np.random.Generator], tuple[Interval, float]]
N, DIM = 32, 60  # replicates per point, dimension of a generated gradient


# ---- bias and noise ---------------------------------------------------------------------------------------


def replicate_errors(
    rng: np.random.Generator, noise: float, bias: float, n: int = N, d: int = DIM
) -> torch.Tensor:
    """e_1 … e_n with E‖ζ‖² = noise and ‖β‖² = bias; uneven covariance, bias in a random direction."""
    spectrum = np.arange(1, d + 1) ** -0.5
    std = np.sqrt(noise * spectrum / spectrum.sum())
    direction = rng.standard_normal(d)
    beta = math.sqrt(bias) * direction / np.linalg.norm(direction)
    return torch.from_numpy(beta + std * rng.standard_normal((n, d)))


def one_noise(rng: np.random.Generator) -> tuple[Interval, float]:
    value, se, *_ = energies_of(replicate_errors(rng, 2.0, 0.5))
    return largest_mean(log_scale(np.array([value]), np.array([se])), N, ""), 2.0


def one_bias(bias: float) -> Trial:
    def trial(rng: np.random.Generator) -> tuple[Interval, float]:
        parts = energies_of(replicate_errors(rng, 2.0, bias))[2:]
        return largest_mean(score_scale(*(np.array([part]) for part in parts)), N, ""), bias

    return trial


def cloud_points(rng: np.random.Generator, shape: str) -> tuple[np.ndarray, np.ndarray]:
    """x_i and energies y_i under the line 0.3 x + 1: all on it, two on it, at random heights; one: under
    0.3 x; concave: on √x, where every point is a corner of the frontier.
    """
    if shape == "one":
        x = np.geomspace(4, 20, 24)
        return x, np.where(np.arange(24) == 21, 1.0, 0.5) * 0.3 * x
    x = np.geomspace(0.1, 20, 24)
    if shape == "concave":
        return x, np.sqrt(x)
    share = {"tied": np.ones(24), "two": np.full(24, 0.5), "random": rng.uniform(0.3, 1.0, 24)}[shape]
    if shape == "two":
        share[[4, 21]] = 1.0
    return x, share * (0.3 * x + 1.0)


def generated_energies(rng: np.random.Generator, shape: str, biased: bool) -> tuple[Energies, np.ndarray]:
    x, y = cloud_points(rng, shape)
    noise, bias = (np.full_like(y, 2.0), y) if biased else (y, np.zeros_like(y))
    points = [(i, x[i], *energies_of(replicate_errors(rng, noise[i], bias[i]))) for i in range(len(x))]
    return collect(points, N), y


def pair_trial(part: str, shape: str, biased: bool) -> Trial:
    """σ² (or b²) at the chosen P, or P at the chosen σ²; the pair is chosen on the same data, as in a run."""

    def trial(rng: np.random.Generator) -> tuple[Interval, float]:
        energies, y = generated_energies(rng, shape, biased)
        cloud: Cloud = bias_cloud(energies) if biased else noise_cloud(energies)
        vertices = cloud.frontier()
        pair = vertices[len(vertices) // 2]
        P, s2 = pair_intervals(cloud, pair)
        if part == "s2":
            return s2, max(0.0, float(np.max(y - pair.P * energies.x)))
        return P, max(0.0, float(np.max((y - s2.high) / energies.x)))

    return trial


CHOICE = Scale(L=1.0, mu=0.0, E=2, M=5, gamma=0.05, T=200, Delta=5.0, R2=0.0)


def chosen_trial(shape: str, biased: bool) -> Trial:
    """The pair that the bound prefers, chosen on the same data: does (P.high, s².high) cover every point?"""

    def trial(rng: np.random.Generator) -> tuple[Interval, float]:
        energies, y = generated_energies(rng, shape, biased)
        y = 0.1 * y if biased else y
        cloud: Cloud = bias_cloud(energies) if biased else noise_cloud(energies)
        if biased:
            cloud = Cloud(cloud.x, lambda c: 0.1 * bias_cloud(energies).bounds(c), cloud.n)
        zero = [Pair(0.0, 0.0)]
        bias, noise = (cloud.frontier(), zero) if biased else (zero, cloud.frontier())
        choice = choose(bias, noise, [Pair(1.0, 0.0)], CHOICE)
        P, s2 = pair_intervals(cloud, choice.bias if biased else choice.noise)
        return replace(s2, low=0.0), max(0.0, float(np.max(y - P.high * energies.x)))

    return trial


def every_round_trial(T: int, n: int) -> Trial:
    """The chosen (P_n, σ²) at n of T + 1 rounds, with 20 % of noise in their energies: does it cover all?"""

    def trial(rng: np.random.Generator) -> tuple[Interval, float]:
        x = 200 * np.maximum(falling(rng, T), 1e-4)
        y = (0.3 * x + 1) * np.exp(0.2 * rng.standard_normal(T + 1))
        at = np.unique(np.linspace(0, T, n).round().astype(int))
        points = [(int(t), x[t], *energies_of(replicate_errors(rng, y[t], 0.0))) for t in at]
        cloud = noise_cloud(collect(points, N))
        pair = choose([Pair(0.0, 0.0)], cloud.frontier(), [Pair(1.0, 0.0)], CHOICE).noise
        P, s2 = for_all_rounds(cloud, at, pair_intervals(cloud, pair), T)
        return replace(s2, low=0.0), max(0.0, float(np.max(y - P.high * x)))

    return trial


def end_trial(part: str, biased: bool) -> Trial:
    """The ends of the frontier, (0, s²) and (P, 0), where one point stands out."""

    def trial(rng: np.random.Generator) -> tuple[Interval, float]:
        energies, y = generated_energies(rng, "one", biased)
        cloud: Cloud = bias_cloud(energies) if biased else noise_cloud(energies)
        if part == "s2":
            return pair_intervals(cloud, Pair(0.0, float(cloud.upper().max())))[1], float(y.max())
        return pair_intervals(cloud, cloud.frontier()[-1])[0], float(np.max(y / energies.x))

    return trial


def unseen_trial(series: Callable[[np.random.Generator, int], np.ndarray], T: int, n: int) -> Trial:
    """The largest of T + 1 values, n of which are seen."""

    def trial(rng: np.random.Generator) -> tuple[Interval, float]:
        values = series(rng, T)
        at = np.unique(np.linspace(0, T, n).round().astype(int))
        return unseen.largest(at, values[at], T), float(values.max())

    return trial


def falling(rng: np.random.Generator, T: int) -> np.ndarray:
    """1/(10 + t) with 20 % of relative noise."""
    return (1 + 0.2 * rng.standard_normal(T + 1)) / (10 + np.arange(T + 1))


def excess_trial(vertex: float, T: int, n: int) -> Trial:
    """G² that goes with a B chosen on n of T + 1 rounds, where ‖∇f‖² and D² fall with 20 % of noise each."""

    def trial(rng: np.random.Generator) -> tuple[Interval, float]:
        x = np.maximum(10 * falling(rng, T), 1e-3)
        D2 = np.maximum(0.1 + 2 * x * (1 + 0.2 * rng.standard_normal(T + 1)), x)
        at = np.unique(np.linspace(0, T, n).round().astype(int))
        spread = Dissimilarity(at, x[at], D2[at], T)
        vertices = spread.frontier()
        pair = vertices[round(vertex * (len(vertices) - 1))]
        return spread.intervals(pair)[1], max(pair.s2, float(np.max(D2 - pair.P * x)))

    return trial


def no_bias(rng: np.random.Generator) -> tuple[Interval, float]:
    """Unbiased gradients at 24 points: b² = 0."""
    points = [(i, 1.0 + i, *energies_of(replicate_errors(rng, 2.0, 0.0))) for i in range(24)]
    cloud = bias_cloud(collect(points, N))
    return pair_intervals(cloud, cloud.frontier()[0])[1], 0.0


# ---- means over rounds ------------------------------------------------------------------------------------


def energy_series(rng: np.random.Generator, T: int, phi: float, dims: int = 20) -> np.ndarray:
    """Squared norms of a stationary vector with lag-one correlation φ, mean 1; they have correlation φ²."""
    state = rng.standard_normal(dims)
    out = np.empty(T)
    for t in range(T):
        state = phi * state + math.sqrt(1 - phi**2) * rng.standard_normal(dims)
        out[t] = state @ state / dims
    return out


TRENDS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "none": np.ones_like,
    "growing": lambda s: 1 + 3 * s**2,
    "falling": lambda s: 0.2 + 3 * np.exp(-5 * s),
}


def mean_trial(phi2: float, T: int, trend: str = "none", dims: int = 20) -> Trial:
    def trial(rng: np.random.Generator) -> tuple[Interval, float]:
        level = TRENDS[trend](np.linspace(0, 1, T))
        return mean_interval(level * energy_series(rng, T, math.sqrt(phi2), dims)), float(level.mean())

    return trial


def ratio_trial(rng: np.random.Generator) -> tuple[Interval, float]:
    """D² = 4x times an independent fluctuation: B_typical² = 4."""
    x = energy_series(rng, 150, 0.7)
    return ratio_interval(4 * x * energy_series(rng, 150, 0.5), x), 4.0


# ---- power law and smoothness -----------------------------------------------------------------------------


def power_law_trial(p: float) -> Trial:
    """1000 coordinates with a Pareto tail, seen in 3 rounds with multiplicative fluctuations."""

    def trial(rng: np.random.Generator) -> tuple[Interval, float]:
        size = rng.random(1000) ** (-p)
        rounds = [size * np.exp(0.2 * rng.standard_normal(1000)) for _ in range(3)]
        return powerlaw.mean_exponent(rounds, rng, resamples=50), p

    return trial


@dataclass(frozen=True)
class Quadratic:
    """One device with a diagonal Hessian."""

    spectrum: torch.Tensor
    M: int = 1

    @property
    def d(self) -> int:
        return len(self.spectrum)

    def hessian_vector_products(self, W: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
        return V * self.spectrum


def lanczos_trial(rng: np.random.Generator) -> tuple[Interval, float]:
    spectrum = torch.from_numpy(rng.uniform(-0.5, 1.0, 400))
    W, name = torch.zeros(1, 400, dtype=torch.float64), (int(rng.integers(2**31)), 0, "broadcast")
    low, high = smoothness.spectral_norms(Quadratic(spectrum), W, 24, (1 - LEVEL) / 2, name)  # type: ignore[arg-type]
    return Interval(low[0], low[0], high[0], "Lanczos"), float(spectrum.abs().max())


@dataclass(frozen=True)
class Bending:
    """One device with Hessian e^{w_1}·diag(spectrum): L moves along the run as e^{w_1} does."""

    spectrum: torch.Tensor
    M: int = 1

    @property
    def d(self) -> int:
        return len(self.spectrum)

    def full_gradients(self, W: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(W)

    def hessian_vector_products(self, W: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
        return V * self.spectrum * W[:, :1].exp()


def smoothness_trial(series: Callable[[np.random.Generator, int], np.ndarray]) -> Trial:
    """L over all of 101 rounds, 16 of which are looked at, through all of `smoothness.measure`."""

    def trial(rng: np.random.Generator) -> tuple[Interval, float]:
        T, spectrum = 100, torch.from_numpy(rng.uniform(-0.5, 1.0, 100))
        bend = 0.3 * series(rng, T)
        at = np.linspace(0, T, 16).round().astype(int)
        points = torch.zeros(T + 1, 100, dtype=torch.float64)
        points[:, 0] = torch.from_numpy(bend)
        seen = tuple(Iterate(int(t), points[t]) for t in at)
        seed = int(rng.integers(2**31))
        evidence = Evidence(Bending(spectrum), seen, 0.1, 0.0, 1, T, seed, {})  # type: ignore[arg-type]
        found = smoothness.measure(evidence, lambda text: None).L
        return found, float(np.exp(bend.max()) * spectrum.abs().max())

    return trial


def walk(rng: np.random.Generator, T: int) -> np.ndarray:
    """A random walk that ends a unit away from its start, typically."""
    return rng.standard_normal(T + 1).cumsum() / math.sqrt(T)


def wandering(phi: float) -> Callable[[np.random.Generator, int], np.ndarray]:
    """A stationary series with lag-one correlation φ."""

    def series(rng: np.random.Generator, T: int) -> np.ndarray:
        y = np.empty(T + 1)
        y[0] = rng.standard_normal()
        for t in range(1, T + 1):
            y[t] = phi * y[t - 1] + math.sqrt(1 - phi**2) * rng.standard_normal()
        return y

    return series


def energies_of_rounds(rng: np.random.Generator, T: int) -> np.ndarray:
    """Independent squared norms of 5 coordinates: skewed."""
    return rng.chisquare(5, T + 1)


def exact_trial(rng: np.random.Generator) -> tuple[Interval, float]:
    """∇l_m = w − c_m: D² = ‖∇f‖² + G², so (B, G²) = (1, mean‖c_m − c̄‖²)."""
    centres, points = rng.standard_normal((5, 30)), rng.standard_normal((12, 30))
    gradients = points[:, None] - centres
    x, D2 = np.sum(gradients.mean(1) ** 2, axis=1), np.mean(np.sum(gradients**2, axis=2), axis=1)
    pair = Dissimilarity(np.arange(12), x, D2, 11).frontier()[0]
    truth = float(np.mean(np.sum((centres - centres.mean(0)) ** 2, axis=1)))
    return Interval.exact(pair.P * pair.s2, ""), truth


def bare_run(series: dict[str, np.ndarray], T: int) -> Evidence:
    """A run of which nothing but these series is looked at."""
    model = Quadratic(torch.ones(1))
    return Evidence(model, (Iterate(0, torch.zeros(1)),), 0.1, 0.0, 1, T, 1, series)  # type: ignore[arg-type]


def largest_trial(rng: np.random.Generator) -> tuple[Interval, float]:
    """W is read off the record."""
    norms = energy_series(rng, 40, 0.9)
    return residual.largest_norm(bare_run({"w_norm_squared": norms}, T=39)), float(norms.max())
