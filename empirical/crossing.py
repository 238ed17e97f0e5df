"""The edge at one point: the smallest γ at which a round stops being stable in the table.

K(γ) of `round_operator.py` is unstable in two ways. Its largest eigenvalue passes 2 (the table overshoots),
or an eigenvalue turns negative (for even E, where the local steps overshoot: 1 − (1 − γh)^E < 0 for γh > 2).
With negative curvature K has negative eigenvalues at every γ. They mean that the loss falls along that
direction, not that γ is too large. So there the second way is replaced by the limit 2/(h + μ) of the steepest
device, below which no local step overshoots.

`high`: Ritz values lie inside the spectrum, so K is unstable at `high` (up to rounding, no probability).
`low`: Lanczos' method from a fresh random start shows that the largest eigenvalue is at most 2, and the
steepest device does not overshoot. Each of these enclosures fails with probability at most 2δ. For convex
losses K grows with γ if E is odd or γ(h + μ) ≤ 1, so that every smaller γ is stable too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from empirical.lanczos import STEPS, enclosure, lanczos
from empirical.round_operator import Projection, RoundOperator, project

EXPLORING = 8  # Lanczos steps while γ is still far from the edge
NEGATIVE = 1e-4  # relative; an eigenvalue below −NEGATIVE is no rounding of 0, also with float32 products
CLOSE = 1e-3  # relative; the edge is found once γ moves by less
LARGEST, OVERSHOOT = "the largest eigenvalue passes 2", "the local steps overshoot"
Draw = Callable[[], Tensor]


@dataclass(frozen=True)
class Crossing:
    """low ≤ edge ≤ high and the estimate `gamma`; infinite where no curvature limits γ."""

    gamma: float
    low: float
    high: float
    cause: str
    indefinite: bool


def crossing(operator: RoundOperator, draw: Draw, delta: float, steps: int = STEPS) -> Crossing:
    """`draw` gives independent random starts in the table; each enclosure fails with probability ≤ 2δ."""
    one_step = project(replace(operator, E=1), 1.0, draw(), steps)
    smallest, largest = one_step.ends(1.0)
    if largest <= 0:
        return Crossing(math.inf, math.inf, math.inf, "no direction curves upwards", smallest < 0)
    indefinite = smallest < -NEGATIVE * largest
    if operator.E == 1:
        upper = largest + one_step.slack(delta) * (largest - smallest)
        return Crossing(2 / largest, 2 / upper, 2 / largest, LARGEST, indefinite)
    found = _search(operator, draw, 2 / (operator.E * largest), indefinite, steps)
    low = _proved_low(operator, draw, found, delta)
    cap_low, cap = _device_limits(operator, draw, delta, steps) if operator.E % 2 == 0 else (math.inf,) * 2
    gamma, cause = found.gamma, _cause(found, found.gamma)
    if indefinite and cap < gamma:
        gamma, cause = cap, OVERSHOOT
    return Crossing(gamma, min(low, cap_low, gamma), gamma, cause, indefinite)


def _search(operator: RoundOperator, draw: Draw, gamma: float, indefinite: bool, steps: int) -> Projection:
    """A projection that was built at the edge: its own first crossing is where it was built."""
    limit = unstable(indefinite)
    while first(seen := project(operator, gamma, draw(), EXPLORING), limit, 1.0) is None:
        gamma *= 2
    gamma = first(seen, limit, 1.0) or gamma
    for _ in range(12):
        seen = project(operator, gamma, draw(), steps)
        after = first(seen, limit, 1 + 2 / operator.E)
        moved = gamma * (1 + 1 / operator.E) if after is None else after
        if abs(moved - gamma) <= CLOSE * gamma:
            return replace(seen, parts=rebased(seen, moved), gamma=moved)
        gamma = moved
    return seen


def rebased(seen: Projection, gamma: float) -> np.ndarray:
    """The same projection with P = I − γ(H + μ) of another γ: P' = (1−r)I + rP."""
    r, E = gamma / seen.gamma, len(seen.parts)
    rows = [
        [math.comb(j, i) * (1 - r) ** (j - i) * r**i if i <= j else 0.0 for i in range(E)] for j in range(E)
    ]
    moved: np.ndarray = np.tensordot(np.array(rows), seen.parts, 1)
    return moved


def unstable(indefinite: bool) -> Callable[[float, float], bool]:
    """Of the smallest and the largest Ritz value."""
    if indefinite:
        return lambda smallest, largest: largest > 2
    return lambda smallest, largest: largest > 2 or smallest < -NEGATIVE * max(largest, 1.0)


def first(seen: Projection, limit: Callable[[float, float], bool], farthest: float) -> float | None:
    """Smallest γ up to farthest·γ₁ at which the projection is beyond the limit, None if there is none."""
    below = 0.0
    for r in np.linspace(0, farthest, 65)[1:]:
        if limit(*seen.ends(r * seen.gamma)):
            return _bisected(seen, limit, below * seen.gamma, r * seen.gamma)
        below = r
    return None


def _bisected(seen: Projection, limit: Callable[[float, float], bool], low: float, high: float) -> float:
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if limit(*seen.ends(middle)) else (middle, high)
    return high


def _cause(seen: Projection, gamma: float) -> str:
    return LARGEST if seen.ends(gamma)[1] > 2 - NEGATIVE else OVERSHOOT


def _proved_low(operator: RoundOperator, draw: Draw, found: Projection, delta: float) -> float:
    """A γ at which the upper limit of the largest eigenvalue is at most 2, by a projection built there."""
    slack = found.slack(delta)
    if not math.isfinite(slack):
        return 0.0
    too_large = lambda smallest, largest: largest + slack * (largest - smallest) > 2  # noqa: E731
    gamma = (first(found, too_large, 1.0) or found.gamma) * (1 - CLOSE)
    for _ in range(5):
        seen = project(operator, gamma, draw(), found.steps)
        smallest, largest = seen.ends(gamma)
        if largest + seen.slack(delta) * (largest - smallest) <= 2:
            return gamma
        gamma *= 0.9
    return 0.0


def _device_limits(operator: RoundOperator, draw: Draw, delta: float, steps: int) -> tuple[float, float]:
    """2/(h + μ) with an upper and a lower limit of the largest curvature h over the devices."""
    M, d = operator.M, operator.table.at.numel()
    seed = int(draw().abs().max().mul(2**40).long() % 2**40)
    start = torch.randn(M, d, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    alpha, beta = lanczos(operator.products, start, steps)
    limits = [enclosure(alpha[m], beta[m], d, delta / M) for m in range(M)]
    low, high = max(x for x, _ in limits), max(x for _, x in limits)
    return 2 / (high + operator.mu), 2 / (low + operator.mu)
