"""Generated residuals: what is said about R², its growth and the constant c, against the truth."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch

from benchmarks.estimates.generated import TRENDS, Trial, bare_run
from empirical.constants import residual
from empirical.observed.protocol import Iterate
from empirical.statistics.growth import growth_of
from empirical.statistics.intervals import Interval


def residual_series(
    rng: np.random.Generator, T: int, keep: float, scale: np.ndarray, dims: int
) -> tuple[np.ndarray, np.ndarray]:
    """‖r_t‖² of r_0 = 0, r_t = keep·r_{t−1} + scale_t n_t, and E‖r_t‖², t < T."""
    r, mean = np.zeros(dims), 0.0
    y, expected = np.zeros(T), np.zeros(T)
    for t in range(1, T):
        r = keep * r + scale[t] * rng.standard_normal(dims)
        mean = keep**2 * mean + dims * scale[t] ** 2
        y[t], expected[t] = r @ r, mean
    return y, expected


def growth_trial(keep: float, T: int, trend: str = "none", dims: int = 20) -> Trial:
    """The exponent over the second half: the slope of log E‖r_t‖² on log t."""

    def trial(rng: np.random.Generator) -> tuple[Interval, float]:
        y, mean = residual_series(rng, T, keep, TRENDS[trend](np.linspace(0, 1, T)), dims)
        half = np.arange(T // 2, T)
        found = growth_of(y)
        assert found is not None
        slope = float(np.polyfit(np.log(half), np.log(mean[half]), 1)[0])
        return found, 0.0 if abs(slope) < 1e-12 else slope  # without growth it is rounding

    return trial


def sums_trial(T: int, trend: str, dims: int = 20) -> Trial:
    """R² without compression: sums of independent noise energies."""

    def trial(rng: np.random.Generator) -> tuple[Interval, float]:
        level = TRENDS[trend](np.linspace(0, 1, T))
        noise = level * rng.chisquare(dims, T) / dims
        return residual.mean_of_sums(noise), float(np.cumsum(level)[:-1].sum() / T)

    return trial


def recorded_trial(rng: np.random.Generator) -> tuple[Interval, float]:
    """R² of a run that kept all of its residuals, which forget nothing."""
    y, _ = residual_series(rng, 41, 1.0, np.ones(41), 20)
    found = residual.measure(bare_run({"residual_squared": y[1:]}, T=40))
    assert found is not None
    return found.R2, math.fsum(y[:40]) / 40


def implied_trial(series: Callable[[np.random.Generator, int], np.ndarray], T: int, n: int) -> Trial:
    """1/c for the smallest c over T rounds, from v_t kept at n of them; log c moves as `series` does."""

    def trial(rng: np.random.Generator) -> tuple[Interval, float]:
        v, k = torch.arange(30.0, 0.0, -1.0, dtype=torch.float64), 5
        energy, tail = float(v @ v), float(v[k:] @ v[k:])
        y = 0.1 * np.exp(-0.3 * series(rng, T - 1))  # 1/√c
        # Lemma 1'(b) with equality: ‖r‖² = (1/c + (τ + 2/√c)²)‖v‖².
        squared = (y**2 + (math.sqrt(tail / energy) + 2 * y) ** 2) * energy
        at = np.unique(np.linspace(1, T, n).round().astype(int))
        kept = tuple(Iterate(int(t), v, stored=v) for t in at)
        evidence = replace(bare_run({"residual_squared": squared}, T), iterates=kept, k=k)
        found = residual.smallest_c(residual.implied_constants(evidence), T, "c_repaired")
        assert found is not None
        return Interval(1 / found.estimate, 1 / found.high, 1 / found.low, found.method), float(np.max(y**2))

    return trial
