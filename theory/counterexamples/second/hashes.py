"""Small count sketches once more: medians of whole sketches, and collisions counted by z3."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from statistics import median
from typing import Any

import z3

from theory.provers.second_opinion import Opinion, Second

COORDINATES = 3


def _median_fails(data: dict) -> Opinion:
    """P(|median of the rows − g_1| ≥ ‖g‖/2) ≤ δ, over every whole sketch of all rows together."""
    one, two = data["vector"]
    rows = [
        one + (left * right * two if here == there else 0)
        for here, there in product(range(data["buckets"]), repeat=2)
        for left, right in product((1, -1), repeat=2)
    ]
    whole = list(product(rows, repeat=data["rows"]))
    bad = sum(4 * (median(sketch) - one) ** 2 >= one**2 + two**2 for sketch in whole)
    probability = Fraction(bad, len(whole))
    return Opinion(0 < data["delta"] < 1, probability <= data["delta"], (probability, data["delta"]))


# ---------------------------------------------------------------- one row of two buckets, three coordinates

IN_SECOND = [z3.Bool(f"second_{i}") for i in range(COORDINATES)]  # which of the two buckets


def _count(formula: z3.BoolRef) -> int:
    """How many of the eight hashes satisfy a formula, by excluding one after the other."""
    solver, found = z3.Solver(), 0
    solver.add(formula, *(z3.Or(b, z3.Not(b)) for b in IN_SECOND))
    while solver.check() == z3.sat:
        seen = solver.model()
        values = [z3.is_true(seen.eval(b, model_completion=True)) for b in IN_SECOND]
        solver.add(z3.Or(*(b != value for b, value in zip(IN_SECOND, values, strict=True))))
        found += 1
    return found


def _share_a_bucket() -> list[z3.BoolRef]:
    return [IN_SECOND[i] == IN_SECOND[j] for i, j in product(range(3), repeat=2) if i != j]


def _fixed_vector(_: Any) -> Opinion:
    """A unit vector fixed before the hash meets the coordinate read with probability at most 1/2."""
    return Opinion(True, all(2 * _count(pair) <= 2**COORDINATES for pair in _share_a_bucket()))


def _vector_that_knows(_: Any) -> Opinion:
    """A vector chosen after the hash errs wherever some pair shares a bucket."""
    return Opinion(True, 2 * _count(z3.Or(*_share_a_bucket())) <= 2**COORDINATES)


MEDIAN_FAILS = Second("second enumeration", _median_fails)
FIXED_VECTOR = Second("z3", _fixed_vector)
VECTOR_THAT_KNOWS = Second("z3", _vector_that_knows)
