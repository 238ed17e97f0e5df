"""Whole runs against Theorem 1 as stated: small rational quadratics, every stated assumption checked.

Each family leaves one mechanism free. The blame is pinned: with the appendix's step conditions met, with ρ
put back on the left, or with a negative tail read as 0.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from benchmarks.search.dropped import plain
from benchmarks.search.hunting import inner_shares, positive, tenth_powers, whole
from theory.counterexamples import assumption_checks as check
from theory.counterexamples.exact_runs import ExactRun
from theory.counterexamples.exact_sketch import Vector, spread_out
from theory.counterexamples.federated import Problem, Quadratic, Run, outcomes
from theory.counterexamples.printed import PrintedParameters, gamma_range, rho, right_side
from theory.counterexamples.refutation import EVERY, NOT_THE_SUM, Story

ZERO = Fraction(0)
MOST_ROUNDS = 20
lost_shares = st.one_of(st.just(ZERO), st.integers(3, 12).map(lambda n: Fraction(1, n)))
small_bias = st.integers(7, 100).map(lambda n: Fraction(1, n))  # 6 P_b < 1, so that the range is not empty


def exact_run(
    q: PrintedParameters, devices: tuple[Quadratic, ...], start: Vector, reading: str = EVERY, **errors: Any
) -> ExactRun:
    """W is read off the run; the sketch has ck·ln(dT/δ) buckets, as Lemma 1 asks, and no collisions."""
    rounds = math.ceil(math.log(q.d * q.T / q.delta) / math.log(2.718)) + 1
    columns = math.ceil(q.c * q.k * rounds / 5) + q.d  # in each of five rows
    found = ExactRun(Story("found", "", "", reading), q, devices, start, columns, **errors)
    problem, sketch = Problem(devices), spread_out(1, columns, q.d)
    played = outcomes(problem, q, start, sketch, found.law, found.bias, found.persistent)
    runs = [run for _, run in played]
    fitted = similar(problem, q, runs) if len(devices) > 1 else q
    return replace(found, parameters=replace(fitted, W=check.bounded_iterates(runs, q).value))


def similar(problem: Problem, q: PrintedParameters, runs: list[Run]) -> PrintedParameters:
    """ε and B are the best that Assumption 5 allows along the runs."""
    points = [w for run in runs for w in (*run.broadcast, *(step.iterate for step in run.steps))]
    least = min(abs(problem.gradient(w)[0]) for w in points)
    q = replace(q, epsilon=(least / 2) ** 2 or Fraction(1))
    B2 = max(item.value for item in check.dissimilarity(problem, q)[1:])
    return replace(q, B=Fraction(math.isqrt(math.ceil(B2)) + 1))


def describe(run: ExactRun) -> dict[str, str]:
    """The run in words: devices, start and every constant."""
    shown = {"devices": "; ".join(map(shape, run.devices)), "w_0": plain(run.start)}
    shown |= {name: str(value) for name, value in vars(run.parameters).items()}
    noise = ", ".join(f"{plain(value)} with probability {p}" for p, value in run.law if value)
    errors = {"bias": f"{run.bias}·gradient"} if run.bias else {"noise": noise} if noise else {}
    return shown | errors


def shape(device: Quadratic) -> str:
    along = f", along {plain(device.along)}" if device.along else ""
    return f"curvature {plain(device.curvature)}, centre {plain(device.centre)}{along}"


def line(curvature: Fraction, centre: Fraction = ZERO) -> Quadratic:
    return Quadratic((curvature,), (centre,))


@st.composite
def constants(
    draw: st.DrawFn, P_b: st.SearchStrategy[Fraction] = small_bias, E: int = 1
) -> PrintedParameters:
    """γ = 1/n inside the printed range at B = 1; L is 1 until a family chooses it."""
    blank = PrintedParameters(
        L=Fraction(1), gamma=Fraction(1), T=draw(st.integers(1, MOST_ROUNDS)), W=Fraction(1),
        c=draw(tenth_powers), P_b=draw(P_b), E=E,
    )  # fmt: skip
    least = math.ceil(1 / gamma_range(blank))
    return replace(blank, gamma=Fraction(1, least + draw(st.integers(0, 100))))


def moderate(q: PrintedParameters) -> st.SearchStrategy[Fraction]:
    """Whole L, first the largest that both step conditions of the appendix allow.

    γ ≤ 1/12 leaves room for 1, and the lemma's condition 4γEΛA ≤ 1 implies 2γΛ ≤ 1.
    """
    most = max(1, math.floor(1 / (4 * q.gamma * q.E * q.amplification)))
    return st.integers(0, most - 1).map(lambda less: Fraction(most - less))


# ---------------------------------------------------------------- families


@st.composite
def steep(draw: st.DrawFn) -> ExactRun:
    """One device, exact gradients, L up to 2/γ."""
    q = draw(constants())
    q = replace(q, L=Fraction(draw(st.integers(1, math.floor(2 / q.gamma)))))
    return exact_run(q, (line(q.L),), (draw(positive),))


@st.composite
def biased(draw: st.DrawFn) -> ExactRun:
    """One device, bias −s∇f with s² ≤ P_b, L within the appendix's conditions."""
    s = draw(lost_shares)
    q = draw(constants(st.just(max(s**2, Fraction(1, 1000)))))
    q = replace(q, L=draw(moderate(q)))
    return exact_run(q, (line(q.L),), (draw(positive),), bias=-s)


@st.composite
def proportional(draw: st.DrawFn) -> ExactRun:
    """The same bias, two coordinates, top-1, and every gradient a multiple of (1, 2^(−p))."""
    s = draw(lost_shares)
    q = draw(constants(st.just(max(s**2, Fraction(1, 1000)))))
    q = replace(q, L=draw(moderate(q)), d=2, k=1, p=draw(st.integers(2, 4)))
    device = Quadratic((q.L,), (ZERO, ZERO), along=(Fraction(1), Fraction(1, 2**q.p)))
    start, kept = (draw(positive), ZERO), draw(st.booleans())
    return exact_run(q, (device,), start, bias=-s, persistent=kept, with_constant=True)


@st.composite
def sparse(draw: st.DrawFn, persistent: bool) -> ExactRun:
    """Two coordinates, top-1, exact recovery; each coordinate starts at 0, at its minimiser, or anywhere."""
    q = draw(constants(st.just(Fraction(1, 1000))))
    q = replace(q, L=draw(moderate(q)), d=2, k=1)
    second = draw(st.one_of(st.just(Fraction(1)), inner_shares))
    centre = (draw(whole), draw(whole))
    start = tuple(draw(st.one_of(st.just(ZERO), st.just(z), whole)) for z in centre)
    return exact_run(q, (Quadratic((q.L, second * q.L), centre),), start, persistent=persistent)


@st.composite
def dropped(draw: st.DrawFn) -> ExactRun:
    """Top-1 drops every step: a start at (0, 1), a minimum far away along the first axis, many rounds."""
    q = draw(constants(st.just(Fraction(1, 1000))))
    q = replace(q, gamma=q.gamma / draw(st.integers(1, 4)), T=draw(st.integers(100, 300)), c=Fraction(10**6))
    q = replace(q, d=2, k=1)
    far = draw(st.integers(1, math.floor(1 / (4 * q.gamma))))  # so that the models obey the law at p = 2
    device = Quadratic((Fraction(1), Fraction(1)), (Fraction(far), Fraction(1)))
    return exact_run(q, (device,), (ZERO, Fraction(1)))


@st.composite
def flat(draw: st.DrawFn) -> ExactRun:
    """A kept sketch holds a coordinate that the loss does not see; p is large, so that tails are small."""
    q = draw(constants(st.just(Fraction(1, 1000))))
    q = replace(q, T=draw(st.integers(200, 300)), c=Fraction(10**6), d=2, k=1, p=draw(st.integers(300, 500)))
    centre, start = draw(positive), (draw(positive), draw(positive))
    device = Quadratic((Fraction(1),), (centre, ZERO), along=(Fraction(1), ZERO))
    return exact_run(q, (device,), start, persistent=True)


@st.composite
def heterogeneous(draw: st.DrawFn) -> ExactRun:
    """Two devices, E local steps, started where the averaged round stands still.

    A round maps w to w − mean_m s_m a_m(w − z_m) with s_m = (1 − (1−γ(a_m+μ))^E)/(a_m+μ), so its fixed point
    is the mean of the centres weighted by s_m a_m.
    """
    E = draw(st.integers(2, 3))
    q = draw(constants(st.just(1 / Fraction(10) ** 9), E))
    q = replace(q, M=2, T=5 * draw(st.integers(1, 6)))
    large, mu = draw(moderate(q)), draw(st.sampled_from((ZERO, Fraction(1))))
    curvature = (large, Fraction(draw(st.integers(1, int(large)))))
    centre = (draw(whole), draw(whole))
    weights = [(1 - (1 - q.gamma * (a + mu)) ** E) / (a + mu) * a for a in curvature]
    start = sum((s * z for s, z in zip(weights, centre, strict=True)), ZERO) / sum(weights)
    devices = tuple(line(a, z) for a, z in zip(curvature, centre, strict=True))
    return exact_run(replace(q, L=large, mu=mu), devices, (start,), NOT_THE_SUM)


@st.composite
def cancelling(draw: st.DrawFn) -> ExactRun:
    """Two devices, two local steps, γ(L+μ) = 1: the sum of the local gradients is the gradient at w_t."""
    q = replace(draw(constants(st.just(1 / Fraction(10) ** 9), 2)), M=2, T=draw(st.integers(1, 4)))
    L = Fraction(draw(st.integers(1, math.floor(1 / q.gamma))))
    apart, start = draw(inner_shares) / 10, draw(positive)
    return exact_run(replace(q, L=L, mu=1 / q.gamma - L), (line(L, apart), line(L, -apart)), (start,))


@st.composite
def uncompressed(draw: st.DrawFn) -> ExactRun:
    """k = d: the printed tail factor is negative."""
    q = draw(constants())
    q = replace(q, L=draw(moderate(q)), p=draw(st.integers(2, 3)))
    return exact_run(q, (line(q.L),), (draw(positive),), favour_paper=False)


@st.composite
def kicked(draw: st.DrawFn) -> ExactRun:
    """ζ is 1 with a small probability and slightly negative otherwise; the start is the minimum."""
    chance = Fraction(1, draw(st.integers(2, 2000)))
    q = draw(constants(st.just(Fraction(1, 1000))))
    q = replace(
        q, L=draw(moderate(q)), T=draw(st.integers(1, 3)),
        sigma2=chance / (1 - chance), delta=chance / 2, epsilon=Fraction(1),
    )  # fmt: skip
    q = replace(q, B=1 + q.sigma2 / 2)  # B² ≥ 1 + σ²/ε
    law = ((chance, (Fraction(1),)), (1 - chance, (-chance / (1 - chance),)))
    return exact_run(q, (line(q.L),), (ZERO,), law=law)


# ---------------------------------------------------------------- who is to blame


def appendix_missed(found: ExactRun) -> bool:
    return not found.refutation.meets_appendix_conditions


def appendix_met(found: ExactRun) -> bool:
    return found.refutation.meets_appendix_conditions


def rho_helps(found: ExactRun) -> bool:
    """With ρ back on the left the run obeys the bound."""
    return rho(found.parameters) * found.refutation.left <= found.refutation.right.total


def only_rho_is_missing(found: ExactRun) -> bool:
    return appendix_met(found) and rho_helps(found)


def only_rho_in_every_reading(found: ExactRun) -> bool:
    """The same, with no bias of the sum of the local gradients, and outside the appendix's step sizes."""
    summed = [item.holds for item in found.refutation.checks if "for the sum" in item.name]
    return all(summed) and appendix_missed(found) and rho_helps(found)


def not_even_with_rho(found: ExactRun) -> bool:
    """The run breaks the proof's last line too, where ρ stands on the left."""
    return appendix_met(found) and not rho_helps(found)


def only_the_tail_is_negative(found: ExactRun) -> bool:
    """With a negative tail read as 0 the run obeys the bound."""
    favoured = right_side(found.parameters, Problem(found.devices).gap(found.start))
    return appendix_met(found) and found.refutation.left <= favoured.total


# Where to look for a violation of each claim, and what pins the mechanism where several could break it.
SEARCHERS = {
    "T1": (steep(), appendix_missed),
    "R.range-without-L": (steep(), appendix_missed),
    "R.missing-1-over-rho": (biased(), only_rho_is_missing),
    "R.top-k-freezing": (sparse(persistent=False), not_even_with_rho),
    "R.top-k-floor": (sparse(persistent=True), not_even_with_rho),
    "R.power-law-with-a-constant": (proportional(), only_rho_is_missing),
    "R.heterogeneity-drift": (heterogeneous(), not_even_with_rho),
    "R.local-steps-any-reading": (cancelling(), only_rho_in_every_reading),
    "R.negative-sketch-term": (uncompressed(), only_the_tail_is_negative),
    "R.expectation-dropped": (kicked(), appendix_met),
    "T1.38": (dropped(), appendix_met),
    "T1.39": (flat(), appendix_met),
}
