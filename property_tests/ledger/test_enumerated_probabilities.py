"""Entries whose claims are probabilities over hashes: every hash of a small family is tried."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest
import sympy as sp

from property_tests import laws
from theory.counterexamples.exact_sketch import ExactSketch, Vector
from theory.ledger import Claim, Entry, Role
from theory.ledger import collection as ledger

SOURCE = laws.PROOFS
CORE = True


def entry(name: str) -> Entry:
    return next(e for e in ledger.entries() if e.id == name)


def sketches(rows: int, columns: int, d: int) -> Iterator[ExactSketch]:
    """Every sketch of this size; the first sign of a row is 1, as all signs changed err the same."""
    signs = [(1, *rest) for rest in product((1, -1), repeat=d - 1)]
    row = list(product(product(range(columns), repeat=d), signs))
    for chosen in product(row, repeat=rows):
        yield ExactSketch(columns, tuple(b for b, _ in chosen), tuple(s for _, s in chosen))


def error(sketch: ExactSketch, v: Vector, i: int) -> Fraction:
    return abs(sketch.estimate(sketch.add({}, v))[i] - v[i])


# ------------------------------------------------------------------ CS.2: the median of three rows


@pytest.mark.parametrize("columns", [1, 2, 3, 4])
def test_the_failure_probability_of_cs2_is_that_of_all_sketches(columns: int) -> None:
    """g = (1, 1), three rows: how often the first estimate errs by at least |g|/2, that is, errs at all.

    Four sizes, as many as a polynomial of degree 3 in 1/buckets has coefficients.
    """
    g = (Fraction(1), Fraction(1))
    failed = [2 * error(s, g, 0) ** 2 >= 1 for s in sketches(3, columns, 2)]
    (claim,) = (item.claim for item in entry("CS.2").evidence if item.role is Role.SUPPORT)
    assert isinstance(claim, Claim)
    (buckets,) = claim.statement.lhs.free_symbols
    assert claim.statement.lhs.subs(buckets, columns) == sp.Rational(sum(failed), len(failed))


# ------------------------------------------------------------------ L1.10: a vector that knows the hash

PAIRS = ((0, 1), (0, 2), (1, 2))


def unit(i: int) -> Vector:
    return tuple(Fraction(int(n == i)) for n in range(3))


def errs(sketch: ExactSketch, pair: tuple[int, int]) -> bool:
    """One coordinate is loaded, the other is read."""
    read, loaded = pair
    return error(sketch, unit(loaded), read) > 0


def chance_of_l1_10(shares: tuple[int, int, int]) -> sp.Expr:
    claim = entry("L1.10").claim
    assert isinstance(claim, Claim)
    return claim.statement.lhs.subs(
        dict(zip(sp.symbols("met12 met13 met23", real=True), shares, strict=True))
    )


@pytest.mark.parametrize("pair", PAIRS)
def test_a_vector_fixed_before_the_hash_errs_as_often_as_l1_10_says(pair: tuple[int, int]) -> None:
    """One row of two buckets, three coordinates: this pair alone has share 1."""
    family = list(sketches(1, 2, 3))
    shares = tuple(int(pair == other) for other in PAIRS)
    failed = sum(errs(s, pair) for s in family)
    assert chance_of_l1_10(shares) == sp.Rational(failed, len(family))
    assert failed * 2 == len(family)  # the printed 1/b


def test_a_vector_that_knows_the_hash_errs_as_often_as_l1_10_says() -> None:
    family = list(sketches(1, 2, 3))
    failed = sum(any(errs(s, pair) for pair in PAIRS) for s in family)
    assert chance_of_l1_10((1, 1, 1)) == sp.Rational(failed, len(family)) == 1
