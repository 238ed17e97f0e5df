"""Conditions go from a line to the lines that use it: signs of expressions, and constants not seen there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from theory.steps import given

from property_tests.planted_lines import entry, plain, status
from theory import letter_kinds
from theory.errors import EvidenceFailed
from theory.ledger import Claim, Derivation
from theory.symbols import gamma, real

one, two, three = real("one two three")


@pytest.mark.parametrize("name", ["L2.5", "L2.8", "M.7"])
def test_the_sign_of_an_expression_is_asked_for(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """S.2 asks for |h|² ≥ 0, which is read as D/4; D is a size by its kind, and by a hypothesis."""
    monkeypatch.setattr(letter_kinds, "KINDS", {"L2": {"sizes": "Rr"}, "M.": {"sizes": "S"}})
    line = entry(name)
    drift = real("D")[0]
    kept = tuple(h for h in line.claim.hypotheses if h != (drift >= 0))  # type: ignore[union-attr]
    assert len(kept) == len(line.claim.hypotheses) - 1  # type: ignore[union-attr]
    with pytest.raises(EvidenceFailed, match="S.2 asks for D/4 >= 0"):
        status(replace(line, claim=replace(line.claim, hypotheses=kept)))


def test_a_difference_has_no_sign_of_its_own() -> None:
    """RA.T6b holds for n ≥ 0: n read as two − three must be shown not to be negative."""
    F, u, K = real("F u K")
    relation = -(F**2) - u * (two - three) <= K
    claim = Claim((u >= 0, K >= 0, relation), relation.lhs <= K + 1)
    planted = replace(plain(claim, given("RA.T6b", "n: two - three")), depends=("RA.T6b",))
    with pytest.raises(
        EvidenceFailed, match="RA.T6b asks for -three \\+ two >= 0|RA.T6b asks for two - three"
    ):
        status(planted)


def test_a_condition_with_a_constant_that_the_later_line_does_not_have_is_asked_for() -> None:
    """one ≤ two holds where γ·one ≤ 1; a line about one and two that says nothing of γ cannot use it."""
    conditional = replace(entry("L2.10"), id="X.1", claim=Claim((), one <= two), condition=gamma * one <= 1)
    claim = Claim((one <= two,), one <= two + 1)
    planted = replace(plain(claim, given("X.1")), depends=("X.1",))
    with pytest.raises(EvidenceFailed, match="X.1 asks for"):
        status(planted, source=conditional)
    told = replace(planted, claim=claim.under(gamma * one <= 1), stated=(gamma * one <= 1,))
    told = replace(told, printed=r"\gamma a\le1\Rightarrow a\le b+1")
    assert status(told, source=conditional).status is Derivation.RIGHT
