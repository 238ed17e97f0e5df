"""The repaired theory in the ledger: one entry per result, with its theorem in Coq."""

from pathlib import Path

import pytest

from theory.errors import EvidenceFailed
from theory.ledger import Kind, Role, Stated, graph
from theory.papers.fps.paper import PAPER
from theory.proofs import manifest
from theory.provers import KernelChecked

RESULTS = [entry for entry in PAPER.entries if entry.kind is Kind.REPAIRED]
WANTED = (
    "Lemma1r.a Lemma1r.b Lemma1r.c Lemma1r.d Lemma2r TheoremA TheoremA.needed TheoremA.range Corollary1 "
    "Corollary2 TheoremC Descent PropositionF TheoremB CorollaryB1 CorollaryB2 CorollaryB3 IdentityI1 "
    "IdentityI2 PropositionE PropositionG PropositionM LemmaB1 TheoremD Refutation "
    "FreshHash.moments FreshHash.map FreshHash.fold FreshHash.round TheoremS.one TheoremS "
    "TheoremS.certificate TheoremS.probability TheoremS.limit TheoremL TheoremN"
)


def test_every_result_has_one_entry() -> None:
    assert {entry.id for entry in RESULTS} == set(WANTED.split())
    for entry in RESULTS:
        assert isinstance(entry.claim, Stated) and entry.claim.text.endswith(".") and entry.printed
        (item,) = entry.evidence
        assert isinstance(item.method, KernelChecked) and item.method.names and item.role is Role.PROOF


def test_no_result_rests_on_a_line_that_falls() -> None:
    nodes = graph.build(PAPER.entries)
    assert {nodes[entry.id].status for entry in RESULTS} == {"stands"}


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
