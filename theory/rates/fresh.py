"""The learning rates that a sketch allows: drawn anew in every round, or kept with a hash not known yet.

`fresh_range` is the answer of `lr --sketch`: from the size of the sketch and the curvature alone, A3 asked at
the broadcasts only and, beside it, also at x + ȳ, which nobody ever knows.

`range_for_a_random_hash` speaks of a sketch that is kept, before its hash is known, with a probability. Mean
read-out of all coordinates (k = d), E = 1, no noise: the run descends for γ < 2/L_A (Corollary B2), and
L_A ≤ L λ_max(A), A = SᵀS/J. Row j of the sketch contributes S_jᵀS_j, whose largest eigenvalue is at most the
largest number of coordinates in one bucket. So λ_max(A) ≤ m if no bucket holds more than m of them.

The load X of a bucket is a sum of d indicators with probability p = 1/b. The hash is 5-wise independent, so
E(X − dp)⁴ = dp(1−p)(1 + 3(d−2)p(1−p)) as for independent ones, and Markov's inequality over all J b buckets
gives P(some load > m) ≤ J b E(X − dp)⁴/(m + 1 − dp)⁴.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, isfinite
from typing import Any

from theory.errors import InvalidParameter
from theory.formulas import fresh as ff
from theory.formulas.evaluated import compiled
from theory.rates.descent.certificate import Certificate, FreshRound
from theory.rates.descent.certified import CertifiedRange, certified_range
from theory.rates.fresh_sketch import FreshSketch, number
from theory.rates.parameters import Parameters, Scalar, checked_integer

_memory = compiled(ff.MEMORY_STEP.slope, (ff.ell, ff.omega_L, ff.memory, ff.shrink))
_memory_edge = compiled(ff.MEMORY_EDGE, (ff.memory, ff.shrink))


@dataclass(frozen=True)
class FreshRange:
    """γ_max where A3 holds at the broadcasts, where it holds at x + ȳ too, and what the sketch costs."""

    round: FreshRound
    at: Parameters
    broadcasts: CertifiedRange
    everywhere: CertifiedRange

    @property
    def gamma_max(self) -> float | None:
        """A3 at the broadcasts only."""
        return self.broadcasts.gamma_max

    @property
    def gamma_max_everywhere(self) -> float | None:
        """A3 at x + ȳ as well; never the smaller of the two."""
        pair = self.broadcasts.gamma_max, self.everywhere.gamma_max
        return max((each for each in pair if each is not None), default=None)

    @property
    def omega(self) -> float:
        """ω_L, in the unit of L."""
        return float(self.round.sketch.omega_L)

    @property
    def kappa(self) -> float:
        return float(self.round.kappa)

    @property
    def power(self) -> float:
        """ν' of Theorem N, in the unit of L; 0 where the channel has no relative noise."""
        return float(self.round.power)

    @property
    def impossible(self) -> float | None:
        """With the worst curvature no proof allows this γ (times 1 + 1e-12 it fails); else none is known."""
        proximal = self.at.mu > 0 and self.at.E > 1
        if not self.round.sketch.worst_case or self.broadcasts.empty or proximal:
            return None
        limit = isotropic_limit(self.round.sketch.omega, self.at.E)
        return limit / float(self.round.sketch.ell) if isfinite(limit) else None

    @property
    def certificate(self) -> Certificate | None:
        """The exact certificate of gamma_max."""
        return self.broadcasts.proof

    def as_json(self) -> dict[str, Any]:
        """The key `fresh` of `lr --json`."""
        return {
            "gamma_max": self.gamma_max,
            "gamma_max_everywhere": self.gamma_max_everywhere,
            "omega": self.omega,
            "kappa": self.kappa,
            "power": self.power,
            "impossible": self.impossible,
            "certificate": self.broadcasts.certificate,
            "all_smaller": self.broadcasts.all_smaller,
            "floor": None if self.broadcasts.floor is None else self.broadcasts.floor.as_json(),
            "notes": list(self.round.sketch.notes()),
        }


def fresh_range(
    q: Parameters,
    sketch: FreshSketch,
    M: int | None = None,
    participants: int | None = None,
    theta: Scalar = 1,
    noise: Scalar = 0,
) -> FreshRange:
    """Which γ descend in every round, in expectation over the hashes and the participants.

    `noise`: 1/SNR of a channel that is used at full power in every round; noise of a fixed size costs no
    range.

    >>> sketch = FreshSketch(rows=1, buckets=1000, d=100_000, ell=1, trace=40)
    >>> found = fresh_range(Parameters(L=1, E=1), sketch)
    >>> round(found.gamma_max, 3), round(2 / (1 + found.omega), 3)
    (1.921, 1.921)
    """
    fresh = FreshRound(sketch, M, participants, number("noise", noise, "a finite number of at least 0"))
    broadcasts = certified_range(q, theta, fresh, everywhere=False)
    same = q.E == 1 or broadcasts.empty
    everywhere = broadcasts if same else certified_range(q, theta, fresh, everywhere=True)
    return FreshRange(fresh, q, broadcasts, everywhere)


def isotropic_limit(omega: Scalar, steps: int) -> float:
    """No proof allows a larger Lγ: 1 − (1 − 2/(1+ω))^{1/E}; infinite where the sketch loses less than half.

    With f = (λ/2)|x|², λ ≤ L and λγ at the limit, E|x_t|² stays what it is, so no bound Δ/(cT) can hold.

    >>> round(isotropic_limit(19, 1), 5), round(isotropic_limit(19, 2), 5)
    (0.1, 0.05132)
    """
    inside = 1 - 2 / (1 + float(omega))
    if inside < 0:
        return 2 / (1 + float(omega)) if steps == 1 else float("inf")
    return 1 - inside ** (1 / steps)


def memory_end(ell: Scalar, omega_L: Scalar, omega: Scalar, memory: Scalar) -> float:
    """Theorem L, E = 1: γ below this with leaky memory ρ; ρ = 0 is the fresh sketch, ρ = 1 error feedback.

    >>> memory_end(1, 19, 19, 0)
    0.1
    """
    return 1 / float(_memory(float(ell), float(omega_L), _share(memory), 1 / (1 + float(omega))))


def memory_edge(ell: Scalar, omega: Scalar, memory: Scalar) -> float:
    """The exact end on (ℓ/2)|x|² with equal devices and a sketch that is a projection times 1 + ω.

    >>> round(memory_edge(1, 19, 0), 12), round(memory_edge(1, 19, 1), 6)
    (0.1, 0.051282)
    """
    return float(_memory_edge(_share(memory), 1 / (1 + float(omega)))) / float(ell)


def _share(memory: Scalar) -> float:
    return float(number("memory", memory, "a number in [0, 1]"))


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
