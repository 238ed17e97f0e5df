"""The repaired theory in the ledger: one entry per result, its theorem in Coq, and exact cases beside it."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction as Fr
from pathlib import Path

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from property_tests import laws
from theory.counterexamples.dropped import runs as dropped_runs
from theory.counterexamples.dropped.exact_star import ClaimedConstants, right_side_up, root_down, root_up
from theory.errors import EvidenceFailed, InvalidParameter
from theory.ledger import Entry, Kind, Role, Stated, graph
from theory.ledger import collection as ledger
from theory.proofs import manifest
from theory.provers import Exhaustive, KernelChecked
from theory.rates.parameters import Parameters
from theory.rates.theorem_a import Sources, star
from theory.repaired import small_sketches as si

SOURCE = laws.PROOFS
KILLS = (
    "theory/provers/kernel.py",
    "theory/repaired/sketch.py",
)

RESULTS = [entry for entry in ledger.entries() if entry.kind is Kind.REPAIRED]
WANTED = (
    "Lemma1r.a Lemma1r.b Lemma1r.c Lemma1r.d Lemma2r TheoremA TheoremA.range Corollary1 Corollary2 TheoremC "
    "Descent PropositionF TheoremB CorollaryB1 CorollaryB2 CorollaryB3 IdentityI1 IdentityI2 PropositionE "
    "PropositionG PropositionM LemmaB1 TheoremD Refutation"
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


def test_the_range_of_theorem_a_is_shown_with_its_scope() -> None:
    assert "if the residual stays bounded" in ledger.find("TheoremA.range").scope
    assert "only if the residual stays bounded" in ledger.find("TheoremA").scope


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
    alpha = manifest.Checked("Alpha", "alpha", "A.v", "one", "True", ("x",))
    beta = manifest.Checked("Beta", "beta", "A.v", "two", "True", ())
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


def test_a_broken_manifest_is_one_line(tmp_path: Path) -> None:
    for text in ("", "{}", json.dumps({"results": [{"name": 1}]})):
        (tmp_path / "m.json").write_text(text, encoding="utf-8")
        with pytest.raises(EvidenceFailed, match="make prove"):
            manifest.load(tmp_path / "m.json")


# ---------------------------------------------------------------- assumptions that bite


@pytest.mark.parametrize("dropped", dropped_runs.RUNS, ids=lambda d: d.name)
def test_dropping_an_assumption_violates_the_bound(dropped: dropped_runs.Dropped) -> None:
    run = dropped.build()
    assert run.A > run.allowed
    assert all(holds for _, holds in run.kept)
    assert not run.dropped_holds


@pytest.mark.parametrize("dropped", dropped_runs.RUNS, ids=lambda d: d.name)
def test_honest_constants_restore_the_bound(dropped: dropped_runs.Dropped) -> None:
    run = dropped.build()
    assert run.A <= right_side_up(replace(run.claimed, **dropped.honest), run.A)


def test_the_law_of_a_run_keeps_its_mass() -> None:
    """A fair random walk: E w_t² = t."""
    squares = dropped_runs.expected_squares(
        Fr(0), lambda w: [(p, w + z) for p, z in dropped_runs.SIGN], lambda w: w, 6
    )
    assert squares == [Fr(t) for t in range(6)]


# ---------------------------------------------------------------- (★) in rationals, against the calculator

unit = st.fractions(0, 1, max_denominator=40)
steps = st.fractions(Fr(1, 50), Fr(1, 5), max_denominator=50)


@given(st.tuples(unit, unit, unit, unit, unit), unit, st.integers(1, 4), steps)
def test_exact_star_is_never_below_the_calculator(errors: tuple[Fr, ...], A: Fr, E: int, gamma: Fr) -> None:
    G2, P_b, b2, P_n, s2 = errors
    q = ClaimedConstants(Fr(1), gamma, E, Fr(4), *errors, Fr(1, 3), Fr(1), 50)
    sources = Sources(Delta=1, G2=G2, b2=b2, sigma2=s2)
    value = star(Parameters(1, 0, E, 2, P_b, P_n, nu=Fr(1, 3)), gamma, 50, sources).at(float(A)).bound
    assert value <= float(right_side_up(q, A)) * (1 + 1e-12) + 1e-12  # rounding of some float operations


@given(st.fractions(0, 1000))
def test_roots_enclose(value: Fr) -> None:
    assert root_down(value) ** 2 <= value <= root_up(value) ** 2


def test_exact_star_refuses_large_steps() -> None:
    with pytest.raises(InvalidParameter, match="u"):
        right_side_up(ClaimedConstants(Fr(1), Fr(1), E=2), Fr(1))


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
