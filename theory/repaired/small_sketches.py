"""Small count sketches in exact arithmetic, on which Lemma 1' is checked over whole finite domains.

An inequality with a square root, a ≤ b + 2√c·η·…, is decided by squaring, never by rounding.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb
from statistics import median

from theory.ledger import Test

Ints = tuple[int, ...]


@dataclass(frozen=True)
class Selection:
    """A vector, its estimate and k."""

    v: Ints
    estimate: Ints
    k: int

    @property
    def chosen(self) -> set[int]:
        return top(self.estimate, self.k)

    @property
    def best(self) -> set[int]:
        return top(self.v, self.k)


def top(v: Ints, k: int) -> set[int]:
    """The k largest entries in absolute value; a tie keeps the lower index."""
    return set(sorted(range(len(v)), key=lambda i: (-abs(v[i]), i))[:k])


def residual2(s: Selection) -> int:
    """‖v − w̃‖² with w̃ the estimate on the chosen coordinates."""
    return sum((x - s.estimate[i]) ** 2 if i in s.chosen else x * x for i, x in enumerate(s.v))


def tail2(s: Selection) -> int:
    """τ_k²."""
    return sum(x * x for i, x in enumerate(s.v) if i not in s.best)


def at_most_with_root(value: int, plain: int, factor: int, radicand: int) -> bool:
    """value ≤ plain + factor·√radicand, exactly (factor, radicand ≥ 0)."""
    rest = value - plain
    return rest <= 0 or rest * rest <= factor * factor * radicand


def within_max_form(s: Selection) -> bool:
    """‖r‖² ≤ kη² + (τ + 2√k η)² = 5kη² + τ² + 4η√(kτ²)."""
    eta = max(abs(s.estimate[i] - s.v[i]) for i in s.chosen | s.best)
    return at_most_with_root(residual2(s), 5 * s.k * eta * eta + tail2(s), 4 * eta, s.k * tail2(s))


def within_l2_form(s: Selection) -> bool:
    """‖r‖² ≤ U² + (τ + √2 U)² = 3U² + τ² + 2√(2U²τ²) with U² = ‖Δ̂ on Ŝ∪S*‖²."""
    U2 = sum((s.estimate[i] - s.v[i]) ** 2 for i in s.chosen | s.best)
    return at_most_with_root(residual2(s), 3 * U2 + tail2(s), 2, 2 * U2 * tail2(s))


def selections(d: int, size: int) -> Iterator[Selection]:
    """Every integer v and estimate with entries up to `size`, every k; then two large neighbours swapped,
    where the selection term matters most."""
    yield Selection((10, 9), (9, 10), 1)
    for v in product(range(size + 1), repeat=d):
        for estimate in product(range(-1, size + 1), repeat=d):
            for k in range(1, d + 1):
                yield Selection(v, estimate, k)


MAX_FORM = Test("‖r‖² ≤ kη² + (τ_k + 2√k η)²", within_max_form)
L2_FORM = Test("‖r‖² ≤ ‖Δ̂_U‖² + (τ_k + √2‖Δ̂_U‖)²", within_l2_form)


# ---------------------------------------------------------------- one random row


@dataclass(frozen=True)
class RandomRow:
    """v, the coordinate asked for, K columns and a threshold y (no channel noise)."""

    v: Ints
    i: int
    K: int
    y: int

    def law(self) -> dict[int, Fraction]:
        """Exact law of the row's error Σ_{l≠i} s_i s_l v_l 1[same bucket], over all buckets and signs."""
        others = [x for l, x in enumerate(self.v) if l != self.i]
        found: dict[int, Fraction] = {}
        for hits in product(range(self.K), repeat=len(others)):
            for signs in product((-1, 1), repeat=len(others)):
                error = sum(s * x for s, x, hit in zip(signs, others, hits, strict=True) if hit == 0)
                found[error] = found.get(error, Fraction(0)) + Fraction(1, (2 * self.K) ** len(others))
        return found


def row_tail(row: RandomRow) -> Fraction:
    """q = min{1, min_s [s/K + τ_s²/(K y²)]}."""
    ordered = sorted((x * x for x in row.v), reverse=True)
    options = [
        Fraction(s, row.K) + Fraction(sum(ordered[s:]), row.K * row.y * row.y) for s in range(len(row.v) + 1)
    ]
    return min(Fraction(1), *options)


def binomial_tail(J: int, p: Fraction, h: int) -> Fraction:
    """P(Bin(J, p) ≥ h)."""
    return sum((comb(J, j) * p**j * (1 - p) ** (J - j) for j in range(h, J + 1)), Fraction(0))


def rows_to_check() -> Iterator[RandomRow]:
    for v in ((3, 1, 1), (2, 2, 1), (5, 1, 0), (1, 1, 1), (4, 2, 1, 1)):
        for K in (2, 3, 4):
            for y in (1, 2, 4):
                yield from (RandomRow(v, i, K, y) for i in range(len(v)))


def row_tail_holds(row: RandomRow) -> bool:
    """P(|X| > y) ≤ q."""
    return sum((p for error, p in row.law().items() if abs(error) > row.y), Fraction(0)) <= row_tail(row)


def median_tail_holds(row: RandomRow) -> bool:
    """P(|median of 3| > y) ≤ 2P(Bin(3, q/2) ≥ 2), the left side from the exact law of one row."""
    above = sum((p for error, p in row.law().items() if error > row.y), Fraction(0))
    exact = 2 * binomial_tail(3, above, 2)
    return exact <= 2 * binomial_tail(3, row_tail(row) / 2, 2)


def row_variance_holds(row: RandomRow) -> bool:
    """E X² = (‖v‖² − v_i²)/K."""
    second = sum((p * error * error for error, p in row.law().items()), Fraction(0))
    return second == Fraction(sum(x * x for x in row.v) - row.v[row.i] ** 2, row.K)


ROW_TAIL = Test("P(|X| > y) ≤ min_s [s/K + τ_s²/(K y²)]", row_tail_holds)
MEDIAN_TAIL = Test("P(|Δ̂_i| > y) ≤ 2P(Bin(J, q/2) ≥ h)", median_tail_holds)
ROW_VARIANCE = Test("E X² = (‖v‖² − v_i²)/K", row_variance_holds)


# ---------------------------------------------------------------- vectors that know the hash


@dataclass(frozen=True)
class FixedSketch:
    """Buckets and signs of J rows, and a vector that may have been chosen after seeing them."""

    bucket: tuple[Ints, ...]
    sign: tuple[Ints, ...]
    v: Ints

    @property
    def collisions(self) -> int:
        """ϑ: the largest number of rows in which some pair collides."""
        pairs = combinations(range(len(self.v)), 2)
        return max(sum(1 for row in self.bucket if row[i] == row[l]) for i, l in pairs)

    def errors(self, i: int) -> Ints:
        return tuple(
            sum(s[i] * s[l] * x for l, x in enumerate(self.v) if l != i and b[l] == b[i])
            for b, s in zip(self.bucket, self.sign, strict=True)
        )


def adaptive_bound_holds(sketch: FixedSketch) -> bool:
    """|Δ̂_i| ≤ min over s with ϑs < h of ϑ‖v_tail(s)‖_1/(h − ϑs)."""
    h, theta = -(-len(sketch.bucket) // 2), sketch.collisions
    ordered = sorted((abs(x) for x in sketch.v), reverse=True)
    limits = [
        Fraction(theta * sum(ordered[s:]), h - theta * s) for s in range(len(sketch.v) + 1) if theta * s < h
    ]
    return all(abs(median(map(Fraction, sketch.errors(i)))) <= min(limits) for i in range(len(sketch.v)))


def adaptive_sketches() -> Iterator[FixedSketch]:
    """Three rows, three coordinates, two columns: every hash with the first bucket fixed, and small
    vectors.
    """
    rows = [(0, a, b) for a in (0, 1) for b in (0, 1)]
    signs = [(1, a, b) for a in (-1, 1) for b in (-1, 1)]
    for bucket in product(rows, repeat=3):
        for sign in product(signs, repeat=3):
            for v in ((2, 1, 1), (3, -1, 0), (1, 1, 1), (5, 2, -1)):
                yield FixedSketch(bucket, sign, v)


ADAPTIVE = Test("|Δ̂_i| ≤ min_s ϑ‖v_tail(s)‖_1/(h − ϑs)", adaptive_bound_holds)
