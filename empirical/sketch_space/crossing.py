"""The edge at one point: the smallest γ at which a round stops being stable in the table.

K(γ) of `round_operator.py` is unstable in two ways. Its largest eigenvalue passes 2 (the table overshoots),
or an eigenvalue turns negative (for even E, where the local steps overshoot: 1 − (1 − γh)^E < 0 for γh > 2).
With negative curvature K has negative eigenvalues at every γ. They mean that the loss falls along that
direction, not that γ is too large. So there the second way is replaced by the limit 2/(h + μ) of the steepest
device, below which no local step overshoots.

`high`: Ritz values lie inside the spectrum, so K is unstable at `high` (up to rounding, no probability). With
negative curvature and even E it may be infinite, while `gamma` is the limit of the steepest device.
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

from empirical.constants.lanczos import ROUNDING, STEPS, lanczos
from empirical.sketch_space.round_operator import Projection, RoundOperator, project, reached

EXPLORING = 8  # Lanczos steps while γ is still far from the edge
NEGATIVE = 1e-4  # relative; an eigenvalue below −NEGATIVE is no rounding of 0, also with float32 products
CLOSE = 1e-2  # relative; once γ moves by less, what is left is of the order of CLOSE²
MARGIN = 1e-3  # relative; `low` keeps this distance from where its own limit would be reached
MOST_DOUBLINGS, MOST_MOVES = 30, 12
FLAT = "no direction curves upwards enough to limit the rate"
LARGEST, OVERSHOOT = "the largest eigenvalue passes 2", "the local steps overshoot"
Draw = Callable[[], Tensor]
Limit = Callable[[float, float], bool]  # of the smallest and the largest Ritz value


@dataclass(frozen=True)
class Crossing:
    """low ≤ edge ≤ high and the estimate `gamma`; infinite where no curvature limits γ."""

    gamma: float
    low: float
    high: float
    cause: str
    indefinite: bool


def crossing(
    operator: RoundOperator, draw: Draw, delta: float, steps: int = STEPS, guess: float | None = None
) -> Crossing:
    """`draw` gives independent random starts in the table; each enclosure fails with probability ≤ 2δ.

    A `guess` near the edge saves products.
    """
    one_step = project(replace(operator, E=1), 1.0, draw(), steps)
    smallest, largest = one_step.ends(1.0)
    if largest <= ROUNDING * -smallest or largest == 0:
        return Crossing(math.inf, math.inf, math.inf, FLAT, smallest < 0)
    indefinite = smallest < -NEGATIVE * largest
    if operator.E == 1:
        upper = largest + one_step.slack(delta) * (largest - smallest)
        return Crossing(2 / largest, 2 / upper, 2 / largest, LARGEST, indefinite)
    return _with_local_steps(operator, draw, delta, steps, guess or 2 / (operator.E * largest), indefinite)


def _with_local_steps(
    operator: RoundOperator, draw: Draw, delta: float, steps: int, guess: float, indefinite: bool
) -> Crossing:
    found = _search(operator, draw, guess, indefinite, steps)
    cap_low, cap = _device_limits(operator, draw, delta, steps) if operator.E % 2 == 0 else (math.inf,) * 2
    gamma, cause = (math.inf, FLAT) if found is None else (found.gamma, _cause(found, found.gamma))
    high = gamma
    if cap < gamma and (indefinite or found is None):
        gamma, cause = cap, OVERSHOOT
    if not math.isfinite(gamma):
        return Crossing(gamma, gamma, gamma, cause, indefinite)
    if found is None or found.gamma > gamma:
        found = project(operator, gamma, draw(), steps)
    low = _proved_low(operator, draw, found, min(gamma, cap_low), delta, steps)
    return Crossing(gamma, low, high, cause, indefinite)


def _search(
    operator: RoundOperator, draw: Draw, gamma: float, indefinite: bool, steps: int
) -> Projection | None:
    """A projection whose first crossing is the γ it was built at; None if nothing ever crosses."""
    limit = unstable(indefinite)
    near = _first_seen(operator, draw, gamma, limit)
    for _ in range(MOST_MOVES if near else 0):
        seen = project(operator, near, draw(), steps)
        after = first(seen, limit, 1 + 2 / operator.E)
        moved = near * (1 + 1 / operator.E) if after is None else after
        if abs(moved - near) <= CLOSE * near:
            return replace(seen, parts=rebased(seen, moved), gamma=moved)
        near = moved
    return seen if near else None


def _first_seen(operator: RoundOperator, draw: Draw, gamma: float, limit: Limit) -> float:
    """Where a few Lanczos steps first see a crossing, doubling γ; 0 if they never do."""
    for _ in range(MOST_DOUBLINGS):
        found = first(project(operator, gamma, draw(), EXPLORING), limit, 1.0)
        if found is not None:
            return found
        gamma *= 2
    return 0.0


def rebased(seen: Projection, gamma: float) -> np.ndarray:
    """The same projection with P = I − γ(H + μ) of another γ: P' = (1−r)I + rP."""
    r, E = gamma / seen.gamma, len(seen.parts)
    rows = [
        [math.comb(j, i) * (1 - r) ** (j - i) * r**i if i <= j else 0.0 for i in range(E)] for j in range(E)
    ]
    moved: np.ndarray = np.tensordot(np.array(rows), seen.parts, 1)
    return moved


def unstable(indefinite: bool) -> Limit:
    if indefinite:
        return lambda smallest, largest: largest > 2
    return lambda smallest, largest: largest > 2 or smallest < -NEGATIVE * max(largest, 1.0)


def first(seen: Projection, limit: Limit, farthest: float) -> float | None:
    """Smallest γ up to farthest·γ₁ at which the projection is beyond the limit, None if there is none."""
    below = 0.0
    for r in np.linspace(0, farthest, 65)[1:]:
        if limit(*seen.ends(r * seen.gamma)):
            return _bisected(seen, limit, below * seen.gamma, r * seen.gamma)
        below = r
    return None


def _bisected(seen: Projection, limit: Limit, low: float, high: float) -> float:
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if limit(*seen.ends(middle)) else (middle, high)
    return high


def _cause(seen: Projection, gamma: float) -> str:
    return LARGEST if seen.ends(gamma)[1] > 2 - NEGATIVE else OVERSHOOT


def _proved_low(
    operator: RoundOperator, draw: Draw, found: Projection, most: float, delta: float, steps: int
) -> float:
    """A γ ≤ `most` at which the upper limit of the largest eigenvalue is at most 2, by a projection there."""
    slack = found.slack(delta)
    if not math.isfinite(slack) or most <= 0:
        return 0.0
    too_large = lambda smallest, largest: largest + slack * (largest - smallest) > 2  # noqa: E731
    gamma = min(first(found, too_large, 1.0) or math.inf, most) * (1 - MARGIN)
    for _ in range(5):
        seen = project(operator, gamma, draw(), steps)
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
    limits = [top(alpha[m], beta[m], d, delta / M) for m in range(M)]
    low, high = (max(x[i] for x in limits) + operator.mu for i in (0, 1))
    return 2 / high if high > 0 else math.inf, 2 / low if low > 0 else math.inf


def top(alpha: np.ndarray, beta: np.ndarray, d: int, delta: float) -> tuple[float, float]:
    """Limits of the largest eigenvalue from a tridiagonal matrix, as `Projection` gives them for K."""
    q = reached(alpha, beta)
    T = np.diag(alpha[:q]) + np.diag(beta[: q - 1], 1) + np.diag(beta[: q - 1], -1)
    seen = Projection(1.0, T[None], q, d, q < len(alpha) or q == d)
    smallest, largest = seen.ends(1.0)
    return largest, largest + seen.slack(delta) * (largest - smallest)
