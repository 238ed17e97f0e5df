"""Lemma 1' without one of its assumptions: small vectors, and every hash of a row."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import isqrt, prod

from hypothesis import strategies as st
from scipy.stats import binom

from benchmarks.search.dropped import ONE, ZERO, Theorem, Trial, compare
from benchmarks.search.hunting import inner_shares, positive, shares, tenth_powers
from theory.bounds.sketch_size import median_failure
from theory.bounds.terms import Sketch, lemma1_residual
from theory.counterexamples.exact_sketch import ExactSketch, Vector
from theory.counterexamples.federated import average, combine
from theory.formulas import sketch as formulas
from theory.formulas.evaluated import compiled
from theory.papers.fps.letters import k as kept_count

by_largest_error = compiled(formulas.RESIDUAL_BY_LARGEST, (kept_count, formulas.eta, formulas.tau_k))
row_failure = compiled(
    formulas.ROW_FAILURE, (formulas.s, formulas.tau2, formulas.K, formulas.noise2, formulas.error)
)
adaptive_error = compiled(formulas.ADAPTIVE_ERROR, (formulas.theta, formulas.tail1, formulas.h, formulas.s))
signs = st.sampled_from((1, -1))


def top(v: Vector, k: int) -> set[int]:
    """The k largest entries in absolute value; a tie keeps the lower index."""
    return set(sorted(range(len(v)), key=lambda i: (-abs(v[i]), i))[:k])


def residual2(v: Vector, estimate: Vector, kept: set[int]) -> Fraction:
    """‖v − its estimate on the coordinates that are kept‖²."""
    return sum(((x - estimate[i]) ** 2 if i in kept else x * x for i, x in enumerate(v)), ZERO)


def whole_vectors(d: int, most: int) -> st.SearchStrategy[Vector]:
    return st.tuples(*[st.integers(-most, most).map(Fraction)] * d)


# ---------------------------------------------------------------- (a): which coordinates are kept

UNION = "η covers every coordinate that is kept or that is among the k largest"
TOP_K = "the k largest estimates are kept"


@st.composite
def deterministic(draw: st.DrawFn, dropped: str | None) -> Trial:
    """‖r‖² ≤ kη² + (τ_k + 2√k η)²."""
    d = draw(st.integers(1, 4))
    v, errors, k = draw(whole_vectors(d, 9)), draw(whole_vectors(d, 2)), draw(st.integers(1, d))
    estimate = combine(ONE, errors, v)
    best, chosen = top(v, k), top(estimate, k)
    kept = set(draw(st.permutations(range(d)))[:k]) if dropped == TOP_K else chosen
    full = max(abs(errors[i]) for i in kept | best)
    eta = max(abs(errors[i]) for i in kept) if dropped == UNION else full
    tail = float(sum(x * x for i, x in enumerate(v) if i not in best)) ** 0.5
    flags = {UNION: eta >= full, TOP_K: kept == chosen}
    shown = {"v": v, "estimate": estimate, "k": k, "kept": sorted(kept), "η": eta}
    return compare(
        residual2(v, estimate, kept), by_largest_error(k, eta, tail), flags, shown, "residual² ≤ bound"
    )


# ---------------------------------------------------------------- (b): power law

POWER_LAW = "|v|_(i) ≤ i^{-p}‖v‖"
RECOVERY = "every estimate is within ‖v‖/√(ck)"
BOUNDED = "‖v‖² ≤ W"


@st.composite
def power_law(draw: st.DrawFn, dropped: str | None) -> Trial:
    """‖r‖² ≤ [1/c + (√((k^{1−2p} − d^{1−2p})/(2p−1)) + 2/√c)²]W for whole p."""
    k, p, c = draw(st.integers(1, 2)), draw(st.integers(1, 3)), draw(st.one_of(positive, tenth_powers))
    d, first = k + draw(st.integers(1, 2)), draw(positive)
    steepness = 0 if dropped == POWER_LAW else p
    v = (first, *(draw(shares) * first / i**steepness for i in range(2, d + 1)))
    norm2 = sum((x * x for x in v), ZERO)
    reach = Fraction(isqrt(int(10**6 * norm2 / (c * k))), 1000) * (10 if dropped == RECOVERY else 1)
    estimate = tuple(x + draw(st.sampled_from((0, 1, -1))) * draw(shares) * reach for x in v)
    W = norm2 * (draw(inner_shares) if dropped == BOUNDED else 1)
    flags = {
        POWER_LAW: all(x * x * i ** (2 * p) <= norm2 for i, x in enumerate(sorted(v, reverse=True), start=1)),
        RECOVERY: all(c * k * (a - b) ** 2 <= norm2 for a, b in zip(estimate, v, strict=True)),
        BOUNDED: norm2 <= W,
    }
    shown = {"v": v, "estimate": estimate, "k": k, "p": p, "c": c, "W": W}
    left, right = residual2(v, estimate, top(estimate, k)), lemma1_residual(Sketch(c, k, d, p, W))
    return compare(left, right, flags, shown, "residual² ≤ bound")


# ---------------------------------------------------------------- (c): random hashes

INDEPENDENT = "v does not depend on the hash"
SIGNS = "the signs are random"
UNIFORM = "the buckets are uniform"
ROWS = "the rows are independent"


@st.composite
def medians(draw: st.DrawFn, dropped: str | None) -> Trial:
    """P(|Δ̂_0| > y) ≤ 2P(Bin(J, q/2) ≥ h), the left side by enumeration of one row's hashes and signs."""
    K, y = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    others = tuple(draw(st.integers(0, 6)) for _ in range(draw(st.integers(1, 2))))
    J = 1 if dropped == INDEPENDENT else 2 * draw(st.integers(0, 2)) + 1
    weights = [draw(st.integers(1, 3)) if dropped == UNIFORM else 1 for _ in range(K)]
    law = row_law(others, weights, dropped)
    up, down = (sum((p for x, p in law if sign * x > y), ZERO) for sign in (1, -1))
    rows = 1 if dropped == ROWS else J  # rows that are all the same are one
    left = sum(binom.sf(rows // 2, rows, float(p)) for p in (up, down))
    squares = sorted((x * x for x in others), reverse=True)
    tails = [(s, sum(squares[s:])) for s in range(len(squares) + 1)]
    q = min(1, *(row_failure(s, tail2, K, 0, y) for s, tail2 in tails))
    flags = {
        INDEPENDENT: dropped != INDEPENDENT,  # below: the vector is chosen after each hash
        SIGNS: up == down,
        UNIFORM: len(set(weights)) == 1,
        ROWS: rows == J,
    }
    shown = {"other coordinates": others, "bucket weights": weights, "rows": J, "y": y}
    return compare(left, 2 * median_failure(J, q / 2), flags, shown, "probability ≤ bound")


def row_law(others: tuple[int, ...], weights: list[int], dropped: str | None) -> list[tuple[int, Fraction]]:
    """(error of coordinate 0, probability) for every hash and every sign of one row.

    A vector that knows the hash is the worst reordering and sign change of the given one.
    """
    n, law = len(others), []
    all_signs = [(1,) * n] if dropped == SIGNS else list(product((1, -1), repeat=n))
    for own, *hits in product(range(len(weights)), repeat=n + 1):
        chance = prod((Fraction(weights[hit], sum(weights)) for hit in (own, *hits)), start=ONE)
        for sign in all_signs:
            error = sum(s * x for s, x, hit in zip(sign, others, hits, strict=True) if hit == own)
            if dropped == INDEPENDENT:
                error = sign[0] * sum(sorted(others, reverse=True)[: hits.count(own)])
            law.append((error, chance / len(all_signs)))
    return law


# ---------------------------------------------------------------- (d): vectors that know the hash

COLLISIONS = "ϑ counts the rows in which the worst pair collides"
MEDIAN = "an estimate is the median of its rows"


@st.composite
def adaptive(draw: st.DrawFn, dropped: str | None) -> Trial:
    """|Δ̂_i| ≤ min over s with ϑs < h of ϑ‖v_tail(s)‖_1/(h − ϑs), for every i."""
    J, K, d = draw(st.sampled_from((1, 3))), draw(st.integers(1, 3)), draw(st.integers(2, 3))
    bucket = draw(st.tuples(*[st.tuples(*[st.integers(0, K - 1)] * d)] * J))
    sign = draw(st.tuples(*[st.tuples(*[signs] * d)] * J))
    v = draw(whole_vectors(d, 9))
    pairs = combinations(range(d), 2)
    collisions = max(sum(row[i] == row[l] for row in bucket) for i, l in pairs)
    theta = max(0, collisions - (dropped == COLLISIONS))
    h, sizes = (J + 1) // 2, sorted(map(abs, v), reverse=True)
    right = min(adaptive_error(theta, sum(sizes[s:]), h, s) for s in range(d + 1) if theta * s < h)
    whole = ExactSketch(K, bucket, sign)
    rows = [ExactSketch(K, (b,), (s,)) for b, s in zip(bucket, sign, strict=True)]
    read = [each.estimate(each.add({}, v)) for each in (rows if dropped == MEDIAN else [whole])]
    left = max(map(abs, combine(-ONE, v, average(read))))
    flags = {COLLISIONS: theta == collisions, MEDIAN: dropped != MEDIAN or J == 1}
    return compare(
        left, right, flags, {"buckets": bucket, "signs": sign, "v": v, "ϑ": theta}, "error ≤ bound"
    )


LEMMA_1 = (
    Theorem("Lemma 1' (a)", "Lemma1r.a", (UNION, TOP_K), deterministic),
    Theorem("Lemma 1' (b)", "Lemma1r.b", (POWER_LAW, RECOVERY, BOUNDED), power_law),
    Theorem("Lemma 1' (c)", "Lemma1r.c", (INDEPENDENT, SIGNS, UNIFORM, ROWS), medians),
    Theorem("Lemma 1' (d)", "Lemma1r.d", (COLLISIONS, MEDIAN), adaptive),
)
