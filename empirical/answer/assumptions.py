"""Verdicts: what each assumption demands, what was measured, and the figure that decides."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from empirical.answer import bias_and_noise as errors
from empirical.answer.compare import remedy
from empirical.answer.verdict import BOUND, CANNOT_TELL, FAILS, HOLDS, PAPER, REPAIRED, WIDE, Verdict, show
from empirical.constants import powerlaw
from empirical.statistics.growth import FEWEST_POINTS, LEAST_SPAN, power_of
from fpsverify.algorithms.base import sampling_noise
from fpsverify.report.page import lower_end, upper_end

if TYPE_CHECKING:
    from empirical.answer.estimate import Estimates


LONGER = "run longer or look at more"
MATTERS = 1.1  # times over the run: less growth is not told from none
GROWTH = 0.5  # exponent of ‖r_t‖²: half way between bounded and accumulating


def verdicts(e: Estimates) -> list[Verdict]:
    """Each with whose rates and which constants rest on it."""
    paper = [replace(v, serves=PAPER) for v in errors.global_readings(e)]
    return [
        replace(smoothness(e), constants=("L",), condition="smooth"),
        replace(errors.device_noise(e), constants=("P_n", "sigma2"), condition="noise"),
        replace(errors.device_bias(e), constants=("P_b", "b2"), condition="bias"),
        *paper,
        replace(power_law(e), serves=PAPER, constants=("p",)),
        replace(dissimilarity(e), serves=PAPER),
        replace(dissimilarity_repaired(e), serves=REPAIRED, constants=("B", "G2"), condition="differences"),
        replace(proximal_step(e), serves=REPAIRED, condition="proximal step"),
        replace(bounded_iterates(e), serves=PAPER, constants=("W",)),
        replace(residual(e), serves=BOUND, constants=("R2",)),
        *(replace(each, condition="everyone") for each in participation(e)),
    ]


def smoothness(e: Estimates) -> Verdict:
    L, kink = e.constants.L, e.smoothness.kink
    name, demands = "1 smoothness", "L < ∞"
    lines = f"{e.smoothness.pair_count} straight lines between points of the run"
    measured = f"L = {show(L)}; {lines} need {e.smoothness.pairs:.3g}"
    if kink is not None:
        why = (
            f"a kink: after round {kink.t}, ∇l of device {kink.device} jumps by {kink.jump:.3g} within "
            f"{kink.distance:.2g}, so no L holds there. L = {lower_end(L.estimate)} is the largest curvature "
            "seen between kinks, and says nothing of a step across one. A smooth activation (tanh, SiLU, "
            "GELU) in place of ReLU has no kinks: L then exists wherever the weights stay bounded"
        )
        return Verdict(name, demands, measured, FAILS, why)
    if not math.isfinite(L.high):
        return Verdict(
            name, demands, measured, CANNOT_TELL, "too few products with the Hessian for an upper limit"
        )
    if e.evidence.config.get("problem", {}).get("objective") == "mlp":
        why = "ReLU has kinks; none was met between points of the run, so L holds there and not everywhere"
        return Verdict(name, demands, measured, CANNOT_TELL, why)
    if L.high > WIDE * L.estimate:
        more = remedy(["L"], e.constants.looks, e.scale.T, e.spelling)
        why = f"the upper end is {L.high / L.estimate:.3g} times the largest L seen; {more}"
        return Verdict(name, demands, measured, CANNOT_TELL, why)
    return Verdict(name, demands, measured, HOLDS, f"along this run L = {upper_end(L.high)} is enough")


def power_law(e: Estimates) -> Verdict:
    limit = min(powerlaw.envelope(v) for v in e.gradients.aggregated)
    demands, law = "|g|_(i) = i^-p‖g‖, p > 1", e.rank_law
    fitted = f"p = {show(law.p)}; fit p-value {law.fit.goodness:.2g}; " if law else ""
    measured = f"{fitted}|g|_(i) ≤ i^-p‖g‖ up to p = {limit:.3g}"
    if limit <= 1:
        why = f"it asks for p > 1, and no p > {limit:.3g} bounds all sorted coordinates of the gradient"
        return Verdict("4 power law", demands, measured, FAILS, why)
    if law is None:
        why = f"to estimate p, more than {powerlaw.FEWEST_IN_TAIL} coordinates must differ and not be 0"
        return Verdict("4 power law", demands, measured, CANNOT_TELL, why)
    if law.p.high <= 1 or law.fit.goodness < 0.05:
        why = f"p ≤ {law.p.high:.3g}" if law.p.high <= 1 else "a power law does not fit the tail"
        return Verdict(
            "4 power law", demands, measured, FAILS, f"{why}; the inequality holds with p = {limit:.3g}"
        )
    verdict = HOLDS if law.p.low > 1 else CANNOT_TELL
    return Verdict(
        "4 power law", demands, measured, verdict, "as an inequality (equality is impossible for d > 1)"
    )


def dissimilarity(e: Estimates) -> Verdict:
    """The paper's form, G = 0: B(w) must stay bounded as ‖∇f‖ → 0, else it holds on S_ε only."""
    spread = e.dissimilarity
    inside = spread.x > 0
    epsilon, largest = float(spread.x[inside].min()), spread.on_level(0.0)
    name, demands = "5 dissimilarity (paper, G = 0)", "mean‖∇l_m‖² ≤ B²‖∇f‖²"
    measured = f"B = {largest:.3g} is enough where ‖∇f‖² ≥ {epsilon:.3g}, {spread.scope}"
    if not inside.all():
        return Verdict(name, demands, measured, FAILS, "‖∇f‖ = 0 at a measured round, where no B is enough")
    power = power_of(spread.x, spread.B**2)
    if power is None:
        why = _too_little_change(spread.x)
        return Verdict(name, demands, measured, CANNOT_TELL, why)
    if power.slope.high < 0 and power.change > MATTERS:
        why = (
            f"as ‖∇f‖² falls, the B² that is needed grows like ‖∇f‖² to the power {show(power.slope)}: no B "
            "is enough near a minimum"
        )
        return Verdict(name, demands, measured, FAILS, why)
    why = f"B² changes like ‖∇f‖² to the power {show(power.slope)}"
    if power.slope.high < 0 or power.span**-power.slope.low > MATTERS:
        return Verdict(name, demands, measured, CANNOT_TELL, f"{why}: it may grow as ‖∇f‖ falls; {LONGER}")
    return Verdict(name, demands, measured, HOLDS, f"{why}: no growth as ‖∇f‖ fell in this run")


def dissimilarity_repaired(e: Estimates) -> Verdict:
    """With G² some pair covers any finite run; none covers D² that grows faster than ‖∇f‖² where that is
    large.
    """
    c, spread = e.constants, e.dissimilarity
    name = "5 dissimilarity (repaired)"
    demands = "mean‖∇l_m‖² ≤ G² + B²‖∇f‖² for every ‖∇f‖"
    measured = f"B = {upper_end(c.B.high)}, G² = {upper_end(c.G2.high)}, {spread.scope}"
    if not math.isfinite(c.G2.high):
        more = remedy(["G2"], len(spread.x), spread.T, e.spelling)
        return Verdict(name, demands, measured, CANNOT_TELL, f"no upper end of G²: {more}")
    if (allowed := float(c.G2.high + c.B.high**2 * spread.x.max()) / float(spread.D2.max())) > WIDE:
        more = remedy(["G2"], len(spread.x), spread.T, e.spelling)
        why = f"B and G² allow {allowed:.3g} times the largest mean‖∇l_m‖² seen; {more}"
        return Verdict(name, demands, measured, CANNOT_TELL, why)
    top = upper_part(spread.x)
    power = power_of(spread.x[top], spread.D2[top])
    if power is None:
        why = _too_little_change(spread.x[top])
        return Verdict(name, demands, measured, CANNOT_TELL, why)
    grows = f"mean‖∇l_m‖² grows like ‖∇f‖² to the power {show(power.slope)}"
    if power.slope.low > 1 and power.span ** (power.slope.estimate - 1) > MATTERS:
        why = f"{grows}: no B and G² are enough beyond the largest ‖∇f‖² of this run, {spread.x.max():.3g}"
        return Verdict(name, demands, measured, FAILS, why)
    if power.slope.low > 1 or power.span ** (power.slope.high - 1) > MATTERS:
        why = f"{grows}, which may be above 1: then no B and G² are enough for larger ‖∇f‖; {LONGER}"
        return Verdict(name, demands, measured, CANNOT_TELL, why)
    where = "at every round" if spread.every_round else "with a margin for the rounds between"
    why = f"{where}; {grows}: not faster than the power 1, up to the largest ‖∇f‖² of this run"
    return Verdict(name, demands, measured, HOLDS, why)


def _too_little_change(x: np.ndarray) -> str:
    positive = x[x > 0]
    span = float(positive.max() / positive.min()) if len(positive) else 1.0
    return (
        f"‖∇f‖² changes by a factor {span:.3g} over {len(positive)} rounds; what the devices do as it falls "
        f"shows from a factor {LEAST_SPAN:g} and {FEWEST_POINTS} rounds on: {LONGER}"
    )


def upper_part(x: np.ndarray) -> np.ndarray:
    """The half with the largest gradients, at least as many rounds as a power is fitted to, in order."""
    most = max(FEWEST_POINTS, len(x) // 2)
    return np.sort(np.argsort(-x, kind="stable")[:most])


def proximal_step(e: Estimates) -> Verdict:
    product, step = e.scale.gamma * e.scale.mu, e.evidence.config.get("local", {}).get("mu_step")
    if step is not None and e.scale.E > 1:
        why = f"mu follows the loss in steps of {step:g}: the theorems are for one mu"
        return Verdict("proximal step", "γμ ≤ 1, μ fixed", f"γμ = {product:.3g} at the start", FAILS, why)
    verdict = HOLDS if product <= 1 or e.scale.E == 1 else FAILS
    return Verdict("proximal step", "γμ ≤ 1", f"γμ = {product:.3g}", verdict, f"γμ = {product:.3g}")


def participation(e: Estimates) -> list[Verdict]:
    """Only said where some devices rest: what is proved is proved for rounds of all M devices."""
    M, n = e.scale.M, e.evidence.per_round
    channel = e.evidence.config.get("channel", {})
    if channel.get("kind") == "rayleigh" and channel.get("gain_threshold", 0) > 0:
        why = "the ranges and the bound are proved for rounds of all devices; with fading some stay silent"
        return [Verdict("all devices take part", "all are heard", "fading", FAILS, why)]
    if n is None or n >= M:
        return []
    share = sampling_noise(M, n)
    why = (
        f"the ranges and the bound are proved for n = M; drawing {n} of {M} adds {share:.3g} of the variance "
        f"between devices as noise, at most {share * e.constants.G2.estimate:.3g} beside σ² where E = 1; "
        f"the rows of Theorem A count it, and the noise of {n} devices"
    )
    return [Verdict("full participation", "n = M", f"n = {n}, M = {M}", FAILS, why)]


def bounded_iterates(e: Estimates) -> Verdict:
    """‖w‖² ≤ W for all t: a run that still grows at its end shows no bound."""
    norms = e.evidence.series.get("w_norm_squared")
    measured = f"largest ‖w̃_t‖² = {upper_end(e.W.estimate)}"
    if norms is None or len(norms) < 10:
        return Verdict("iterates", "‖w̃_t‖² ≤ W", measured, CANNOT_TELL, "not recorded every round")
    if explodes(norms):
        why = f"‖w̃‖² grows geometrically, to {norms[-1]:.3g}: no W holds if the run goes on like this"
        return Verdict("iterates", "‖w̃_t‖² ≤ W", measured, FAILS, why)
    moved = norms - norms[0]  # or a large start would hide any growth
    middle, last = float(moved[len(moved) // 2]), float(moved[-1])
    growth = last / middle if middle > 0 else math.inf if last > 0 else 1.0
    if growth > MATTERS and last >= 0.99 * moved.max():
        why = "‖w̃‖² still grew in the second half of the run: run longer"
        return Verdict("iterates", "‖w̃_t‖² ≤ W", measured, CANNOT_TELL, why)
    why = "‖w̃‖² hardly grew in the second half of the run"
    return Verdict("iterates", "‖w̃_t‖² ≤ W", measured, HOLDS, why)


def explodes(norms: np.ndarray) -> bool:
    """By at least half in each of the last two quarters, and in the last by no smaller factor.

    Steady growth has equal factors, so rounding must not decide. See `growth_error`.
    """
    quarter = len(norms) // 4
    first, second, third = (float(norms[-1 - i * quarter]) for i in (2, 1, 0))
    if first <= 0 or second <= 0:
        return False
    slack = 1 - growth_error(quarter)
    factor = second / first
    return factor >= 1.5 * slack and third / second >= factor * slack


def growth_error(rounds: int) -> float:
    """How far rounding moves the quotient of two growth factors of ‖w̃‖², each over so many rounds.

    A round stores w̃ in float32 (or better): each coordinate is off by a share u = 2⁻²⁴, its square by 2u.
    Both factors together collect this 2·rounds times: 4·rounds·u. The sum of d squares in float64 is off by a
    share d·2⁻⁵³, at most u for d ≤ 2²⁹; it enters the quotient 4 times: 4u.
    """
    return 4 * (rounds + 1) * 2.0**-24


def residual(e: Estimates) -> Verdict:
    demands = "R² finite; for T → ∞, bounded"
    if e.residual is None:
        why = f"the run kept no exact model behind the sketch ({e.spelling.verify}, or {e.spelling.replay})"
        return Verdict("sketch residual", demands, "not recorded", CANNOT_TELL, why)
    R2, growth, c = e.residual.R2, e.residual.growth, e.residual.c
    measured = f"R² = {show(R2)} of this run"
    if growth is None:
        return Verdict("sketch residual", demands, measured, CANNOT_TELL, "too few rounds to see its growth")
    measured += f", ‖r_t‖² ∝ t^a, a = {show(growth)}" + (
        f", sketch size factor c of Lemma 1' = {show(c)}" if c else ""
    )
    if growth.low > GROWTH:
        why = f"‖r_t‖² grows like t^a, a > {growth.low:.2g}: Theorem A speaks of this run's rounds only"
        return Verdict("sketch residual", demands, measured, FAILS, why)
    if growth.high <= GROWTH:
        why = (
            f"‖r_t‖² grows like t^a, a ≤ {growth.high:.2g}: nearer to a bounded residual (0) than to one "
            "that accumulates (1)"
        )
        return Verdict("sketch residual", demands, measured, HOLDS, why)
    why = (
        f"‖r_t‖² grows like t^a; a may be on either side of {GROWTH:g}, half way from bounded (0) to "
        "accumulating (1)"
    )
    return Verdict("sketch residual", demands, measured, CANNOT_TELL, why)
