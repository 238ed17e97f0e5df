"""What a fresh sketch costs: ω_L and κ from its size, the curvature, and who takes part (Lemma 1, Lemma 2).

A sketch of J rows and b buckets per row, drawn anew in every round, gives each device's update back as A·y
with E A = I. The variance costs ω_L = λ_max(E(A−I)H(A−I)), where H bounds the curvature of f from above, ell
is its largest eigenvalue and trace its trace. For independent buckets (`count_sketch`) and for a random
affine map modulo a prime (`balanced`) two coordinates share a bucket of a row with probability p_1, p =
p_1/J, and
  ω_L ≤ p·(ell + trace),   ω_L ≤ p·(d − 1)·ell.
The second needs no trace: it is the worst case. The `fold` keeps its classes for ever and draws signs alone,
so the class of coordinates with the largest trace decides: ω_L ≤ [(class trace) + min(ell, class trace)]/J.

Only integers and fractions, so that the verifier of certificates may use it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite, isqrt
from numbers import Real

from theory.errors import InvalidParameter

COMPRESSORS = ("count_sketch", "balanced", "fold", "identity")
HASH_VALUES = 2**30  # values that the hash spreads over the buckets
LARGEST_PRIME = 10**12  # beyond it the search for a prime takes seconds
MOST = 10**18

Scalar = int | float | Fraction


@dataclass(frozen=True)
class FreshSketch:
    """rows x buckets numbers a round for d coordinates, and the curvature that decides what that costs.

    `trace` is left out where it is not known; `class_trace` is the largest trace of a class of the fold.

    >>> sketch = FreshSketch(rows=1, buckets=1000, d=100_000, ell=1, trace=40)
    >>> sketch.size, round(float(sketch.omega_L), 9), sketch.worst_case
    (1000, 0.041, False)
    >>> round(float(FreshSketch(1, 1000, 100_000, ell=1).omega_L), 9)  # without the trace
    99.999
    """

    rows: int
    buckets: int
    d: int
    ell: Fraction
    trace: Fraction | None = None
    compressor: str = "count_sketch"
    class_trace: Fraction | None = None

    def __post_init__(self) -> None:
        for name in ("rows", "buckets", "d"):
            object.__setattr__(self, name, whole(name, getattr(self, name), 1))
        if self.compressor not in COMPRESSORS:
            raise InvalidParameter("compressor", self.compressor, " or ".join(COMPRESSORS))
        object.__setattr__(self, "ell", number("L", self.ell, "a finite number above 0"))
        if self.ell <= 0:
            raise InvalidParameter("L", shown(self.ell), "a finite number above 0")
        if self.trace is not None:
            object.__setattr__(self, "trace", self._checked_trace())
        if self.class_trace is not None:
            self._check_class_trace()

    @classmethod
    def with_classes(cls, class_traces: Sequence[Sequence[Scalar]], d: int, ell: Scalar) -> FreshSketch:
        """The fold, from the trace of every class: one list for each row.

        >>> float(FreshSketch.with_classes([[0.5, 0.25]], d=40, ell=0.25).omega_L)
        0.75
        """
        expected = "the same number of classes in every row, each of trace at least 0"
        rows = [[number("class trace", each, expected) for each in row] for row in class_traces]
        if not rows or len({len(row) for row in rows}) != 1 or not rows[0] or min(map(min, rows)) < 0:
            raise InvalidParameter("class trace", "others", expected)
        exact = number("L", ell, "a finite number above 0")
        total = min(max(exact, *(sum(row, Fraction(0)) for row in rows)), exact * d)
        return cls(len(rows), len(rows[0]), d, exact, total, "fold", max(map(max, rows)))

    @property
    def size(self) -> int:
        """m: numbers sent by a device in a round."""
        return self.rows * self.buckets

    @property
    def lossless(self) -> bool:
        """Is A = I? The fold's classes then hold one coordinate each; a bucket may always be shared."""
        alone = self.compressor == "fold" and self.buckets >= self.d
        return self.d == 1 or self.compressor == "identity" or alone

    @property
    def worst_case(self) -> bool:
        """Is the price that of the worst curvature, because no trace is known?"""
        return not self.lossless and self.trace is None and self.class_trace is None

    @property
    def sharing(self) -> Fraction:
        """p: the probability that two coordinates share a bucket, over the rows (1 within a fold's class)."""
        b, d = self.buckets, self.d
        if self.lossless:
            return Fraction(0)
        if self.compressor == "count_sketch":
            left = HASH_VALUES % b
            return (Fraction(1, b) + Fraction(left * (b - left), b * HASH_VALUES**2)) / self.rows
        if self.compressor == "fold":
            return Fraction(1, self.rows)
        return collision_of_residues(d, b) / self.rows

    @property
    def omega(self) -> Fraction:
        """ω: E|Ax|² is at most (1 + ω)|x|²; exactly that but for classes of the fold that differ by one."""
        if self.compressor == "fold" and not self.lossless:
            return Fraction(-(-self.d // self.buckets) - 1, self.rows)
        return self.sharing * (self.d - 1)

    @property
    def omega_L(self) -> Fraction:
        """An upper bound on ω_L, the least that is known; in the unit of L.

        The worst case holds as well where a trace is given: H ≤ ell·I.
        """
        worst = self.omega * self.ell
        if self.lossless or self.worst_case:
            return worst
        if self.compressor == "fold":
            top = self.trace if self.class_trace is None else self.class_trace
            assert top is not None
            return min(worst, (top + min(self.ell, top)) / self.rows)
        return worst if self.trace is None else min(worst, self.sharing * (self.ell + self.trace))

    def kappa(self, devices: int | None, participants: int | None) -> Fraction:
        """κ = (M−s)/(s(M−1)) for s of M devices; 0 where all take part.

        >>> FreshSketch(1, 10, 100, ell=1).kappa(10, 3)
        Fraction(7, 27)
        """
        if participants is None:
            return Fraction(0)
        if devices is None:
            raise InvalidParameter("M", "nothing", "the number of devices beside the participants")
        M, s = whole("M", devices, 1), whole("participants", participants, 1)
        if s > M:
            raise InvalidParameter("participants", s, f"at most M = {M}")
        return Fraction(0) if s == M else Fraction(M - s, s * (M - 1))

    def power_price(self, noise: Scalar, participants: int) -> Fraction:
        """Theorem N: noise with `noise` times the variance of what is sent adds this to ω_L and to v."""
        if self.trace is None:
            raise InvalidParameter("trace", "nothing", "the trace: without it the noise has no price")
        share = number("noise", noise, "a finite number of at least 0")
        if share < 0:
            raise InvalidParameter("noise", shown(share), "a finite number of at least 0")
        uses = self.size * whole("participants", participants, 1)
        return share * (self.trace + 2 * self.sharing * self.ell) / uses

    def size_for(self, share: Scalar = Fraction(1, 2)) -> int | None:
        """How many numbers keep this share of the range 2/ell at E = 1, all taking part: m ≥ tr/ell + 1.

        >>> sketch = FreshSketch(1, 1000, 100_000, ell=1, trace=40)
        >>> sketch.size_for(), sketch.size_for(0.9)
        (41, 369)
        """
        kept = number("share", share, "a number in (0, 1)")
        if not 0 < kept < 1:
            raise InvalidParameter("share", shown(kept), "a number in (0, 1)")
        if self.trace is None:
            return None
        kept = kept.limit_denominator(10**6) if isinstance(share, float) else kept
        need = kept / (1 - kept) * (self.trace / self.ell + 1)
        return -int(-need // 1)

    def as_json(self) -> dict[str, object]:
        """Plain values; rationals as text."""
        values = {name: getattr(self, name) for name in ("rows", "buckets", "d", "compressor")}
        exact = {name: getattr(self, name) for name in ("ell", "trace", "class_trace")}
        return values | {name: None if v is None else str(v) for name, v in exact.items()}

    def notes(self) -> tuple[str, ...]:
        """What a reader should know beside the price."""
        said = []
        if self.worst_case:
            said.append(
                "no trace is given, so the price is that of the worst curvature (every direction as steep)"
            )
        if self.size > self.d:
            rest = (
                ""
                if self.compressor == "fold"
                else " and still loses something where two of them share a bucket"
            )
            said.append(
                f"the sketch has {self.size} numbers for d = {self.d}: it sends more than no sketch{rest}"
            )
        return tuple(said)

    def _checked_trace(self) -> Fraction:
        value = number("trace", self.trace, "a finite number")
        if value < self.ell:
            raise InvalidParameter(
                "trace", shown(value), f"at least L = {shown(self.ell)}, the largest eigenvalue"
            )
        if value > self.ell * self.d:
            most = f"at most L d = {shown(self.ell * self.d)}: no eigenvalue is above L"
            raise InvalidParameter("trace", shown(value), most)
        return value

    def _check_class_trace(self) -> None:
        value = number("class trace", self.class_trace, "a finite number of at least 0")
        object.__setattr__(self, "class_trace", value)
        if self.compressor != "fold":
            raise InvalidParameter("class trace", shown(value), "left out (only the fold has classes)")
        if value < 0 or (self.trace is not None and value * self.buckets < self.trace):
            raise InvalidParameter("class trace", shown(value), "the largest: at least the mean of all")


def collision_of_residues(d: int, buckets: int) -> Fraction:
    """p_1 of ((u i + v) mod P) mod b, P the least prime ≥ d; for huge d its upper bound 1/b.

    >>> collision_of_residues(5, 5), collision_of_residues(4, 2), collision_of_residues(10**15, 8)
    (Fraction(0, 1), Fraction(2, 5), Fraction(1, 8))
    """
    if d > LARGEST_PRIME:
        return Fraction(1, buckets)
    P = d
    while P < 2 or any(P % k == 0 for k in range(2, isqrt(P) + 1)):
        P += 1
    least, more = divmod(P, buckets)
    pairs = more * (least + 1) * least + (buckets - more) * least * (least - 1)
    return Fraction(pairs, P * (P - 1))


def number(field: str, value: object, expected: str) -> Fraction:
    """An exact finite number."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, bool) or not isinstance(value, Real) or not isfinite(value):
        raise InvalidParameter(field, value, expected)
    return Fraction(value) if isinstance(value, int | float) else Fraction(float(value))


def whole(field: str, value: object, low: int) -> int:
    """An integer ≥ low; 5.0 counts as 5."""
    expected = f"an integer of at least {low}"
    exact = number(field, value, expected)
    if exact.denominator != 1 or not low <= exact <= MOST:
        raise InvalidParameter(field, shown(exact), expected)
    return int(exact)


def shown(value: Fraction | None) -> object:
    """A fraction as a decimal, for messages."""
    return None if value is None else f"{float(value):.12g}"
