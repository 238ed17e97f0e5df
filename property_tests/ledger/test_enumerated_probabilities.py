"""Entries whose claims are probabilities over hashes: every hash of a small family is tried."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest
import sympy as sp

from theory.counterexamples.exact_sketch import ExactSketch, Vector
from theory.ledger import Claim, Entry, Role
from theory.papers.fps.paper import PAPER


def entry(name: str) -> Entry:
    return next(e for e in PAPER.entries if e.id == name)


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
MET = sp.symbols("met12 met13 met23", real=True)


def unit(i: int) -> Vector:
    return tuple(Fraction(int(n == i)) for n in range(3))


def errs(sketch: ExactSketch, pair: tuple[int, int]) -> bool:
    """One coordinate is loaded, the other is read."""
    read, loaded = pair
    return error(sketch, unit(loaded), read) > 0


@pytest.mark.parametrize("known", [*((pair,) for pair in PAIRS), PAIRS])
def test_a_vector_errs_as_often_as_l1_10_says(known: tuple[tuple[int, int], ...]) -> None:
    """One row of two buckets: a pair fixed before the hash errs at half of the hashes, the printed 1/b.

    A vector that knows the hash takes whichever pair errs: always.
    """
    family, claim = list(sketches(1, 2, 3)), entry("L1.10").claim
    assert isinstance(claim, Claim)
    shares = {share: int(pair in known) for share, pair in zip(MET, PAIRS, strict=True)}
    failed = sum(any(errs(s, pair) for pair in known) for s in family)
    assert claim.statement.lhs.subs(shares) == sp.Rational(failed, len(family))
    assert failed * 2 == len(family) * (2 if known == PAIRS else 1)
