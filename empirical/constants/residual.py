"""W, the sketch residual R², the drift, and the sketch constant c that the measured residual implies.

R² is that of this run, as W, B, G² and L are: (1/T) Σ_{t<T} ‖v_t − w̃_t‖². Where v_t was kept at every round
(verification mode) nothing is left to chance. Theorem A's R² is the mean over all draws of batches, noise and
hash, and of that one run says little: a residual remembers its past, so a run is one draw, and whether a slow
rise is trend or memory cannot be told. (Intervals from the rounds of one run were tried. Where nothing is
forgotten they covered that mean in 61 to 78 % of 100 trials with constant noise and a polynomial trend, and
in 24 to 66 % of 50 trials with fading noise and an autoregression.)

Without compression the residual is the channel noise that the model has taken up. Its rounds are
independent, and E‖r_t‖² = Σ_{s<t} E‖n_s‖², so R² = (1/T) Σ_s (T − 1 − s) E‖n_s‖² has an interval.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

import numpy as np

from empirical.observed.protocol import Evidence, Iterate
from empirical.statistics import unseen
from empirical.statistics.growth import growth_of
from empirical.statistics.intervals import Interval, mean_interval


@dataclass(frozen=True)
class Residual:
    """`growth`: exponent a of E‖r_t‖² ∝ t^a over the second half of the run; None: too few rounds to tell.
    `c`: the smallest over all rounds of the c of Lemma 1'(b); None: unknown, or any.
    """

    R2: Interval
    growth: Interval | None
    source: str
    c: Interval | None = None


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
        return Residual(Interval.exact(0.0, source), Interval.exact(0.0, "no residual"), source)
    if "residual_squared" in evidence.series:
        method = f"mean of ‖v_t − w̃_t‖² over all {evidence.T} rounds of this run"
        R2 = Interval.exact(float(before_T.mean()), method)
    else:
        R2 = mean_of_sums(evidence.series["noise_energy"][: evidence.T])
    c = smallest_c_of(evidence, "c_repaired")
    return Residual(R2, growth_of(before_T), source, c)


def mean_of_sums(steps: np.ndarray) -> Interval:
    """E of (1/T) Σ_{t<T} Σ_{s<t} y_s for T energies y_s, each counted as often as it is in a sum."""
    return mean_interval(np.arange(len(steps) - 1, -1.0, -1.0) * steps)


def _residual_series(evidence: Evidence) -> tuple[np.ndarray | None, str]:
    """‖r_0‖², …, ‖r_T‖² with r_0 = 0; None if a round is missing."""
    recorded = evidence.series.get("residual_squared")
    if recorded is not None and len(recorded) >= evidence.T:
        source, whole = "v_t − w̃_t, recorded every round", np.concatenate([[0.0], recorded])[: evidence.T + 1]
        if np.all(recorded <= _rounding(evidence, len(recorded))):
            return np.zeros_like(whole), f"{source}: rounding alone"
        return whole, source
    if evidence.config.get("algorithm", {}).get("name") == "fedavg":
        noise = evidence.series.get("noise_energy", np.zeros(evidence.T))
        total = np.concatenate([[0.0], np.cumsum(noise)])
        return total, "no compression: the channel noise that the model has taken up, E‖Σn‖² = ΣE‖n‖²"
    return None, ""


def _rounding(evidence: Evidence, rounds: int) -> np.ndarray:
    """The largest ‖r_t‖², t = 1, 2, …, where nothing is lost between the devices and the broadcast.

    v_t and the M tables are sums of t terms, and every mean has M. A sum of n terms is off by at most n − 1
    roundings of what it held on the way: ‖v_s‖, or the path Σ‖Δ_s‖ of the devices. 0 if these are not known.
    """
    held, moved = (evidence.series.get(name) for name in ("v_norm_squared", "update_norm_squared"))
    if held is None or moved is None or min(len(held), len(moved)) < rounds:
        return np.zeros(rounds)
    way = np.maximum.accumulate(np.sqrt(held[:rounds])) + np.cumsum(np.sqrt(moved[:rounds]))
    eps = float(np.finfo(evidence.config.get("dtype", "float32")).eps)
    return (2 * eps * (np.arange(1, rounds + 1) + evidence.model.M) * way) ** 2


@dataclass(frozen=True)
class Implied:
    """At round t: ‖r‖²/‖v‖², the exact ℓ2 tail τ_k/‖v‖, and the c of Lemma 1 (paper) and Lemma 1'(b).

    Each is computed from v_t and r_t: exact, up to rounding.
    """

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
    # Both are sums of at most len(v) squares, each rounded: a difference of that size is none.
    if ratio <= tail**2 * (1 + 2 * len(v) * np.finfo(float).eps):
        return Implied(iterate.t, ratio, tail, None, None)
    paper, repaired = (float(inverse_c(np.array([ratio]), tail, m)[0]) for m in ("c_paper", "c_repaired"))
    return Implied(iterate.t, ratio, tail, 1 / paper if paper else None, 1 / repaired if repaired else None)


def smallest_c(found: list[Implied], T: int, lemma: str) -> Interval | None:
    """The c with which the lemma's bound holds at every round, from those where v_t was kept.

    The smallest one seen is an upper limit, exact if v_t was kept at every round with t ≥ 1 (r_0 = 0 asks
    nothing of c); the lower one is for the rounds between. None: no round was seen, or any c will do.
    """
    inverse = np.array([1 / c if (c := getattr(each, lemma)) is not None else 0.0 for each in found])
    if not np.any(inverse):
        return None
    largest = unseen.largest(np.array([each.t for each in found]) - 1, inverse, T - 1)
    method = largest.method.replace("largest", "smallest").replace("upper end", "lower end")
    return Interval(1 / largest.estimate, 1 / largest.high, 1 / largest.low, method)


def smallest_c_of(evidence: Evidence, lemma: str) -> Interval | None:
    """The smallest c over all rounds: between certain limits where ‖v_t‖² was recorded, else forecast."""
    found, T = implied_constants(evidence), evidence.T
    residuals, norms = _residual_series(evidence)[0], evidence.series.get("v_norm_squared")
    complete = norms is not None and len(norms) >= T and bool(np.isfinite(norms[:T]).all())
    if residuals is None or norms is None or not complete or not found or evidence.k is None:
        return smallest_c(found, T, lemma)
    d, r2, v2 = len(evidence.iterates[0].w), residuals[1 : T + 1], norms[:T]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(r2 > 0, r2 / v2, 0.0)  # v = 0 and r ≠ 0: infinite, and no c but 0 will do
    low, high = inverse_c(ratios, math.sqrt(1 - min(evidence.k, d) / d), lemma), inverse_c(ratios, 0.0, lemma)
    for each in (one for one in found if one.t > 0):  # r_0 = 0 asks nothing of c
        c = getattr(each, lemma)
        low[each.t - 1] = high[each.t - 1] = 0.0 if c is None else 1 / c
    if not np.any(high):
        return None
    if low.max() == high.max():
        return Interval.exact(1 / float(high.max()), f"smallest of {T} rounds")
    method = (
        f"certain: v_t kept at {len(found)} of {T} rounds; at the others its norm and any tail it may have"
    )
    certain = 1 / float(high.max())
    if not np.any(low):  # perhaps any c will do: what surely does is the estimate
        return Interval(certain, certain, math.inf, f"{method}; no upper limit")
    smallest = 1 / float(low.max())
    return Interval(smallest, certain, smallest, method)


def inverse_c(ratios: np.ndarray, tail: float, lemma: str) -> np.ndarray:
    """1/c from ‖r‖²/‖v‖² and τ; it falls with τ, so the tails 0 and √(1 − k/d) give its limits."""
    above = ratios > tail**2
    if lemma == "c_paper":
        return np.where(above, ratios - tail**2, 0.0)
    # 5y² + 4τy + τ² − ratio = 0 with y = 1/√c
    return np.where(above, ((np.sqrt(np.maximum(5 * ratios - tail**2, 0.0)) - 2 * tail) / 5) ** 2, 0.0)


def drift(evidence: Evidence) -> Interval | None:
    """mean_m ‖w^{m,E} − w̃_t‖², averaged over rounds."""
    moved = evidence.series.get("update_norm_squared")
    if moved is None or len(moved) < 10:
        return None
    return mean_interval(moved)
