"""A range that holds with a sketch before its hash is known, with a probability.

Mean read-out of all coordinates (k = d), E = 1, no noise: the run descends for γ < 2/L_A (Corollary B2), and
L_A ≤ L λ_max(A), A = SᵀS/J. Row j of the sketch contributes S_jᵀS_j, whose largest eigenvalue is at most the
largest number of coordinates in one bucket. So λ_max(A) ≤ m if no bucket holds more than m of them.

The load X of a bucket is a sum of d indicators with probability p = 1/b. The hash is 5-wise independent, so
E(X − dp)⁴ = dp(1−p)(1 + 3(d−2)p(1−p)) as for independent ones, and Markov's inequality over all J b buckets
gives P(some load > m) ≤ J b E(X − dp)⁴/(m + 1 − dp)⁴.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from theory.errors import InvalidParameter
from theory.rates.parameters import Parameters, checked_integer

FAILURE = Fraction(1, 20)
WORDS = 2**31  # values of the hash: a bucket's probability is off from 1/b by a share of at most 2b/WORDS


@dataclass(frozen=True)
class Sketch:
    """rows x buckets for d coordinates, of which k are read out by `recovery`."""

    rows: int
    buckets: int
    k: int
    d: int
    recovery: str = "mean"

    def __post_init__(self) -> None:
        for name in ("rows", "buckets", "k", "d"):
            checked_integer(name, getattr(self, name))
        if self.k > self.d:
            raise InvalidParameter("k", self.k, f"at most d = {self.d}")
        if self.recovery not in ("mean", "median"):
            raise InvalidParameter("recovery", self.recovery, "mean or median")


@dataclass(frozen=True)
class HashRange:
    """γ < gamma_max with probability at least 1 − failure over the hash; None: nothing is proved, see why."""

    gamma_max: float | None
    load: int | None
    failure: float
    why: str


def largest_load(sketch: Sketch, failure: Fraction = FAILURE) -> int:
    """The least m such that some bucket holds more than m coordinates with probability at most `failure`."""
    J, b, d = sketch.rows, sketch.buckets, sketch.d
    p = min(Fraction(1), Fraction(1, b) * (1 + Fraction(2 * b, WORDS)))
    variance = d * p * (1 - p)
    fourth = variance * (1 + 3 * max(d - 2, 0) * p * (1 - p))
    m = ceil(float(d * p) + float(J * b * fourth / failure) ** 0.25 * (1 + 1e-12))
    return min(m, d)


def range_for_a_random_hash(q: Parameters, sketch: Sketch) -> HashRange:
    """The range, if Corollary B2 applies to these constants and this sketch (`theory.theorems` decides)."""
    if q.L == 0:
        return HashRange(None, None, float(FAILURE), "L = 0")
    load = largest_load(sketch)
    why = f"no bucket holds more than {load} coordinates, so L_A <= {load} L (Corollary B2: gamma < 2/L_A)"
    return HashRange(float(2 / (Fraction(q.L) * load)), load, float(FAILURE), why)
