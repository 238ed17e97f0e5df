"""The median of w values as a fixed list of min/max steps: no sorting, no branches, works on whole arrays.

The steps are Batcher's odd-even merge sort, reduced to what the middle output(s) depend on.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True)
class Step:
    """Put min(x_i, x_j) at i if `keep_min`, and max(x_i, x_j) at j if `keep_max`."""

    i: int
    j: int
    keep_min: bool
    keep_max: bool


def middle(w: int) -> tuple[int, int]:
    """The places of the middle values after sorting; equal for odd w, the two to be averaged for even w."""
    return (w - 1) // 2, w // 2


def sorting_network(w: int) -> list[tuple[int, int]]:
    """Batcher's merge exchange (Knuth, vol. 3, 5.2.2, algorithm M): the pairs to compare, in order."""
    pairs: list[tuple[int, int]] = []
    top = 1 << max(w - 1, 1).bit_length() - 1
    p = top
    while p > 0 and w > 1:
        q, r, distance = top, 0, p
        while True:
            pairs += [(i, i + distance) for i in range(w - distance) if i & p == r]
            if q == p:
                break
            distance, q, r = q - p, q >> 1, p
        p >>= 1
    return pairs


@lru_cache(maxsize=64)
def median_steps(w: int) -> tuple[Step, ...]:
    """The steps of the sorting network that reach a middle place, in order."""
    needed = set(middle(w))
    steps: list[Step] = []
    for i, j in reversed(sorting_network(w)):
        if i in needed or j in needed:
            steps.append(Step(i, j, i in needed, j in needed))
            needed |= {i, j}
    return tuple(reversed(steps))
