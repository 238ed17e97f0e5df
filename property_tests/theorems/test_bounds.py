"""The paper's formulas against a second implementation, and the terms of every bound."""

import math
import random
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from property_tests.support import paper_oracle as oracle
from property_tests.support.rate_strategies import parameters, random_parameters, rationals, sources
from theory.bounds import terms as bounds
from theory.bounds.terms import Sketch
from theory.errors import InvalidParameter
from theory.formulas import corrected, paper
from theory.papers.fps import letters as sy
from theory.rates.parameters import Parameters, evaluate, rational
from theory.rates.ranges import learning_rate_range
from theory.rates.theorem_a import Sources

SETS = 300


def constants(q: Parameters) -> oracle.Constants:
    return oracle.Constants(
        Fraction(q.L), Fraction(q.mu), q.E, Fraction(q.B), Fraction(q.P_b), Fraction(q.P_n)
    )


def exact(expression: sp.Expr, values: dict) -> Fraction:
    result = evaluate(expression, values)
    assert result.is_Rational
    return Fraction(int(result.p), int(result.q))


def test_the_calculator_reports_what_the_paper_prints() -> None:
    """ρ to the last bit; the bound up to the rounding of each of its terms and of their sum."""
    draws, T, d = random.Random(20), 99, 400
    for _ in range(SETS):
        q, gamma = random_parameters(draws), Fraction(draws.randint(1, 999), 10**4)
        z = constants(q)
        assert bounds.rho(q, gamma) == float(oracle.rho_main_text(z, gamma))
        gap, W, b2, s2 = (Fraction(draws.randint(0, 500), 100) for _ in range(4))
        c, k, p = Fraction(draws.randint(11, 90), 10), draws.randint(1, 50), draws.randint(2, 4)
        expected = oracle.main_theorem(z, gamma, T, gap, (c, k, d, p, W), b2, s2)
        printed = bounds.theorem1(q, gamma, T, Sources(gap, b2=b2, sigma2=s2), Sketch(c, k, d, p, W))
        size = sum(map(abs, printed.terms.values()))
        assert abs(printed.total - float(expected)) <= 2 * 2.0**-53 * size


@given(parameters(), rationals("0.0001", "1"))
def test_the_corrected_rho_counts_the_bias_in_full(q: Parameters, gamma: Fraction) -> None:
    """Step 2 is ½·‖β‖² with ‖β‖² ≤ 2yE²(1+2H)‖∇f‖² + …, which is yE²(1+2H), twice the printed amount."""
    values = q.substitution() | {sy.gamma: rational(gamma)}
    missing = exact(paper.RHO_PAPER - corrected.RHO_CORRECTED, values)
    z = constants(q)
    assert missing == z.relative_bias * z.dissimilarity**2 * z.epochs**2 * (1 + 2 * oracle.h_of(z)) / 2


@given(parameters(), sources(), st.integers(1, 10**6), rationals("0.001", "1"))
def test_the_corollaries_follow_from_theorem_a(q: Parameters, s: Sources, T: int, share: Fraction) -> None:
    """A corollary's bound is never below Theorem A's (1e-9: far above the rounding of five terms)."""
    allowed = learning_rate_range("repaired_closed", q)
    gamma = float(allowed.gamma_max) * float(share) * (1 - 1e-12 if allowed.strict else 1)
    alone = [Sources(**{name: 1}) for name in ("Delta", "R2", "G2", "b2", "sigma2")]
    for each in (s, *alone):  # alone: no other term's slack can hide a coefficient that is too small
        closed = bounds.corollary(q, gamma, T, each, allowed)
        sharp = bounds.implicit(q, gamma, T, each)
        assert closed.total is not None
        assert sharp.total is not None
        assert sharp.total <= closed.total * (1 + 1e-9)


@given(parameters(), sources(), st.integers(1, 1000), rationals("0.001", "0.9"))
def test_terms_add_up_and_removing_a_source_never_hurts(
    q: Parameters, s: Sources, T: int, share: Fraction
) -> None:
    limit = learning_rate_range("repaired_sharp", q)
    sharp = bounds.implicit(q, limit.gamma_max * float(share), T, s)
    assert sharp.total is not None
    # The bound solves A = (right side at A) to the last digit; the terms are rounded once each.
    size = sum(map(abs, sharp.terms.values()))
    assert math.isclose(sum(sharp.terms.values()), sharp.total, rel_tol=1e-9, abs_tol=1e-12 * size)
    removed = bounds.without_each_source(q, limit.gamma_max * float(share), T, s)
    assert all(value <= sharp.total * (1 + 1e-9) for value in removed.values())


def test_outside_the_ranges_there_is_no_repaired_bound_and_a_reason() -> None:
    q = Parameters(L=1, E=2)
    result = bounds.report(q, 0.8, 100, Sources(1))
    assert result.sharp.total is None and "Theorem A" in result.sharp.why_not
    assert result.closed.total is None
    assert not any(result.contains(form) for form in result.ranges)
    assert "A4" in bounds.implicit(Parameters(L=1, mu=3, E=2), 0.5, 10, Sources(1)).why_not


@pytest.mark.parametrize(
    ("field", "values"),
    [("c", (0, 2, 9, 2, 1)), ("p", (2, 2, 9, 0.5, 1)), ("k", (2, 0, 9, 2, 1)), ("d", (2, 5, 4, 2, 1))],
)
def test_a_bad_sketch_is_refused(field: str, values: tuple) -> None:
    with pytest.raises(InvalidParameter, match=f"^{field}:"):
        Sketch(*values)
