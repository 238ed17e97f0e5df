"""The proofs in Coq: the committed record matches the sources, and `make prove` refuses what it should."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from property_tests import laws
from theory.errors import EvidenceFailed
from theory.proofs import build, gallina, manifest, prove, sources

SOURCE = laws.PROOFS

needs_coq = pytest.mark.skipif(build.coq_version() is None, reason=prove.INSTALL)

STATEMENT = """From FPS.tools Require Import Result.
(** One is one. *)
Definition One_Is_One : result := 1 = 1.
"""
PROOF = "From FPS.toy Require Import One.\nTheorem one_is_one : One_Is_One.\nProof. {} Qed.\n"


def toy(folder: Path, statement: str = STATEMENT, proof: str = PROOF.format("reflexivity.")) -> Path:
    """A project of one result."""
    for name, text in (("tools/Result.v", "Definition result := Prop.\n"), ("toy/One.v", statement)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "toy/OneProof.v").write_text(proof, encoding="utf-8")
    return folder


def axioms_of(folder: Path) -> dict[str, tuple[str, ...]]:
    build.compile_all(folder, 1, lambda file, seconds: None)
    return build.axioms_of(folder, sources.results(folder))


# --- the committed record -------------------------------------------------------------------------------


def test_the_record_is_of_the_committed_files() -> None:
    assert manifest.load().stale_files() == ()


def test_the_record_has_every_stated_result_with_its_words() -> None:
    recorded = {r.name: (r.file, r.words, r.statement) for r in manifest.load().results}
    assert recorded == {r.name: (r.file, r.words, r.statement) for r in sources.results()}


def test_every_result_has_a_theorem_and_only_allowed_axioms() -> None:
    for result in sources.results():
        assert sources.proof_of(result)
    for checked in manifest.load().results:
        prove.demand_allowed(checked)


def test_nothing_is_left_unproved() -> None:
    assert sources.forbidden_words() == ()


def test_the_printed_formulas_are_the_calculators_formulas() -> None:
    assert (sources.COQ / gallina.FILE).read_text(encoding="utf-8") == gallina.text()


def test_every_printed_formula_is_compared_with_a_theorem() -> None:
    compared = (sources.COQ / "formulas/Agreement.v").read_text(encoding="utf-8")
    assert [name for name, _ in gallina.named() if not re.search(rf"\bG\.{name}\b", compared)] == []


@pytest.mark.parametrize("path", sorted({result.file for result in sources.results()}))
def test_files_that_state_results_hold_no_proofs(path: str) -> None:
    text = sources.without_comments((sources.COQ / path).read_text(encoding="utf-8"))
    assert not re.search(r"^\s*(Lemma|Theorem|Corollary|Fact|Remark)\b", text, re.MULTILINE)


def test_what_must_be_believed_is_no_file_of_proofs() -> None:
    assert not [p for p in sources.specification() if p.stem.endswith("Proof")]


# --- a file that changed is noticed ---------------------------------------------------------------------


def test_a_changed_added_or_removed_file_is_stale(tmp_path: Path) -> None:
    toy(tmp_path)
    record = replace(manifest.load(), files=manifest.file_digests(tmp_path))
    assert record.stale_files(tmp_path) == ()
    (tmp_path / "toy/New.v").write_text("", encoding="utf-8")
    (tmp_path / "toy/One.v").unlink()
    (tmp_path / "toy/OneProof.v").write_text("(* other *)", encoding="utf-8")
    assert record.stale_files(tmp_path) == ("toy/New.v", "toy/One.v", "toy/OneProof.v")


def test_a_record_that_is_no_record_is_one_line(tmp_path: Path) -> None:
    for text in ("", "{}", "[]", '{"results": 3}'):
        (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
        with pytest.raises(EvidenceFailed, match="make prove"):
            manifest.load(tmp_path / "manifest.json")


def test_saving_and_loading_is_the_identity(tmp_path: Path) -> None:
    manifest.save(manifest.load(), tmp_path / "m.json")
    assert manifest.load(tmp_path / "m.json") == manifest.load()


def test_the_specification_changes_with_a_sign_but_not_with_a_comment(tmp_path: Path) -> None:
    before = manifest.specification_digests(toy(tmp_path))
    assert "toy/OneProof.v" not in before
    commented = STATEMENT.replace("One is one", "(* nested *) the same\nnumber")
    assert manifest.specification_digests(toy(tmp_path, commented)) == before
    assert manifest.specification_digests(toy(tmp_path, STATEMENT.replace("1 = 1", "1 <= 1"))) != before


def test_a_statement_that_is_not_the_recorded_one_must_be_accepted() -> None:
    recorded = manifest.load()
    name = next(iter(recorded.specification))
    found = replace(recorded, specification=recorded.specification | {name: "another"})
    with pytest.raises(EvidenceFailed, match="not the recorded statements"):
        prove._keep(found, accept=False, check=False)


@pytest.mark.parametrize("word", ["Admitted.", "admit.", "Axiom a : False.", "Parameter b : nat."])
def test_unproved_words_are_found_outside_comments(tmp_path: Path, word: str) -> None:
    toy(tmp_path, proof=f"(* {word} *)")
    assert sources.forbidden_words(tmp_path) == ()
    toy(tmp_path, proof=word)
    assert len(sources.forbidden_words(tmp_path)) == 1


def test_a_result_without_words_or_without_a_theorem_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EvidenceFailed, match="has no words"):
        sources.results(toy(tmp_path, STATEMENT.replace("(** One is one. *)\n", "")))
    with pytest.raises(EvidenceFailed, match="0 theorems"):
        sources.proof_of(sources.results(toy(tmp_path, proof=""))[0], tmp_path)


def test_an_axiom_outside_the_allow_list_is_refused() -> None:
    some = manifest.load().results[0]
    for axioms in (("Smuggled.truth",), ("boolp.propositional_extensionality",)):
        with pytest.raises(EvidenceFailed, match="outside the allow list"):
            prove.demand_allowed(replace(some, file="repaired/X.v", axioms=axioms))
    prove.demand_allowed(replace(some, file="lebesgue/X.v", axioms=("boolp.propositional_extensionality",)))


def test_without_coq_there_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(build, "coq_version", lambda: None)
    assert prove.main([]) == 2
    assert capsys.readouterr().err == prove.INSTALL + "\n"


# --- with Coq -------------------------------------------------------------------------------------------


@needs_coq
def test_a_proof_of_the_stated_result_passes(tmp_path: Path) -> None:
    assert axioms_of(toy(tmp_path)) == {"One_Is_One": ()}


@needs_coq
@pytest.mark.parametrize(
    "planted",
    [
        {"statement": STATEMENT.replace("1 = 1", "1 = 2")},
        {"proof": PROOF.format("auto.").replace("One_Is_One", "One_Is_One").replace("auto", "exact I")},
        {"proof": "Theorem one_is_one : True.\nProof. exact I. Qed.\n(* Theorem *)\n"},
    ],
)
def test_what_is_not_proved_as_stated_fails(tmp_path: Path, planted: dict[str, str]) -> None:
    with pytest.raises(EvidenceFailed):
        axioms_of(toy(tmp_path, **planted))


@needs_coq
def test_an_axiom_is_printed_by_name(tmp_path: Path) -> None:
    smuggled = "Axiom truth : 1 = 1.\n" + PROOF.format("exact truth.")
    assert axioms_of(toy(tmp_path, proof=smuggled)) == {"One_Is_One": ("OneProof.truth",)}


@needs_coq
def test_every_statement_compiles_and_the_calculators_have_its_formulas(tmp_path: Path) -> None:
    """All that a reader must believe, and one proof: that of the formulas. `make prove` builds the rest."""
    believed = [path for path in sources.specification() if path.parts[0] != build.LEBESGUE]
    build.copy_sources(tmp_path, [*believed, Path("formulas/AgreementProof.v")])
    gallina.write(tmp_path / gallina.FILE)
    build.compile_all(tmp_path, 2, lambda file, seconds: None)
    agreement = [result for result in sources.results(tmp_path) if result.file == "formulas/Agreement.v"]
    build.compare_statements(tmp_path, agreement)


# --- the printer ----------------------------------------------------------------------------------------

a, b = sp.symbols("a b", positive=True)
LEAVES = st.sampled_from([a, b, sp.Integer(2), sp.Rational(-3, 5), sp.Integer(-1)])


@st.composite
def expressions(draw: st.DrawFn) -> sp.Expr:
    grow = st.recursive(
        LEAVES,
        lambda inner: st.one_of(
            st.tuples(inner, inner).map(lambda t: t[0] + t[1]),
            st.tuples(inner, inner).map(lambda t: t[0] * t[1]),
            st.tuples(inner, st.sampled_from([2, -1, sp.Rational(1, 2)])).map(
                lambda t: (t[0] ** 2 + 1) ** t[1]
            ),
        ),
        max_leaves=6,
    )
    return draw(grow)


def evaluated(text: str, values: dict[str, float]) -> float:
    """Coq's notation read by another reader: Python, after its own words for the same operations."""
    text = re.sub(r"sqrt (\w+)", r"sqrt(\1)", text).replace("sqrt (", "sqrt(")
    text = re.sub(r"\(/ ", "(1 / ", text).replace("^", "**")
    return eval(text, {"sqrt": lambda v: v**0.5}, values)


@given(expressions())
def test_a_printed_formula_has_the_value_of_the_formula(expression: sp.Expr) -> None:
    values = {"a": 1.7, "b": 0.6}
    expected = float(sp.N(expression, subs={a: values["a"], b: values["b"]}))
    assert evaluated(gallina.Gallina().doprint(expression), values) == pytest.approx(expected, rel=1e-9)
