"""W, the sketch residual R², the drift, and the sketch constant c that the measured residual implies.

R² = (1/T) Σ_{t<T} ‖v_t − w̃_t‖² is exact when the run kept v_t (verification mode); without compression it
is the accumulated channel noise. Its interval is about the rounds of this run: the hash was drawn once, so
how R² varies between hashes cannot be seen from one run.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

import numpy as np

from empirical import unseen
from empirical.intervals import Interval, mean_interval
from empirical.protocol import Evidence, Iterate


@dataclass(frozen=True)
class Residual:
    """`growth`: exponent a of ‖r_t‖² ∝ t^a over the second half of the run."""

    R2: Interval
    growth: float
    source: str


def largest_norm(evidence: Evidence) -> Interval:
    """W: the smallest bound on ‖w̃_t‖² over all rounds of the run."""
    norms = evidence.series.get("w_norm_squared")
    if norms is not None and len(norms) == evidence.T + 1:
        return Interval.exact(float(norms.max()), f"largest of {len(norms)} rounds")
    sampled = np.array([float(it.w.double().square().sum()) for it in evidence.iterates])
    return unseen.largest(np.array([it.t for it in evidence.iterates]), sampled, evidence.T)


def measure(evidence: Evidence) -> Residual | None:
    """None when the run kept nothing from which R² follows."""
    series, source = _residual_series(evidence)
    if series is None:
        return None
    before_T = series[: evidence.T]
    if not np.any(before_T):
        return Residual(Interval.exact(0.0, source), 0.0, source)
    interval = mean_interval(before_T)
    return Residual(interval, growth_exponent(before_T), source)


def _residual_series(evidence: Evidence) -> tuple[np.ndarray | None, str]:
    """‖r_0‖², …, ‖r_T‖² with r_0 = 0."""
    recorded = evidence.series.get("residual_squared")
    if recorded is not None:
        return np.concatenate([[0.0], recorded])[: evidence.T + 1], "v_t − w̃_t, recorded every round"
    if evidence.config.get("algorithm", {}).get("name") == "fedavg":
        noise = evidence.series.get("noise_energy", np.zeros(evidence.T))
        total = np.concatenate([[0.0], np.cumsum(noise)])
        return total, "no compression: the channel noise that the model has taken up, E‖Σn‖² = ΣE‖n‖²"
    return None, ""


def growth_exponent(series: np.ndarray) -> float:
    """Slope of log ‖r_t‖² on log t over the second half of the rounds."""
    t = np.arange(len(series))
    use = (t >= len(series) // 2) & (series > 0)
    if use.sum() < 3:
        return 0.0
    return float(np.polyfit(np.log(t[use]), np.log(series[use]), 1)[0])


@dataclass(frozen=True)
class Implied:
    """At round t: ‖r‖²/‖v‖², the exact ℓ2 tail τ_k/‖v‖, and the c of Lemma 1 (paper) and Lemma 1'(b)."""

    t: int
    ratio: float
    tail: float
    c_paper: float | None
    c_repaired: float | None

    def as_json(self) -> dict[str, float | None]:
        return asdict(self)


def implied_constants(evidence: Evidence) -> list[Implied]:
    """c from ‖r‖² = (1/c + τ²)‖v‖² and ‖r‖² = (1/c + (τ + 2/√c)²)‖v‖², τ = τ_k/‖v‖; None: any c will do."""
    if evidence.k is None:
        return []
    series, _ = _residual_series(evidence)
    found = [_implied(it, series, evidence.k) for it in evidence.iterates] if series is not None else []
    return [each for each in found if each is not None]


def _implied(iterate: Iterate, residuals: np.ndarray, k: int) -> Implied | None:
    if iterate.stored is None or iterate.t >= len(residuals):
        return None
    v = np.sort(np.abs(iterate.stored.double().cpu().numpy()))[::-1]
    energy = float(v @ v)
    if energy == 0:
        return None
    tail = math.sqrt(float(v[k:] @ v[k:]) / energy)
    ratio = float(residuals[iterate.t]) / energy
    paper = 1 / (ratio - tail**2) if ratio > tail**2 else None
    # 5y² + 4τy + τ² − ratio = 0 with y = 1/√c
    root = (math.sqrt(5 * ratio - tail**2) - 2 * tail) / 5 if ratio > tail**2 else 0.0
    return Implied(iterate.t, ratio, tail, paper, 1 / root**2 if root > 0 else None)


def drift(evidence: Evidence) -> Interval | None:
    """mean_m ‖w^{m,E} − w̃_t‖², averaged over rounds."""
    moved = evidence.series.get("update_norm_squared")
    if moved is None or len(moved) < 10:
        return None
    return mean_interval(moved)
