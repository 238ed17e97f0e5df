"""From looks at a few points to the two limits of γ: what is certified, and the edge."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from torch import Tensor

from empirical.advice.advice import Column
from empirical.advice.case import Case
from empirical.advice.curvature import Look, certified, constants, look
from empirical.observed.protocol import Evidence
from empirical.sketch_space.edge import Edge, coarse_edge, edge
from theory.rates.descent.certified import CertifiedRange

MOST_SECONDS = 10.0  # about; beyond it a lower limit of the edge serves for E ≥ 2
# Of Hessians and vectors, for each local step: two points, six γ, 24 steps of Lanczos' method.
PRODUCTS = 288  # pragma: no mutate: the seconds of one are a guess
PER_ROW, PER_CALL, PER_OWN_CALL = 3e-9, 3e-4, 2e-3  # seconds: for a row and parameter, and for each device
Points = tuple[tuple[int, Tensor], ...]


@dataclass(frozen=True)
class Limits:
    """L and P_n at their estimates (`mean`: L is that of f alone).

    `proof` and `over` are the certified range with the constants at their estimates and at their upper ends;
    `edge` is None where no table is kept, and a lower limit where it is `coarse`.
    """

    L: float
    P_n: float
    mean: bool
    proof: CertifiedRange | None
    over: CertifiedRange | None
    edge: Edge | None
    coarse: bool

    @property
    def c(self) -> float:
        """The smaller of the two; infinite where nothing curves."""
        at = self.at_estimates
        return min((x for x in (at.certified, at.edge) if x is not None), default=math.inf)

    @property
    def at_estimates(self) -> Column:
        return Column(end_of(self.proof), None if self.edge is None else finite(self.edge.gamma))

    @property
    def over_intervals(self) -> Column:
        return Column(end_of(self.over), None if self.edge is None else finite(self.edge.low))


def limits(case: Case, points: Points) -> Limits:
    """Both limits, the worse over the points."""
    seed, noisy = case.config.seed, case.config.local.batch > 0
    looks = tuple(look(case.model, w, t, seed, noisy) for t, w in points)
    mean = case.E == 1 and case.all_take_part
    at, high = (constants(looks, mean, end) for end in (0, 1))
    proof, over = (certified(each, case.E, case.mu, case.n, case.convex) for each in (at, high))
    found = _edge(case, points, looks) if case.averaged else None
    return Limits(at.L, at.P_n, at.mean, proof, over, found, too_costly(case))


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


def end_of(found: CertifiedRange | None) -> float | None:
    return None if found is None or found.empty else found.gamma_max


def finite(gamma: float) -> float | None:
    return gamma if math.isfinite(gamma) else None
