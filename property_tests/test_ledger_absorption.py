"""An error counts as absorbed only if the later line still follows from the corrected form, by machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import sympy as sp
from theory.readings import given

from property_tests.planted_lines import entry
from theory import absorption
from theory.errors import EvidenceFailed
from theory.ledger import Claim, Correction, Entry, Role, Verdict, corrected_form, cover, judge
from theory.ledger import collection as ledger
from theory.paper.lemma2.recursion import PowerAtMost
from theory.provers import Solver, SumOfSquares, term
from theory.symbols import E, H, gamma, q, real, x, y

ABSORBED = [line.id for line in ledger.entries() if line.verdict is Verdict.ABSORBED]
bias, moment, coefficient = real("bias moment coefficient")


def absorbed_faults(line: Entry) -> list[str]:
    return absorption.faults(line, ledger.find)


def with_evidence(line: Entry, role: Role, change: Callable) -> Entry:
    return replace(line, evidence=tuple(change(i) if i.role is role else i for i in line.evidence))


def test_every_absorbed_line_has_a_corrected_form_that_its_cover_uses() -> None:
    assert len(ABSORBED) == 9
    for name in ABSORBED:
        line = entry(name)
        assert absorbed_faults(line) == []
        assert line.correction is not None
        for item in line.evidence:
            if item.role is Role.COVER:
                assert line.correction.right in item.claim.hypotheses  # type: ignore[union-attr]


# ------------------------------------------------------------------ fake covers


def fake_cover_of_t18() -> Entry:
    """T1.8 is refuted. Its fake cover is true and ends at the bound of T1.15, without the corrected form."""
    true = Claim((x >= 0, y >= 0, E >= 1), gamma**2 * E**2 * q <= gamma**2 * E**2 * q * (1 + 2 * H))
    fake = cover(true, SumOfSquares((term(2 * q * H * E**2, gamma),)), "fake")
    line = entry("T1.8")
    return replace(
        line, verdict=Verdict.ABSORBED, absorbed_at="T1.15", evidence=(line.evidence[0], fake), depends=()
    )


def test_a_fake_cover_without_a_corrected_form_is_rejected() -> None:
    faults = judge(fake_cover_of_t18()).faults
    assert faults == ("absorbed: T1.8 has no corrected form as a relation",)


def test_a_fake_cover_with_a_corrected_form_that_the_line_does_not_use_is_rejected() -> None:
    printed = gamma * y * (1 + 2 * H) * E**2 / 2
    form = Correction(bias <= printed, bias <= 2 * printed)
    faults = judge(replace(fake_cover_of_t18(), correction=form)).faults
    assert any("T1.15 does not use what T1.8 prints" in fault for fault in faults)


@pytest.mark.parametrize("name", ABSORBED)
def test_a_cover_of_another_claim_is_rejected(name: str) -> None:
    line = entry(name)
    true = Claim((), bias**2 >= 0)
    planted = with_evidence(line, Role.COVER, lambda i: replace(i, claim=true, method=Solver()))
    assert any("the cover does not prove" in fault for fault in absorbed_faults(planted))


@pytest.mark.parametrize("name", ["M.11", "M.17", "T1.12", "L2.4", "L1.3"])
def test_a_cover_that_assumes_more_than_the_lines_give_is_rejected(name: str) -> None:
    line = entry(entry(name).id if name in ABSORBED else "L2.3v")

    def generous(item):  # type: ignore[no-untyped-def]
        return replace(item, claim=Claim((*item.claim.hypotheses, bias <= 0), item.claim.statement))

    assert any(
        "the cover assumes" in fault for fault in absorbed_faults(with_evidence(line, Role.COVER, generous))
    )


@pytest.mark.parametrize("name", ABSORBED)
def test_a_cover_from_the_printed_form_is_rejected(name: str) -> None:
    """The line holds with the wrong form too; that says nothing about the corrected one."""
    line = entry(name)
    assert line.correction is not None
    wrong, right = line.correction.printed, line.correction.right

    def backwards(item):  # type: ignore[no-untyped-def]
        swapped = tuple(wrong if h == right else h for h in item.claim.hypotheses)
        return replace(item, claim=Claim(swapped, item.claim.statement))

    assert absorbed_faults(with_evidence(line, Role.COVER, backwards))


# ------------------------------------------------------------------ fake corrected forms


@pytest.mark.parametrize("name", ["M.11", "M.12", "M.17", "M.20", "M.21", "T1.12"])
def test_a_corrected_form_that_no_line_gives_is_rejected(name: str) -> None:
    line = entry(name)
    assert line.correction is not None
    unproved = replace(line, evidence=tuple(i for i in line.evidence if i.role is not Role.CORRECTED))
    assert any("no proof of the corrected form" in fault for fault in absorbed_faults(unproved))
    without_steps = replace(line, correction=replace(line.correction, steps=()))
    assert any("which no line gives" in fault for fault in absorbed_faults(without_steps))


def test_a_corrected_form_that_is_too_good_is_rejected() -> None:
    """moment ≤ 0 would make any later line hold; it is proved from itself, which no line gives."""
    line = entry("M.11")
    assert line.correction is not None
    dream = moment <= 0
    free = replace(line.correction, right=dream)
    proved = corrected_form(Claim((2 * moment <= 0,), dream), Solver(), "")
    covered = with_evidence(
        line,
        Role.COVER,
        lambda i: replace(i, claim=Claim((*i.claim.hypotheses[:-1], dream), i.claim.statement)),
    )
    kept = tuple(i for i in covered.evidence if i.role is not Role.CORRECTED)
    planted = replace(covered, correction=free, evidence=(*kept, proved))
    assert any("which no line gives" in fault for fault in absorbed_faults(planted))


def test_the_printed_relation_is_the_one_of_the_line() -> None:
    line = entry("M.17")
    assert line.correction is not None
    for other in (bias <= E**2, bias <= 3 * line.correction.printed.rhs):
        planted = replace(line, correction=replace(line.correction, printed=other))
        assert any("is not what is printed" in fault for fault in absorbed_faults(planted))


def test_a_step_of_the_corrected_form_must_be_depended_on() -> None:
    line = entry("M.17")
    assert line.correction is not None
    planted = replace(line, correction=replace(line.correction, steps=(given("L1.1"),)))
    assert any("without depending" in fault for fault in absorbed_faults(planted))


# ------------------------------------------------------------------ the line that absorbs


def test_a_refuted_line_absorbs_nothing() -> None:
    line = entry("M.17")
    absorber = replace(entry("T1.30"), verdict=Verdict.REFUTED)
    with pytest.raises(EvidenceFailed, match="refuted itself"):
        absorption.demand_absorbs(line, absorber, ledger.find)


@pytest.mark.parametrize("skipped", ["T1.10", "T1.16"])
def test_the_way_to_the_absorbing_line_has_no_gap(skipped: str) -> None:
    line = entry("M.17")
    assert line.correction is not None
    short = tuple(name for name in line.correction.through if name != skipped)
    planted = replace(line, correction=replace(line.correction, through=short))
    assert absorbed_faults(planted)


def test_a_line_that_is_too_tight_absorbs_nothing() -> None:
    """With half of its bound, T1.30 no longer covers the corrected coefficients of M.17."""
    line, absorber = entry("M.17"), entry("T1.30")
    tight = replace(
        absorber.claim, statement=absorber.claim.statement.lhs <= absorber.claim.statement.rhs / 8
    )
    wanted = absorption.corrected_line(line, line.correction, replace(absorber, claim=tight), ledger.find)  # type: ignore[arg-type]
    with pytest.raises(EvidenceFailed):
        Solver().decide(wanted)


def test_the_power_is_tested_as_its_relation_says() -> None:
    for epochs in (2, 3, 7):
        value = PowerAtMost(5).relation.subs(E, epochs)
        assert bool(value) == PowerAtMost(5)(sp.Rational(epochs))  # type: ignore[arg-type]
