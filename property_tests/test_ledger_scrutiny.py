"""What evidence that checks out may still hide: one engine, a restated condition, a lost denominator."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from theory.denominators import Reader, denominators, undefined
from theory.integers import Directly, Reading, for_integers
from theory.scrutiny import unlabelled_equivalence

from property_tests.planted_lines import entry
from theory import scrutiny
from theory.errors import EvidenceFailed
from theory.ledger import (
    Claim,
    Entry,
    Role,
    Verdict,
    counterexample,
    graph,
    judge,
    missing_evidence,
    necessary,
    proof_if,
)
from theory.ledger import collection as ledger
from theory.ledger import report as render
from theory.paper import displays
from theory.provers import AtPoint, Identity, Solver, SumOfSquares, smt, term
from theory.symbols import E, H, in_paper_letters, real

one, two = real("one two")


# ------------------------------------------------------------------ two engines


@pytest.mark.parametrize("identifier", ["S.4n", "RA.T6", "RD.D2c", "RF.8", "RC2.11", "L1.5r"])
def test_a_step_of_z3_alone_is_rejected_unless_the_entry_says_why(identifier: str) -> None:
    line = entry(identifier)
    bare = replace(line, evidence=(replace(line.evidence[0], method=Solver()),))
    assert any("only z3" in fault for fault in judge(bare).faults)
    assert judge(replace(bare, alone="a reason")).ok
    shown = render.claim_text(judge(replace(bare, alone="a reason")), graph.build(ledger.entries())[line.id])
    assert "one engine    a reason" in shown


# ------------------------------------------------------------------ conditions


@pytest.mark.parametrize("identifier", ["S.4", "L1.4w", "L2.11", "M.18", "RA.R3"])
def test_a_condition_equivalent_to_the_claim_must_say_so(identifier: str) -> None:
    line = entry(identifier)
    silent = replace(line, evidence=tuple(e for e in line.evidence if e.role is not Role.NECESSARY))
    assert any("equivalent to the claim" in fault for fault in judge(silent).faults)


def test_a_condition_solved_for_a_letter_is_found() -> None:
    """2 one ≤ two − 4, and the condition one ≤ two/2 − 2: no common factor, the same set."""
    line = replace(
        entry("S.7"),
        claim=Claim((one >= 0,), 2 * one <= two - 4),
        condition=two >= 2 * one + 4,
        printed="",
        evidence=(
            proof_if(SumOfSquares((term(1, 1, two >= 2 * one + 4),))),
            counterexample(AtPoint({one: 1, two: 0})),
        ),
    )
    assert judge(line).faults
    solved = replace(line, claim=Claim((one >= 1,), 1 / one <= two / one**2), condition=two >= one)
    assert unlabelled_equivalence(solved)
    assert not unlabelled_equivalence(replace(solved, condition=two >= one + 1))


def test_a_claim_hidden_in_a_part_of_a_condition_is_found() -> None:
    """1/one ≤ two/one² is two ≥ one; a second part makes the whole stronger than the claim."""
    line = replace(entry("S.7"), claim=Claim((one >= 1,), 1 / one <= two / one**2))
    hidden = replace(line, condition=sp.And(two >= one, one <= 5))
    assert any("part of the condition" in fault for fault in unlabelled_equivalence(hidden))
    assert not unlabelled_equivalence(replace(line, condition=sp.And(two >= one + 1, one <= 5)))


def test_a_condition_that_is_not_necessary_cannot_be_called_so() -> None:
    line = entry("S.7")
    for method in (Solver(), SumOfSquares((term(1, 1, line.claim.statement),))):
        wrong = replace(line, evidence=(*line.evidence, necessary(method)))
        assert any("necessary" in fault for fault in judge(wrong).faults)


# ------------------------------------------------------------------ coverage


def test_every_display_has_its_entries_and_every_entry_its_place() -> None:
    own = [line.id for line in ledger.entries() if line.id.startswith(render.PROOFS)]
    aside = [name for names in displays.ASIDE.values() for name in names]
    assert sorted({*displays.decided(), *aside}) == sorted(own)
    assert not displays.decided() & set(aside) and len(aside) == len(set(aside))
    relations = sum(len(display.lines) for display in displays.DISPLAYS)
    assert relations == 65  # the relation signs of Section 5 and Appendices B and C, counted in the source
    assert all(line for display in displays.DISPLAYS for line in display.lines)


# ------------------------------------------------------------------ denominators


@pytest.mark.parametrize(
    ("tex", "letters", "value"),
    [
        (r"1+2B^2(P_b+P_n)", "B P_b P_n", "1 + 2*B**2*(P_b + P_n)"),
        (
            r"12(1+P_bB^2+(L+\mu+1)P_nB^2)E^2",
            "E B L mu P_b P_n",
            "12*(1 + P_b*B**2 + (L+mu+1)*P_n*B**2)*E**2",
        ),
        (r"\gamma\bar ET", "gamma E_bar T", "gamma*E_bar*T"),
        (r"\varepsilon^2g(k)^2", "eps gk", "eps**2*gk**2"),
        ("8L(E-1)cc_bB", "L E c c_b B", "8*L*(E-1)*c*c_b*B"),
        ("3E/4", "E", "3*E/4"),
        (r"\left(1-n\kappa\right)^2", "n kappa", "(1 - n*kappa)**2"),
    ],
)
def test_a_printed_denominator_is_read(tex: str, letters: str, value: str) -> None:
    names = {name: real(name)[0] for name in letters.split()}
    assert sp.expand(Reader(tex, set(names)).read() - sp.sympify(value, locals=names)) == 0


def test_denominators_are_collected_from_every_form_of_a_fraction() -> None:
    assert denominators(r"\frac{1}{2E-1}+\tfrac12+\frac1c\le\frac{a}{\sqrt{ck}}+\tfrac5{16c^2}") == (
        *("2E-1", "c", r"\sqrt{ck}"),
        "16c^2",
    )
    assert Reader("H^2", set()).read() == in_paper_letters(H**2)


def test_what_follows_a_slash_is_a_denominator() -> None:
    assert denominators(r"\tau_k/\|v\|+E(E-1)/2+S_1^2/\gamma^2+m/(1-t)+a^{3/2}+q/P_b") == (
        *(r"\|v\|", r"\gamma^2", "(1-t)"),
        "P_b",
    )
    for unreadable in ("1/", "a/{b}", "a/-b", "a/(b(c))"):
        assert undefined(replace(entry("L2.10"), printed=unreadable))


@pytest.mark.parametrize(("identifier", "weaker"), [("RS.b3", "v"), ("RA.R1", "s"), ("RS.c2a", "level")])
def test_a_slash_over_what_may_be_zero_is_noticed(identifier: str, weaker: str) -> None:
    line = entry(identifier)
    assert not undefined(line) and "/" in line.printed
    zero = real(weaker)[0]
    known = tuple(h for h in line.claim.hypotheses if not (h.free_symbols == {zero} and h.is_Relational))
    assert undefined(replace(line, claim=replace(line.claim, hypotheses=(*known, zero >= 0))))


def test_a_slash_that_sympy_cancels_is_still_seen() -> None:
    line = replace(entry("L2.10"), printed=r"E/E\le E", claim=Claim((), sp.Le(1, E, evaluate=False)))
    assert undefined(line) and not undefined(replace(line, claim=Claim((E >= 1,), sp.Le(1, E))))


def test_the_denominators_of_a_finite_claim_are_read_too() -> None:
    for name, start in (("L2.14i", 1), ("L2.14", 0)):
        line = entry(name)
        assert not undefined(line)
        loose = for_integers(E, start, E >= 0)
        assert undefined(replace(line, claim=loose))


def test_every_printed_denominator_of_the_ledger_is_positive() -> None:
    assert {line.id: faults for line in ledger.entries() if (faults := undefined(line))} == {}
    read = [line for line in ledger.entries() if denominators(line.printed)]
    assert len(read) > 70


@pytest.mark.parametrize(
    ("identifier", "dropped"), [("L2.3", 0), ("L2.15", 0), ("CS.1", 2), ("RC1.1", 0), ("RF.2", 1)]
)
def test_a_lost_hypothesis_about_a_denominator_is_noticed(identifier: str, dropped: int) -> None:
    line = entry(identifier)
    kept = tuple(h for n, h in enumerate(line.claim.hypotheses) if n != dropped)
    assert undefined(replace(line, claim=replace(line.claim, hypotheses=kept)))


def test_what_sympy_cancels_is_still_seen() -> None:
    """one/one is 1 for sympy, but the print divides by it."""
    cancelled = sp.Le(E / E, E, evaluate=False)
    line = replace(entry("L2.10"), printed=r"\frac{E}{E}\le E", claim=Claim((), cancelled))
    assert undefined(line) and not undefined(replace(line, claim=Claim((E >= 1,), cancelled)))
    for unreadable in (r"\frac{1}{\Xi+1}", r"\frac{1}{(E}"):
        assert undefined(replace(line, printed=unreadable))


# ------------------------------------------------------------------ readings and z3


def test_a_reading_decides_no_scalar_claim() -> None:
    reading = Directly(Reading(Claim((), one <= one), Identity(), ()), {}, "")
    with pytest.raises(EvidenceFailed, match="all integers"):
        reading.decide(Claim((), one <= two))
    assert for_integers(E, 2, 1 / E <= 1).statement.holds({E: 2})


def test_z3_is_asked_with_products_expanded_where_that_is_shorter() -> None:
    claim = (one + two) * (one - two) - one**2 <= 0
    assert smt.prove((), claim).answer is smt.Answer.PROVED


@pytest.mark.parametrize(
    "entry", [e for e in ledger.entries() if e.verdict is Verdict.ABSORBED], ids=lambda entry: entry.id
)
def test_an_absorbed_fault_needs_a_cover_and_the_line_that_absorbs_it(entry: Entry) -> None:
    """Either alone is not enough."""
    roles = {Role.COUNTEREXAMPLE, Role.COVER}
    assert not missing_evidence(entry, roles)
    wanted = "a cover and the line that absorbs"
    assert any(wanted in fault for fault in missing_evidence(entry, roles - {Role.COVER}))
    assert any(wanted in fault for fault in missing_evidence(replace(entry, absorbed_at=None), roles))


def test_a_statement_of_several_relations_is_restated_only_by_itself() -> None:
    x, y = sp.symbols("x y", real=True)
    both = sp.And(x <= 1, y <= 1)
    assert scrutiny.restates(both, both)
    assert not scrutiny.restates(sp.And(x <= 1, y <= 2), both)
    assert not scrutiny.restates(None, both)
    assert scrutiny.sides(both) == () and scrutiny.sides(x <= 1) == (x,)
