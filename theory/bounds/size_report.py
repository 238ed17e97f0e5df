"""The answer of the sketch calculator as plain values: sizes, failure probabilities, formulas, caveats."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from theory.bounds.sketch_size import Demand, Size, best_accuracy, columns_needed, printed_memory, smallest
from theory.errors import InvalidParameter
from theory.formulas import paper, sketch
from theory.papers.fps import letters as sy
from theory.rates.parameters import as_float, checked_integer, evaluate, many_digits
from theory.rates.rounding import rounded_down, rounded_up

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
