"""Pairs (P, s²) that cover every point: P x_i + s² ≥ y_i for all i, with P, s² ≥ 0.

An assumption like E‖ζ‖² ≤ P_n‖∇l‖² + σ² bounds every t, so a regression line, which leaves half of the
points above it, is no answer. The admissible pairs form a convex set; its lower-left border, the frontier,
is given by the upper convex hull of the points (x_i, y_i): each hull edge of slope ≥ 0 is a vertex (P, s²).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np


@dataclass(frozen=True)
class Pair:
    P: float
    s2: float

    def covers(self, x: np.ndarray, y: np.ndarray) -> bool:
        """Up to the rounding of P x + s² − y, a few units in the last place of its terms."""
        slack = 8 * np.finfo(float).eps * (np.abs(y) + self.P * x + self.s2)
        return bool(np.all(self.P * x + self.s2 >= y - slack))


def upper_hull(x: np.ndarray, y: np.ndarray) -> list[int]:
    """Indices of the upper convex hull, from left to right."""
    hull: list[int] = []
    for i in np.lexsort((y, x)):
        while len(hull) >= 2 and _turns_left(x, y, hull[-2], hull[-1], i):
            hull.pop()
        if hull and x[hull[-1]] == x[i]:
            hull.pop()
        hull.append(int(i))
    return hull


def _turns_left(x: np.ndarray, y: np.ndarray, a: int, b: int, c: int) -> bool:
    return bool((y[b] - y[a]) * (x[c] - x[a]) <= (y[c] - y[a]) * (x[b] - x[a]))


def smallest_s2(x: np.ndarray, y: np.ndarray, P: float) -> float:
    return max(0.0, float(np.max(y - P * x)))


def covering_slope(x: np.ndarray, y: np.ndarray) -> float:
    """The smallest float P with P x ≥ y at every x > 0; the quotient y/x itself may be rounded down."""
    P = float(np.max(y / x))
    while P < np.inf and np.any(P * x < y):
        P = float(np.nextafter(P, np.inf))
    return P


def frontier(x: np.ndarray, y: np.ndarray) -> list[Pair]:
    """Vertices of the frontier, P increasing from 0, s² decreasing, to 0 where that is possible."""
    hull, positive = upper_hull(x, y), x > 0
    with np.errstate(over="ignore"):  # a step of almost no width: no finite P goes with it
        slopes = [float((y[b] - y[a]) / (x[b] - x[a])) for a, b in pairwise(hull) if x[b] > x[a]]
        if np.all(y[~positive] <= 0) and positive.any():
            slopes.append(covering_slope(x[positive], y[positive]))
    slopes = [0.0, *(s for s in slopes if 0 < s < np.inf)]
    pairs = [Pair(P, smallest_s2(x, y, P)) for P in sorted(set(slopes))]
    kept = [pairs[0]]
    for pair in pairs[1:]:
        if pair.s2 < kept[-1].s2:
            kept.append(pair)
    return kept


def thinned(pairs: list[Pair], most: int) -> list[Pair]:
    """At most `most` vertices, ends included."""
    if len(pairs) <= most:
        return pairs
    return [pairs[i] for i in np.unique(np.linspace(0, len(pairs) - 1, most).round().astype(int))]
