"""The search for violations: candidates are drawn, tested exactly, and the first violation is shrunk.

A search never sees a stored counterexample. It is seeded and keeps no database, so it finds the same value
under every profile and from the command line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from random import Random
from typing import Any

from hypothesis import Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample, Unsatisfiable

SEED = 1
EXAMPLES = 3000
KEPT_EXAMPLES = 100  # how long a search that must find nothing goes on


@dataclass(frozen=True)
class Hit:
    """A shrunk violation, and how many candidates were drawn before the first one."""

    value: Any
    tried: int


@dataclass(frozen=True)
class Searcher:
    """Where to look for a violation of one claim; `also` pins the mechanism where several could break it."""

    candidates: st.SearchStrategy[Any]
    sides: Callable[[Any], str]
    also: Callable[[Any], bool] = lambda candidate: True


def hunt(
    candidates: st.SearchStrategy[Any],
    violates: Callable[[Any], bool],
    examples: int = EXAMPLES,
    seed: int = SEED,
) -> Hit | None:
    """The simplest violation that shrinking reaches, or None after so many candidates."""
    drawn: list[bool] = []

    def condition(value: Any) -> bool:
        try:
            drawn.append(violates(value))
        except ZeroDivisionError:  # the statement is not defined there, so it is not violated
            drawn.append(False)
        return drawn[-1]

    plan = settings(
        max_examples=examples,
        phases=(Phase.generate, Phase.shrink),
        database=None,
        deadline=None,
        derandomize=False,
    )
    try:
        value = find(candidates, condition, settings=plan, random=Random(seed))
    except (NoSuchExample, Unsatisfiable):
        return None
    return Hit(value, drawn.index(True) + 1)


# ---------------------------------------------------------------- simple rational numbers


def fraction(numerator: int, denominator: int) -> Fraction:
    return Fraction(numerator, denominator)


# Whole numbers first, because shrinking prefers the first kind; then small and large sizes.
positive: st.SearchStrategy[Fraction] = st.one_of(
    st.integers(1, 9).map(Fraction),
    st.builds(fraction, st.just(1), st.integers(2, 100)),
    st.builds(fraction, st.integers(1, 9), st.integers(1, 9)),
    st.integers(10, 1000).map(Fraction),
)
nonnegative = st.one_of(st.just(Fraction(0)), positive)
signed = st.one_of(nonnegative, positive.map(lambda x: -x))
whole = st.integers(-3, 3).map(Fraction)
shares = st.fractions(0, 1, max_denominator=12)  # of an interval, both ends included
inner_shares = st.builds(
    lambda n, part: Fraction(part % (n - 1) + 1, n), st.integers(2, 12), st.integers(0, 10)
)
tenth_powers = st.integers(1, 9).map(lambda n: Fraction(10) ** n)


def between(low: Fraction, high: Fraction, open_low: bool, open_high: bool) -> st.SearchStrategy[Fraction]:
    """Rationals of an interval; of an empty one, none."""
    if low > high or (low == high and (open_low or open_high)):
        return st.nothing()
    ends = ([] if open_high else [st.just(high)]) + ([] if open_low else [st.just(low)])
    return st.one_of(inner_shares.map(lambda share: low + share * (high - low)), *ends)


def above(low: Fraction, strict: bool) -> st.SearchStrategy[Fraction]:
    return (positive if strict else nonnegative).map(lambda size: low + size)


def below(high: Fraction, strict: bool) -> st.SearchStrategy[Fraction]:
    return (positive if strict else nonnegative).map(lambda size: high - size)


# ---------------------------------------------------------------- square roots of exact numbers

DIGITS = 10**15


def root_up(value: Fraction) -> Fraction:
    """A rational r ≥ √value, at most 1/DIGITS above it."""
    scaled = value * DIGITS * DIGITS
    floor = isqrt(scaled.numerator // scaled.denominator)
    return Fraction(floor + (floor * floor != scaled), DIGITS)


def root_down(value: Fraction) -> Fraction:
    """A rational r ≤ √value."""
    return max(Fraction(0), root_up(value) - Fraction(1, DIGITS))
