"""Verdicts on noise and bias: of each device's gradient (repaired theory) and of the received one (paper).

Any finite set of biases is covered by P_b = 0 and a large enough b². Such a b² says nothing once it is as
large as the gradients themselves, for then g = 0 would be allowed too. So b² may be at most the mean of
‖∇‖² over the points, and the verdict is about the P_b that is needed beside it: the theory needs P_b B² < 1
(B = 1 for the received gradient, whose bias is relative to ‖∇f‖), and that is necessary.

Likewise any finite set of noise energies is covered. What no pair covers is noise without a variance, which
shows in the tail of its replicates, and noise that depends on the past.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from empirical.answer.compare import remedy
from empirical.answer.verdict import CANNOT_TELL, FAILS, HOLDS, WIDE, Verdict, show
from empirical.constants.pairs import Cloud, bias_cloud, noise_cloud, pair_intervals
from empirical.observed.replicates import Energies
from empirical.statistics.growth import tail_index
from empirical.statistics.intervals import LEVEL
from fpsverify.report.page import upper_end

if TYPE_CHECKING:
    from empirical.answer.estimate import Estimates


def needed_relative_part(cloud: Cloud) -> tuple[float, float, float]:
    """(b², low, high): the largest b² that says something, and limits of the P that is needed beside it.

    The limits of all points hold at once (Bonferroni), so both are safe for the largest quotient.
    """
    positive = cloud.x > 0
    b2, x = float(cloud.x.mean()), cloud.x[positive]
    c = float(stats.t.ppf(1 - (1 - LEVEL) / 2 / len(cloud.x), cloud.n - 1))
    low, high = (float(np.max((cloud.bounds(side)[positive] - b2) / x)) for side in (-c, c))
    return b2, max(low, 0.0), max(high, 0.0)


def device_bias(e: Estimates) -> Verdict:
    c = e.constants
    demands = "‖β‖² ≤ P_b‖∇l_m‖² + b², P_b B² < 1, b² ≤ mean‖∇l_m‖²"
    measured = f"chosen pair P_b = {show(c.P_b)}, b² = {show(c.b2)}"
    if c.b2.method.startswith("exact"):
        seen = e.bias_measured[1]
        measured += f" (0 by construction; replicates alone: b² in [{seen.low:.3g}, {seen.high:.3g}])"
        return Verdict("3 bias", demands, measured, HOLDS, f"{e.evidence.unbiased}: E[g | past] = ∇l_m")
    return _judged_bias("3 bias", demands, measured, bias_cloud(e.device), (c.B.low, c.B.high))


def _judged_bias(
    name: str, demands: str, measured: str, cloud: Cloud, B: tuple[float, float] = (1.0, 1.0)
) -> Verdict:
    b2, low, high = needed_relative_part(cloud)
    low, high = low * B[0] ** 2, high * B[1] ** 2
    why = (
        f"with the largest b² that is allowed, the mean ‖∇‖² = {b2:.3g}, the bias needs a relative part "
        f"P_b B² of {_between(low, high)}, which must be below 1"
    )
    verdict = FAILS if low >= 1 else HOLDS if high < 1 else CANNOT_TELL
    return Verdict(name, demands, measured, verdict, why)


def _between(low: float, high: float) -> str:
    return f"{low:.3g}" if f"{low:.3g}" == f"{high:.3g}" else f"{low:.3g} to {high:.3g}"


def device_noise(e: Estimates) -> Verdict:
    c = e.constants
    demands = "E[ζ | past] = 0, E‖ζ‖² ≤ P_n‖∇l_m‖² + σ²"
    measured = f"P_n = {show(c.P_n)}, σ² = {show(c.sigma2)}"
    if e.evidence.without_replacement:
        why = "epochs sample without replacement: E[ζ | past] ≠ 0 within a round"
        return Verdict("2 noise", demands, measured, FAILS, why)
    more = remedy(["sigma2"], c.looks, e.scale.T, e.spelling)
    return _judged_noise("2 noise", demands, measured, e.device, (c.P_n.high, c.sigma2.high), more)


def _judged_noise(
    name: str,
    demands: str,
    measured: str,
    energies: Energies,
    pair: tuple[float, float],
    instead: str = "too few replicates",
) -> Verdict:
    """`instead`: what would give the pair an upper limit if it has none."""
    alpha = tail_index(energies.sizes)
    if alpha is not None and alpha.low < 1:
        tail = f"P(‖ζ‖² > y) falls like y^-α, α = {show(alpha)}: "
        if alpha.high < 1:
            return Verdict(name, demands, measured, FAILS, f"{tail}E‖ζ‖² = ∞, so no P_n and σ² are enough")
        return Verdict(name, demands, measured, CANNOT_TELL, f"{tail}a variance is not certain")
    if not all(map(math.isfinite, pair)):
        return Verdict(name, demands, measured, CANNOT_TELL, f"no upper limit: {instead}")
    seen = float(np.max(energies.noise))
    allowed = pair[0] * float(energies.x.max()) + pair[1]
    if allowed > WIDE * seen > 0:
        why = f"P_n and σ² allow {allowed / seen:.3g} times the largest E‖ζ‖² seen: {instead}"
        return Verdict(name, demands, measured, CANNOT_TELL, why)
    shown = f"P_n = {upper_end(pair[0])} and σ² = {upper_end(pair[1])}"
    why = f"{shown} cover the noise at all {len(energies)} points sampled"
    return Verdict(name, demands, measured, HOLDS, why)


def global_readings(e: Estimates) -> list[Verdict]:
    """The paper's: all error of the gradient that the server receives, relative to ‖∇f‖², stage by stage."""
    found = []
    for stage, energies in e.lumped.items():
        noise, bias = noise_cloud(energies), bias_cloud(energies)
        P_n, sigma2 = pair_intervals(noise, noise.frontier()[0])
        b2 = pair_intervals(bias, bias.frontier()[0])[1]
        where = f"at the {len(np.unique(energies.t))} sampled rounds, without a margin for the others"
        found += [
            _judged_noise(
                f"2 noise, {stage} gradient (paper)",
                "E‖ζ_t‖² ≤ P_n‖∇f‖² + σ²",
                f"P_n = 0, σ² = {show(sigma2)}, {where}",
                energies,
                (P_n.high, sigma2.high),
            ),
            _judged_bias(
                f"3 bias, {stage} gradient (paper)",
                "‖β_t‖² ≤ P_b‖∇f‖² + b², P_b < 1, b² ≤ mean‖∇f‖² (its range even needs 6E²P_bB² < 1)",
                f"with P_b = 0: b² = {show(b2)}; mean‖∇f‖² = {energies.x.mean():.3g}; {where}",
                bias,
            ),
        ]
    return found
