"""Whole runs against Theorem 1 as stated: small rational quadratics, every stated assumption checked.

Each family leaves one mechanism free. `also` pins the blame: with the appendix's step conditions met, with ρ
put back on the left, or with a negative tail read as 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from hypothesis import strategies as st

from property_tests.search.hunting import Searcher, inner_shares, positive, tenth_powers, whole
from theory.counterexamples import assumption_checks as check
from theory.counterexamples.exact_sketch import ExactSketch, Vector, spread_out
from theory.counterexamples.federated import NO_NOISE, NoiseLaw, Problem, Quadratic, Run, outcomes, simulate
from theory.counterexamples.printed import PrintedParameters, RightSide, gamma_range, rho, right_side
from theory.counterexamples.refutation import EVERY, NOT_THE_SUM, Refutation, Story, assemble, both_sides
from theory.errors import InvalidParameter

ZERO = Fraction(0)
MOST_ROUNDS = 20
small_bias = st.integers(7, 100).map(lambda n: Fraction(1, n))  # 6 P_b < 1, so that the range is not empty


def roomy_sketch(q: PrintedParameters) -> ExactSketch:
    """One row without collisions and at least ck·ln(dT/δ) buckets, as Lemma 1 asks."""
    rounds = math.ceil(math.log(q.d * max(q.T, 1) / q.delta) / math.log(2.718)) + 1
    return spread_out(1, math.ceil(q.c * q.k * rounds), q.d)


@dataclass(frozen=True)
class Candidate:
    """A problem, a start and the theorem's constants (W is read off the run), and what becomes of them.

    `refutation` is what the ledger's tests read; `sides` are its sides, without the checks.
    """

    problem: Problem
    constants: PrintedParameters
    start: Vector
    bias: Fraction = ZERO
    persistent: bool = False
    favour_paper: bool = True
    reading: str = EVERY
    law: NoiseLaw = NO_NOISE

    @cached_property
    def outcomes(self) -> list[tuple[Fraction, Run]]:
        q = self.constants
        return outcomes(self.problem, q, self.start, roomy_sketch(q), self.law, self.bias, self.persistent)

    @cached_property
    def runs(self) -> list[Run]:
        return [run for _, run in self.outcomes]

    @cached_property
    def q(self) -> PrintedParameters:
        return replace(self.constants, W=check.bounded_iterates(self.runs, self.constants).value)

    @cached_property
    def sides(self) -> tuple[Fraction, RightSide]:
        """The smallest left side that violates the bound, or the smallest, and the right side."""
        found, right = both_sides(self.problem, self.q, self.outcomes, self.favour_paper)
        lefts = [left for left, _, _ in found]
        return min([left for left in lefts if left > right.total] or lefts), right

    @cached_property
    def refutation(self) -> Refutation:
        story, sketch = Story("found", "", "", self.reading), roomy_sketch(self.q)
        return assemble(story, self.problem, self.q, sketch, self.outcomes, self.law, self.favour_paper)

    def describe(self) -> dict[str, str]:
        """The run in words: devices, start and every constant."""
        devices = [
            f"curvature {numbers(d.curvature)}, centre {numbers(d.centre)}" for d in self.problem.devices
        ]
        shown = {"devices": "; ".join(devices), "w_0": numbers(self.start)}
        shown |= {name: str(value) for name, value in vars(self.q).items()}
        noise = ", ".join(f"{numbers(value)} with probability {p}" for p, value in self.law if value)
        errors = {"bias": f"{self.bias}·gradient"} if self.bias else {"noise": noise} if noise else {}
        return shown | errors


def numbers(values: Vector) -> str:
    return "(" + ", ".join(map(str, values)) + ")"


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
def steep(draw: st.DrawFn) -> Candidate:
    """One device, exact gradients, L up to 2/γ."""
    q = draw(constants())
    q = replace(q, L=Fraction(draw(st.integers(1, math.floor(2 / q.gamma)))))
    return Candidate(Problem((line(q.L),)), q, (draw(positive),))


@st.composite
def biased(draw: st.DrawFn) -> Candidate:
    """One device, bias −s∇f with s² ≤ P_b, L within the appendix's conditions."""
    s = draw(st.one_of(st.just(ZERO), st.integers(3, 12).map(lambda n: Fraction(1, n))))
    q = draw(constants(st.just(max(s**2, Fraction(1, 1000)))))
    q = replace(q, L=draw(moderate(q)))
    return Candidate(Problem((line(q.L),)), q, (draw(positive),), -s)


@st.composite
def sparse(draw: st.DrawFn, persistent: bool) -> Candidate:
    """Two coordinates, top-1, exact recovery; each coordinate starts at 0, at its minimiser, or anywhere."""
    q = draw(constants(st.just(Fraction(1, 1000))))
    q = replace(q, L=draw(moderate(q)), d=2, k=1)
    second = draw(st.one_of(st.just(Fraction(1)), inner_shares))
    centre = (draw(whole), draw(whole))
    start = tuple(draw(st.one_of(st.just(ZERO), st.just(z), whole)) for z in centre)
    problem = Problem((Quadratic((q.L, second * q.L), centre),))
    return Candidate(problem, q, start, persistent=persistent)


@dataclass(frozen=True)
class Standing(Candidate):
    """A run without noise that stands still: one round is played, and then repeated."""

    @cached_property
    def outcomes(self) -> list[tuple[Fraction, Run]]:
        q = replace(self.constants, T=1)
        one = simulate(self.problem, q, self.start, roomy_sketch(q))
        if one.broadcast[0] != one.broadcast[1]:
            raise InvalidParameter("start", self.start, "a fixed point of the round")
        steps = [replace(step, round=t) for t in range(self.constants.T) for step in one.steps]
        count = self.constants.T + 1
        run = Run(one.broadcast[:1] * count, one.before_top_k[:1] * count, tuple(steps))
        return [(Fraction(1), run)]


@st.composite
def heterogeneous(draw: st.DrawFn) -> Standing:
    """Two devices, E local steps, started where the averaged round stands still.

    A round maps w to w − mean_m s_m a_m(w − z_m) with s_m = (1 − (1−γ(a_m+μ))^E)/(a_m+μ), so its fixed point
    is the mean of the centres weighted by s_m a_m. ε and B are the best that Assumption 5 allows there.
    """
    E = draw(st.integers(2, 3))
    q = draw(constants(st.just(1 / Fraction(10) ** 9), E))
    q = replace(q, M=2, T=5 * draw(st.integers(1, 6)))
    large, mu = draw(moderate(q)), draw(st.sampled_from((ZERO, Fraction(1))))
    curvature = (large, Fraction(draw(st.integers(1, int(large)))))
    centre = (draw(whole), draw(whole))
    weights = [(1 - (1 - q.gamma * (a + mu)) ** E) / (a + mu) * a for a in curvature]
    start = sum((s * z for s, z in zip(weights, centre, strict=True)), ZERO) / sum(weights)
    problem = Problem(tuple(line(a, z) for a, z in zip(curvature, centre, strict=True)))
    slope = abs(problem.gradient((start,))[0])
    q = replace(q, L=large, mu=mu, epsilon=(slope / 2) ** 2 or Fraction(1))
    B2 = max(item.value for item in check.dissimilarity(problem, q)[1:])
    q = replace(q, B=Fraction(math.isqrt(math.ceil(B2)) + 1))
    return Standing(problem, q, (start,), reading=NOT_THE_SUM)


@st.composite
def cancelling(draw: st.DrawFn) -> Candidate:
    """Two devices, two local steps, γ(L+μ) = 1: the sum of the local gradients is the gradient at w_t."""
    q = replace(draw(constants(st.just(1 / Fraction(10) ** 9), 2)), M=2, T=draw(st.integers(1, 4)))
    L = Fraction(draw(st.integers(1, math.floor(1 / q.gamma))))
    q = replace(q, L=L, mu=1 / q.gamma - L)
    apart, start = draw(inner_shares) / 10, draw(positive)
    problem = Problem((line(L, apart), line(L, -apart)))
    run = simulate(problem, q, (start,), roomy_sketch(q))
    points = [*run.broadcast, *(step.iterate for step in run.steps)]
    least = min(abs(problem.gradient(w)[0]) for w in points)
    q = replace(q, epsilon=(least / 2) ** 2 or Fraction(1))
    B2 = max(item.value for item in check.dissimilarity(problem, q)[1:])
    return Candidate(problem, replace(q, B=Fraction(math.isqrt(math.ceil(B2)) + 1)), (start,))


@st.composite
def uncompressed(draw: st.DrawFn) -> Candidate:
    """k = d: the printed tail factor is negative."""
    q = draw(constants())
    q = replace(q, L=draw(moderate(q)), p=draw(st.integers(2, 3)))
    return Candidate(Problem((line(q.L),)), q, (draw(positive),), favour_paper=False)


@st.composite
def kicked(draw: st.DrawFn) -> Candidate:
    """ζ is 1 with a small probability and slightly negative otherwise; the start is the minimum."""
    chance = Fraction(1, draw(st.integers(2, 2000)))
    q = draw(constants(st.just(Fraction(1, 1000))))
    q = replace(
        q, L=draw(moderate(q)), T=draw(st.integers(1, 3)),
        sigma2=chance / (1 - chance), delta=chance / 2, epsilon=Fraction(1),
    )  # fmt: skip
    q = replace(q, B=1 + q.sigma2 / 2)  # B² ≥ 1 + σ²/ε
    law: NoiseLaw = ((chance, (Fraction(1),)), (1 - chance, (-chance / (1 - chance),)))
    return Candidate(Problem((line(q.L),)), q, (ZERO,), law=law)


# ---------------------------------------------------------------- who is to blame


def too_large(found: Candidate) -> bool:
    left, right = found.sides
    return left > right.total


def appendix_met(found: Candidate) -> bool:
    return all(item.holds for item in check.step_size(found.constants)) and too_large(found)


def appendix_missed(found: Candidate) -> bool:
    return not all(item.holds for item in check.step_size(found.constants)) and too_large(found)


def rho_helps(found: Candidate) -> bool:
    """With ρ back on the left the run obeys the bound."""
    left, right = found.sides
    return rho(found.q) * left <= right.total


def only_rho_is_missing(found: Candidate) -> bool:
    return appendix_met(found) and rho_helps(found)


def only_rho_in_every_reading(found: Candidate) -> bool:
    """The same, with no bias of the sum of the local gradients, and outside the appendix's step sizes."""
    summed = check.bias_of_sum(found.problem, found.runs, found.q).holds
    return summed and appendix_missed(found) and rho_helps(found)


def not_even_with_rho(found: Candidate) -> bool:
    """The run breaks the proof's last line too, where ρ stands on the left."""
    return appendix_met(found) and not rho_helps(found)


def only_the_tail_is_negative(found: Candidate) -> bool:
    """With a negative tail read as 0 the run obeys the bound."""
    favoured = right_side(found.q, found.problem.gap(found.start))
    return appendix_met(found) and found.sides[0] <= favoured.total


def searcher(family: st.SearchStrategy[Candidate], also: Callable[[Candidate], bool]) -> Searcher:
    return Searcher(family, lambda found: found.refutation.summary().partition(": ")[2], also)


SEARCHERS = {
    "T1": searcher(steep(), appendix_missed),
    "R.range-without-L": searcher(steep(), appendix_missed),
    "R.missing-1-over-rho": searcher(biased(), only_rho_is_missing),
    "R.top-k-freezing": searcher(sparse(persistent=False), not_even_with_rho),
    "R.top-k-floor": searcher(sparse(persistent=True), not_even_with_rho),
    "R.heterogeneity-drift": searcher(heterogeneous(), not_even_with_rho),
    "R.local-steps-any-reading": searcher(cancelling(), only_rho_in_every_reading),
    "R.negative-sketch-term": searcher(uncompressed(), only_the_tail_is_negative),
    "R.expectation-dropped": searcher(kicked(), appendix_met),
}
