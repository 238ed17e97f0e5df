"""Theorem A: its right side, its solver, and where it gives no bound."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from property_tests.support.rate_strategies import parameters, rationals, sources
from theory.errors import InvalidParameter
from theory.rates.parameters import Parameters
from theory.rates.ranges import binding, sharp_limits
from theory.rates.theorem_a import Sources, solve, star


def inside(q: Parameters, share: Fraction) -> float:
    """A learning rate in the sharp range."""
    return binding(sharp_limits(q)).gamma * float(share)


def right_side_by_hand(q: Parameters, gamma: float, T: int, s: Sources, A: float) -> tuple[float, float]:
    """The right side of (★) from its text, its maximum on a grid, and what the grid can miss."""
    L, mu, B, P_b, P_n = (float(each) for each in (q.L, q.mu if q.E > 1 else 0, q.B, q.P_b, q.P_n))
    D, S, steps = math.sqrt(s.G2 + B**2 * A), 0.0, []
    for e in range(q.E):
        H = D + L * S
        bias, noise = math.sqrt(P_b * H**2 + s.b2), P_n * H**2 + s.sigma2
        steps.append(((1 - gamma * mu) ** (q.E - 1 - e), L * S + bias, noise))
        S = math.sqrt(((1 - gamma * mu) * S + gamma * (H + bias)) ** 2 + gamma**2 * noise)
    total = sum(omega for omega, _, _ in steps)
    F = sum(omega / total * error for omega, error, _ in steps)
    N = sum((omega / total) ** 2 * noise for omega, _, noise in steps) / q.M
    u, x = L * gamma * total, np.linspace(max(0.0, math.sqrt(A) - F), math.sqrt(A) + F, 2001)
    step = x**2 + N if q.E == 1 else (x + math.sqrt(N)) ** 2
    inner = (2 * L * math.sqrt(s.R2) * x - x**2 + u * step).max()
    return float(2 * s.Delta / (gamma * total * T) + F**2 + inner), (1 + u) * float(x[1] - x[0]) ** 2


@given(parameters(), sources(), st.integers(1, 1000), rationals("0.01", "1.5"), rationals("0", "10"))
def test_the_right_side_is_that_of_the_theorem(
    q: Parameters, s: Sources, T: int, share: Fraction, A: Fraction
) -> None:
    """1e-12: some 30·E operations of 2⁻⁵³, on terms of which the largest is near the sum's size."""
    gamma = min(inside(q, share), 1 / float(q.mu) if q.mu and q.E > 1 else math.inf)
    wanted, missed = right_side_by_hand(q, gamma, T, s, float(A))
    found = star(q, gamma, T, s).at(float(A))
    size = abs(wanted) + found.F**2 + found.x**2 + found.rho * found.x
    assert wanted - 1e-12 * size <= found.bound <= wanted + missed + 1e-12 * size


@given(parameters(), sources(), st.integers(1, 1000), rationals("0.01", "0.95"))
def test_the_bound_is_where_exclusion_starts(q: Parameters, s: Sources, T: int, share: Fraction) -> None:
    gamma = inside(q, share)
    bound = solve(q, gamma, T, s).bound
    inequality = star(q, gamma, T, s)
    assert math.isfinite(bound)
    for factor in (1.001, 1.5, 10.0, 1e4, 1e9):  # upward closed
        assert inequality.excludes(max(bound, 1e-300) * factor)
    if bound > 0:
        assert not any(inequality.excludes(bound * factor) for factor in (0.0, 1e-6, 0.1, 0.9, 0.999))


@given(parameters(), sources(), rationals("0.01", "0.9"), rationals("0", "1"))
def test_measured_values_can_only_sharpen(q: Parameters, s: Sources, share: Fraction, part: Fraction) -> None:
    """A measured ρ² ≤ L²R² gives a bound that is no larger."""
    gamma = inside(q, share)
    measured = replace(s, rho2=part * Fraction(q.L) ** 2 * s.R2)
    assert solve(q, gamma, 20, measured).bound <= solve(q, gamma, 20, s).bound * (1 + 1e-12)


def test_without_any_error_the_bound_is_zero_in_range_and_infinite_outside() -> None:
    assert solve(Parameters(L=1, E=2), 0.7, 5, Sources()).bound == 0
    assert solve(Parameters(L=1, E=2), 0.74, 5, Sources()).bound == math.inf
    assert solve(Parameters(L=1, E=2), 0.74, 5, Sources(1)).bound == math.inf


def test_the_proximal_term_is_inert_at_one_step_and_limited_after() -> None:
    assert solve(Parameters(L=1, mu=50), 0.5, 9, Sources(1)) == solve(Parameters(L=1), 0.5, 9, Sources(1))
    assert math.isfinite(solve(Parameters(L=Fraction(1, 9), mu=3, E=4), 1 / 3, 9, Sources(1)).bound)
    with pytest.raises(InvalidParameter, match="A4"):
        solve(Parameters(L=1, mu=3, E=2), 0.34, 9, Sources(1))
