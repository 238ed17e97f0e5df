"""The provers prove what is true, refuse what is not, and notice when two engines disagree."""

from __future__ import annotations

import ast
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
import sympy as sp
from hypothesis import assume, given
from hypothesis import strategies as st

from property_tests import laws
from theory.errors import EvidenceFailed
from theory.ledger import Claim, FiniteClaim, Test, equal
from theory.provers import (
    AtPoint,
    Cases,
    Contradiction,
    Identity,
    OnInstance,
    Parts,
    Positivity,
    Solver,
    SumOfSquares,
    certificates,
    positivity,
    recheck,
    smt,
    sums_of_squares,
    term,
)
from theory.provers.certificates import below, shift, strictly_below
from theory.provers.trees import to_tree
from theory.symbols import real

SOURCE = laws.TOOLS
CORE = True

a, b, c, t = real("a b c t")
NAMES = ("a", "b", "c")
fractions = st.fractions(min_value=-5, max_value=5, max_denominator=7)


@st.composite
def trees(draw: st.DrawFn, depth: int = 3) -> tuple:
    """A small rational expression as a plain tree."""
    if depth == 0 or draw(st.booleans()):
        leaf = draw(st.sampled_from([*NAMES, "number"]))
        return (
            ("num", draw(st.integers(-4, 4)), draw(st.integers(1, 4))) if leaf == "number" else ("sym", leaf)
        )
    kind = draw(st.sampled_from(["add", "mul", "pow"]))
    if kind == "pow":
        return ("pow", draw(trees(depth - 1)), draw(st.sampled_from([-2, -1, 0, 1, 2])))
    return (kind, draw(trees(depth - 1)), draw(trees(depth - 1)))


# ------------------------------------------------------------------ exact arithmetic without sympy


@given(trees())
def test_a_function_differs_from_itself_plus_one(tree: tuple) -> None:
    try:
        same = recheck.same_function(tree, tree)
        shifted = recheck.same_function(tree, ("add", tree, ("num", 1, 1)))
    except ZeroDivisionError:
        assume(False)
    assert same and not shifted


def _drawn_for(names: list[str]) -> int:
    """What the letters alone would draw."""
    return Random(repr((names, {}))).getrandbits(recheck.BITS)


def test_the_random_point_depends_on_the_functions() -> None:
    """Else the point is known beforehand, and "a = its value there" would pass for an identity."""
    value = _drawn_for(["a"])
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


@given(trees(), st.lists(fractions, min_size=3, max_size=3))
def test_sympy_and_own_arithmetic_agree_at_points(tree: tuple, values: list[Fraction]) -> None:
    expression = _to_sympy(tree)
    assume(not expression.has(sp.zoo, sp.nan))
    point = dict(zip(NAMES, values, strict=True))
    try:
        own = recheck.evaluate(to_tree(expression), point)
    except ZeroDivisionError:
        assume(False)
    assert expression.subs(
        {sp.Symbol(n, real=True): sp.Rational(v) for n, v in point.items()}
    ) == sp.Rational(own)


def _to_sympy(tree: tuple) -> sp.Expr:
    tag, *rest = tree
    if tag == "num":
        return sp.Rational(rest[0], rest[1])
    if tag == "sym":
        return sp.Symbol(rest[0], real=True)
    if tag == "pow":
        return _to_sympy(rest[0]) ** rest[1]
    return (sp.Add if tag == "add" else sp.Mul)(*map(_to_sympy, rest))


def test_the_rechecker_uses_neither_sympy_nor_z3() -> None:
    tree = ast.parse(Path(recheck.__file__).read_text(encoding="utf-8"))
    found = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    standard = {"collections.abc", "dataclasses", "fractions", "math", "operator", "random", "typing"}
    assert found == standard
    assert not any(isinstance(node, ast.Import) for node in ast.walk(tree))


# ------------------------------------------------------------------ positivity certificates

SIGNED = (a >= 0, b >= 0)
RANGE = (a >= 1, b > 0, b <= 1 / a)


@given(
    st.dictionaries(
        st.tuples(st.integers(0, 3), st.integers(0, 3)), st.integers(1, 9), min_size=1, max_size=5
    )
)
def test_nonnegative_coefficients_are_certified(terms: dict[tuple[int, int], int]) -> None:
    polynomial = sum(value * a**i * b**j for (i, j), value in terms.items())
    assert Positivity().decide(Claim(SIGNED, sp.Ge(polynomial, 0, evaluate=False))).ok


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


def test_positivity_proves_a_bound_at_the_end_of_a_range() -> None:
    outcome = Positivity(below(b, "h", 1 / a), shift(a, "e", 1)).decide(Claim(RANGE, a * b <= 1))
    assert outcome.engines == ("sympy", "fractions", "z3") and outcome.certificate


@pytest.mark.parametrize(
    ("claim", "method"),
    [
        (Claim(SIGNED, a - b <= a), Positivity(shift(a, "e", 1))),  # a = 1 + e misses 0 ≤ a < 1
        (Claim((a >= 0,), a + b >= 0), Positivity()),  # b has no sign
        (Claim(SIGNED, a <= b), Positivity()),  # false
        (Claim(SIGNED, a + b > 0), Positivity()),  # false at 0: not strict
        (Claim((a >= 0, b >= 0), 1 / a >= 0), Positivity()),  # undefined at 0
        (Claim(RANGE, a * b <= sp.Rational(1, 2)), Positivity(below(b, "h", 1 / a), shift(a, "e", 1))),
        (Claim(SIGNED, a >= 0), Positivity(replace(shift(a, "e", 0), inverse=2 * a))),  # not the inverse
        (
            Claim(SIGNED, a + b > 0),
            Positivity(shift(a, "e", 0, strict=True)),
        ),  # strictness not shown
    ],
)
def test_positivity_refuses(claim: Claim, method: Positivity) -> None:
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


def test_strict_inequalities_need_a_strict_variable() -> None:
    assert Positivity(shift(a, "e", 1, strict=True)).decide(Claim((a > 1,), a**2 > a)).ok
    assert Positivity(strictly_below(a, "m", sp.Integer(2))).decide(Claim((a >= 0, a < 2), a < 2)).ok


# ------------------------------------------------------------------ sums of squares and identities


def test_sum_of_squares_proves_young() -> None:
    claim = Claim((t > 0,), 2 * a * b <= t * a**2 + b**2 / t)
    assert SumOfSquares((term(1 / t, t * a - b),)).decide(claim).engines == ("sympy", "fractions", "z3")


@pytest.mark.parametrize(
    ("statement", "terms", "reason"),
    [
        (2 * a * b <= a**2 + b**2, (term(1, a + b),), "not an identity"),
        (2 * a * b <= (a**2 + b**2) / 2, (term(1, a - b),), "not an identity"),  # a factor 2 dropped
        (a**2 + b**2 <= 2 * a * b, (term(-1, a - b),), "negative multiplier"),
        (2 * a * b < a**2 + b**2, (term(1, a - b),), "strict"),
        (a <= b, (term(1, 1, a <= b),), "not a hypothesis"),
        (c * a**2 >= 0, (term(c, a),), "not shown to be nonnegative"),
    ],
)
def test_sum_of_squares_refuses(statement: sp.Basic, terms: tuple, reason: str) -> None:
    with pytest.raises(EvidenceFailed, match=reason):
        SumOfSquares(terms).decide(Claim((), statement))


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


# ------------------------------------------------------------------ z3


@given(st.integers(-4, 4), st.integers(-6, 6), st.integers(-6, 6))
def test_z3_decides_quadratics_by_their_discriminant(p: int, q: int, r: int) -> None:
    nonnegative = (p > 0 and q * q <= 4 * p * r) or (p == 0 and q == 0 and r >= 0)
    answer = smt.prove((), sp.Ge(p * a**2 + q * a + r, 0, evaluate=False)).answer
    assert answer is (smt.Answer.PROVED if nonnegative else smt.Answer.REFUTED)


def test_division_by_zero_proves_nothing() -> None:
    """z3 may give 1/0 any value; the guard asks for a nonzero denominator first."""
    assert smt.prove((a >= 0,), 1 / a >= 0).answer is smt.Answer.UNKNOWN
    assert smt.prove((a > 0,), 1 / a > 0).answer is smt.Answer.PROVED
    assert smt.prove((1 / a >= 1,), sp.And(a > 0, a <= 1)).answer is smt.Answer.PROVED


def test_a_denominator_guards_only_its_own_case() -> None:
    """At a = 0 the second case holds, whatever 1/0 may be."""
    either = sp.Or(1 / a > 1, a <= 0)
    assert smt.prove((either, a >= 0), sp.Ne(a, 0)).answer is not smt.Answer.PROVED
    assert smt.prove((sp.And(1 / a > 1, a >= 0),), a < 1).answer is smt.Answer.PROVED


def test_nested_denominators_are_cleared() -> None:
    assert smt.prove((a > 0, b > 0), 1 / (1 / a + 1 / b) <= a).answer is smt.Answer.PROVED


def test_unknown_is_not_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    reply = smt.prove((), _hard(), effort=500)
    monkeypatch.setattr(smt, "prove", lambda *_: reply)
    with pytest.raises(EvidenceFailed, match="unknown"):
        Solver().decide(Claim((), _hard()))


def test_how_far_z3_goes_is_counted_in_work_not_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same limit gives the same answer, also where the clock would allow more, or less."""
    claim = ((a >= 0, b >= 0, c >= 0), a**3 + b**3 + c**3 >= 3 * a * b * c)
    for seconds in (smt.STUCK, 10 * smt.STUCK):
        monkeypatch.setattr(smt, "STUCK", seconds)
        assert [smt.prove(*claim, effort).answer for effort in (10, smt.QUICK)] == [
            smt.Answer.UNKNOWN,
            smt.Answer.PROVED,
        ]


def test_a_sum_of_squares_without_z3_has_no_third_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Silence on the whole claim adds no engine, whatever z3 says about the signs of the multipliers."""

    def silent_on_the_claim(_: tuple, statement: sp.Basic, effort: int = 0) -> smt.Reply:
        whole = statement == (b * a**2 >= 0)
        return smt.Reply(smt.Answer.UNKNOWN if whole else smt.Answer.PROVED)

    monkeypatch.setattr(smt, "prove", silent_on_the_claim)
    outcome = SumOfSquares((term(b, a),)).decide(Claim((b >= 0,), b * a**2 >= 0))
    assert outcome.engines == ("sympy", "fractions")


def _hard() -> sp.Basic:
    """Motzkin-like and of high degree: no answer with little effort."""
    return (a**2 + b**2 + c**2) ** 5 + 1 >= a**7 * b**2 * c + b**6 * c**3 * t - c**9


def test_a_false_claim_comes_with_a_point() -> None:
    with pytest.raises(EvidenceFailed, match="refuted at"):
        Solver().decide(Claim((a >= 0,), a >= 1))


@given(st.integers(1, 5), st.integers(1, 5))
def test_models_satisfy_their_hypotheses(p: int, q: int) -> None:
    hypotheses = (a > p, b < -q, sp.Eq(c, a + b), sp.Or(c > 3, c < -3))
    found = smt.model(hypotheses)
    assert found is not None and all(recheck.holds(to_tree(h), found) for h in hypotheses)
    assert smt.model((a > p, a < p)) is None


# ------------------------------------------------------------------ two engines


def test_disagreement_between_z3_and_a_certificate_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    refuted = smt.Reply(smt.Answer.REFUTED, {"a": Fraction(1)})
    monkeypatch.setattr(smt, "prove", lambda *_: refuted)
    for method in (Positivity(), SumOfSquares((term(1, a),))):
        with pytest.raises(EvidenceFailed, match="disagree"):
            method.decide(Claim((a >= 0,), sp.Ge(a**2, 0, evaluate=False)))


def test_disagreement_on_an_identity_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recheck, "same_function", lambda *_: False)
    with pytest.raises(EvidenceFailed, match="disagree"):
        Identity().decide(Claim((), equal((a + b) ** 2, a**2 + 2 * a * b + b**2)))


# ------------------------------------------------------------------ counterexamples


def test_a_counterexample_is_replayed_exactly() -> None:
    outcome = AtPoint({a: sp.Rational(1, 3)}).decide(Claim((a > 0,), a >= 1))
    assert "1/3 >= 1 is false" in outcome.detail and outcome.engines == ("fractions", "sympy")


@pytest.mark.parametrize(
    ("point", "reason"),
    [
        ({a: -1}, "violates the hypothesis"),
        ({a: 2}, "holds at the point"),
        ({a: 0.5}, "float"),
        ({}, "no value"),
    ],
)
def test_a_bad_counterexample_is_refused(point: dict, reason: str) -> None:
    with pytest.raises(EvidenceFailed, match=reason):
        AtPoint(point).decide(Claim((a > 0,), a >= 1))


def test_undefined_is_refused_where_the_statement_is_defined() -> None:
    claim = Claim((a >= 1,), 1 / (a - 1) > 0)
    assert AtPoint({a: 1}, undefined=True).decide(claim).ok
    with pytest.raises(EvidenceFailed, match="defined"):
        AtPoint({a: 2}, undefined=True).decide(claim)


POSITIVE, IS_EVEN = Test("n > 0", lambda n: n > 0), Test("n is even", lambda n: n % 2 == 0)
EVEN = FiniteClaim((POSITIVE,), IS_EVEN)


def test_instances_must_satisfy_the_hypotheses_and_violate_the_statement() -> None:
    assert OnInstance(3, "n = 3").decide(EVEN).ok
    for wrong in (-1, 2):
        with pytest.raises(EvidenceFailed):
            OnInstance(wrong, "").decide(EVEN)


# ------------------------------------------------------------------ combinations


def test_cases_need_one_method_per_case() -> None:
    claim = Claim((sp.Or(a > 1, a < -1),), a**2 > 1)
    assert Cases((Solver(), Solver())).decide(claim).ok
    with pytest.raises(ValueError, match="zip"):
        Cases((Solver(),)).decide(claim)
    with pytest.raises(EvidenceFailed):
        Cases((Solver(), Solver())).decide(replace(claim, statement=a > 1))


def test_parts_need_one_method_each() -> None:
    claim = Claim((a >= 0, a <= b), sp.And(2 * a - b <= b, b - 2 * a <= b))
    below, above_ = SumOfSquares((term(2, 1, a <= b),)), SumOfSquares((term(2, 1, a >= 0),))
    assert Parts((above_, below)).decide(claim).engines == ("sympy", "fractions", "z3")
    for wrong in ((below, above_), (below, below)):
        with pytest.raises(EvidenceFailed):
            Parts(wrong).decide(claim)
    with pytest.raises(ValueError, match="zip"):
        Parts((above_,)).decide(claim)


# ------------------------------------------------------------------ contradictions

ROOT = sp.Eq(c**2, a**2 + b**2)
ROOTED = (a >= 0, b >= 0, c >= 0, ROOT)
LONGER = c > a + b
BOTH = (term(1, 1, a < 0), term(1, 1, a >= 0))
TRIANGLE = (term(1, 1, LONGER, LONGER), term(2 * (a + b), 1, LONGER), term(2 * a * b))


def test_a_contradiction_proves_an_inequality_between_roots() -> None:
    outcome = Contradiction(TRIANGLE, using=((-1, ROOT),)).decide(Claim(ROOTED, c <= a + b))
    assert outcome.engines == ("sympy", "fractions", "z3")


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


def test_an_equation_may_be_added_with_any_factor_but_must_be_a_hypothesis() -> None:
    equation = sp.Eq(b, 0)
    method = SumOfSquares((term(1, a),), using=((-c, equation),))
    assert method.decide(Claim((equation,), b * c <= a**2)).ok
    with pytest.raises(EvidenceFailed, match="not a hypothesis"):
        method.decide(Claim((), b * c <= a**2))
    with pytest.raises(EvidenceFailed, match="not an identity"):
        method.decide(Claim((equation,), b * c <= a**2 / 2))


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


@pytest.mark.parametrize("left,right", [(0, 1), (1, 0), (1, 1)])
def test_the_rechecker_compares(left: int, right: int) -> None:
    expected = {"le": left <= right, "lt": left < right, "ge": left >= right, "gt": left > right}
    expected |= {"eq": left == right, "ne": left != right}
    for tag, holds in expected.items():
        assert recheck.holds((tag, ("num", left, 1), ("num", right, 1)), {}) is holds, tag


def test_certificates_are_printed_as_polynomials() -> None:
    terms = [((2, 1), 3, 2), ((0, 1), 1, 1), ((0, 0), 1, 1)]
    assert certificates._print(terms, ("x", "y")) == "3/2*x^2*y + y + 1"
    assert certificates._print([], ("x", "y")) == "0"
