"""Verdicts: what each assumption demands, what was measured, and the figure that decides."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats

from empirical import powerlaw
from empirical.intervals import Interval

if TYPE_CHECKING:
    from empirical.estimate import Estimates

HOLDS, FAILS, CANNOT_TELL = "holds", "fails", "cannot tell"


@dataclass(frozen=True)
class Verdict:
    name: str
    demands: str
    measured: str
    verdict: str
    why: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def verdicts(e: Estimates) -> list[Verdict]:
    return [
        smoothness(e),
        noise(e),
        bias(e),
        power_law(e),
        dissimilarity(e),
        proximal_step(e),
        bounded_iterates(e),
        residual(e),
    ]


def show(interval: Interval, digits: int = 3) -> str:
    if interval.low == interval.high:
        return f"{interval.estimate:.{digits}g} (exact)"
    return f"{interval.estimate:.{digits}g} [{interval.low:.{digits}g}, {interval.high:.{digits}g}]"


def smoothness(e: Estimates) -> Verdict:
    L, pairs = e.constants.L, e.smoothness.pairs
    kinks = e.evidence.config.get("problem", {}).get("objective") == "mlp"
    measured = f"L = {show(L)}; neighbouring iterates need {pairs:.3g}"
    if not math.isfinite(L.high):
        return Verdict(
            "1 smoothness", "L < ∞", measured, CANNOT_TELL, "no upper limit from these Lanczos steps"
        )
    if kinks:
        why = "ReLU has kinks: L holds along this run, no finite L holds everywhere"
        return Verdict("1 smoothness", "L < ∞", measured, CANNOT_TELL, why)
    return Verdict(
        "1 smoothness", "L < ∞", measured, HOLDS, f"at the sampled rounds, L = {L.high:.3g} is enough"
    )


def noise(e: Estimates) -> Verdict:
    c = e.constants
    demands = "E ζ = 0, E‖ζ‖² ≤ P_n‖∇l_m‖² + σ²"
    measured = f"P_n = {show(c.P_n)}, σ² = {show(c.sigma2)}"
    if e.evidence.without_replacement:
        why = "epochs sample without replacement: E[ζ | past] ≠ 0 within a round"
        return Verdict("2 noise", demands, measured, FAILS, why)
    why = f"the pair ({c.P_n.high:.3g}, {c.sigma2.high:.3g}) covers all {len(e.device)} sampled points"
    return Verdict("2 noise", demands, measured, HOLDS, why)


def bias(e: Estimates) -> Verdict:
    """P_b B² < 1 is what the repaired theory needs, and it is necessary."""
    c = e.constants
    low, high = c.P_b.low * c.B.low**2, c.P_b.high * c.B.high**2
    demands = "‖β‖² ≤ P_b‖∇l_m‖² + b², P_b B² < 1"
    measured = f"P_b = {show(c.P_b)}, b² = {show(c.b2)}, P_b B² = {high:.3g}"
    if e.evidence.unbiased:
        seen = e.bias_measured[1]
        measured += f" (0 by construction; replicates alone: b² in [{seen.low:.3g}, {seen.high:.3g}])"
    if high < 1:
        return Verdict("3 bias", demands, measured, HOLDS, f"P_b B² ≤ {high:.3g} < 1")
    verdict = FAILS if low >= 1 else CANNOT_TELL
    return Verdict("3 bias", demands, measured, verdict, f"P_b B² in [{low:.3g}, {high:.3g}]")


def power_law(e: Estimates) -> Verdict:
    limit = min(powerlaw.envelope(v) for v in e.gradients.aggregated)
    demands = "|g|_(i) = i^-p‖g‖, p > 1"
    measured = f"p = {show(e.p)}; |g|_(i) ≤ i^-p‖g‖ up to p = {limit:.3g}; fit p-value {e.fit.goodness:.2g}"
    if limit <= 1:
        why = f"no p > {limit:.3g} bounds all sorted coordinates"
        return Verdict("4 power law", demands, measured, FAILS, why)
    if e.p.high <= 1 or e.fit.goodness < 0.05:
        why = f"p ≤ {e.p.high:.3g}" if e.p.high <= 1 else "a power law does not fit the tail"
        return Verdict(
            "4 power law", demands, measured, FAILS, f"{why}; the inequality holds with p = {limit:.3g}"
        )
    verdict = HOLDS if e.p.low > 1 else CANNOT_TELL
    return Verdict(
        "4 power law", demands, measured, verdict, "as an inequality (equality is impossible for d > 1)"
    )


def dissimilarity(e: Estimates) -> Verdict:
    """Along a run B(w) stays finite; whether it is bounded as ‖∇f‖ → 0 shows in its trend."""
    spread = e.dissimilarity
    inside = spread.x > 0
    epsilon, largest = float(spread.x[inside].min()), spread.on_level(0.0)
    demands = "mean‖∇l_m‖² ≤ B²‖∇f‖² on S_ε; repaired: ≤ G² + B²‖∇f‖²"
    c = e.constants
    measured = f"B(w) ≤ {largest:.3g} for ε = {epsilon:.3g}; (B, G²) = ({c.B.high:.3g}, {c.G2.high:.3g})"
    if not inside.all():
        return Verdict(
            "5 dissimilarity", demands, measured, FAILS, "‖∇f‖ = 0 at a measured round: B(w) = ∞ there"
        )
    correlation = float(stats.spearmanr(spread.x, spread.B).statistic) if np.ptp(spread.B) > 0 else 0.0
    grows = correlation < -0.5
    why = f"B(w) grows as ‖∇f‖ falls (rank correlation {correlation:.2f}): only with this ε" if grows else ""
    why = why or "at every measured round"
    return Verdict("5 dissimilarity", demands, measured, HOLDS, why)


def proximal_step(e: Estimates) -> Verdict:
    product = e.scale.gamma * e.scale.mu
    verdict = HOLDS if product <= 1 or e.scale.E == 1 else FAILS
    return Verdict("A4 (repaired)", "γμ ≤ 1", f"γμ = {product:.3g}", verdict, f"γμ = {product:.3g}")


def bounded_iterates(e: Estimates) -> Verdict:
    """‖w‖² ≤ W for all t: a run that still grows at its end shows no bound."""
    norms = e.evidence.series.get("w_norm_squared")
    measured = f"largest ‖w̃_t‖² = {e.W.estimate:.3g}"
    if norms is None or len(norms) < 10:
        return Verdict("iterates", "‖w̃_t‖² ≤ W", measured, CANNOT_TELL, "not recorded every round")
    late = norms[len(norms) // 2 :]
    growth = float(late[-1] / late[0]) if late[0] > 0 else math.inf
    if growth > 1.1 and late[-1] >= 0.99 * norms.max():
        why = f"‖w̃‖² still grows: x{growth:.3g} over the second half of the run"
        return Verdict("iterates", "‖w̃_t‖² ≤ W", measured, CANNOT_TELL, why)
    return Verdict(
        "iterates", "‖w̃_t‖² ≤ W", measured, HOLDS, f"x{growth:.3g} over the second half of the run"
    )


def residual(e: Estimates) -> Verdict:
    demands = "R² finite; for T → ∞, bounded"
    if e.residual is None:
        why = "the run kept no v_t (record.verify = true, or --replay)"
        return Verdict("sketch residual", demands, "not recorded", CANNOT_TELL, why)
    R2, growth = e.residual.R2, e.residual.growth
    measured = f"R² = {show(R2)}, ‖r_t‖² ∝ t^{growth:.2g}"
    if growth > 0.5:
        why = f"it grows like t^{growth:.2g}: Theorem A is a statement about this T only"
        return Verdict("sketch residual", demands, measured, FAILS, why)
    return Verdict("sketch residual", demands, measured, HOLDS, f"growth exponent {growth:.2g}")
