"""The search for violations: candidates are drawn, tested exactly, and the first violation is shrunk.

A search never sees a stored counterexample. It is seeded and keeps no database, so it finds the same value
under every profile and from the command line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
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


End = tuple[Fraction, bool]  # of an interval; True: the end itself is left out


def within(low: End | None, high: End | None) -> st.SearchStrategy[Fraction]:
    """Rationals of an interval; None where it has no end, and nothing of an empty one."""
    if low is not None and high is not None:
        width = high[0] - low[0]
        if width < 0 or (width == 0 and (low[1] or high[1])):
            return st.nothing()
        ends = [st.just(end) for end, is_open in (high, low) if not is_open]
        return st.one_of(inner_shares.map(lambda share: low[0] + share * width), *ends)
    if low is not None:
        return (positive if low[1] else nonnegative).map(lambda size: low[0] + size)
    if high is not None:
        return (positive if high[1] else nonnegative).map(lambda size: high[0] - size)
    return signed
