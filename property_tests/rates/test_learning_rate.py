"""Learning-rate ranges: each form is what its conditions say, no more and no less."""

import math
import random
import re
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from property_tests.support import paper_oracle as oracle
from property_tests.support.rate_strategies import parameters, random_parameters, rationals
from theory.errors import InvalidParameter
from theory.formulas import corrected, letters, paper
from theory.papers.fps import letters as sy
from theory.rates.parameters import Box, Parameters, evaluate, rational
from theory.rates.ranges import FORMS, binding, learning_rate_range, ranges, sharp_limits, supremum
from theory.rates.theorem_a import admits

small_bias = parameters(relative_bias_below="0.002")


def rho_at(expression: object, q: Parameters, gamma: Fraction) -> Fraction:
    value = evaluate(expression, q.substitution() | {sy.gamma: rational(gamma)})
    return Fraction(int(value.p), int(value.q))


def exact_limit(condition: letters.StepCondition, q: Parameters) -> Fraction:
    value = evaluate(condition.upper / condition.slope, q.substitution())
    return Fraction(int(value.p), int(value.q))


def test_the_paper_range_agrees_with_the_oracle_on_1000_sets() -> None:
    draws = random.Random(5)
    for _ in range(1000):
        q = random_parameters(draws)
        z = oracle.Constants(*map(Fraction, (q.L, q.mu)), q.E, *map(Fraction, (q.B, q.P_b, q.P_n)))
        expected = oracle.largest_gamma(z)
        found = supremum("paper", q)
        assert (found <= 0) == (expected <= 0)
        if expected > 0:
            assert found == float(expected)
            with_conditions = supremum("paper_with_conditions", q)
            assert with_conditions == float(min(expected, oracle.lemma2_step(z)))


@given(small_bias)
def test_the_corrected_range_ends_where_a_condition_does(q: Parameters) -> None:
    """At its end corrected ρ ≥ 1/4 and both step conditions hold; just beyond, one of them fails."""
    quarter, drift = exact_limit(corrected.RHO_CORRECTED_QUARTER, q), exact_limit(paper.DRIFT_STEP, q)
    assume(quarter > 0)
    end = min(quarter, drift)
    assert rho_at(corrected.RHO_CORRECTED, q, quarter) == Fraction(1, 4)
    assert rho_at(corrected.RHO_CORRECTED, q, end) >= Fraction(1, 4)
    assert end <= exact_limit(paper.DESCENT_STEP, q)
    assert supremum("corrected", q) == float(end)
    beyond = end * Fraction(1001, 1000)
    assert beyond > drift or rho_at(corrected.RHO_CORRECTED, q, beyond) < Fraction(1, 4)


@given(parameters(), rationals("0.01", "1"))
def test_the_sharp_limit_is_where_theorem_a_stops(q: Parameters, part: Fraction) -> None:
    """Closed form (E = 1) or bisection: admissible all below, not just above (unless A4 ends it first)."""
    end = binding(sharp_limits(q))
    assert admits(q, end.gamma * (1 - 1e-9)) and admits(q, end.gamma * (1 - 1e-9) * float(part))
    if end.name == "Theorem A":
        beyond = end.gamma * (1 + 1e-9)
        assert (q.E > 1 and beyond * q.mu > 1) or not admits(q, beyond)
    else:
        assert end.name == "gamma mu <= 1"
        assert not end.strict


def closed_by_hand(q: Parameters) -> float:
    """Corollaries 1 and 2 in floats, written from their text: a term without P_n or μ reads +∞."""
    L, mu, E, B, P_b, P_n, M = (float(x) for x in (q.L, q.mu, q.E, q.B, q.P_b, q.P_n, q.M))
    left, c_b, noise = 1 - P_b * B**2, 1 + math.sqrt(P_b), P_n * B**2 / M
    if E == 1:
        return min(1 / L, left / (L * noise) if noise else math.inf)
    drift = left / (8 * L * (E - 1) * (c_b + math.sqrt(P_n)) * c_b * B)
    return min(
        drift,
        left / (16 * L * noise) if noise else math.inf,
        1 / (2 * mu * (E - 1)) if mu else math.inf,
    )


@given(parameters())
def test_the_closed_forms_agree_with_a_second_writing(q: Parameters) -> None:
    """A dozen operations, each with relative error u; 1 − P loses at most a factor 1/0.05 of it."""
    assert math.isclose(supremum("repaired_closed", q), closed_by_hand(q), rel_tol=20 * 20 * 2.0**-53)


@st.composite
def boxes(draw: st.DrawFn) -> tuple[Box, Parameters]:
    """A box and a point in it; every axis has an extent now and then."""
    low = draw(parameters(max_E=3, relative_bias_below="0.02"))
    names = draw(st.sets(st.sampled_from(["L", "mu", "E", "B", "P_b", "P_n", "M"]), min_size=1, max_size=3))
    wider, point = {}, {}
    for name in names:
        bottom = getattr(low, name)
        extent = (
            draw(st.integers(0, 3))
            if name in ("E", "M")
            else draw(rationals("0", "1.5")) * (bottom + Fraction(1, 20))
        )
        extent = extent / 20 if name == "P_b" else extent
        part = draw(rationals("0", "1"))
        wider[name] = bottom + extent
        point[name] = bottom + (int(extent * part) if name in ("E", "M") else extent * part)
    return Box(low, replace(low, **wider)), replace(low, **point)


FEW, MANY = (Parameters(L=1, P_n=4, M=M) for M in (1, 10))
QUIET, NOISY = (Parameters(L=0.01, E=2, P_n=P_n) for P_n in (0, 1))


@given(boxes(), st.sampled_from(FORMS))
@example((Box(FEW, MANY), FEW), "repaired_sharp")
@example((Box(QUIET, NOISY), QUIET), "corrected")
def test_the_range_of_a_box_is_safe_at_every_point_in_it(case: tuple[Box, Parameters], form: str) -> None:
    """More noise can allow a larger γ in the corrected form (H falls), so every corner matters."""
    box, point = case
    safe = learning_rate_range(form, box)
    assert safe.empty or safe.gamma_max <= supremum(form, point) * (1 + 1e-12)


@given(parameters(max_E=4), rationals("0", "2"))
def test_a_box_in_mu_is_safe_and_tight(q: Parameters, extra: Fraction) -> None:
    """Cutting μ into 16 pieces costs at most 20 % against the smallest of 9 sampled values."""
    high = q.mu + extra * Fraction(q.L)
    sampled = min(supremum("repaired_sharp", replace(q, mu=q.mu + (high - q.mu) * i / 8)) for i in range(9))
    safe = learning_rate_range("repaired_sharp", Box(q, replace(q, mu=high))).gamma_max
    assert 0.8 * sampled <= safe <= sampled * (1 + 1e-12)


@given(parameters(relative_bias_below="3"), st.sampled_from(FORMS))
def test_an_empty_range_says_what_to_change_and_the_change_works(q: Parameters, form: str) -> None:
    found = learning_rate_range(form, q)
    assume(found.empty)
    y = re.search(r"must fall below ([0-9.e+-]+)", found.why)
    threshold = Fraction(y[1]) / Fraction(q.B) ** 2
    # The message rounds to 4 digits: 0.1 % on either side is outside its rounding.
    assert supremum(form, replace(q, P_b=threshold * Fraction(999, 1000))) > 0
    assert supremum(form, replace(q, P_b=threshold * Fraction(1001, 1000))) <= 0


@given(parameters())
def test_a_range_names_its_smallest_limit_and_a_lever_that_works(q: Parameters) -> None:
    for form, found in ranges(q).items():
        if found.empty:
            continue
        assert found.limits[found.binding] == found.gamma_max == min(g for g in found.limits.values() if g)
        lever = re.search(r"Largest lever: (\w+) = (\d) would allow ([0-9.e+-]+)\.", found.why)
        if lever:
            changed = supremum(form, replace(q, **{lever[1]: int(lever[2])}))
            assert math.isclose(changed, float(lever[3]), rel_tol=1e-3)


def test_no_curvature_means_no_limit_but_the_proximal_one() -> None:
    flat = ranges(Parameters(L=0, P_n=1))
    for form in ("repaired_closed", "repaired_sharp"):
        assert flat[form].unbounded and flat[form].gamma_max is None and not flat[form].empty
        assert flat[form].contains(1e9)
    assert ranges(Parameters(L=0, mu=4, E=3))["repaired_sharp"].gamma_max == 0.25
    assert ranges(Parameters(L=0, mu=4, E=3))["repaired_closed"].gamma_max == 1 / 16
    assert ranges(Parameters(L=0, E=3))["paper_with_conditions"].gamma_max == 1 / 108


@given(parameters(), rationals("0.5", "1.5"))
def test_contains_respects_open_ends(q: Parameters, factor: Fraction) -> None:
    for found in ranges(q).values():
        if not found.empty:
            assert found.contains(found.gamma_max) != found.strict
            assert found.contains(found.gamma_max * 0.999)
            assert not found.contains(found.gamma_max * 1.001)
        assert not found.contains(0.0)


@pytest.mark.parametrize(
    ("field", "bad"),
    [
        ("L", -1), ("L", math.nan), ("L", math.inf), ("L", "4"), ("L", True), ("L", 10**400), ("mu", -0.1),
        ("E", 0), ("E", 2.5), ("E", math.nan), ("B", 0.99), ("B", math.nan), ("P_b", -1e-9),
        ("P_b", math.inf), ("P_n", -1), ("M", 0), ("nu", 0), ("nu", 1.5),
    ],
)  # fmt: skip
def test_bad_input_is_named(field: str, bad: object) -> None:
    with pytest.raises(InvalidParameter, match=f"^{field}: got"):
        Parameters(**({"L": 1} | {field: bad}))


def test_a_reversed_box_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="^P_b"):
        Box(Parameters(L=1, P_b=0.2), Parameters(L=1, P_b=0.1))
