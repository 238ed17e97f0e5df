"""The repaired lemmas without one of their assumptions: exact trials that violate them.

A trial knows which assumptions hold on it. `dropped` names the one that its strategy gives up; with None the
same strategy keeps all of them, and no trial may violate the statement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb
from statistics import mean, median

from hypothesis import strategies as st

from property_tests.search.hunting import inner_shares, positive, root_down, root_up, shares, tenth_powers

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Trial:
    """One exact case: is the statement violated, and which assumptions hold."""

    violated: bool
    kept: dict[str, bool]
    sides: str
    shown: dict[str, str]

    def breaks_without(self, dropped: str | None) -> bool:
        """A violation where the dropped assumption fails and every other one holds."""
        fails = dropped is None or dropped in self.kept
        return self.violated and fails and all(ok == (name != dropped) for name, ok in self.kept.items())


Strategy = Callable[[str | None], st.SearchStrategy[Trial]]


@dataclass(frozen=True)
class Theorem:
    """A repaired statement: its assumptions and the trials that try it."""

    name: str
    place: str
    assumptions: tuple[str, ...]
    trials: Strategy


def compare(
    left: Fraction, right: Fraction, kept: dict[str, bool], shown: Mapping[str, object], name: str
) -> Trial:
    """left ≤ right is claimed; `right` is never below the true right side."""
    sides = f"{name} = {number(left)} while at most {number(right)} is allowed"
    return Trial(left > right, kept, sides, {key: str(value) for key, value in shown.items()})


def number(value: Fraction) -> str:
    """Exact when short."""
    return str(value) if len(str(value)) <= 24 else f"{float(value):.6g}"


# ---------------------------------------------------------------- Lemma 1' (a): which coordinates are kept

UNION = "η covers every coordinate that is kept or that is among the k largest"
TOP_K = "the k largest estimates are kept"
Ints = tuple[int, ...]


def top(v: Ints, k: int) -> set[int]:
    """The k largest entries in absolute value; a tie keeps the lower index."""
    return set(sorted(range(len(v)), key=lambda i: (-abs(v[i]), i))[:k])


def at_most_with_root(value: int, plain: int, factor: int, radicand: int) -> bool:
    """value ≤ plain + factor·√radicand, exactly (factor, radicand ≥ 0)."""
    rest = value - plain
    return rest <= 0 or rest * rest <= factor * factor * radicand


@st.composite
def residuals(draw: st.DrawFn, dropped: str | None) -> Trial:
    """‖r‖² ≤ kη² + (τ_k + 2√k η)², decided by squaring."""
    d = draw(st.integers(1, 4))
    v = tuple(draw(st.integers(-9, 9)) for _ in range(d))
    estimate = tuple(x + draw(st.integers(-2, 2)) for x in v)
    k = draw(st.integers(1, d))
    best, chosen = top(v, k), top(estimate, k)
    kept = set(draw(st.permutations(range(d)))[:k]) if dropped == TOP_K else chosen
    errors = [abs(estimate[i] - v[i]) for i in (kept if dropped == UNION else kept | best)]
    eta, tail2 = max(errors), sum(x * x for i, x in enumerate(v) if i not in best)
    r2 = sum((x - estimate[i]) ** 2 if i in kept else x * x for i, x in enumerate(v))
    holds = at_most_with_root(r2, 5 * k * eta * eta + tail2, 4 * eta, k * tail2)
    bound = k * eta**2 + (tail2**0.5 + 2 * k**0.5 * eta) ** 2
    full = max(abs(estimate[i] - v[i]) for i in kept | best)
    flags = {UNION: eta >= full, TOP_K: kept == chosen}
    shown = {"v": str(v), "estimate": str(estimate), "k": str(k), "kept": str(sorted(kept)), "η": str(eta)}
    return Trial(not holds, flags, f"residual² = {r2} while at most {bound:.6g} is allowed", shown)


# ---------------------------------------------------------------- Lemma 1' (b): power law

POWER_LAW = "|v|_(i) ≤ i^{-p}‖v‖"
RECOVERY = "every estimate is within ‖v‖/√(ck)"
BOUNDED = "‖v‖² ≤ W"


def integral(low: int, high: int, n: int) -> Fraction:
    """∫_low^high t^{-n} dt for whole n ≥ 2."""
    return (Fraction(1, low ** (n - 1)) - Fraction(1, high ** (n - 1))) / (n - 1)


@st.composite
def power_law_residuals(draw: st.DrawFn, dropped: str | None) -> Trial:
    """‖r‖² ≤ [1/c + (√((k^{1−2p} − d^{1−2p})/(2p−1)) + 2/√c)²]W for whole p."""
    k, p, c = draw(st.integers(1, 2)), draw(st.integers(1, 3)), draw(st.one_of(positive, tenth_powers))
    d, first = k + draw(st.integers(1, 2)), draw(positive)
    free = dropped == POWER_LAW
    rest = [draw(shares) * first / (1 if free else i**p) for i in range(2, d + 1)]
    v = (first, *sorted(rest, reverse=True)) if free else (first, *rest)
    norm2 = sum((x * x for x in v), ZERO)
    reach = root_down(norm2 / (c * k)) * (10 if dropped == RECOVERY else 1)
    estimate = tuple(x + draw(st.sampled_from((0, 1, -1))) * draw(shares) * reach for x in v)
    W = norm2 * (draw(inner_shares) if dropped == BOUNDED else 1)
    kept = set(sorted(range(d), key=lambda i: (-abs(estimate[i]), i))[:k])
    r2 = sum(((x - estimate[i]) ** 2 if i in kept else x * x for i, x in enumerate(v)), ZERO)
    tail = integral(k, d, 2 * p)
    bound = W * (5 / c + tail + 4 * root_up(tail / c))
    ordered = sorted(v, reverse=True)
    flags = {
        POWER_LAW: all(x * x * i ** (2 * p) <= norm2 for i, x in enumerate(ordered, start=1)),
        RECOVERY: all(c * k * (a - b) ** 2 <= norm2 for a, b in zip(estimate, v, strict=True)),
        BOUNDED: norm2 <= W,
    }
    shown = {"v": _row(v), "estimate": _row(estimate), "k": k, "p": p, "c": c, "W": W}
    return compare(r2, bound, flags, shown, "residual²")


def _row(values: tuple[Fraction, ...]) -> str:
    return "(" + ", ".join(map(number, values)) + ")"


# ---------------------------------------------------------------- Lemma 1' (c): random hashes

INDEPENDENT = "v does not depend on the hash"
SIGNS = "the signs are random"
UNIFORM = "the buckets are uniform"
ROWS = "the rows are independent"


def row_tail(v: Ints, K: int, y: int) -> Fraction:
    """q = min{1, min_s [s/K + τ_s²/(K y²)]}."""
    ordered = sorted((x * x for x in v), reverse=True)
    options = [Fraction(s, K) + Fraction(sum(ordered[s:]), K * y * y) for s in range(len(v) + 1)]
    return min(ONE, *options)


def binomial_tail(J: int, p: Fraction, h: int) -> Fraction:
    """P(Bin(J, p) ≥ h)."""
    return sum((comb(J, j) * p**j * (1 - p) ** (J - j) for j in range(h, J + 1)), ZERO)


@st.composite
def medians(draw: st.DrawFn, dropped: str | None) -> Trial:
    """P(|Δ̂_0| > y) ≤ 2P(Bin(J, q/2) ≥ h), the left side by enumeration of one row's hashes and signs."""
    K, y = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    others = tuple(draw(st.integers(0, 6)) for _ in range(draw(st.integers(1, 2))))
    J = 1 if dropped == INDEPENDENT else 2 * draw(st.integers(0, 2)) + 1
    weights = [draw(st.integers(1, 3)) if dropped == UNIFORM else 1 for _ in range(K)]
    law = row_law(others, weights, dropped)
    up, down = (sum((p for x, p in law if sign * x > y), ZERO) for sign in (1, -1))
    h = (J + 1) // 2
    left = up + down if dropped == ROWS else binomial_tail(J, up, h) + binomial_tail(J, down, h)
    q = row_tail((0, *others), K, y)
    flags = {
        INDEPENDENT: dropped != INDEPENDENT,  # below: the vector is chosen after each hash
        SIGNS: up == down,
        UNIFORM: len(set(weights)) == 1,
        ROWS: dropped != ROWS or J == 1,
    }
    shown = {"other coordinates": others, "bucket weights": weights, "rows": J, "y": y}
    return compare(left, 2 * binomial_tail(J, q / 2, h), flags, shown, "failure probability")


def row_law(others: tuple[int, ...], weights: list[int], dropped: str | None) -> list[tuple[int, Fraction]]:
    """(error of coordinate 0, probability) for every hash and every sign of one row.

    A vector that knows the hash is the worst reordering and sign change of the given one.
    """
    total, n = sum(weights), len(others)
    law = []
    signs = [(1,) * n] if dropped == SIGNS else list(product((1, -1), repeat=n))
    for own, *hits in product(range(len(weights)), repeat=n + 1):
        chance = Fraction(weights[own], total)
        for hit in hits:
            chance *= Fraction(weights[hit], total)
        for sign in signs:
            error = sum(s * x for s, x, hit in zip(sign, others, hits, strict=True) if hit == own)
            if dropped == INDEPENDENT:
                ordered, met = sorted(others, reverse=True), hits.count(own)
                error = sign[0] * sum(ordered[:met])
            law.append((error, chance / len(signs)))
    return law


# ---------------------------------------------------------------- Lemma 1' (d): vectors that know the hash

COLLISIONS = "ϑ counts the rows in which the worst pair collides"
MEDIAN = "an estimate is the median of its rows"


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


@st.composite
def adaptive(draw: st.DrawFn, dropped: str | None) -> Trial:
    """|Δ̂_i| ≤ min over s with ϑs < h of ϑ‖v_tail(s)‖_1/(h − ϑs), for every i."""
    J, K, d = draw(st.integers(1, 4)), draw(st.integers(1, 3)), draw(st.integers(2, 3))
    bucket = tuple(tuple(draw(st.integers(0, K - 1)) for _ in range(d)) for _ in range(J))
    sign = tuple(tuple(draw(st.sampled_from((1, -1))) for _ in range(d)) for _ in range(J))
    v = tuple(draw(st.integers(-9, 9)) for _ in range(d))
    sketch = FixedSketch(bucket, sign, v)
    theta = max(0, sketch.collisions - (dropped == COLLISIONS))
    h, ordered = -(-J // 2), sorted(map(abs, v), reverse=True)
    limits = [Fraction(theta * sum(ordered[s:]), h - theta * s) for s in range(d + 1) if theta * s < h]
    read: Callable = mean if dropped == MEDIAN else median
    left = max(abs(read([Fraction(x) for x in sketch.errors(i)])) for i in range(d))
    flags = {COLLISIONS: theta == sketch.collisions, MEDIAN: dropped != MEDIAN or J == 1}
    shown = {"buckets": bucket, "signs": sign, "v": v, "ϑ": theta}
    return compare(Fraction(left), min(limits), flags, shown, "largest error")


LEMMA_1 = (
    Theorem("Lemma 1' (a)", "Lemma1r.a", (UNION, TOP_K), residuals),
    Theorem("Lemma 1' (b)", "Lemma1r.b", (POWER_LAW, RECOVERY, BOUNDED), power_law_residuals),
    Theorem("Lemma 1' (c)", "Lemma1r.c", (INDEPENDENT, SIGNS, UNIFORM, ROWS), medians),
    Theorem("Lemma 1' (d)", "Lemma1r.d", (COLLISIONS, MEDIAN), adaptive),
)
