"""What evidence that checks out may still hide, and the guard that finds it."""

from dataclasses import replace
from typing import Any

import pytest
import sympy as sp

from theory.errors import EvidenceFailed
from theory.ledger import Claim, Entry, Evidence, Role, Severity, Verdict, proof
from theory.ledger.guards import (
    condition_is_the_claim,
    empty,
    same_relation,
    undefined_letters,
    vanishing_in,
    wrong_covers,
    wrong_severity,
)
from theory.ledger.judge import judge
from theory.papers.fps.letters import real, x, y
from theory.papers.fps.paper import PAPER
from theory.provers import Solver, SumOfSquares, term

one, two, three = real("one two three")
TRUE = Claim((), one**2 >= 0)  # true, and about nothing in the ledger
OWN = (Role.PROOF, Role.NECESSARY, Role.COUNTEREXAMPLE, Role.DISPROOF, Role.CITATION)
entry = PAPER.find


def faults(line: Entry) -> str:
    return "; ".join(judge(line, PAPER).faults)


# ------------------------------------------------------------------ evidence with a claim of its own


@pytest.mark.parametrize(
    ("role", "given", "reason"),
    [
        *((role, {"claim": TRUE}, "claim of its own") for role in OWN),
        *((role, {}, "needs a claim") for role in (Role.COVER, Role.DERIVATION, Role.SUPPORT)),
        (Role.PROOF, {"condition": one >= 0}, "condition"),
        (Role.PROOF_IF, {}, "condition"),
        (Role.SUPPORT, {"claim": TRUE, "line": "T1"}, "later line"),
    ],
)
def test_evidence_brings_exactly_what_its_role_asks_for(
    role: Role, given: dict[str, Any], reason: str
) -> None:
    """A true claim about something else would pass for a proof of the entry."""
    with pytest.raises(EvidenceFailed, match=reason):
        Evidence(role, Solver(), **given)


# ------------------------------------------------------------------ statements that say nothing

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
    planted = replace(entry("S.3"), claim=claim, evidence=(proof(Solver()),))
    assert "by its form" in faults(planted) or "one of the hypotheses" in faults(planted)


def test_a_comparison_is_not_its_sign_hypothesis_again() -> None:
    assert not empty(Claim((one >= 0,), one <= 2 * one))
    assert not same_relation(one <= two, two <= one)
    assert not same_relation(one <= two, one < two)
    assert same_relation(one <= two, 2 * two >= 2 * one)


# ------------------------------------------------------------------ denominators


@pytest.mark.parametrize(
    "hypotheses",
    [
        (sp.Eq(one, two / three),),
        (three >= 0, one <= two / three),
        (sp.Eq(one, two / (three - 1)), three > 0),
    ],
)
def test_a_hypothesis_that_may_divide_by_zero_is_noticed(hypotheses: tuple[sp.Basic, ...]) -> None:
    assert vanishing_in(hypotheses)
    planted = replace(
        entry("S.3"), claim=Claim(hypotheses, one <= one + 1), letters=dict.fromkeys(("one",), "")
    )
    assert "divides by" in faults(planted)


def test_a_denominator_that_cannot_vanish_is_allowed() -> None:
    assert not vanishing_in((three > 0, sp.Eq(one, two / three)))
    assert not vanishing_in((sp.Eq(one**2 + two**2, 1), three <= 1 / (one**2 + two**2)))
    chain = (three > 0, sp.Eq(one, 1 + 1 / three), two <= 1 / one)  # one ≥ 1 once three > 0 is known
    assert not vanishing_in(chain)


# ------------------------------------------------------------------ conditions


@pytest.mark.parametrize("identifier", ["S.4", "T1.21c"])
def test_a_condition_equivalent_to_the_claim_must_say_so(identifier: str) -> None:
    line = entry(identifier)
    silent = replace(line, evidence=tuple(e for e in line.evidence if e.role is not Role.NECESSARY))
    assert "equivalent to the claim" in faults(silent)


def test_a_condition_solved_for_a_letter_is_found() -> None:
    """1/one ≤ two/one² is two ≥ one for one ≥ 1."""
    line = replace(entry("S.8"), claim=Claim((one >= 1,), 1 / one <= two / one**2))
    solved = replace(line, evidence=(Evidence(Role.PROOF_IF, Solver(), condition=two >= one),))
    assert condition_is_the_claim(solved)
    stronger = replace(line, evidence=(Evidence(Role.PROOF_IF, Solver(), condition=two >= one + 1),))
    assert not condition_is_the_claim(stronger)


def test_a_condition_that_is_not_necessary_cannot_be_called_so() -> None:
    line = entry("S.8")
    for method in (Solver(), SumOfSquares((term(1, 1, line.claim.statement),))):
        shown = replace(line, evidence=(*line.evidence, Evidence(Role.NECESSARY, method)))
        assert "necessary" in faults(shown)


# ------------------------------------------------------------------ covers and derivations

ABSORBED = [line.id for line in PAPER.entries if line.verdict is Verdict.ABSORBED]


def with_cover(wrong: Entry, **changed: Any) -> Entry:
    items = tuple(replace(i, **changed) if i.role is Role.COVER else i for i in wrong.evidence)
    return replace(wrong, evidence=items)


@pytest.mark.parametrize("identifier", ABSORBED)
def test_a_cover_leads_to_the_line_that_it_names_and_reaches_its_bound(identifier: str) -> None:
    line = entry(identifier)
    assert wrong_covers(line, PAPER.known) == []
    assert f"cover: S.3 does not rest on {identifier}" in wrong_covers(
        with_cover(line, line="S.3"), PAPER.known
    )
    assert "cover: T1.8 is refuted itself" in wrong_covers(with_cover(line, line="T1.8"), PAPER.known)
    (item,) = (i for i in line.evidence if i.role is Role.COVER)
    assert isinstance(item.claim, Claim)
    relation = item.claim.statement
    easier = replace(item.claim, statement=relation.func(relation.lhs, 2 * relation.rhs))
    assert "does not reach the bound" in " ".join(wrong_covers(with_cover(line, claim=easier), PAPER.known))


def test_a_cover_starts_from_the_corrected_form_that_is_proved() -> None:
    line = entry("T1.12")
    (item,) = (i for i in line.evidence if i.role is Role.COVER)
    assert isinstance(item.claim, Claim)
    assumed = replace(item.claim, hypotheses=(item.claim.statement,))  # what is to be shown
    assert "corrected form that is proved" in faults(with_cover(line, claim=assumed))


# ------------------------------------------------------------------ letters, severity, engines


def test_every_letter_has_a_meaning() -> None:
    assert {line.id: found for line in PAPER.entries if (found := undefined_letters(line))} == {}
    line = entry("T1.5")
    assert "Mg" in faults(replace(line, letters={}))


def test_only_wrong_lines_of_the_paper_have_a_severity() -> None:
    assert {line.id: found for line in PAPER.entries if (found := wrong_severity(line))} == {}
    assert wrong_severity(replace(entry("T1.2"), severity=None))
    assert wrong_severity(replace(entry("T1.5"), severity=Severity.COSMETIC))
    assert wrong_severity(replace(entry("T1.44"), severity=Severity.COSMETIC))


@pytest.mark.parametrize("identifier", ["T1.22c", "M.9"])
def test_a_step_of_z3_alone_is_rejected(identifier: str) -> None:
    line = entry(identifier)
    bare = replace(line, evidence=(replace(line.evidence[0], method=Solver()),))
    assert "only one engine" in faults(bare)
