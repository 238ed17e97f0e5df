"""Lemma 2': the drift recursion, where it is attained, and the printed lemma beside it."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from property_tests.support.rate_strategies import rationals
from theory.errors import InvalidParameter
from theory.rates.parameters import Parameters
from theory.rates.theorem_a import LocalError, drift_bounds, kept_share


def recursion(q: Parameters, gamma: float, D2: float, b2: float, sigma2: float, steps: int) -> list[float]:
    error = LocalError(float(q.P_b), float(q.P_n), b2, sigma2)
    return drift_bounds(steps, gamma, float(q.L), float(q.mu), math.sqrt(D2), error)


@given(rationals("0.1", "5"), rationals("0.01", "1"), rationals("0", "1"), st.integers(1, 6))
def test_the_recursion_is_attained(L: Fraction, share: Fraction, P_b: Fraction, steps: int) -> None:
    """Concave l = −Lw²/2 with the bias along ∇l, no noise, b = μ = 0: every step grows as fast as allowed."""
    gamma, w = float(share / L), 1.0
    for _ in range(steps):
        w -= gamma * (1 + math.sqrt(P_b)) * (-float(L) * w)
    bound = recursion(Parameters(L=L, P_b=P_b), gamma, float(L) ** 2, 0.0, 0.0, steps)[-1]
    assert math.isclose(w - 1, bound, rel_tol=1e-12)


def test_gamma_mu_must_not_exceed_one() -> None:
    assert kept_share(3 * (1 / 3)) == 0
    with pytest.raises(InvalidParameter, match="A4"):
        kept_share(1.0001)
