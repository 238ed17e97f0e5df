"""Do 95 % intervals cover in 95 % of trials? Every estimator on generated problems whose constants are
known.

    python -m empirical.calibration [--trials 400] [--seed 1] [--out book/results/calibration.json]

One row per estimator and design: share of trials whose interval holds the true value, with its
Clopper-Pearson limits, and how often the miss was below or above. Where the truth is a maximum that several
points share ("tied"), any interval that is valid for every arrangement of points must cover more often than
nominal.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch

from empirical import powerlaw, smoothness
from empirical.dissimilarity import Dissimilarity
from empirical.intervals import (
    LEVEL,
    Interval,
    clopper_pearson,
    largest_mean,
    log_scale,
    mean_interval,
    ratio_interval,
    score_scale,
)
from empirical.pairs import Cloud, bias_cloud, noise_cloud, pair_intervals
from empirical.protocol import Iterate
from empirical.replicates import Energies, collect, energies_of
from fpsverify.files import make_folder, write_json
from fpsverify.record import versions
from fpsverify.rng import numpy_generator

Trial = Callable[[np.random.Generator], tuple[Interval, float]]
N, DIM = 32, 60  # replicates per point, dimension of a generated gradient


@dataclass(frozen=True)
class Coverage:
    estimator: str
    design: str
    trials: int
    covered: float
    covered_low: float
    covered_high: float
    truth_below: float
    truth_above: float
    kind: str


@dataclass(frozen=True)
class Design:
    """`kind` interval: nominal 95 %; at least: conservative; exact; stress: hard, may cover too rarely."""

    estimator: str
    design: str
    trial: Trial
    kind: str = "interval"


def measure(design: Design, trials: int, seed: int) -> Coverage:
    below = above = 0
    for i in range(trials):
        interval, truth = design.trial(
            numpy_generator(seed, "calibration", design.estimator, design.design, i)
        )
        # The enclosure of L is exact up to rounding; nothing else here comes near 1e-9 of its limits.
        below += truth < interval.low * (1 - 1e-9)
        above += truth > interval.high * (1 + 1e-9)
    covered = trials - below - above
    low, high = clopper_pearson(covered, trials)
    return Coverage(
        design.estimator,
        design.design,
        trials,
        covered / trials,
        low,
        high,
        below / trials,
        above / trials,
        design.kind,
    )


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


def cloud_points(tied: bool) -> tuple[np.ndarray, np.ndarray]:
    """x_i and energies y_i under the line 0.3 x + 1: all on it (tied), or two on it and the rest below."""
    x = np.geomspace(0.1, 20, 24)
    share = np.ones(24) if tied else np.full(24, 0.5)
    share[[4, 21]] = 1.0
    return x, share * (0.3 * x + 1.0)


def generated_energies(rng: np.random.Generator, tied: bool, biased: bool) -> tuple[Energies, np.ndarray]:
    x, y = cloud_points(tied)
    noise, bias = (np.full_like(y, 2.0), y) if biased else (y, np.zeros_like(y))
    points = [(i, x[i], *energies_of(replicate_errors(rng, noise[i], bias[i]))) for i in range(len(x))]
    return collect(points, N), y


def pair_trial(part: str, tied: bool, biased: bool) -> Trial:
    """σ² (or b²) at the chosen P, or P at the chosen σ²; the pair is chosen on the same data, as in a run."""

    def trial(rng: np.random.Generator) -> tuple[Interval, float]:
        energies, y = generated_energies(rng, tied, biased)
        cloud: Cloud = bias_cloud(energies) if biased else noise_cloud(energies)
        vertices = cloud.frontier()
        pair = vertices[len(vertices) // 2]
        P, s2 = pair_intervals(cloud, pair)
        if part == "s2":
            return s2, max(0.0, float(np.max(y - pair.P * energies.x)))
        return P, max(0.0, float(np.max((y - s2.high) / energies.x)))

    return trial


def no_bias(rng: np.random.Generator) -> tuple[Interval, float]:
    """Unbiased gradients at 24 points: b² = 0."""
    points = [(i, 1.0 + i, *energies_of(replicate_errors(rng, 2.0, 0.0))) for i in range(24)]
    cloud = bias_cloud(collect(points, N))
    return pair_intervals(cloud, cloud.frontier()[0])[1], 0.0


# ---- means over rounds ------------------------------------------------------------------------------------


def energy_series(rng: np.random.Generator, T: int, phi: float, dims: int = 20) -> np.ndarray:
    """Squared norms of a stationary vector with lag-one correlation φ, mean 1."""
    state = rng.standard_normal(dims)
    out = np.empty(T)
    for t in range(T):
        state = phi * state + math.sqrt(1 - phi**2) * rng.standard_normal(dims)
        out[t] = state @ state / dims
    return out


def mean_trial(phi: float, T: int, trend: bool, dims: int = 20) -> Trial:
    def trial(rng: np.random.Generator) -> tuple[Interval, float]:
        level = 1 + 3 * np.linspace(0, 1, T) ** 2 if trend else np.ones(T)
        series = level * energy_series(rng, T, phi, dims)
        return mean_interval(series, 3 if trend else 0), float(level.mean())

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
    start = Iterate(0, torch.zeros(400, dtype=torch.float64))
    seed = int(rng.integers(2**31))
    low, high = smoothness.spectral_norms(Quadratic(spectrum), start, 24, (1 - LEVEL) / 2, seed)  # type: ignore[arg-type]
    return Interval(low[0], low[0], high[0], "Lanczos"), float(spectrum.abs().max())


def exact_trial(rng: np.random.Generator) -> tuple[Interval, float]:
    """∇l_m = w − c_m: D² = ‖∇f‖² + G², so (B, G²) = (1, mean‖c_m − c̄‖²)."""
    centres, points = rng.standard_normal((5, 30)), rng.standard_normal((12, 30))
    gradients = points[:, None] - centres
    x, D2 = np.sum(gradients.mean(1) ** 2, axis=1), np.mean(np.sum(gradients**2, axis=2), axis=1)
    pair = Dissimilarity(np.arange(12), x, D2, True).frontier()[0]
    truth = float(np.mean(np.sum((centres - centres.mean(0)) ** 2, axis=1)))
    return Interval.exact(pair.P * pair.s2, ""), truth


DESIGNS = (
    Design("noise energy at a point", "E‖ζ‖² = 2, bias 0.5", one_noise),
    Design("bias energy at a point", "‖β‖² = 0.5", one_bias(0.5)),
    Design("bias energy at a point", "‖β‖² = 0.05, below its standard error", one_bias(0.05)),
    Design("sigma2", "two points on the line, 22 below", pair_trial("s2", False, False)),
    Design("P_n", "two points on the line, 22 below", pair_trial("P", False, False)),
    Design("sigma2", "24 points on the line (tied)", pair_trial("s2", True, False), "at least"),
    Design("P_n", "24 points on the line (tied)", pair_trial("P", True, False), "at least"),
    Design("b2", "two points on the line, 22 below", pair_trial("s2", False, True)),
    Design("P_b", "two points on the line, 22 below", pair_trial("P", False, True)),
    Design("b2", "no bias at 24 points (tied at 0)", no_bias, "at least"),
    Design("R2, A, drift (mean over rounds)", "150 rounds, φ² = 0.25", mean_trial(0.5, 150, False)),
    Design("R2, A, drift (mean over rounds)", "150 rounds, φ² = 0.64", mean_trial(0.8, 150, False)),
    Design(
        "R2, A, drift (mean over rounds)",
        "150 rounds, φ² = 0.49, growing like t²",
        mean_trial(0.7, 150, True),
    ),
    Design("R2, A, drift (mean over rounds)", "40 rounds, φ² = 0.81", mean_trial(0.9, 40, False), "stress"),
    Design(
        "R2, A, drift (mean over rounds)",
        "100 rounds, φ² = 0.81, one coordinate",
        mean_trial(0.9, 100, False, 1),
        "stress",
    ),
    Design(
        "R2, A, drift (mean over rounds)",
        "40 rounds, φ² = 0.64, growing",
        mean_trial(0.8, 40, True),
        "stress",
    ),
    Design("B typical (ratio of means)", "150 rounds, B² = 4", ratio_trial),
    Design("p", "p = 0.5", power_law_trial(0.5)),
    Design("p", "p = 1.2", power_law_trial(1.2)),
    Design("B, G2", "12 exact gradients, B = 1", exact_trial, "exact"),
    Design("L", "400 uniform eigenvalues, 24 Lanczos steps", lanczos_trial, "at least"),
)


def table(rows: list[Coverage]) -> str:
    lines = [f"{'estimator':<34}{'design':<44}{'covered':>8}  95 % limits      truth below/above"]
    for r in rows:
        limits = f"[{r.covered_low:.3f}, {r.covered_high:.3f}]"
        miss = f"{r.truth_below:.3f} / {r.truth_above:.3f}"
        mark = {
            "interval": "",
            "at least": "  (at least 95 % by construction)",
            "exact": "  (exact)",
            "stress": "  (stress)",
        }[r.kind]
        lines.append(f"{r.estimator:<34}{r.design:<44}{r.covered:>8.3f}  {limits:<16} {miss}{mark}")
    return "\n".join(lines)


def stored(path: Path, trials: int, seed: int) -> list[Coverage]:
    """Rows of an earlier call with the same trials and seed."""
    if not path.exists():
        return []
    rows = json.loads(path.read_text(encoding="utf-8"))
    if (rows["trials"], rows["seed"]) != (trials, seed):
        return []
    return [Coverage(**row) for row in rows["rows"]]


def main() -> None:
    parser = argparse.ArgumentParser(description="Coverage of intervals on problems with known constants.")
    parser.add_argument("--trials", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("book/results/calibration.json"))
    args = parser.parse_args()
    torch.set_num_threads(1)
    make_folder(args.out.parent, "--out")
    done = {(r.estimator, r.design): r for r in stored(args.out, args.trials, args.seed)}
    rows = []
    for design in DESIGNS:
        key = design.estimator, design.design
        rows.append(done[key] if key in done else measure(design, args.trials, args.seed))
        print(table(rows[-1:]).splitlines()[1], flush=True)
        found = {"seed": args.seed, "trials": args.trials, "level": LEVEL, "versions": versions()}
        write_json(args.out, found | {"rows": [asdict(r) for r in rows]})


if __name__ == "__main__":
    main()
