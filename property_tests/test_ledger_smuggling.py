"""What is not the entry's own statement cannot pass for a proof or a counterexample of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
import sympy as sp
from theory.integers import Directly, Induction, Reading, for_integers
from theory.substance import empty, same_relation

from property_tests.planted_lines import entry
from theory.errors import EvidenceFailed
from theory.ledger import Claim, Entry, Evidence, FiniteClaim, Outcome, Role, Test, Verdict, judge, proof
from theory.ledger import collection as ledger
from theory.ledger.statements import one_of
from theory.provers import AtPoint, Identity, Positivity, Solver, SumOfSquares, term
from theory.provers.coordinates import each, power_sums
from theory.provers.replay import Exhaustive
from theory.symbols import E, Lam, gamma, real, x, y
from theory.units import measure as homogeneity

one, two = real("one two")
TRUE = Claim((), one**2 >= 0)  # true, and about nothing in the ledger
OWN = (Role.PROOF, Role.PROOF_IF, Role.NECESSARY, Role.COUNTEREXAMPLE, Role.DISPROOF, Role.CITATION)


# ------------------------------------------------------------------ evidence with a claim of its own


@pytest.mark.parametrize("role", OWN)
@pytest.mark.parametrize("claim", [TRUE, Claim((), sp.true), entry("S.3").claim])
def test_deciding_evidence_cannot_bring_a_claim(role: Role, claim: Claim) -> None:
    """A true unrelated claim, a trivially true one, and another entry's statement."""
    with pytest.raises(EvidenceFailed, match="claim of its own"):
        Evidence(role, Solver(), claim)


@pytest.mark.parametrize("role", [Role.COVER, Role.DERIVATION, Role.SUPPORT])
def test_other_evidence_must_bring_one(role: Role) -> None:
    with pytest.raises(EvidenceFailed, match="needs a claim"):
        Evidence(role, Solver())


@pytest.mark.parametrize("claim", [TRUE, entry("S.3").claim])
def test_a_claim_forced_into_evidence_is_not_read(claim: Claim) -> None:
    """Past the constructor: the refuted line L1.5 stays without proof."""
    forced = proof(Solver())
    object.__setattr__(forced, "claim", claim)
    false = replace(entry("L1.5"), verdict=Verdict.VALID, evidence=(forced,), alone="planted")
    assert false.claim_for(forced) == false.claim
    assert any(fault.startswith("proof:") for fault in judge(false).faults)


def test_no_evidence_of_the_ledger_decides_another_statement() -> None:
    for line in ledger.entries():
        for item in line.evidence:
            assert (item.claim is None) == item.role.about_the_entry
            if item.role in (Role.PROOF, Role.COUNTEREXAMPLE, Role.CITATION):
                assert line.claim_for(item) is line.claim


# ------------------------------------------------------------------ a statement that says nothing

EMPTY = (
    Claim((), sp.true),
    Claim((x >= 0,), sp.Eq(x * y, y * x, evaluate=False)),
    Claim((x >= 0,), sp.Le(x, x, evaluate=False)),
    Claim((one <= two,), one <= two),
    Claim((one <= two,), 3 * two >= 3 * one),
    Claim((sp.Eq(one, two),), sp.Eq(2 * two + 1, 2 * one + 1)),
)


@pytest.mark.parametrize("claim", EMPTY, ids=str)
def test_an_empty_statement_is_rejected(claim: Claim) -> None:
    planted = replace(entry("S.3"), printed="", claim=claim, evidence=(proof(Solver()),), alone="planted")
    assert any("by its form" in fault or "one of the hypotheses" in fault for fault in judge(planted).faults)


def test_a_comparison_is_not_its_sign_hypothesis_again() -> None:
    assert not empty(Claim((one >= 0,), one <= 2 * one))
    assert not same_relation(one <= two, two <= one)
    assert not same_relation(one <= two, one < two)
    assert same_relation(one <= two, 2 * two >= 2 * one)


def test_no_statement_of_the_ledger_is_empty() -> None:
    assert {line.id: found for line in ledger.entries() if (found := empty(line.claim))} == {}


# ------------------------------------------------------------------ methods


@dataclass(frozen=True)
class Agreeable:
    """A method that accepts everything."""

    def decide(self, claim: Any) -> Outcome:
        return Outcome(True, ("sympy", "fractions"), "identity", "yes")


def test_only_methods_of_the_ledger_decide() -> None:
    false = replace(entry("L1.5"), verdict=Verdict.VALID, evidence=(proof(Agreeable()),))
    assert any("not a method" in fault for fault in judge(false).faults)
    inside = entry("L1.2")
    termwise = replace(inside.evidence[0].method, method=Agreeable())  # type: ignore[type-var]
    planted = replace(inside, evidence=(replace(inside.evidence[0], method=termwise), inside.evidence[1]))
    assert any("not a method" in fault for fault in judge(planted).faults)


# ------------------------------------------------------------------ forms that the tests were not made from


def _never(instance: Any) -> bool:
    return False


def _with_statement(line: Entry, holds: Callable[[Any], bool]) -> Entry:
    assert isinstance(line.claim, FiniteClaim)
    return replace(line, claim=replace(line.claim, statement=replace(line.claim.statement, holds=holds)))


@pytest.mark.parametrize("identifier", ["L2.14i", "L2.14t", "L1.7r", "L1.7m", "L1.2"])
def test_a_proved_form_does_not_prove_another_statement(identifier: str) -> None:
    line = entry(identifier)
    assert judge(line).ok
    assert any("made from the form" in fault for fault in judge(_with_statement(line, _never)).faults)


def test_a_form_of_something_true_does_not_replace_the_form() -> None:
    line = entry("L2.14i")
    other = for_integers(E, 2, 1 / E <= 1)
    swapped = replace(line, claim=replace(line.claim, form=other.form))
    assert any("made from the form" in fault for fault in judge(swapped).faults)
    later = for_integers(E, 3, line.claim.form.relation)  # proved from 3 on, claimed from 2 on
    swapped = replace(line, claim=replace(line.claim, form=later.form))
    assert any("assumes what the claim does not" in fault for fault in judge(swapped).faults)
    sums = entry("L1.7r")
    fewer = replace(sums.claim.form, terms={3: sums.claim.form.terms[3]})
    assert not judge(replace(sums, claim=replace(sums.claim, form=fewer))).ok
    assert judge(replace(sums, claim=power_sums("again", sums.claim.form, "members"))).ok


def test_a_hypothesis_on_coordinates_says_what_is_assumed() -> None:
    line = entry("L1.2")
    loose = Test(line.condition.text, lambda d: True, each=line.condition.each)  # type: ignore[union-attr]
    assert any("each coordinate" in fault for fault in judge(replace(line, condition=loose)).faults)
    assert each("a", one <= two) == each("a", one <= two)


def test_an_enumeration_lists_the_declared_domain() -> None:
    odd = one_of("odd", lambda: (1, 3))
    holds = Test("is odd", lambda n: n % 2 == 1)
    assert Exhaustive(1).decide(FiniteClaim((odd,), holds)).ok
    wider = replace(odd, holds=lambda n: True)
    with pytest.raises(EvidenceFailed, match="enumerated"):
        Exhaustive(1).decide(FiniteClaim((wider,), holds))


# ------------------------------------------------------------------ a derivation called wrong


@pytest.mark.parametrize("identifier", ["M.11", "M.12", "M.17", "M.20", "M.21"])
def test_a_wrong_derivation_is_shown_on_the_printed_line(identifier: str) -> None:
    line = entry(identifier)
    elsewhere = Claim((E >= 1, x >= 0), E + 1 > E / 2)  # true, shares letters, about another line
    items = tuple(
        replace(i, claim=elsewhere, method=Positivity()) if i.role is Role.DERIVATION else i
        for i in line.evidence
    )
    assert any("what is printed" in fault for fault in judge(replace(line, evidence=items)).faults)


# ------------------------------------------------------------------ units

UNITS = [line.id for line in ledger.entries() if line.id.startswith(("U.", "RU."))]


@pytest.mark.parametrize("identifier", UNITS)
def test_the_statement_about_units_compares_two_different_writings(identifier: str) -> None:
    statement = entry(identifier).claim.statement
    assert statement.lhs != statement.rhs
    assert any(s.name.endswith("_new") for s in statement.lhs.free_symbols)
    assert not any(s.name.endswith("_new") for s in statement.rhs.free_symbols)


@pytest.mark.parametrize("identifier", [i for i in UNITS if entry(i).verdict is Verdict.VALID])
@pytest.mark.parametrize("wrong", [homogeneity.s, homogeneity.r, 1 / homogeneity.s, sp.Integer(2)])
def test_a_wrong_factor_or_unit_is_rejected(identifier: str, wrong: sp.Expr) -> None:
    line = entry(identifier)
    relation = line.claim.statement
    planted = sp.Eq(relation.lhs, wrong * relation.rhs, evaluate=False)
    assert not judge(replace(line, claim=replace(line.claim, statement=planted))).ok
    *others, last = line.claim.hypotheses  # the last letter gets another unit
    given = line.evidence[0].method.given  # type: ignore[attr-defined]
    unit = sp.Eq(last.lhs, wrong * last.rhs)
    method = Identity((*given[:-1], (last.lhs, wrong * last.rhs)))
    claim = Claim((*others, unit), relation)
    assert not judge(replace(line, claim=claim, evidence=(proof(method),), model={})).ok


def test_a_dropped_gamma_in_the_first_term_is_rejected() -> None:
    line = entry("T1.28")
    averaged = line.claim.hypotheses[-1]
    for factor in (gamma, 1 / gamma, 2):
        wrong = sp.Le(factor * line.claim.statement.lhs, line.claim.statement.rhs)
        method = SumOfSquares((term(1 / gamma, 1, averaged),))
        planted = replace(line, claim=replace(line.claim, statement=wrong), evidence=(proof(method),))
        assert not judge(planted).ok
    point = AtPoint({Lam: 1})
    assert not judge(replace(line, evidence=(proof(point),))).ok


def test_what_is_no_number_proves_nothing() -> None:
    """√(−n) read into a real letter, a hypothesis that moves with the index, a factor 1/0: all rejected."""
    n, p, r, x = sp.symbols("n p r x", real=True)
    square, either = sp.Eq(p, r**2), sp.Eq(x * (x - 1), 0)
    imaginary = Reading(
        Claim((square,), p >= 0),
        SumOfSquares((term(1, r),), using=((1, square),)),
        ((p, -n), (r, sp.sqrt(-n))),
    )
    half = sp.Rational(1, 2)
    moving = Reading(
        Claim((n <= 1, n >= 3), n + 1 <= 1),
        SumOfSquares((term(3 * half, 1, n <= 1), term(half, 1, n >= 3))),
        (),
    )
    attempts = [
        (for_integers(n, 1, -n >= 0), Directly(imaginary, {n: 1}, "")),
        (for_integers(n, 1, n <= 1, n >= 3), Induction(moving, {n: 3}, "")),
        (Claim((either,), sp.Eq(x, 0)), Identity(using=((1 / (x - 1), either),))),
    ]
    for claim, method in attempts:
        with pytest.raises(EvidenceFailed):
            method.decide(claim)
