"""A hypothesis may divide only by what another one keeps from being zero."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from theory.hidden_zeros import hidden, hidden_in

from theory.ledger import Claim, Derivation, Entry, Verdict, judge, proof, proof_if
from theory.ledger import collection as ledger
from theory.provers import Identity, Solver
from theory.symbols import real

x, y, z, K = real("x y z K")


def without(line: Entry, letter: str) -> Entry:
    """The entry without the hypothesis that bounds one letter by a number."""
    bound = [h for h in line.claim.hypotheses if {s.name for s in h.free_symbols} == {letter}]
    assert bound
    kept = tuple(h for h in line.claim.hypotheses if h not in bound)
    return replace(line, claim=replace(line.claim, hypotheses=kept))


@pytest.mark.parametrize(("identifier", "letter"), [("RS.c3", "K"), ("RS.c2", "K"), ("RF.5", "k")])
def test_a_hypothesis_that_divides_does_not_hide_the_zero(identifier: str, letter: str) -> None:
    line = ledger.find(identifier)
    assert judge(line).ok
    assert any(f"divides by {letter}," in fault for fault in judge(without(line, letter)).faults)


def test_a_statement_false_at_zero_is_rejected() -> None:
    """x = y/K hides K = 0: to z3 the division itself says that K is not 0."""
    claim = Claim((sp.Eq(x, y / K),), sp.Ne(K, 0))
    planted = Entry(
        id="P", place="", title="", printed="", claim=claim, verdict=Verdict.VALID,
        evidence=(proof(Solver()),), derivation=Derivation.NONE, alone="planted",
    )  # fmt: skip
    assert any("divides by K" in fault for fault in judge(planted).faults)


@pytest.mark.parametrize(
    "hypotheses",
    [
        (K > 0, sp.Eq(x, y / K)),
        (K < 0, sp.Eq(x, y / K)),
        (sp.Eq(K * y, 1), sp.Eq(x, y / K)),
        (x >= 1, K >= 1 / x, y <= 1 / K),  # one after the other
        (sp.Or(K >= 1, K <= -1), x <= 1 / K),
    ],
)
def test_what_excludes_the_zero_may_take_any_form(hypotheses: tuple[sp.Basic, ...]) -> None:
    assert hidden_in(hypotheses) == ()


@pytest.mark.parametrize(
    ("hypotheses", "found"),
    [
        ((K >= 0, sp.Eq(x, y / K)), (K,)),
        ((sp.Eq(x, y / K), sp.Eq(K, z / x)), (K, x)),  # neither may lean on the other
        ((sp.Or(1 / K > 1, K <= 0),), (K,)),
        ((x >= 1, y <= 1 / (x - 1)), (x - 1,)),
    ],
)
def test_a_denominator_that_may_vanish_is_named(
    hypotheses: tuple[sp.Basic, ...], found: tuple[sp.Expr, ...]
) -> None:
    assert set(hidden_in(hypotheses)) == set(found)


def test_claims_of_the_evidence_and_conditions_are_read_too() -> None:
    line = ledger.find("RS.c3")
    loose = Claim((sp.Eq(x, y / K),), sp.Eq(x, y / K))
    beside = replace(line.evidence[1], claim=loose)
    assert hidden(replace(line, evidence=(line.evidence[0], beside)))
    divided = replace(
        line, claim=Claim((x >= 0,), sp.Eq(x, x)), condition=x >= 1 / K, evidence=(proof_if(Identity()),)
    )
    assert hidden(divided) and not hidden(replace(divided, condition=x >= 1))


def test_no_entry_hides_a_zero() -> None:
    assert {line.id: faults for line in ledger.entries() if (faults := hidden(line))} == {}
