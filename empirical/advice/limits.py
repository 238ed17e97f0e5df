"""From looks at a few points to the two limits of γ: what is certified, and the edge."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

from torch import Tensor

from empirical.advice.advice import Column
from empirical.advice.case import Case
from empirical.advice.curvature import Look, box, constants, look, trace
from empirical.facts import knowing
from empirical.observed.protocol import Evidence
from empirical.sketch_space.edge import Edge, coarse_edge, edge
from theory.facts import AT_POINTS, Facts, Known
from theory.rates.descent.certified import CertifiedRange
from theory.theorems import Verdict, could_hold, decide

MOST_SECONDS = 10.0  # about; beyond it a lower limit of the edge serves for E ≥ 2
# Of Hessians and vectors, for each local step: two points, six γ, 24 steps of Lanczos' method.
PRODUCTS = 288  # pragma: no mutate: the seconds of one are a guess
PER_ROW, PER_CALL, PER_OWN_CALL = 3e-9, 3e-4, 2e-3  # seconds: for a row and parameter, and for each device
MOST_STEPS = 5  # a certificate for more takes seconds: asked for only where it proves something
SENT_WHOLE, SKETCHED, FRESH = ("descent", "Theorem C"), ("Corollary B2",), ("Theorem S",)
ALL = (*SENT_WHOLE, *SKETCHED, *FRESH)
Points = tuple[tuple[int, Tensor], ...]


@dataclass(frozen=True)
class Limits:
    """L and P_n at their estimates (`mean`: L is that of f), and the edge, a lower limit where `coarse`.

    `facts` have the constants at their upper ends, `estimates` at their estimates. The theorems are asked
    when somebody wants to know: for many local steps that takes seconds. `omega`: what a fresh sketch adds
    to L, about.
    """

    L: float
    P_n: float
    mean: bool
    edge: Edge | None
    coarse: bool
    estimates: Facts
    facts: Facts
    omega: float | None = None

    @cached_property
    def over(self) -> tuple[Verdict, ...]:
        """The theorems' verdicts at the upper ends."""
        return decide(self.facts, only=FRESH if self.omega is not None else ALL)

    @cached_property
    def at_estimates(self) -> Column:
        return Column(self._certified_at_estimates(), None if self.edge is None else finite(self.edge.gamma))

    @cached_property
    def over_intervals(self) -> Column:
        return Column(certified(self.over), None if self.edge is None else finite(self.edge.low))

    @property
    def c(self) -> float:
        """Where pilots start: the smaller of the two; infinite where nothing curves. The cheap edge for
        several steps is below what is certified, unless noise is relative."""
        if self.omega is not None:
            return 2 / (self.facts.E * (self.L + self.omega))
        if self.coarse and self.edge is not None and not self.P_n:
            return self.edge.gamma
        at = self.at_estimates
        return min((x for x in (at.certified, at.edge) if x is not None), default=math.inf)

    def _certified_at_estimates(self) -> float | None:
        """Where only L differs and every smaller γ is proved, the range scales like 1/L."""
        here, there = self.estimates.box, self.facts.box
        if self.omega is not None:
            return certified(self.over)
        if here is None or there is None:
            return certified(decide(self.estimates, only=("descent",)))
        same = replace(here, low=replace(here.low, L=there.low.L), high=replace(here.high, L=there.high.L))
        if here.low == here.high and same == there and (here.high.mu == 0 or here.high.E == 1):
            end = certified(self.over)
            return None if end is None else end * float(there.high.L) / float(here.high.L)
        return certified(decide(self.estimates, only=("descent",)))


def judged(
    at: Facts, over: Facts, found: Edge | None, L: float, P_n: float, mean: bool, coarse: bool
) -> Limits:
    """The limits at both ends."""
    known = None if found is None else known_edge(found)
    ends = [replace(each, edge=known) for each in (at, over)]
    if over.E > MOST_STEPS and over.reach == AT_POINTS and not could_hold(ends[1], SENT_WHOLE):
        ends = [replace(each, box=None) for each in ends]
    return Limits(L, P_n, mean, found, coarse, ends[0], ends[1])


def known_edge(found: Edge) -> Known:
    return Known(found.gamma, found.low, found.high, "exact" if found.exact else "measured")


def certified(verdicts: tuple[Verdict, ...]) -> float | None:
    """The end of the certified range, whatever else the descent theorem asks."""
    proof = next(v.proof for v in verdicts if v.theorem in ("descent", *FRESH))
    return proof.gamma_max if isinstance(proof, CertifiedRange) else None


def limits(case: Case, points: Points) -> Limits:
    """Both limits, the worse over the points."""
    seed, noisy = case.config.seed, case.config.local.batch > 0
    mean = case.E == 1 and case.all_take_part
    looks = tuple(look(case.model, w, t, seed, noisy, mean) for t, w in points)
    ends = [constants(looks, mean, end) for end in (0, 1)]
    at, over = (knowing(case.facts, box(each, case.E, case.mu, case.n)) for each in ends)
    if case.fresh:
        return _of_fresh(case, points[0], judged(at, over, None, ends[0].L, ends[0].P_n, mean, False))
    found = _edge(case, points, looks) if case.averaged else None
    return judged(at, over, found, ends[0].L, ends[0].P_n, mean, case.E > 1)


def fresh_facts(case: Case, point: tuple[int, Tensor], facts: Facts, L: float) -> Facts:
    """With what Theorem S asks beside the constants: the trace, and how many devices take part."""
    known = trace(case.model, point[1], point[0], case.config.seed, L)
    return replace(facts, trace=known, participants=(case.n, case.model.M))


def _of_fresh(case: Case, point: tuple[int, Tensor], found: Limits) -> Limits:
    """What a fresh sketch of m numbers adds to the curvature: about (trace + L)/m."""
    facts = fresh_facts(case, point, found.facts, found.L)
    m = case.config.algorithm.rows * case.config.algorithm.buckets
    assert facts.trace is not None
    return replace(found, facts=facts, omega=(facts.trace.high + found.L) / m)


def too_costly(case: Case) -> bool:
    """Would the search of the edge take too long? By a rule of thumb, not a clock: answers must repeat."""
    call = PER_OWN_CALL if case.objective == "own" else PER_CALL
    product = case.model.M * call + PER_ROW * case.d * sum(case.model.sizes)
    return case.E > 1 and PRODUCTS * case.E * product > MOST_SECONDS


def _edge(case: Case, points: Points, looks: tuple[Look, ...]) -> Edge:
    """At the first point. For E ≥ 2 the cheap limit: the exact one would cost more than all pilots."""
    evidence = case.evidence(points[:1])
    low, high = (max(each.L[end] for each in looks) for end in (0, 1))
    return lower_limit(evidence, low, high) if case.E > 1 else edge(evidence)


def unlooked(case: Case) -> Limits:
    """Nothing was measured."""
    return judged(case.facts, case.facts, None, math.nan, 0.0, False, False)


def lower_limit(evidence: Evidence, L: float, high: float) -> Edge:
    """The cheap limit with L at its estimate; its `low` with L at its upper end."""
    found = coarse_edge(evidence, L)
    return replace(found, low=min(found.low, 2 / (high + evidence.mu)))


def finite(gamma: float) -> float | None:
    return gamma if math.isfinite(gamma) else None
