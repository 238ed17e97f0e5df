"""How large must a count sketch be? Rows J, columns K, and the exact tail of the median's binomial.

Lemma 1'(c), for v independent of the hash, ‖v‖ = 1, h = ⌈J/2⌉, bucket noise variance σ_c² relative to ‖v‖²:
  P(|v̂_i − v_i| > ε) ≤ P(Bin(J, q) ≥ h),   q = min{1, min_s [s/K + (τ_s²/K + σ_c²)/ε²]},
where τ_s² is the energy outside the s largest coordinates: at most 1 for any v, and smaller under a power law
|v|_(i) ≤ i^{-p}‖v‖. A union over d coordinates and T read-outs makes all estimates right at once.

This asks for independent rows, each with a 3-wise independent hash; the hash of this project is 5-wise
independent. Fully independent signs would allow 2 P(Bin(J, q/2) ≥ h), which is about half as wide a sketch.
Coq proves both (`coq/residual/MedianFailure.v`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any

import sympy as sp
from scipy.special import betainc

from theory.errors import InvalidParameter
from theory.formulas import memory, paper, sketch
from theory.formulas.evaluated import compiled
from theory.papers.fps import letters as sy
from theory.rates.parameters import (
    LARGEST,
    SMALLEST,
    Scalar,
    as_float,
    checked_exponent,
    checked_integer,
    checked_real,
    checked_size,
    evaluate,
    many_digits,
    rational,
)
from theory.rates.rounding import rounded_down, rounded_up

MOST_ROWS = 201  # pragma: no mutate: rows are odd
NOISE = "a finite number of at least 0"
SMALLEST_DELTA = 1e-100  # δ/(dT) stays far above the smallest float


@dataclass(frozen=True)
class Demand:
    """Every coordinate within ε‖v‖ at T read-outs with probability 1 − δ; ε = 1/√(ck) in the paper."""

    k: int
    d: int
    T: int
    delta: float
    epsilon: float
    p: Scalar | None = None
    noise2: float = 0.0

    def __post_init__(self) -> None:
        for name in ("k", "d", "T"):
            checked_integer(name, getattr(self, name))
        if self.k > self.d:
            raise InvalidParameter("k", self.k, f"at most d = {self.d}")
        inside = f"a number in (0, 1), at least {SMALLEST_DELTA:g}"
        if not SMALLEST_DELTA <= checked_real("delta", self.delta, inside, open_low=True) < 1:
            raise InvalidParameter("delta", self.delta, inside)
        checked_size("epsilon", self.epsilon, "a finite number above 0", open_low=True)
        checked_size("sigma", math.sqrt(checked_real("sigma", self.noise2, NOISE)), NOISE)
        if self.p is not None:
            checked_exponent("p", self.p)

    @property
    def c(self) -> float:
        """The paper's c: ε² = 1/(ck)."""
        return 1 / (self.epsilon**2 * self.k)

    @property
    def allowed_failure(self) -> float:
        """δ/(dT): what the union bound leaves for one coordinate at one read-out."""
        return self.delta / (self.d * self.T)


@dataclass(frozen=True)
class Size:
    """A sketch that meets a demand, and the failure probability of one coordinate in it."""

    rows: int
    columns: int
    failure: float

    @property
    def buckets(self) -> int:
        return self.rows * self.columns


@cache
def tail_energy(s: int, d: int, p: Scalar | None) -> float:
    """An upper bound on τ_s²/‖v‖²; the power law's sum by the midpoint rule, never too small (convexity)."""
    if s >= d:
        return 0.0
    if s == 0 or p is None:
        return 1.0
    values = {sy.k: many_digits(s), sy.d: many_digits(d), sy.p: many_digits(p)}
    return min(1.0, as_float(evaluate(sketch.TAIL_MIDPOINT, values)))


@cache
def heads(d: int, p: Scalar | None) -> tuple[tuple[int, float], ...]:
    """(s, τ_s²) to try: every s is a valid choice, so all small ones and a geometric grid are enough."""
    if p is None:
        return ((0, 1.0),)
    grid = {min(d, s) for s in (*range(65), *(int(1.1**j) for j in range(44, 330)))}
    return tuple((s, tail_energy(s, d, p)) for s in sorted(grid))


def row_failure(columns: int, demand: Demand) -> float:
    """q: one row misses by more than ε‖v‖, by a collision with a large coordinate or by Chebyshev."""
    miss = compiled(sketch.ROW_FAILURE, (sketch.s, sketch.tau2, sketch.K, sketch.noise2, sketch.error))
    given = columns, float(demand.noise2), float(demand.epsilon)
    return min(1.0, *(miss(s, t2, *given) for s, t2 in heads(demand.d, demand.p)))


def median_failure(rows: int, q: float) -> float:
    """P(Bin(J, q) ≥ h), h = ⌈J/2⌉: the median misses only if half of the rows do.

    The binomial tail is the regularised incomplete beta function: P(Bin(J, r) ≥ h) = I_r(h, J − h + 1).
    A tail below the smallest float is rounded up to it, never down to 0.
    """
    h = (rows + 1) // 2
    return max(float(betainc(h, rows - h + 1, q)), math.ulp(0.0)) if q > 0 else 0.0


def coordinate_failure(rows: int, columns: int, demand: Demand) -> float:
    """The probability that one coordinate misses by more than ε‖v‖, at one read-out, at most."""
    return median_failure(rows, row_failure(columns, demand))


def columns_needed(rows: int, demand: Demand) -> Size | None:
    """The fewest columns for this many rows; None if the bucket noise alone defeats every width."""
    noise_alone = min(1.0, demand.noise2 / float(demand.epsilon) ** 2)
    if median_failure(rows, noise_alone) >= demand.allowed_failure:
        return None
    high = 1
    while coordinate_failure(rows, high, demand) > demand.allowed_failure:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        fits = coordinate_failure(rows, middle, demand) <= demand.allowed_failure
        low, high = (low, middle) if fits else (middle, high)
    return Size(rows, high, coordinate_failure(rows, high, demand))


def smallest(demand: Demand) -> Size | None:
    """The fewest buckets over odd numbers of rows (an even number is never better than one row less)."""
    sizes = (columns_needed(rows, demand) for rows in range(1, MOST_ROWS + 1, 2))
    return min((size for size in sizes if size), key=lambda size: (size.buckets, size.rows), default=None)


def best_accuracy(buckets: int, demand: Demand) -> tuple[Size, float]:
    """The best shape of so many buckets, and the smallest ε it can promise (whatever demand.epsilon is)."""
    shapes = [(rows, buckets // rows) for rows in range(1, min(MOST_ROWS, buckets) + 1, 2)]
    errors = {shape: _promised_error(*shape, demand) for shape in shapes}
    rows, columns = min(errors, key=lambda shape: errors[shape])
    best = errors[rows, columns]
    reached = demand if math.isinf(best) else replace(demand, epsilon=best)
    return Size(rows, columns, coordinate_failure(rows, columns, reached)), best


def _promised_error(rows: int, columns: int, demand: Demand) -> float:
    """The ε at which q meets the largest allowed value; infinite when no ε of a safe size does."""
    q = largest_row_failure(rows, demand.allowed_failure)
    errors2 = [
        (t2 / columns + demand.noise2) / (q - s / columns)
        for s, t2 in heads(demand.d, demand.p)
        if s / columns < q
    ]
    error = math.sqrt(min(errors2)) if errors2 else math.inf
    return max(error, SMALLEST) if error <= LARGEST else math.inf


@cache
def largest_row_failure(rows: int, allowed: float) -> float:
    """The largest q with P(Bin(J, q) ≥ ⌈J/2⌉) ≤ allowed, by bisection (the tail grows with q)."""
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if median_failure(rows, middle) <= allowed else (low, middle)
    return low


def printed_memory(demand: Demand) -> dict[str, float | None]:
    """The paper's memory formulas with the constant of O(·) read as 1.

    None where a power law is needed, or where the number is beyond every float.

    Section 3.2 divides by g(k) unsquared, so it changes when the vector is only rescaled: it is shown for
    ‖g‖ = 1 and ‖g‖ = 1000.
    """
    values = {sy.k: demand.k, sy.d: demand.d, sy.T: demand.T, sy.delta: demand.delta, sy.c: demand.c}
    lemma1 = {"Lemma 1: c k log(dT/delta)": _memory(memory.LEMMA1_MEMORY, values)}
    if demand.p is None:
        return lemma1 | dict.fromkeys(_BY_TAIL)
    law = {memory.eps: demand.epsilon, memory.tail2: tail_energy(demand.k, demand.d, demand.p)}
    law[memory.g_k] = float(demand.k) ** -float(demand.p)
    shown = {name: _memory(e, values | law | {memory.scale: s}) for name, (e, s) in _BY_TAIL.items()}
    return lemma1 | shown


_BY_TAIL = {
    "Theorem 2": (memory.THEOREM2_MEMORY, 1),
    "Section 3.2, ||g|| = 1": (memory.SECTION32_MEMORY, 1),
    "Section 3.2, ||g|| = 1000": (memory.SECTION32_MEMORY, 1000),
    "Section 3.2 corrected": (memory.SECTION32_CORRECTED, 1),
}


def _memory(expression: sp.Expr, values: Mapping[sp.Symbol, Scalar]) -> float | None:
    if not values.get(memory.g_k, 1):
        return None
    try:
        return as_float(evaluate(expression, {symbol: rational(value) for symbol, value in values.items()}))
    except InvalidParameter:  # pragma: no cover: beyond the largest float
        return None


MOST_FIXED_ROWS = 10_000


def sizing_report(demand: Demand, rows: int | None = None, subcarriers: int | None = None) -> dict[str, Any]:
    """Rows and columns for a demand; with a number of subcarriers, what fits into it."""
    fixed = (_checked_rows(rows),) if rows is not None else (3, 5, 7)
    best = smallest(demand) if rows is None else columns_needed(fixed[0], demand)
    sizes = {"fewest buckets": best} if rows is None else {}
    sizes |= {f"with {count} rows": columns_needed(count, demand) for count in fixed}
    return {
        **{name: getattr(demand, name) for name in ("k", "d", "T", "delta", "c", "allowed_failure")},
        "eps": demand.epsilon,
        "vector": "any v" if demand.p is None else f"|v|_(i) <= i^-{float(demand.p):g} ||v||",
        "rows": best.rows if best else None,
        "columns": best.columns if best else None,
        "buckets": best.buckets if best else None,
        "failure": best.failure if best else None,
        "sizes": {name: _plain(size) for name, size in sizes.items()},
        "printed": printed_memory(demand),
        "notes": _notes(demand, best, subcarriers),
    }


def _checked_rows(rows: int) -> int:
    if checked_integer("rows", rows) > MOST_FIXED_ROWS:
        raise InvalidParameter("rows", rows, f"an integer from 1 to {MOST_FIXED_ROWS}")
    return rows


def _plain(size: Size | None) -> dict[str, Any] | None:
    return None if size is None else asdict(size) | {"buckets": size.buckets}


def _notes(demand: Demand, best: Size | None, subcarriers: int | None) -> dict[str, str]:
    notes = {} if subcarriers is None else {"subcarriers": _fit(demand, best, subcarriers)}
    if demand.p is not None:
        notes["residual"] = _residual(demand)
    notes["printed"] = (
        "Theorem 2 is a classical result, cited and not proved here (ledger entry CS.4), and weak: its "
        "memory buys the error eps g(k), not only eps ||g||. Section 3.2 divides by g(k) unsquared, so it "
        "changes when g is only rescaled, and its logarithm lacks delta. "
        "Lemma 1's c k log(dT/delta) follows from point queries, not from Theorem 2, which gives order c k^2."
    )
    notes["holds for"] = (
        "independent rows with a 3-wise independent hash each (this project's hash is 5-wise independent), v "
        "independent of the hash, and bucket noise independent of both. In FPS the iterates depend on the "
        "hash, so this is a guide there: use fresh hashes, or measure the residual."
    )
    return notes


def _fit(demand: Demand, best: Size | None, subcarriers: int) -> str:
    shape, epsilon = best_accuracy(checked_integer("subcarriers", subcarriers), demand)
    need = "no size works" if best is None else f"{best.buckets} buckets on {subcarriers} subcarriers"
    fits = "" if best is None else (": fits. " if best.buckets <= subcarriers else ": does not fit. ")
    if math.isinf(epsilon):  # pragma: no cover: too few subcarriers: said in words
        return f"{need}{fits or '. '}{subcarriers} subcarriers promise no accuracy at all."
    c = 1 / (epsilon**2 * demand.k)
    reach = f"The most that {subcarriers} promise: eps = {rounded_up(epsilon, 4)} (c = {rounded_down(c, 4)})"
    return f"{need}{fits or '. '}{reach} with {shape.rows} rows of {shape.columns}."


def _residual(demand: Demand) -> str:
    """Lemma 1'(b) and the printed Lemma 1 at W = ‖v‖² = 1."""
    letters = {sy.c: demand.c, sy.k: demand.k, sy.d: demand.d, sy.p: demand.p, sy.W: 1}
    values = {symbol: many_digits(value) for symbol, value in letters.items() if value is not None}
    repaired, printed = (
        as_float(evaluate(each, values)) for each in (sketch.LEMMA1_REPAIRED, paper.LEMMA1_PAPER)
    )
    vacuous = "; that says nothing, because reading out 0 loses only 1 ||v||^2" if repaired >= 1 else ""
    return (
        f"top-k read-out loses at most {rounded_up(repaired, 4)} ||v||^2 (Lemma 1'(b){vacuous}); the "
        f"paper's Lemma 1 prints {printed:.4g}, which is refuted (selection by estimated size, and a tail "
        "sum bounded from below)."
    )
