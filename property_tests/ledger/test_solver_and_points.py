"""z3, exact points and instances, and methods that put others together; two engines that disagree."""

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from theory.errors import EvidenceFailed
from theory.ledger import Claim, FiniteClaim, Test, equal
from theory.papers.fps.letters import real
from theory.provers import (
    AtPoint,
    Cases,
    Identity,
    OnInstance,
    Parts,
    Positivity,
    Solver,
    SumOfSquares,
    recheck,
    smt,
    term,
)
from theory.provers.trees import to_tree

a, b, c = real("a b c")
PROVED, UNKNOWN = smt.Answer.PROVED, smt.Answer.UNKNOWN

# ------------------------------------------------------------------ z3


@given(st.integers(-4, 4), st.integers(-6, 6), st.integers(-6, 6))
def test_z3_decides_quadratics_by_their_discriminant(p: int, q: int, r: int) -> None:
    nonnegative = (p > 0 and q * q <= 4 * p * r) or (p == 0 and q == 0 and r >= 0)
    answer = smt.prove((), sp.Ge(p * a**2 + q * a + r, 0, evaluate=False)).answer
    assert answer is (smt.Answer.PROVED if nonnegative else smt.Answer.REFUTED)


@pytest.mark.parametrize(
    ("hypotheses", "statement", "answer"),
    [
        ((a >= 0,), 1 / a >= 0, UNKNOWN),
        ((a > 0,), 1 / a > 0, PROVED),
        ((1 / a >= 1,), sp.And(a > 0, a <= 1), PROVED),
        ((sp.And(1 / a > 1, a >= 0),), a < 1, PROVED),
        ((a > 0, b > 0), 1 / (1 / a + 1 / b) <= a, PROVED),
    ],
)
def test_division_by_zero_proves_nothing(
    hypotheses: tuple[sp.Basic, ...], statement: sp.Basic, answer: smt.Answer
) -> None:
    """z3 may give 1/0 any value; the guard asks for a nonzero denominator first."""
    assert smt.prove(hypotheses, statement).answer is answer


def test_how_far_z3_goes_is_counted_in_work_and_unknown_is_not_a_proof(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same limit gives the same answer, also where the clock would allow more, or less."""
    claim = Claim((a >= 0, b >= 0, c >= 0), a**3 + b**3 + c**3 >= 3 * a * b * c)
    for seconds in (smt.STUCK, 10 * smt.STUCK):
        monkeypatch.setattr(smt, "STUCK", seconds)
        little, enough = (smt.prove(claim.hypotheses, claim.statement, effort) for effort in (10, smt.QUICK))
        assert (little.answer, enough.answer) == (smt.Answer.UNKNOWN, smt.Answer.PROVED)
    monkeypatch.setattr(smt, "prove", lambda *_: little)
    with pytest.raises(EvidenceFailed, match="unknown"):
        Solver().decide(claim)


@given(st.integers(1, 5), st.integers(1, 5))
def test_models_satisfy_their_hypotheses(p: int, q: int) -> None:
    hypotheses = (a > p, b < -q, sp.Eq(c, a + b), sp.Or(c > 3, c < -3))
    found = smt.model(hypotheses)
    assert found is not None and all(recheck.holds(to_tree(h), found) for h in hypotheses)
    assert smt.model((a > p, a < p)) is None


# ------------------------------------------------------------------ two engines


def test_a_sum_of_squares_without_z3_has_no_third_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Silence on the whole claim adds no engine, whatever z3 says about the signs of the multipliers."""

    def silent_on_the_claim(_: tuple, statement: sp.Basic, effort: int = 0) -> smt.Reply:
        whole = statement == (b * a**2 >= 0)
        return smt.Reply(smt.Answer.UNKNOWN if whole else smt.Answer.PROVED)

    monkeypatch.setattr(smt, "prove", silent_on_the_claim)
    outcome = SumOfSquares((term(b, a),)).decide(Claim((b >= 0,), b * a**2 >= 0))
    assert outcome.engines == ("sympy", "fractions")


def test_disagreement_between_engines_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    refuted = smt.Reply(smt.Answer.REFUTED, {"a": Fraction(1)})
    monkeypatch.setattr(smt, "prove", lambda *_: refuted)
    for method in (Positivity(), SumOfSquares((term(1, a),))):
        with pytest.raises(EvidenceFailed, match="disagree"):
            method.decide(Claim((a >= 0,), sp.Ge(a**2, 0, evaluate=False)))
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


def test_instances_must_satisfy_the_hypotheses_and_violate_the_statement() -> None:
    even = FiniteClaim((Test("n > 0", lambda n: n > 0),), Test("n is even", lambda n: n % 2 == 0))
    assert OnInstance(3, "n = 3").decide(even).ok
    for wrong in (-1, 2):
        with pytest.raises(EvidenceFailed):
            OnInstance(wrong, "").decide(even)


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
