"""The repaired theory in the ledger: one entry per result, its theorem in Coq, and exact cases beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from property_tests import laws
from theory.errors import EvidenceFailed
from theory.ledger import Entry, Kind, Role, Stated, graph
from theory.ledger import collection as ledger
from theory.proofs import manifest
from theory.provers import Exhaustive, KernelChecked
from theory.repaired import small_sketches as si

SOURCE = laws.PROOFS

RESULTS = [entry for entry in ledger.entries() if entry.kind is Kind.REPAIRED]
WANTED = (
    "Lemma1r.a Lemma1r.b Lemma1r.c Lemma1r.d Lemma2r TheoremA TheoremA.needed TheoremA.range Corollary1 "
    "Corollary2 TheoremC Descent PropositionF TheoremB CorollaryB1 CorollaryB2 CorollaryB3 IdentityI1 "
    "IdentityI2 PropositionE PropositionG PropositionM LemmaB1 TheoremD Refutation"
)


def names(entry: Entry) -> tuple[str, ...]:
    method = entry.evidence[0].method
    assert isinstance(method, KernelChecked)
    return method.names


def test_every_result_has_one_entry() -> None:
    assert {entry.id for entry in RESULTS} == set(WANTED.split())
    for entry in RESULTS:
        assert isinstance(entry.claim, Stated) and entry.claim.text.endswith(".") and entry.printed
        assert names(entry) and entry.evidence[0].role is Role.PROOF
        assert all(item.role is Role.SUPPORT for item in entry.evidence[1:])


def test_no_result_rests_on_a_line_that_falls() -> None:
    nodes = graph.build(ledger.entries())
    assert {nodes[entry.id].status for entry in RESULTS} == {"stands"}


@pytest.mark.parametrize("entry", RESULTS, ids=lambda e: e.id)
def test_exact_cases_beside_a_result_check_out(entry: Entry) -> None:
    for item in entry.evidence[1:]:
        assert isinstance(item.method, Exhaustive) and item.method.decide(item.claim).ok


# ---------------------------------------------------------------- theorems that the kernel checked


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A manifest of two results over one file."""
    source = tmp_path / "A.v"
    source.write_text("Theorem a : True.", encoding="utf-8")
    alpha = manifest.Checked("Alpha", "A.v", "one", "True", "alpha", ("x",))
    beta = manifest.Checked("Beta", "A.v", "two", "True", "beta", ())
    found = manifest.Manifest("8.16", "2025-01-31", manifest.file_digests(tmp_path), {}, (alpha, beta))
    compare = manifest.Manifest.stale_files
    monkeypatch.setattr(manifest, "load", lambda: found)
    monkeypatch.setattr(manifest.Manifest, "stale_files", lambda self: compare(self, tmp_path))
    return source


def test_a_checked_theorem_is_found_by_name(written: Path) -> None:
    claim = Stated("words", "tex")
    found = KernelChecked("Alpha", "Beta").decide(claim)
    assert found.ok and found.kind == "kernel-checked on 2025-01-31" and "alpha in A.v: one" in found.detail
    assert found.certificate == "axioms: x"
    with pytest.raises(EvidenceFailed, match="Gamma"):
        KernelChecked("Alpha", "Gamma").decide(claim)
    with pytest.raises(EvidenceFailed, match="no result"):
        KernelChecked().decide(claim)


def test_a_changed_file_is_not_checked(written: Path) -> None:
    written.write_text("Admitted.", encoding="utf-8")
    with pytest.raises(EvidenceFailed, match=r"changed since.*A\.v"):
        KernelChecked("Alpha").decide(Stated("words", "tex"))


# ---------------------------------------------------------------- instances behind Lemma 1'


def test_selection_instances_can_fail() -> None:
    """The finite checks are not vacuous: without the selection term, or with half of it, they fail
    somewhere.
    """
    bad = si.Selection((10, 9), (9, 10), 1)
    assert si.within_max_form(bad)
    assert si.residual2(bad) == 101
    assert si.tail2(bad) == 81
    without = [s for s in si.selections(2, 2) if si.residual2(s) > s.k * _eta(s) ** 2 + si.tail2(s)]
    assert without


def _eta(s: si.Selection) -> int:
    return max(abs(s.estimate[i] - s.v[i]) for i in s.chosen | s.best)


@given(st.integers(-50, 50), st.integers(0, 9), st.integers(0, 9), st.integers(-50, 50))
def test_comparison_with_a_root_is_exact(plain: int, factor: int, radicand: int, value: int) -> None:
    exact = sp.Integer(value) <= plain + factor * sp.sqrt(radicand)
    assert si.at_most_with_root(value, plain, factor, radicand) == bool(exact)


def test_row_law_is_a_law() -> None:
    for row in (si.RandomRow((3, 1, 1), 0, 2, 1), si.RandomRow((4, 2, 1, 1), 2, 3, 2)):
        assert sum(row.law().values()) == 1
