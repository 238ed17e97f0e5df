"""lr, bound and size at the edges: every number gets an answer or one line, and what is shown is safe."""

import json
import math
import warnings
from fractions import Fraction

import mpmath
import pytest
import sympy as sp
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from fpsverify.cli.rates import lr_text
from fpsverify.cli.rates.bound_text import terms
from property_tests.rates.asked import answer, refused
from property_tests.support.rate_strategies import parameters, rationals, sources
from theory.bounds import terms as bounds
from theory.bounds.sketch_size import median_failure
from theory.errors import InvalidParameter
from theory.rates.parameters import LARGEST, SMALLEST, Parameters, as_float, checked_exponent, evaluate
from theory.rates.ranges import learning_rate_range, ranges
from theory.rates.rounding import rounded_down, rounded_up
from theory.rates.theorem_a import LocalError, Sources, drift_bounds, solve

EDGES = (0.0, 5e-324, 1e-308, 1e-154, 1e-51, 1e-50, 1e-16, 0.5, 1.0, 1e16, 1e50, 1e51, 1e154, 1e308)
accepted = st.builds(lambda digits, power: digits * 10.0**power, st.floats(1, 9.99), st.integers(-50, 49))
at_least_one = accepted.map(lambda value: max(value, 1 / value))
moderate = st.floats(0.01, 10)
sizes = st.one_of(moderate, accepted, st.just(0.0))
positive = st.one_of(moderate, accepted)
counts = st.one_of(st.integers(1, 6), st.integers(1, 10**18))
anything = st.one_of(
    st.sampled_from(EDGES), st.floats(), st.floats(min_value=0), st.integers(-1, 10**20), st.just(10**400)
)
MOST = 10**18  # steps, devices, rounds
RATES = {
    "L": sizes,
    "mu": sizes,
    "B": st.one_of(st.just(1.0), at_least_one),
    "Pb": sizes,
    "Pn": sizes,
    "E": st.one_of(st.integers(1, 3), st.just(40)),
}
RUN = {"gamma": positive, "T": counts, "Delta": sizes}
ERRORS = dict.fromkeys(("R2", "G2", "b2", "sigma2", "rho2", "D2"), sizes)
SKETCH = {"c": positive, "k": counts, "d": st.just(10**18), "p": st.floats(0.51, 99), "W": sizes}
DEMAND = {"k": counts, "d": st.just(10**18), "T": counts, "delta": st.floats(1e-100, 0.99), "eps": positive}


def test_a_drift_that_overflowed_stays_infinite() -> None:
    drift = drift_bounds(6, 1.0, 1e100, 0.0, 1.0, LocalError(0.5, 0.5, 1.0, 1.0))
    first = drift.index(math.inf)
    assert 1 < first < 5 and drift[first:] == [math.inf] * (7 - first)


@st.composite
def inputs(
    draw: st.DrawFn, required: dict[str, st.SearchStrategy], optional: dict[str, st.SearchStrategy]
) -> dict[str, object]:
    """Values of an accepted size, of which now and then one or two are replaced by anything at all."""
    values = draw(st.fixed_dictionaries(required, optional=optional))
    strange = draw(st.one_of(st.just(set()), st.sets(st.sampled_from(sorted(values)), max_size=2)))
    return values | {name: draw(anything) for name in sorted(strange)}


def options(values: dict[str, object]) -> list[str]:
    """`--name=value`: argparse would take a lone -1e-300 for an option."""
    return [f"--{name}={value!r}" for name, value in values.items()]


def check(command: str, values: dict[str, object]) -> None:
    """An answer without NaN, in words or (with L, k or T odd) in JSON, or one line that names a field."""
    plain = any(str(values.get(name, "")).endswith(tuple("13579")) for name in ("L", "k", "T"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        code, out, err = answer([command, *options(values), *(["--json"] if plain else [])])
        assert code in (0, 2)
        if code == 0:
            assert out and not err and "nan" not in out
            if plain:
                json.loads(out, parse_constant=pytest.fail)
        else:
            assert not out and err.count("\n") == 1 and ": got " in err


@settings(max_examples=30)  # each may ask the solver some dozen times
@given(inputs(RATES, {"M": counts, "nu": st.floats(0.001, 1)}))
@example({"L": 1, "E": 2, "Pn": 1e308, "B": 1e10})
@example({"L": 1e200, "mu": 1e200, "E": 2, "Pn": 1e200})
@example({"L": 5e-324, "E": 3})
@example({"L": 1e50, "mu": 1e50, "E": 2, "Pn": 1e50, "B": 1e50})
@example({"L": 1, "B": 1e50, "Pn": 1e50, "Pb": 1e-50})
def test_lr_answers_every_number(values: dict[str, object]) -> None:
    check("lr", values)


@given(inputs(RATES | RUN, ERRORS | {"M": counts}), st.one_of(st.just({}), inputs(SKETCH, {})))
@example({"L": 1e-50, "gamma": 1e50, "T": 1, "Delta": 1e308, "G2": 1e308, "Pn": 1e50}, {})
@example({"L": 0.0, "B": 1e6, "Pb": 1.0, "Pn": 5.0, "E": 2, "gamma": 1.5, "T": 2, "Delta": 0.0}, {})
def test_bound_answers_every_number(values: dict[str, object], letters: dict[str, object]) -> None:
    check("bound", values | letters)


@settings(max_examples=15)
@given(inputs(DEMAND | {"rows": st.integers(1, 99)}, {"sigma": sizes, "p": st.floats(0.51, 99)}))
@example({"k": 1, "d": 1, "T": 1, "delta": 0.999, "eps": 1e200})
@example({"k": 1, "d": 10**18, "T": 10**18, "delta": 1e-100, "p": 2, "eps": 1e-50, "rows": 1})
@example({"k": 1, "d": 1, "T": 1, "delta": 0.1, "p": 2, "subcarriers": 100, "eps": 0.1})  # a hundred rows
@example({"k": 10**18, "d": 10**18, "T": 1, "delta": 0.1, "p": 100, "rows": 10_000, "c": 1e-17})
def test_size_answers_every_number(values: dict[str, object]) -> None:
    check("size", values)


@st.composite
def wide(draw: st.DrawFn) -> Parameters:
    """Constants over a hundred orders of magnitude, with P_b B² below 0.9."""
    L, mu, P_n = (draw(sizes) for _ in range(3))
    B = draw(RATES["B"])
    P_b = draw(st.floats(0, 0.9)) / B**2
    return Parameters(
        L=L or 1.0, mu=mu, E=draw(st.integers(1, 4)), B=B, P_b=P_b if P_b >= SMALLEST else 0, P_n=P_n
    )


DIGITS = mpmath.MPContext()
DIGITS.dps = 60


def sixty_digits(value: float | Fraction) -> mpmath.mpf:
    exact = Fraction(value)
    return DIGITS.mpf(exact.numerator) / exact.denominator


@settings(max_examples=25)  # each solves (★) with 60 digits
@given(wide(), accepted, st.sampled_from(["Delta", "R2", "G2", "b2", "sigma2"]), st.floats(0.01, 0.5))
def test_floats_agree_with_sixty_digits_at_every_size(
    q: Parameters, size: float, source: str, share: float
) -> None:
    """An underflow inside the recursion would give a bound that is too small.

    1e-9: in the lower half of the range (★) amplifies rounding by far less than 1e6.
    """
    limit = learning_rate_range("repaired_sharp", q).gamma_max
    gamma = share * limit
    assume(SMALLEST <= gamma <= LARGEST)
    found = solve(q, gamma, 10, Sources(**{source: size})).bound
    exact = solve(q, gamma, 10, Sources(**{source: size}), sixty_digits).bound
    assert math.isclose(found, exact, rel_tol=1e-9)


@given(st.floats(0, 1e300), st.integers(1, 12))
def test_rounding_goes_one_way_and_not_far(value: float, digits: int) -> None:
    low, high = rounded_down(value, digits), rounded_up(value, digits)
    assert float(low) <= value <= float(high)
    # Two neighbours with so many digits differ by at most 10^(1-digits) of the larger, or a subnormal step.
    assert Fraction(high) - Fraction(low) <= Fraction(high) / 10 ** (digits - 1) + Fraction(5e-324)
    if digits >= 6:
        assert rounded_down(0.3, digits) == rounded_up(0.3, digits) == "0.3"


@given(parameters(relative_bias_below="0.3"))
@example(Parameters(L=4, mu=Fraction(1, 10), E=5, B=Fraction(13, 10), P_b=0.01, P_n=Fraction(1, 5), M=10))
def test_a_learning_rate_as_printed_is_allowed(q: Parameters) -> None:
    """The end of an open range is printed behind `<`."""
    allowed = ranges(q)
    rows = dict(zip(allowed, lr_text.range_rows(allowed, {}), strict=True))
    for form, each in allowed.items():
        if each.empty:
            assert rows[form].gamma == "empty"
            continue
        sign, shown = rows[form].gamma.split()
        gamma = float(shown)
        assert each.contains(gamma) or (each.strict and sign == "<" and gamma == each.gamma_max)
        assert gamma >= each.gamma_max * (1 - 1e-5)


@given(parameters(), sources(), st.integers(1, 10**6), rationals("0.01", "0.99"))
def test_a_bound_as_printed_is_not_below_the_bound(
    q: Parameters, s: Sources, T: int, share: Fraction
) -> None:
    allowed = ranges(q)
    gamma = float(share) * allowed["repaired_sharp"].gamma_max
    found = (
        bounds.theorem1(q, gamma, T, s, None),
        bounds.corollary(q, gamma, T, s, allowed["repaired_closed"]),
        bounds.implicit(q, gamma, T, s),
    )
    assert sum(each.total is not None for each in found) >= 2
    for each in found:
        if each.total is not None:  # four digits, rounded up
            assert each.total <= float(terms(each)[-1].split()[-1]) <= each.total * (1 + 1e-3)


def test_a_limit_below_the_floats_is_not_called_empty() -> None:
    """P_b B² = 1 − 1e-40: not empty, but no float can tell; a gamma_max of 1e-308 is refused."""
    close = Fraction(1) - Fraction(1, 10**40)
    assert refused(f"lr --L 1 --E 2 --Pb {close.numerator}/{close.denominator}").startswith("gamma_max: ")


@given(st.integers(0, 300), st.floats(1e-300, 1e-3))
def test_a_possible_failure_never_has_probability_zero(half: int, q: float) -> None:
    assert 0 < median_failure(2 * half + 1, q) <= q
    assert median_failure(2 * half + 1, 0.0) == 0


def test_the_limits_of_the_exponent_are_what_the_message_says() -> None:
    just_inside = Fraction(1, 2) + Fraction(1, 10**8)
    assert checked_exponent("p", 100) == 100 and checked_exponent("p", just_inside) == just_inside
    for beyond in (Fraction(1001, 10), Fraction(1, 2) + Fraction(1, 10**10), 0.5):
        with pytest.raises(InvalidParameter, match="from 0.5"):
            checked_exponent("p", beyond)


def test_numbers_that_sympy_cannot_factor_are_taken_with_sixty_digits(monkeypatch) -> None:
    """Its cache of factors refuses some squares of composites; which, depends on what it factored before."""

    def refuse(*_: object, **__: object) -> dict[int, int]:
        raise ValueError("80000000000017 is not a prime factor of 6400000000004000000000000561")

    monkeypatch.setattr(sp.Integer, "factors", refuse)
    x = sp.Symbol("x", positive=True)
    square = 80000000000017**2
    found = Fraction(as_float(evaluate(sp.root(x, 3), {x: sp.Integer(square)})))
    assert abs(found**3 / square - 1) <= 4 * Fraction(1, 2**53)  # one rounding, three times


@pytest.mark.parametrize("field", ["E", "M"])
def test_counts_up_to_the_largest_are_taken_and_the_next_is_refused(field: str) -> None:
    assert getattr(Parameters(L=1, **{field: MOST}), field) == MOST
    with pytest.raises(InvalidParameter, match=rf"^{field}: got .* and at most 1e\+18$"):
        Parameters(L=1, **{field: MOST + 1})
