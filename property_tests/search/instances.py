"""Instances for the refuted claims about vectors, hashes and short recursions.

Each searcher builds admissible instances by construction; the ledger's own tests decide about them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from property_tests.search.hunting import inner_shares, nonnegative, positive, shares, tenth_powers, whole
from theory.repaired import small_sketches as si

Instance = dict[str, Any]


@dataclass(frozen=True)
class Searcher:
    """Where to look for a violation of one claim; `also` pins the mechanism where several could break it."""

    candidates: st.SearchStrategy[Any]
    sides: Callable[[Any], str] | None = None  # both sides in words; None: the entry's own wording
    also: Callable[[Any], bool] = lambda candidate: True


small_bias = st.integers(7, 100).map(lambda n: Fraction(1, n))  # 6 P_b < 1, so that the range is not empty
above_one = positive.map(lambda size: 1 + size)


def squared(v: tuple[Fraction, ...]) -> Fraction:
    return sum((x * x for x in v), Fraction(0))


@st.composite
def growing_runs(draw: st.DrawFn) -> Instance:
    """S.9: f = (L/2)w² from w_0 = 1, γ the largest of the range; W is at least |w_0|²."""
    mu = tuple(draw(positive) for _ in range(3))
    W = 1 + draw(nonnegative)
    return {"mu": mu, "L": draw(positive), "P_b": draw(small_bias), "T": draw(st.integers(1, 20)), "W": W}


@st.composite
def sketch_sizes(draw: st.DrawFn) -> Instance:
    """CS.2: an odd number of rows; |g|² = 2 as the claim's threshold has it."""
    vector = tuple(Fraction(draw(st.sampled_from((1, -1)))) for _ in range(2))
    rows, buckets = 2 * draw(st.integers(0, 3)) + 1, draw(st.integers(1, 8))
    return {"rows": rows, "buckets": buckets, "delta": draw(inner_shares), "vector": vector}


@st.composite
def any_vectors(draw: st.DrawFn) -> Instance:
    """L1.any: d = k + 1 coordinates."""
    k = draw(st.integers(1, 3))
    w = tuple(draw(st.lists(whole, min_size=k + 1, max_size=k + 1)))
    return {"w": w, "k": k, "c": draw(above_one)}


@st.composite
def power_law_vectors(draw: st.DrawFn) -> Instance:
    """L1: |w(i)| is a share of i^{-p}|w(1)|, so at most i^{-p}‖w‖; d = k + 1."""
    k, p, first = draw(st.integers(1, 3)), draw(st.integers(2, 3)), draw(positive)
    rest = tuple(draw(shares) * first / i**p for i in range(2, k + 2))
    return {"w": (first, *rest), "k": k, "c": draw(above_one), "p": p}


@st.composite
def unit_gradients(draw: st.DrawFn) -> Instance:
    """L1.4: rational points of the unit circle in a coordinate plane, ((1−t²), 2t)/(1+t²).

    t ≤ 2^{-p}/2 keeps the smaller entry at most 2^{-p}, which is the sorted power law for two entries.
    """
    d, p = draw(st.integers(2, 3)), 2
    gradients = []
    for _ in range(draw(st.integers(1, 3))):
        large, small = draw(st.permutations(range(d)))[:2]
        t = draw(st.one_of(st.just(Fraction(0)), st.integers(8, 20).map(lambda n: Fraction(1, n))))
        entries = [Fraction(0)] * d
        entries[large] = draw(st.sampled_from((1, -1))) * (1 - t * t) / (1 + t * t)
        entries[small] = 2 * t / (1 + t * t)
        gradients.append(tuple(entries))
    return {"gradients": tuple(gradients), "gamma": draw(positive), "p": p}


@st.composite
def power_sum_shapes(draw: st.DrawFn) -> Instance:
    k = draw(st.integers(1, 9))
    return {"k": k, "low": k + 1, "d": k + draw(st.integers(1, 9)), "n": draw(st.integers(3, 12))}


@st.composite
def linear_devices(draw: st.DrawFn) -> Instance:
    """L2.24: two linear losses with slopes mean ± spread, and the smallest B² that Assumption 5 allows."""
    mean, spread = draw(positive), draw(nonnegative)
    B2 = (mean**2 + spread**2) / mean**2
    P_b = 1 / draw(tenth_powers)
    gradients = (mean + spread, mean - spread)
    return {"gradients": gradients, "E": draw(st.integers(1, 5)), "Lam": draw(positive), "P_b": P_b, "B2": B2}


@st.composite
def long_rounds(draw: st.DrawFn) -> Instance:
    """L2.19: thousands of local steps, where the drift approaches its limit."""
    E = 1000 * draw(st.integers(1, 9))
    return {"E": E, "P_b": 1 / draw(tenth_powers), "constant": Fraction(258, 100)}


@st.composite
def sparse_steps(draw: st.DrawFn) -> Instance:
    """T1.2: a k-sparse broadcast point (its k kept coordinates come first) and any step."""
    d = draw(st.integers(1, 3))
    k = draw(st.integers(1, d))
    kept = [draw(whole) for _ in range(k)]
    step = tuple(draw(whole) for _ in range(d))
    return {"broadcast": (*kept, *[Fraction(0)] * (d - k)), "step": step, "k": k}


@st.composite
def steep_runs(draw: st.DrawFn) -> Instance:
    """T1: γ inside the printed range, L = (a share of 2)/γ so that iterates stay bounded, W = |w_0|²."""
    P_b, w0 = draw(small_bias), draw(positive)
    gamma = draw(inner_shares) * (1 - 6 * P_b) / (12 * (1 + P_b))
    L = 2 * draw(shares.filter(bool)) / gamma
    c, T = draw(above_one), draw(st.integers(1, 20))
    return {"L": L, "P_b": P_b, "gamma": gamma, "w0": w0, "W": w0**2, "c": c, "T": T}


@st.composite
def selections(draw: st.DrawFn) -> si.Selection:
    """Lemma1r.selection: a vector of whole numbers and an estimate near it."""
    d = draw(st.integers(1, 4))
    v = tuple(draw(st.integers(-12, 12)) for _ in range(d))
    estimate = tuple(x + draw(st.integers(-2, 2)) for x in v)
    return si.Selection(v, estimate, draw(st.integers(1, d)))


def _power_sum_sides(found: Instance) -> str:
    k, d, n = found["k"], found["d"], found["n"]
    total = sum((Fraction(1, i**n) for i in range(k + 1, d + 1)), Fraction(0))
    return f"{total} <= {(Fraction(1, (k + 1) ** (n - 1)) - Fraction(1, d ** (n - 1))) / (n - 1)} is false"


def _tail_sides(found: Instance) -> str:
    return f"{squared(found['w'][found['k'] :])} <= {squared(found['w']) / found['c']} is false"


def _selection_sides(found: si.Selection) -> str:
    eta = max(abs(found.estimate[i] - found.v[i]) for i in found.chosen | found.best)
    return f"{si.residual2(found)} <= {found.k * eta * eta + si.tail2(found)} is false"


SEARCHERS: dict[str, Searcher] = {
    "S.9": Searcher(growing_runs()),
    "CS.2": Searcher(sketch_sizes()),
    "L1.any": Searcher(any_vectors()),
    "L1.4": Searcher(unit_gradients()),
    "L1": Searcher(power_law_vectors(), _tail_sides),
    "L1.7": Searcher(power_sum_shapes(), _power_sum_sides),
    "L2.19": Searcher(long_rounds()),
    "L2.24": Searcher(linear_devices()),
    "T1.2": Searcher(sparse_steps()),
    "T1": Searcher(steep_runs()),
    "Lemma1r.selection": Searcher(selections(), _selection_sides),
}
