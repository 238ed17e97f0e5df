"""Random constants for the calculators: rationals, so that every comparison of closed formulas is exact."""

import random
from fractions import Fraction

from hypothesis import strategies as st

from theory.rates.parameters import Parameters
from theory.rates.theorem_a import Sources


def rationals(low: str, high: str, denominator: int = 10_000) -> st.SearchStrategy[Fraction]:
    """Rationals between two decimals."""
    return st.fractions(min_value=Fraction(low), max_value=Fraction(high), max_denominator=denominator)


@st.composite
def parameters(draw: st.DrawFn, max_E: int = 6, relative_bias_below: str = "0.95") -> Parameters:
    """Constants with P_b B² below a limit, so that the repaired range is not empty."""
    B = draw(rationals("1", "3"))
    share = draw(rationals("0", relative_bias_below))
    return Parameters(
        L=draw(rationals("0.05", "20")),
        mu=draw(st.one_of(st.just(Fraction(0)), rationals("0", "5"))),
        E=draw(st.integers(1, max_E)),
        B=B,
        P_b=share / B**2,
        P_n=draw(st.one_of(st.just(Fraction(0)), rationals("0", "4"))),
        M=draw(st.integers(1, 12)),
    )


@st.composite
def sources(draw: st.DrawFn) -> Sources:
    """Absolute errors of a run; each may vanish."""
    sizes = [draw(st.one_of(st.just(Fraction(0)), rationals("0.001", "10"))) for _ in range(5)]
    return Sources(*sizes)


def random_parameters(draws: random.Random) -> Parameters:
    """One of a thousand: exact rationals on a log scale; about half of them in the paper's range."""

    def size(low: int, high: int) -> Fraction:
        return Fraction(draws.randint(1, 999), 10 ** draws.randint(low, high))

    return Parameters(
        L=size(1, 4),
        mu=draws.choice([Fraction(0), size(2, 5)]),
        E=draws.randint(1, 8),
        B=1 + size(3, 5),
        P_b=draws.choice([Fraction(0), size(4, 6)]),
        P_n=draws.choice([Fraction(0), size(2, 4)]),
        M=draws.randint(1, 20),
    )
