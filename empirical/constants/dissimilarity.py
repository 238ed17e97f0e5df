"""B(w) of Definition 2 along the run, and (G, B) of the repaired theory's A3.

D² = mean_m‖∇l_m(w̃_t)‖², x = ‖∇f(w̃_t)‖²: B(w)² = D²/x, and A3 asks D² ≤ G² + B²x. Where x → 0 on devices
that disagree, B(w) → ∞ while D² stays; Assumption 5 therefore speaks of S_ε = {x > ε} only, and (G, B) of
every point. The full gradients are exact, so at the measured rounds nothing here is left to chance; where
only some rounds were measured, G² has an upper end for the rounds between them (`unseen.py`) that goes with
the chosen B.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from empirical.observed.protocol import Evidence
from empirical.statistics import unseen
from empirical.statistics.frontier import Pair, frontier
from empirical.statistics.intervals import LEVEL, Interval, ratio_interval
from fpsverify.errors import FpsError


@dataclass(frozen=True)
class Dissimilarity:
    """x and D² per measured round of T + 1, every device counted alike (f is their plain mean)."""

    t: np.ndarray
    x: np.ndarray
    D2: np.ndarray
    T: int

    @property
    def every_round(self) -> bool:
        return len(self.x) == self.T + 1

    @property
    def scope(self) -> str:
        return f"{len(self.x)} of {self.T + 1} rounds"

    @property
    def B(self) -> np.ndarray:
        """B(w_t), infinite where the gradient is 0."""
        with np.errstate(divide="ignore"):
            return np.sqrt(np.divide(self.D2, self.x, out=np.full_like(self.x, np.inf), where=self.x > 0))

    def frontier(self) -> list[Pair]:
        """(B², G²) with B ≥ 1 that hold at every measured round."""
        above = frontier(self.x, np.maximum(self.D2 - self.x, 0.0))
        return [Pair(1.0 + pair.P, pair.s2) for pair in above]

    def intervals(self, pair: Pair) -> tuple[Interval, Interval]:
        """(B, G²) for a pair of the frontier: B is a choice, G² what it leaves over."""
        B = float(np.sqrt(pair.P))
        if self.every_round:
            how = f"all {self.T + 1} rounds"
            return Interval.exact(B, how), Interval.exact(pair.s2, how)
        # Half of the error is left for the choice of B, which was made on the same rounds.
        left = unseen.largest_excess(self.t, self.D2, self.x, pair.P, self.T, 1 - (1 - LEVEL) / 2)
        G2 = Interval(pair.s2, pair.s2, max(left.high, pair.s2), left.method)
        return Interval(B, B, B, f"chosen at {self.scope}; G² has the margin for the others"), G2

    def on_level(self, epsilon: float) -> float:
        """The smallest B for all measured points of S_ε."""
        inside = self.x > epsilon
        return float(self.B[inside].max()) if inside.any() else 1.0

    def typical(self) -> Interval:
        """B of the average round, √(mean D² / mean x)."""
        if len(self.x) < 10 or not np.any(self.x):
            value = float(np.sqrt(self.D2.mean() / self.x.mean()))
            return Interval.exact(value, f"{len(self.x)} rounds, too few for an interval")
        return ratio_interval(self.D2, self.x).map(lambda r: float(np.sqrt(max(r, 0.0))))


def measure(evidence: Evidence) -> Dissimilarity:
    """From every recorded round where the run was verified, else from the sampled iterates."""
    x, D2 = (evidence.series.get(name) for name in ("grad_norm_squared", "device_grad_norm_squared"))
    if x is not None and D2 is not None and len(x) == len(D2) == evidence.T + 1:
        found = Dissimilarity(np.arange(len(x)), x, D2, evidence.T)
    else:
        found = _at_iterates(evidence)
    _refuse_useless(found.x)
    return found


def weighted(evidence: Evidence) -> list[float]:
    """B(w) at the sampled iterates if devices counted by their number of rows (the model's `sizes`)."""
    sizes = getattr(evidence.model, "sizes", None)
    if sizes is None:
        return []
    share = np.array(sizes) / sum(sizes)
    found = []
    for iterate in evidence.iterates:
        g = evidence.model.full_gradients(iterate.w.expand(evidence.model.M, -1)).double().cpu().numpy()
        x = float(np.sum((share @ g) ** 2))
        found.append(float(np.sqrt(share @ np.sum(g**2, axis=1) / x)) if x > 0 else np.inf)
    return found


def _at_iterates(evidence: Evidence) -> Dissimilarity:
    t, x, D2 = [], [], []
    for iterate in evidence.iterates:
        g = evidence.model.full_gradients(iterate.w.expand(evidence.model.M, -1)).double()
        t.append(iterate.t)
        x.append(float(g.mean(0).square().sum()))
        D2.append(float(g.square().sum(1).mean()))
    return Dissimilarity(np.array(t), np.array(x), np.array(D2), evidence.T)


def _refuse_useless(x: np.ndarray) -> None:
    if not np.all(np.isfinite(x)):
        raise FpsError("a full gradient is not finite: the run diverged")
    if not np.any(x > 0):
        raise FpsError("the gradient of f is 0 at every measured round: no constant can be estimated from it")
    # Two full passes in float32 agree to about √rows·2⁻²⁴ < 1e-5 of the norm; less spread is rounding.
    if np.ptp(x) <= 1e-5 * x.max() and len(x) > 1:
        raise FpsError(
            "the gradient norm is the same at every measured round: relative (P) and absolute (σ², b², G²) "
            "parts cannot be told apart; take a run that moves"
        )
