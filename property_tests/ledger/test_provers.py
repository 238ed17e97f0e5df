"""Certificates prove what is true, refuse what is not, and are checked by arithmetic of their own."""

import ast
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest
import sympy as sp
from hypothesis import assume, given
from hypothesis import strategies as st

from theory.errors import EvidenceFailed
from theory.ledger import Claim, equal
from theory.papers.fps.letters import real
from theory.provers import (
    Contradiction,
    Identity,
    Positivity,
    SumOfSquares,
    certificates,
    positivity,
    recheck,
    sums_of_squares,
    term,
)
from theory.provers.certificates import below, shift
from theory.provers.trees import to_tree

a, b, c, t = real("a b c t")
fractions = st.fractions(min_value=-5, max_value=5, max_denominator=7)
RELATIONS = (sp.Le, sp.Lt, sp.Ge, sp.Gt, sp.Eq, sp.Ne)
expressions = st.recursive(
    st.sampled_from([a, b, c]) | fractions.map(sp.Rational),
    lambda inner: (
        st.builds(sp.Add, inner, inner)
        | st.builds(sp.Mul, inner, inner)
        | st.builds(sp.Pow, inner, st.integers(-2, 2))
    ),
    max_leaves=6,
)

# ------------------------------------------------------------------ exact arithmetic without sympy


@given(expressions, st.lists(fractions, min_size=3, max_size=3))
def test_sympy_and_own_arithmetic_agree_at_points(expression: sp.Expr, values: list[Fraction]) -> None:
    """On the value of an expression, and on every comparison with it."""
    assume(not expression.has(sp.zoo, sp.nan))
    point = dict(zip("abc", values, strict=True))
    try:
        own = recheck.evaluate(to_tree(expression), point)
    except ZeroDivisionError:
        assume(False)
    value = expression.subs({sp.Symbol(n, real=True): sp.Rational(v) for n, v in point.items()})
    assert value == sp.Rational(own)
    for relation, other in product(RELATIONS, (value - 1, value, value + 1)):
        told = to_tree(relation(expression, other, evaluate=False))
        assert recheck.holds(told, point) is bool(relation(value, other))


def test_the_random_point_depends_on_the_functions() -> None:
    """Else the point is known beforehand, and "a = its value there" would pass for an identity."""
    value = Random(repr((["a"], {}))).getrandbits(recheck.BITS)  # what the letters alone would draw
    assert not recheck.same_function(("sym", "a"), ("num", value, 1))
    one = (((0,), 1, 1),)
    for known in (value, *(recheck._random_point(["a"], {}, n)["a"] for n in (None, (), 0))):
        record = recheck.PositivityRecord(("sym", "a"), (), ("a",), (), (((0,), int(known), 1),), one)
        assert "not the stated difference" in " ".join(recheck.faults_of_positivity(record, strictly=True))
        assert not recheck.same_function(("sym", "a"), ("num", int(known), 1))


@pytest.mark.parametrize("q", [-1, 0])
@pytest.mark.parametrize("side", ["numerator", "denominator"])
def test_a_coefficient_needs_a_positive_denominator(q: int, side: str) -> None:
    """1/(-1) is negative although 1 is not."""
    record = recheck.PositivityRecord(
        ("mul", ("num", -1, 1), ("sym", "a")), (), ("a",), (), (((1,), 1, 1),), (((0,), 1, 1),)
    )
    terms = tuple((exponents, p, q) for exponents, p, _ in getattr(record, side))
    assert recheck.faults_of_positivity(replace(record, **{side: terms}), strictly=False)


def test_the_rechecker_uses_neither_sympy_nor_z3() -> None:
    tree = ast.parse(Path(recheck.__file__).read_text(encoding="utf-8"))
    found = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    standard = {"collections.abc", "dataclasses", "fractions", "math", "operator", "random", "typing"}
    assert found == standard
    assert not any(isinstance(node, ast.Import) for node in ast.walk(tree))


# ------------------------------------------------------------------ positivity certificates

SIGNED = (a >= 0, b >= 0)
RANGE = (a >= 1, b > 0, b <= 1 / a)


@given(st.data())
def test_a_mistyped_certificate_is_rejected(data: st.DataObject) -> None:
    record = certificates.build(1 / a - b / (1 + a), (below(b, "h", 1 / a), shift(a, "e", 1)), ())
    assert recheck.faults_of_positivity(record, strictly=False) == ()
    side = data.draw(st.sampled_from(["numerator", "denominator"]))
    terms = list(getattr(record, side))
    i = data.draw(st.integers(0, len(terms) - 1))
    exponents, p, q = terms[i]
    terms[i] = (exponents, p + data.draw(st.sampled_from([-3, -1, 1, 5])), q)
    assert recheck.faults_of_positivity(replace(record, **{side: tuple(terms)}), strictly=False)


@pytest.mark.parametrize(
    ("difference", "strictly", "fault"),
    [
        (a - b, False, "negative"),
        (1 / a, False, "denominator may vanish"),
        (a + b, True, "not strict"),
        (sp.Integer(0) * a, True, "not strict"),
    ],
)
def test_each_fault_of_a_certificate_is_named(difference: sp.Expr, strictly: bool, fault: str) -> None:
    """Without the help of z3, which would notice most of them too."""
    record = certificates.build(difference, (), ())
    assert any(fault in found for found in recheck.faults_of_positivity(record, strictly))


@pytest.mark.parametrize(
    ("claim", "method"),
    [
        (Claim(SIGNED, a - b <= a), Positivity(shift(a, "e", 1))),  # a = 1 + e misses 0 ≤ a < 1
        (Claim((a >= 0,), a + b >= 0), Positivity()),  # b has no sign
        (Claim(RANGE, a * b <= sp.Rational(1, 2)), Positivity(below(b, "h", 1 / a), shift(a, "e", 1))),
        (Claim(SIGNED, a >= 0), Positivity(replace(shift(a, "e", 0), inverse=2 * a))),  # not the inverse
        (
            Claim(SIGNED, a + b > 0),
            Positivity(shift(a, "e", 0, strict=True)),
        ),  # strictness not shown
    ],
)
def test_positivity_refuses(claim: Claim, method: Positivity, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the help of z3, which is silent on hard claims."""
    monkeypatch.setattr(positivity, "cross_check", lambda claim: ())
    with pytest.raises(EvidenceFailed):
        method.decide(claim)


def test_a_change_of_variables_must_not_capture_a_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    """a = 1 + b turns a - b >= 1 into 0 >= 0; the claim is false at a = 1, b = 5."""
    captured = (
        (Claim((a >= 1, b >= 0), a - b >= 1), (shift(a, "b", 1),)),
        (Claim((a >= 1, b >= 1), a + b >= 2), (shift(a, "e", 1), shift(b, "e", 1))),  # one letter for two
        (Claim((a >= 1, b >= 0), a >= 1), (shift(a, "b", 1),)),  # also a letter of the hypotheses alone
    )
    monkeypatch.setattr(positivity, "cross_check", lambda claim: ())
    for claim, changes in captured:
        with pytest.raises(EvidenceFailed, match="not fresh"):
            Positivity(*changes).decide(claim)


# ------------------------------------------------------------------ sums of squares and identities


@pytest.mark.parametrize(
    ("statement", "terms", "reason"),
    [
        (2 * a * b <= a**2 + b**2, (term(1, a + b),), "not an identity"),
        (2 * a * b <= (a**2 + b**2) / 2, (term(1, a - b),), "not an identity"),  # a factor 2 dropped
        (a**2 + b**2 <= 2 * a * b, (term(-1, a - b),), "negative multiplier"),
        (2 * a * b < a**2 + b**2, (term(1, a - b),), "strict"),
        (a <= b, (term(1, 1, a <= b),), "not a hypothesis"),
        (c * a**2 >= 0, (term(c, a),), "not shown to be nonnegative"),
        (b / a <= b / a + 1, (term(1),), "not shown to be nonzero"),
    ],
)
def test_sum_of_squares_refuses(statement: sp.Basic, terms: tuple, reason: str) -> None:
    with pytest.raises(EvidenceFailed, match=reason):
        SumOfSquares(terms).decide(Claim((), statement))


def test_an_equation_may_be_added_with_any_factor_but_must_be_a_hypothesis() -> None:
    equation = sp.Eq(b, 0)
    method = SumOfSquares((term(1, a),), using=((-c, equation),))
    assert method.decide(Claim((equation,), b * c <= a**2)).ok
    with pytest.raises(EvidenceFailed, match="not a hypothesis"):
        method.decide(Claim((), b * c <= a**2))
    with pytest.raises(EvidenceFailed, match="not an identity"):
        method.decide(Claim((equation,), b * c <= a**2 / 2))


def test_identity_needs_its_definitions_as_hypotheses() -> None:
    claim = Claim((sp.Eq(c, a - b),), equal(a, b + c))
    assert Identity().decide(claim).ok
    with pytest.raises(EvidenceFailed, match="not an identity"):
        Identity().decide(replace(claim, hypotheses=()))
    with pytest.raises(EvidenceFailed, match="not an identity"):
        Identity().decide(Claim((), equal((a + b) ** 2, a**2 + b**2)))


@pytest.mark.parametrize(
    ("method", "statement"),
    [
        (Identity(using=(((b - 1) / a, sp.Eq(a, 0)),)), equal(b, 1)),
        (SumOfSquares((), using=((-b / a, sp.Eq(a, 0)),)), b <= 0),
        (Contradiction((term(1, 1),), using=((-1 / a, sp.Eq(a, 0)),)), b <= 0),
    ],
)
def test_a_factor_of_an_equation_must_be_defined(
    method: Identity | SumOfSquares | Contradiction, statement: sp.Basic, monkeypatch: pytest.MonkeyPatch
) -> None:
    """a = 0 times 1/a would be 1, and prove anything; z3 is silent here, as it is on hard claims."""
    monkeypatch.setattr(sums_of_squares, "cross_check", lambda claim: ())
    with pytest.raises(EvidenceFailed, match="not shown to be nonzero"):
        method.decide(Claim((sp.Eq(a, 0),), statement))


@pytest.mark.parametrize("given_", [((a, a + b),), ((a, b), (b, a)), ((a, b + c), (c, a + 1))])
def test_circular_definitions_define_nothing(given_: tuple) -> None:
    claim = Claim(tuple(sp.Eq(s, e) for s, e in given_), equal(b, 1))
    with pytest.raises(EvidenceFailed, match="not an identity"):
        Identity().decide(claim)


def test_definitions_are_inserted_in_either_order() -> None:
    chain = (sp.Eq(a, 2 * b), sp.Eq(b, c + 1), sp.Eq(b, t))
    for known in (chain, chain[1::-1]):
        assert Identity().decide(Claim(known, equal(a, 2 * c + 2))).ok
    with pytest.raises(EvidenceFailed, match="not an identity"):  # a letter has one definition
        Identity().decide(Claim(chain, equal(a, 2 * t)))


# ------------------------------------------------------------------ contradictions

ROOT = sp.Eq(c**2, a**2 + b**2)
ROOTED = (a >= 0, b >= 0, c >= 0, ROOT)
LONGER = c > a + b
BOTH = (term(1, 1, a < 0), term(1, 1, a >= 0))
TRIANGLE = (term(1, 1, LONGER, LONGER), term(2 * (a + b), 1, LONGER), term(2 * a * b))


@pytest.mark.parametrize(
    ("method", "claim", "reason"),
    [
        (Contradiction(TRIANGLE), Claim(ROOTED, c <= a + b), "not an identity"),  # the equation left out
        (Contradiction(TRIANGLE, using=((-1, ROOT),)), Claim(ROOTED[:3], c <= a + b), "not a hypothesis"),
        (Contradiction(TRIANGLE, using=((-1, ROOT),)), Claim(ROOTED, c <= a + b / 2), "not a hypothesis"),
        (
            Contradiction(TRIANGLE[::-1], using=((-1, ROOT),)),
            Claim(ROOTED, c <= a + b),
            "not shown to be positive",
        ),
        (  # 0 = 0 proves nothing: the first term must be positive
            Contradiction((term(1, 1, a >= 0), term(1, 1, a < 0))),
            Claim((a >= 0,), a >= 0),
            "not strictly positive",
        ),
        (  # a negation that is not strict gives no positive term
            Contradiction((term(1, 1, a <= 0), term(1, 1, a >= 0))),
            Claim((a >= 0,), a > 0),
            "not strictly positive",
        ),
        (Contradiction((term(-1, 1, a < 0), term(-1, 1, a >= 0))), Claim((a >= 0,), a >= 0), "negative mult"),
        (Contradiction((term(b, 1, a < 0), term(b, 1, a >= 0))), Claim((a >= 0,), a >= 0), "not shown to be"),
        (  # with the negation among the hypotheses z3 would prove b >= 0, and anything else
            Contradiction((*BOTH, term(b, 1, a < 0), term(b, 1, a >= 0))),
            Claim((a >= 0,), a >= 0),
            "not shown to be nonnegative",
        ),
    ],
)
def test_a_contradiction_refuses(method: Contradiction, claim: Claim, reason: str) -> None:
    with pytest.raises(EvidenceFailed, match=reason):
        method.decide(claim)


CORNER = (term(1, 1, a + 4 - b**2 > 0), term(1, 1, a <= 0), term(b + 2, 1, b >= 2))


def test_a_contradiction_proves_a_disjunction(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where both parts fail, a <= 0 and b >= 2, so a + 4 - b^2 is at most 0."""
    known, either = (a >= 0, b >= 0, b <= 2), sp.Or(a > 0, b < 2)
    assert Contradiction(CORNER).decide(Claim((*known, CORNER[0].slacks[0]), either)).ok
    monkeypatch.setattr(sums_of_squares, "cross_check", lambda claim: ())  # z3 would notice some of these too
    for claim, reason in (
        (Claim(known, either), "not a hypothesis"),
        (Claim((*known, CORNER[0].slacks[0]), a > 0), "not a hypothesis"),  # b >= 2 is not its negation
        (Claim((a >= 0, CORNER[0].slacks[0]), either), "not shown to be nonnegative"),
    ):
        with pytest.raises(EvidenceFailed, match=reason):
            Contradiction(CORNER).decide(claim)
