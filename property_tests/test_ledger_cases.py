"""Definitions define letters of their own, a case gives a disjunction, and planted errors are noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import sympy as sp
from theory.definitions import DEFINED, DEFINITIONS, MEANING
from theory.stated import STATED
from theory.steps import expression, given

from property_tests.planted_lines import entry, plain, status
from theory import letter_kinds
from theory.errors import EvidenceFailed
from theory.ledger import Claim, Derivation, Entry, judge
from theory.provers import Cases, SumOfSquares, decided, smt, term
from theory.symbols import E, real

one, two, three, four = real("one two three four")


# ------------------------------------------------------------------ definitions


def test_every_definition_says_what_it_defines() -> None:
    assert set(DEFINITIONS) <= set(STATED)
    assert set(DEFINED) == set(DEFINITIONS) - {"TOPK"}
    assert set(MEANING) == set(DEFINITIONS) - {"MIN"}


@pytest.mark.parametrize(
    ("line", "reads", "hypothesis"),
    [
        ("MAX", "part1: one, most: 5", one <= 5),  # a result, not a maximum
        ("MAX", "part1: one, most: E", one <= E),  # a constant of the theory
        ("MAX", "part1: one, most: two + three", one <= two + three),
        ("MAX", "part1: one*two, most: two", one * two <= two),  # a maximum of itself
        ("MAX", "part1: 3, most: two", two >= 3),
        ("LEAST", "part1: one, least: 2*two", one >= 2 * two),
        ("MIN", "f1: one, f_star: two + three", one >= two + three),
        ("IND", "ind: 1, amount: one - two", one >= two),
        ("IND", "ind: three, amount: one - two", three * (one - two) >= 0),  # not between 0 and 1
        ("REACHES", "ind: three, amount: one - two", three * (one - two) >= 0),
        ("ORDER", "low: one, high: two + three", one <= two + three),
        ("START", "drift: 2*one - two", sp.Or(E > 1, sp.Eq(2 * one - two, 0))),
    ],
)
def test_a_definition_is_not_read_as_anything(line: str, reads: str, hypothesis: sp.Basic) -> None:
    planted = plain(Claim((hypothesis,), one + two <= four), given(line, reads))
    with pytest.raises(EvidenceFailed, match="of its own|does not say|between 0 and 1"):
        status(planted)


def test_a_definition_defines_nothing_twice() -> None:
    claim = Claim((sp.Eq(two, three + four), one <= two), one <= three + four)
    with pytest.raises(EvidenceFailed, match="defines already"):
        status(plain(claim, given("MAX", "part1: one, most: two")))
    hits, theta = real("hits theta")
    largest = given("MAX", "part1: hits, most: theta")
    known = replace(plain(Claim((hits <= theta,), hits <= theta + 1), largest), id="RS.d1b")
    assert status(known).used


def test_an_indicator_of_at_least_is_not_one_of_more() -> None:
    """1[X_j ≥ X_(J−h+1)] ≤ 1[X_j > median] is false for J = 1, where both sides compare a row with itself."""
    row, high, above, ind = real("row high above ind")
    reaches = given("REACHES", "ind: above, amount: row - high")

    def used(amount: sp.Basic) -> Entry:
        cases = (above >= 0, above <= 1, sp.Or(sp.Eq(above, 0), amount))
        return replace(plain(Claim(cases, above * high <= above * row), reaches), id="RS.c6i")

    assert status(used(row - high >= 0)).status is Derivation.RIGHT
    with pytest.raises(EvidenceFailed, match="not used"):
        status(used(row - high > 0))
    for name in ("RS.c5i", "RS.c6i", "RS.d1i"):
        assert [s.line for s in entry(name).steps if dict(s.reads).get(ind) == above] == ["REACHES"]


# ------------------------------------------------------------------ A or B


def test_a_line_gives_a_disjunction_where_it_applies() -> None:
    """Lemma 2: L2.15d asks for E > 1, so it gives its statement or E ≤ 1, and START the rest."""
    line = entry("L2")
    assert status(line).status is Derivation.RIGHT
    first, later = (h for h in line.claim.hypotheses if isinstance(h, sp.Or))
    assert {o.source for o in status(line).origins} >= {"START", "L2.15d"}
    for kept in (line.steps[:1], line.steps[1:]):
        assert status(replace(line, steps=kept)).status is Derivation.WORDS
    weaker = sp.Or(
        E <= sp.Rational(1, 2), later.args[0] if later.args[0].has(real("D")[0]) else later.args[1]
    )
    claim = replace(line.claim, hypotheses=tuple(weaker if h == later else h for h in line.claim.hypotheses))
    with pytest.raises(EvidenceFailed, match="asks for E > 1"):
        status(replace(line, claim=claim))
    assert isinstance(first, sp.Or)


def test_a_disjunction_of_ranges_comes_from_no_line() -> None:
    found = status(plain(Claim((sp.Or(one >= 0, two <= 7), one <= 1), one <= 2)))
    assert found.status is Derivation.WORDS and "not traced" in found.why


def test_cases_are_taken_apart_one_after_the_other() -> None:
    first, second = sp.Or(one <= 0, two <= 0), sp.Or(one <= 1, two <= 1)
    claim = Claim((first, second, one >= two), two <= 0)
    low = SumOfSquares((term(1, 1, one <= 0), term(1, 1, one >= two)))
    own = SumOfSquares((term(1, 1, two <= 0),))
    with pytest.raises(EvidenceFailed, match="exactly one disjunction"):
        Cases((low, own)).decide(claim)
    assert Cases((low, own), on=first).decide(claim).ok
    with pytest.raises(EvidenceFailed):
        Cases((low, own), on=second).decide(claim)
    with pytest.raises(EvidenceFailed, match="exactly one disjunction"):
        Cases((low, own), on=sp.Or(one <= 5, two <= 5)).decide(claim)


# ------------------------------------------------------------------ z3 with fewer hypotheses


@pytest.mark.parametrize(
    ("answer", "engines"), [(smt.Answer.PROVED, ("z3",)), (smt.Answer.REFUTED, ()), (smt.Answer.UNKNOWN, ())]
)
def test_z3_may_prove_from_fewer_hypotheses_but_refutes_nothing_there(
    answer: smt.Answer, engines: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = Claim((one <= two, two <= three), one <= three)

    def prove(hypotheses: tuple, statement: sp.Basic, effort: int) -> smt.Reply:
        assert set(hypotheses) <= set(claim.hypotheses)  # what the claim does not assume is never added
        return smt.Reply(smt.Answer.UNKNOWN if len(hypotheses) == 2 else answer)

    monkeypatch.setattr(smt, "prove", prove)
    assert decided.cross_check(claim, (one <= two, four <= 0)) == engines
    assert decided.cross_check(claim) == ()


# ------------------------------------------------------------------ planted errors


def exchanged(old: str, new: str) -> Callable[[Entry], Entry]:
    """The statement of a line with another expression in place of one of its own."""

    def change(line: Entry) -> Entry:
        statement = line.claim.statement.subs(expression(old), expression(new))  # type: ignore[union-attr]
        assert statement != line.claim.statement
        return replace(line, claim=replace(line.claim, statement=statement))

    return change


@pytest.mark.parametrize(
    ("name", "source", "change"),
    [
        ("S.2", "S.2a", exchanged("L*(h2 + u2)", "2*L*(h2 + u2)")),
        ("RS.a4", "RS.a4k", exchanged("num + 1", "num + 2")),
        ("RS.c4", "RS.c5e", exchanged("enough", "2*enough")),
        ("RS.c5", "RS.c5n", exchanged("n_over", "n_over + 1")),
        ("RS.c6", "RS.c6h", exchanged("squares", "2*squares")),
        ("RS.d1", "RS.d1b", exchanged("theta", "2*theta")),
        ("RA.T5", "RA.T3", exchanged("a*q", "2*a*q")),
        ("RA.T5b", "RA.T4", exchanged("F2", "2*F2")),
        ("RA.T5a", "RA.T4", exchanged("N", "100*N")),
        ("RA.T6", "RA.T6m", exchanged("m_high", "m_high + 1")),
        ("RC1.4", "RC1.2", exchanged("rho**2", "2*rho**2")),
        ("RA.T4", "RA.C6", exchanged("f_m", "2*f_m")),
        ("RC2.15m", "RC2.15s", exchanged("gamma", "2*gamma")),
        ("RC2.15h", "RC2.15m", exchanged("gamma", "2*gamma")),
        ("RC2.15s", "RC2.10a", exchanged("gamma", "2*gamma")),
        ("RC2.10", "RC2.10b", exchanged("r_3", "2*r_3")),
        ("RC2.15", "RC2.15h", exchanged("H_rms", "H_rms/2")),
        ("RC2.17", "RC2.16c", exchanged("rest", "2*rest")),
        ("RF.2", "RF.2a", exchanged("theta", "2*theta")),
        ("RF.7", "RF.7t", exchanged("whole", "whole/2")),
        ("L2.17", "L2.13", exchanged("power", "2*power")),
        ("L2.18", "L2.18h", exchanged("t", "2*t")),
        ("RD.S3", "RD.S2r", exchanged("kappa", "2*kappa")),
        ("T1.25w", "V.2", exchanged("a", "2*a")),
    ],
)
def test_a_planted_error_in_an_earlier_line_is_noticed(
    name: str, source: str, change: Callable[[Entry], Entry]
) -> None:
    line = entry(name)
    assert status(line).status in (Derivation.RIGHT, Derivation.CONDITIONAL)
    try:
        found = status(line, planted=change(entry(source)))
    except EvidenceFailed:
        return  # what is read from it is not used
    assert found.status is Derivation.WORDS and "not traced" in found.why


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("RS.c5i", "RS.c5m"),
        ("RS.c4m", "RS.c4h"),
        ("RC2.15h", "RC2.15q"),
        ("RC2.16b", "RC2.16a"),
        ("RA.C6", "RA.C4f"),
        ("RA.C6", "RA.C4n"),
    ],
)
def test_a_flipped_inequality_gives_nothing(name: str, source: str) -> None:
    line = entry(source)
    statement = line.claim.statement  # type: ignore[union-attr]
    other = {sp.Le: sp.Ge, sp.Ge: sp.Le}[statement.func](statement.lhs, statement.rhs)
    planted = replace(line, claim=replace(line.claim, statement=other))
    assert judge(entry(name)).derivation is Derivation.RIGHT
    try:
        assert status(entry(name), planted=planted).status is Derivation.WORDS
    except EvidenceFailed as error:
        assert "not used" in str(error)


@pytest.mark.parametrize("name", ["RA.R2", "RA.R4", "RC2.12", "RC2.13", "RC1.3"])
def test_an_unrelated_line_is_no_tie(name: str) -> None:
    found = status(replace(entry(name), depends=("L1.1",), steps=()))
    assert found.status is Derivation.WORDS


def test_a_binomial_tail_that_falls_is_noticed() -> None:
    """p ≥ q in place of p ≤ q: the certificate does not fit, and RS.c4 would have to show the opposite."""
    line = entry("RS.c4m")
    p, q = real("chance q")
    claim = replace(
        line.claim, hypotheses=tuple(p >= q if h == (p <= q) else h for h in line.claim.hypotheses)
    )
    assert not judge(replace(line, claim=claim, stated=(p >= q,))).ok


def test_without_a_start_or_with_a_wrong_one_no_tail_grows() -> None:
    line = entry("RS.c4m")
    for n in (1, 2):
        step = line.steps[n]
        for base in ((), tuple((old, sp.Integer(1 - i)) for i, (old, _) in enumerate(step.base))):
            steps = tuple(replace(s, base=base) if s is step else s for s in line.steps)
            with pytest.raises(EvidenceFailed, match="start of the induction"):
                status(replace(line, steps=steps))


def test_what_a_line_asks_for_is_not_shown_from_what_it_gives() -> None:
    """RA.C2 at one point gives P ≥ p² from P ≥ p²: out of nothing."""
    reads = "A1: 1, A2: 0, P: one, lambda: 1, p1**2: two, Q: one, q1**2: two"
    claim = Claim((one >= two,), one + 1 >= two)
    planted = replace(plain(claim, given("RA.C2", reads)), depends=("RA.C2",))
    with pytest.raises(EvidenceFailed, match="RA.C2 asks for"):
        status(planted)


@pytest.mark.parametrize(
    ("name", "without", "instead"),
    [
        ("RC1.4", real("u")[0] < 1, None),  # Corollary 1 without Lγ < 1
        ("RC2.7d", real("num")[0] >= 1, real("num")[0] >= 0),  # e ≤ e² is false at 1/2
        ("RC2.10a", real("r")[0] >= 1, real("r")[0] >= 0),
        ("RS.c4", real("q")[0] <= 2, None),  # q/2 is a probability
    ],
)
def test_a_range_of_an_earlier_line_is_asked_for(
    name: str, without: sp.Basic, instead: sp.Basic, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A number of things is 1 or more by its kind; without kinds, and without the range, it is not."""
    monkeypatch.setattr(letter_kinds, "KINDS", {"RC2.": {"sizes": "kappa N growth"}})
    line = entry(name)
    assert without in line.claim.hypotheses
    kept = tuple(instead if h == without else h for h in line.claim.hypotheses)
    claim = replace(line.claim, hypotheses=tuple(h for h in kept if h is not None))
    stated = tuple(h for h in line.stated if h != without)
    with pytest.raises(EvidenceFailed, match="asks for"):
        status(replace(line, claim=claim, stated=stated))


def test_half_of_the_growth_is_noticed() -> None:
    """RC2.15h with 4/7 for 8/7 and the smaller conclusion that this would give."""
    line = entry("RC2.15h")
    S_rms = real("S_rms")[0]
    drift = next(h for h in line.claim.hypotheses if h.lhs == S_rms and isinstance(h, sp.Le))
    planted = tuple(sp.Le(S_rms, h.rhs / 2) if h == drift else h for h in line.claim.hypotheses)
    found = status(replace(line, claim=replace(line.claim, hypotheses=planted)))
    assert found.status is Derivation.WORDS and "not traced" in found.why and "S_rms" in found.why
