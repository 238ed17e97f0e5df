"""From looks at a few points to the two limits of γ: what is certified, and the edge."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from torch import Tensor

from empirical.advice.advice import Column
from empirical.advice.case import Case
from empirical.advice.curvature import Look, box, constants, look
from empirical.facts import knowing
from empirical.observed.protocol import Evidence
from empirical.sketch_space.edge import Edge, coarse_edge, edge
from theory.rates.descent.certified import CertifiedRange
from theory.theorems import Facts, Known, Verdict, decide, named

MOST_SECONDS = 10.0  # about; beyond it a lower limit of the edge serves for E ≥ 2
# Of Hessians and vectors, for each local step: two points, six γ, 24 steps of Lanczos' method.
PRODUCTS = 288  # pragma: no mutate: the seconds of one are a guess
PER_ROW, PER_CALL, PER_OWN_CALL = 3e-9, 3e-4, 2e-3  # seconds: for a row and parameter, and for each device
SENT_WHOLE, SKETCHED = ("descent", "Theorem C"), ("Corollary B2",)
Points = tuple[tuple[int, Tensor], ...]


@dataclass(frozen=True)
class Limits:
    """L and P_n at their estimates (`mean`: L is that of f), and the edge, a lower limit where `coarse`.

    `at` and `over` are the theorems' verdicts with the constants at their estimates and at their upper ends.
    """

    L: float
    P_n: float
    mean: bool
    edge: Edge | None
    coarse: bool
    facts: Facts
    at: tuple[Verdict, ...]
    over: tuple[Verdict, ...]

    @property
    def c(self) -> float:
        """The smaller of the two; infinite where nothing curves."""
        at = self.at_estimates
        return min((x for x in (at.certified, at.edge) if x is not None), default=math.inf)

    @property
    def at_estimates(self) -> Column:
        return Column(certified(self.at), None if self.edge is None else finite(self.edge.gamma))

    @property
    def over_intervals(self) -> Column:
        return Column(certified(self.over), None if self.edge is None else finite(self.edge.low))


def judged(
    case: Case, at: Facts, over: Facts, found: Edge | None, L: float, P_n: float, mean: bool
) -> Limits:
    """What the theorems say at both ends."""
    known = None if found is None else known_edge(found)
    facts = [replace(each, edge=known) for each in (at, over)]
    asked = SKETCHED if case.compresses else SENT_WHOLE
    verdicts = [decide(each, only=("descent", *asked)) for each in facts]
    return Limits(L, P_n, mean, found, too_costly(case), facts[1], *verdicts)


def known_edge(found: Edge) -> Known:
    return Known(found.gamma, found.low, found.high, "exact" if found.exact else "measured")


def certified(verdicts: tuple[Verdict, ...]) -> float | None:
    """The end of the certified range, whatever else the descent theorem asks."""
    proof = named(verdicts, "descent").proof
    return proof.gamma_max if isinstance(proof, CertifiedRange) else None


def limits(case: Case, points: Points) -> Limits:
    """Both limits, the worse over the points."""
    seed, noisy = case.config.seed, case.config.local.batch > 0
    looks = tuple(look(case.model, w, t, seed, noisy) for t, w in points)
    mean = case.E == 1 and case.all_take_part
    ends = [constants(looks, mean, end) for end in (0, 1)]
    at, over = (knowing(case.facts, box(each, case.E, case.mu, case.n)) for each in ends)
    found = _edge(case, points, looks) if case.averaged else None
    return judged(case, at, over, found, ends[0].L, ends[0].P_n, mean)


def too_costly(case: Case) -> bool:
    """Would the search of the edge take too long? By a rule of thumb, not a clock: answers must repeat."""
    call = PER_OWN_CALL if case.objective == "own" else PER_CALL
    product = case.model.M * call + PER_ROW * case.d * sum(case.model.sizes)
    return case.E > 1 and PRODUCTS * case.E * product > MOST_SECONDS


def _edge(case: Case, points: Points, looks: tuple[Look, ...]) -> Edge:
    evidence = case.evidence(points)
    low, high = (max(each.L[end] for each in looks) for end in (0, 1))
    return lower_limit(evidence, low, high) if too_costly(case) else edge(evidence)


def lower_limit(evidence: Evidence, L: float, high: float) -> Edge:
    """The cheap limit with L at its estimate; its `low` with L at its upper end."""
    found = coarse_edge(evidence, L)
    return replace(found, low=min(found.low, 2 / (high + evidence.mu)))


def finite(gamma: float) -> float | None:
    return gamma if math.isfinite(gamma) else None
