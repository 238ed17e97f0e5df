"""Claims about all integers and about sums of open length: what proves them, and what must not."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from theory.integers import Directly, IntegerForm, Lemma, Reading, _is_natural, for_integers
from theory.powers import is_same_value, product_of_powers

from theory.errors import EvidenceFailed
from theory.ledger import Claim, FiniteClaim, Method, Test, equal
from theory.provers import Chain, Identity, Induction, Positivity, SumOfSquares, Telescoping, Termwise, term
from theory.provers.certificates import shift
from theory.provers.coordinates import (
    HIGH,
    INDEX,
    LOW,
    PowerSum,
    both_sums,
    each,
    over_coordinates,
    power_sums,
)
from theory.symbols import real

n, z, power, a, b = real("n z power a b")
BEFORE = power >= 1 + n * z
BERNOULLI = for_integers(n, 0, (1 + z) ** n >= 1 + n * z, z >= 0)
STEP = Claim((z >= 0, n >= 0, BEFORE), (1 + z) * power >= 1 + (n + 1) * z)
METHOD = SumOfSquares((term(1 + z, 1, BEFORE), term(n, z)))
READS = ((power, (1 + z) ** n),)


def induction(step: Claim = STEP, method: Method = METHOD, reads: tuple = READS) -> Induction:
    return Induction(Reading(step, method, reads), {n: 1, z: 1}, "n = z = 1")


@given(st.integers(-3, 3), st.integers(-4, 4), st.integers(0, 3))
def test_an_exponent_is_natural_if_it_is_so_for_every_integer_from_the_start_on(
    p: int, q: int, start: int
) -> None:
    """p·n + q at n ≥ start, against what it is at n = start and far beyond; a half is never natural."""
    form = IntegerForm(n, start, (), n >= start)
    exponent = sp.Integer(p) * n + q
    assert _is_natural(exponent, form) == (p >= 0 and p * start + q >= 0)
    assert not _is_natural(exponent + n / 2 + sp.Rational(1, 2), form)
    assert not _is_natural(exponent + a, form)


# ------------------------------------------------------------------ products of powers

small = st.integers(1, 6)


@given(small, small, st.integers(-3, 3), st.integers(1, 5))
def test_the_laws_of_powers_are_seen(p: int, q: int, r: int, s: int) -> None:
    base, other = n + p, (n + q) / (n + s)
    left = (base * other) ** (n + r)
    assert is_same_value(left, base ** (n + r) * other ** (n + r), n, 1)
    assert not is_same_value(left, base ** (n + r) * other ** (n + r + 1), n, 1) or p == q == s or q == s
    assert not is_same_value(left, 2 * left, n, 1)


def test_numbers_and_bases_are_factored() -> None:
    assert product_of_powers(6 ** (n + 1) * 3**-n) == {sp.Integer(2): n + 1, sp.Integer(3): sp.Integer(1)}
    assert is_same_value((1 + 1 / n) ** n, (n + 1) ** n / n**n, n, 1)
    assert not is_same_value((1 + 1 / n) ** n, (1 + 1 / n) ** (n + 1), n, 1)


def test_a_base_that_vanishes_is_no_base() -> None:
    """n^n/n^n is 1 for the exponents, but not at n = 0."""
    with pytest.raises(EvidenceFailed, match="disagree"):
        is_same_value(n ** (-n - 1), 1 / (n**n * n), n, 0)
    assert is_same_value(n ** (-n - 1), 1 / (n**n * n), n, 1)


# ------------------------------------------------------------------ induction


def test_bernoulli_is_proved_for_every_integer() -> None:
    outcome = induction().decide(BERNOULLI)
    assert outcome.ok and outcome.engines == ("sympy", "fractions", "z3")


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        (for_integers(n, 0, (1 + z) ** n >= 1 + (n + 1) * z, z >= 0), "start|not shown"),  # false at n = 0
        (for_integers(n, 0, (1 + z) ** n >= 1 + n * z / 2, z >= 0), "not given|says"),  # another hypothesis
        (for_integers(n, 0, (1 + z) ** n >= 1 + n * z), "not shown"),  # z ≥ 0 is needed by this step
        (for_integers(n, 0, (1 + z) ** (2 * n) >= 1 + n * z, z >= 0), "not given|says"),
        (FiniteClaim((), Test("true", lambda _: True)), "not a claim about all integers"),
        (Claim((), n >= n), "not a claim about all integers"),
    ],
)
def test_an_induction_proves_its_own_claim_only(claim: FiniteClaim, reason: str) -> None:
    with pytest.raises(EvidenceFailed, match=reason):
        induction().decide(claim)


def test_a_step_needs_its_hypotheses() -> None:
    """A fact about the letters that nothing shows, or a reading that is not what the claim says."""
    stray = Claim((*STEP.hypotheses, power >= 5), STEP.statement)
    assert METHOD.decide(stray).ok
    with pytest.raises(EvidenceFailed, match="not shown|z3 is not given"):
        induction(step=stray).decide(BERNOULLI)
    with pytest.raises(EvidenceFailed):
        induction(reads=((power, (1 + z) ** (n + 1)),)).decide(BERNOULLI)
    with pytest.raises(EvidenceFailed):
        induction(method=SumOfSquares((term(1 + z, 1, BEFORE),))).decide(BERNOULLI)


def test_a_step_that_says_something_else_is_refused() -> None:
    weaker = replace(STEP, statement=(1 + z) * power >= 1)
    method = SumOfSquares((term(1 + z, 1, BEFORE), term(z + n * z + n * z**2)))
    assert method.decide(weaker).ok
    with pytest.raises(EvidenceFailed, match="the step says"):
        induction(step=weaker, method=method).decide(BERNOULLI)


def test_a_lemma_is_proved_and_used_where_it_holds() -> None:
    """2^n ≥ 1 + n, from Bernoulli at z = 1."""
    doubled = for_integers(n, 0, 2**n >= 1 + n)
    step = Claim((power >= 1 + n,), power >= 1 + n)
    method = SumOfSquares((term(1, 1, power >= 1 + n),))

    def at(index: sp.Expr, value: sp.Expr, proof: Method | None = None) -> Directly:
        lemma = Lemma(BERNOULLI, proof or induction(), ((n, index), (z, value)))
        return Directly(Reading(step, method, ((power, 2**n),), (lemma,)), {n: 1}, "n = 1")

    assert at(n, sp.Integer(1)).decide(doubled).ok
    for wrong in (
        at(n, sp.Integer(2)),
        at(n, sp.Integer(-1)),
        at(n / 2, sp.Integer(1)),
        at(n - 1, sp.Integer(1)),
    ):
        with pytest.raises(EvidenceFailed):
            wrong.decide(doubled)
    with pytest.raises(EvidenceFailed):  # the lemma's own proof does not hold
        at(n, sp.Integer(1), induction(method=SumOfSquares((term(1, 1, BEFORE),)))).decide(doubled)


# ------------------------------------------------------------------ chains


def _link(smaller: sp.Expr, larger: sp.Expr, start: int = 1) -> tuple[FiniteClaim, Method]:
    """smaller ≤ larger, where larger/smaller is a polynomial with a gap of nonnegative coefficients."""
    low, high = real("low high")
    ratio = sp.cancel(sp.powsimp(larger / smaller))
    step = Claim((n >= 1, low >= 0, sp.Eq(high, ratio * low)), low <= high)
    method = SumOfSquares((term(sp.expand(ratio - 1) * low),), using=((1, sp.Eq(high, ratio * low)),))
    reading = Reading(step, method, ((low, smaller), (high, larger)))
    return for_integers(n, start, smaller <= larger), Directly(reading, {n: start}, "")


TIED = for_integers(n, 1, 2**n <= 2**n * (n + 1) * n)
FIRST, SECOND = _link(2**n, 2**n * (n + 1)), _link(2**n * (n + 1), 2**n * (n + 1) * n)
ELSEWHERE = _link(3**n, 3**n * (n + 1))


def test_a_tied_chain_is_a_proof() -> None:
    assert Chain((FIRST, SECOND), {n: 1}, "").decide(TIED).engines == ("sympy", "fractions", "z3")


@pytest.mark.parametrize(
    "links",
    [
        (),
        (FIRST,),
        (SECOND,),
        (SECOND, FIRST),
        (FIRST, ELSEWHERE, SECOND),
        (FIRST, SECOND, ELSEWHERE),
        (ELSEWHERE,),
    ],
)
def test_a_chain_with_an_unrelated_or_missing_link_is_rejected(links: tuple) -> None:
    """Every link is true, but the ends do not meet."""
    assert all(method.decide(link).ok for link, method in links)
    with pytest.raises(EvidenceFailed, match="not tied|needs links"):
        Chain(links, {n: 1}, "").decide(TIED)


def test_a_chain_decides_every_link_and_the_integers_before_it() -> None:
    wrong = (SECOND[0], Directly(Reading(Claim((), a <= a), Identity(), ()), {n: 1}, ""))
    with pytest.raises(EvidenceFailed):
        Chain((FIRST, wrong), {n: 1}, "").decide(TIED)
    early = for_integers(n, -1, TIED.form.relation)  # false at n = -1: 1/2 <= 0
    with pytest.raises(EvidenceFailed, match="false at"):
        Chain((FIRST, SECOND), {n: 1}, "").decide(early)


@pytest.mark.parametrize("links", [(), (FIRST,), (FIRST, SECOND)])
def test_a_chain_proves_no_claim_of_another_kind(links: tuple) -> None:
    for claim in (Claim((a >= 1,), a <= 0), FiniteClaim((), Test("true", lambda _: True))):
        with pytest.raises(EvidenceFailed, match="not a claim about all integers"):
            Chain(links, {n: 1}, "").decide(claim)


# ------------------------------------------------------------------ sums

SQUARES = over_coordinates("Σ(a+b)² <= 2Σa² + 2Σb²", (a + b) ** 2 <= 2 * a**2 + 2 * b**2, ())
VECTOR = {"coordinates": ({a: 1, b: 2}, {a: -1, b: 1})}


def test_a_sum_is_proved_by_one_coordinate() -> None:
    method = SumOfSquares((term(1, a - b),))
    assert Termwise(method, VECTOR, "").decide(SQUARES).engines == ("sympy", "fractions", "z3")
    assert SQUARES.statement.holds(VECTOR) and both_sums(SQUARES.form.relation, VECTOR) == (9, 14)
    smaller = over_coordinates("", (a + b) ** 2 <= a**2 + b**2, ())
    for claim in (smaller, FiniteClaim((), Test("true", lambda _: True))):
        with pytest.raises(EvidenceFailed):
            Termwise(method, VECTOR, "").decide(claim)


def test_what_holds_for_each_coordinate_may_be_used() -> None:
    sum_of_products = over_coordinates("Σab = Σa²", equal(a * b, a**2), (each("a = b", sp.Eq(b, a)),))
    assert Termwise(Identity(((b, a),)), VECTOR, "").decide(sum_of_products).ok
    without = over_coordinates("Σab = Σa²", equal(a * b, a**2), (Test("a = b", lambda _: True),))
    with pytest.raises(EvidenceFailed, match="not a hypothesis"):
        Termwise(Identity(((b, a),)), VECTOR, "").decide(without)


def _sums(bound: sp.Expr, above: bool = False) -> FiniteClaim:
    return power_sums("Σ 1/i²", PowerSum({2: INDEX**-2}, {2: bound}, above), "n = 2")


SHORT = {"k": 1, "d": 2, "n": 2}


def _telescoping(potential: sp.Expr, rest: Method | None = None) -> Telescoping:
    return Telescoping(
        lambda _: potential, Positivity(shift(INDEX, "j", 2)), {"k": 1, "d": 2, "n": 2}, "", rest
    )


def test_a_telescoping_bound_ends_where_the_claim_does() -> None:
    good = _sums(1 / LOW - 1 / HIGH)
    assert _telescoping(1 / INDEX).decide(good).ok
    assert good.statement.holds({"k": 1, "d": 9, "n": 2}) and not good.hypotheses[0].holds(
        {"k": 2, "d": 2, "n": 2}
    )
    for claim, method in (
        (_sums((1 / LOW - 1 / HIGH) / 2), _telescoping(1 / INDEX)),  # a factor 2 dropped
        (_sums(1 / (LOW + 1) - 1 / HIGH), _telescoping(1 / INDEX)),  # the paper's lower end
        (
            _sums(1 / (LOW + 1) - 1 / (HIGH + 1)),
            _telescoping(1 / (INDEX + 1)),
        ),  # terms exceed the differences
        (_sums(1 / LOW - 1 / HIGH, above=True), _telescoping(1 / INDEX)),  # the inequality reversed
        (_sums(1 / (LOW + 1) - 1 / HIGH), _telescoping(1 / INDEX, Positivity(shift(HIGH, "m", 2)))),
        (SQUARES, _telescoping(1 / INDEX)),
    ):
        with pytest.raises(EvidenceFailed):
            method.decide(claim)


def test_a_sum_above_a_smaller_bound() -> None:
    """Σ exceeds the integral to d + 1, which exceeds the one to d."""
    above = _sums(1 / (LOW + 1) - 1 / HIGH, above=True)
    assert _telescoping(1 / (INDEX + 1), Positivity(shift(HIGH, "m", 2))).decide(above).ok
    with pytest.raises(EvidenceFailed, match="do not add up"):
        _telescoping(1 / (INDEX + 1)).decide(above)
    assert above.statement.holds(SHORT)
