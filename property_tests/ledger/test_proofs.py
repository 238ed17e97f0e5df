"""The proofs in Coq: the committed record matches the sources, and `make prove` refuses what it should."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp

from theory.errors import EvidenceFailed
from theory.proofs import build, gallina, manifest, prove, sources

needs_coq = pytest.mark.skipif(build.coq_version() is None, reason=prove.INSTALL)

STATEMENT = """From FPS.tools Require Import Result.
(** One is one. *)
Definition One_Is_One : result := 1 = 1.
"""
PROOF = "From FPS.toy Require Import One.\nTheorem one_is_one : One_Is_One.\nProof. {} Qed.\n"
PROVED = PROOF.format("reflexivity.")
IMITATED = """From Coq Require Import Classical_Prop.
From FPS.toy Require Import One.
Module Classical_Prop. Hypothesis classic : False. End Classical_Prop.
Theorem one_is_one : One_Is_One.
Proof. destruct (classic True) as [_ | _]; destruct Classical_Prop.classic. Qed.
"""


def toy(folder: Path, statement: str = STATEMENT, proof: str = PROVED) -> Path:
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


def test_the_record_is_of_the_committed_files_and_has_every_stated_result_with_its_words() -> None:
    assert manifest.load().stale_files() == ()
    recorded = {r.name: (r.file, r.words, r.statement) for r in manifest.load().results}
    assert recorded == {r.name: (r.file, r.words, r.statement) for r in sources.results()}


def test_every_result_has_a_theorem_and_only_allowed_axioms_and_nothing_is_left_unproved() -> None:
    assert sources.forbidden_words() == ()
    for result in sources.results():
        assert sources.proof_of(result)
    for checked in manifest.load().results:
        prove.demand_allowed(checked)


def test_the_printed_formulas_are_the_calculators_and_each_is_compared_with_a_theorem() -> None:
    assert (sources.COQ / gallina.FILE).read_text(encoding="utf-8") == gallina.text()
    files = sorted((sources.COQ / "formulas").glob("*Agreement.v"))
    compared = "\n".join(file.read_text(encoding="utf-8") for file in files)
    assert [name for name, _ in gallina.named() if not re.search(rf"\bG\.{name}\b", compared)] == []


@pytest.mark.parametrize("path", sorted({result.file for result in sources.results()}))
def test_files_that_state_results_hold_no_proofs(path: str) -> None:
    text = sources.without_comments((sources.COQ / path).read_text(encoding="utf-8"))
    assert not re.search(r"^\s*(Lemma|Theorem|Corollary|Fact|Remark)\b", text, re.MULTILINE)


# --- a file that changed is noticed ---------------------------------------------------------------------


def test_a_changed_added_or_removed_file_is_stale(tmp_path: Path) -> None:
    toy(tmp_path)
    record = replace(manifest.load(), files=manifest.file_digests(tmp_path))
    assert record.stale_files(tmp_path) == ()
    (tmp_path / "toy/New.v").write_text("", encoding="utf-8")
    (tmp_path / "toy/One.v").unlink()
    (tmp_path / "toy/OneProof.v").write_text("(* other *)", encoding="utf-8")
    assert record.stale_files(tmp_path) == ("toy/New.v", "toy/One.v", "toy/OneProof.v")


def test_a_record_comes_back_as_it_was_saved_and_one_that_is_none_is_one_line(tmp_path: Path) -> None:
    manifest.save(manifest.load(), tmp_path / "m.json")
    assert manifest.load(tmp_path / "m.json") == manifest.load()
    for text in ("", "{}", "[]", '{"results": 3}'):
        (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
        with pytest.raises(EvidenceFailed, match="make prove"):
            manifest.load(tmp_path / "manifest.json")


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


def test_a_result_that_is_stated_no_longer_leaves_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = manifest.load()
    gone = replace(recorded.results[0], name="Gone", file="repaired/Gone.v")
    monkeypatch.setattr(manifest, "load", lambda: replace(recorded, results=(gone, *recorded.results)))
    assert prove._record(recorded.coq, recorded.results).results == recorded.results


WORDS = """Admitted.|admit.|Abort.|Axiom a : False.|Axioms a b : False.|Parameter b : nat.
Parameters b c : nat.
Conjecture c : False.|Conjectures c d : False.|#[bypass_check(guard)] Fixpoint f (n : nat) : False := f n.
Unset Guard Checking.|Unset Universe Checking.|Unset Positivity Checking.|Unset(* x *)Guard(* y *)Checking."""


@pytest.mark.parametrize("word", re.split(r"[|\n]", WORDS))
def test_unproved_words_are_found_outside_comments(tmp_path: Path, word: str) -> None:
    toy(tmp_path, proof=f'(* {word} "*)" {word} *)')
    assert sources.forbidden_words(tmp_path) == ()
    toy(tmp_path, proof=word)
    assert len(sources.forbidden_words(tmp_path)) == 1


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a (* (* b *) c *) d", "a d"),
        ('a (* "(*" *) b', "a b"),
        ('a (* "*)" b *) c', "a c"),
        ('a (* "x""*)" b *) c', "a c"),
        ('a "(*" b "*)"', 'a "(*" b "*)"'),
    ],
)
def test_a_string_hides_the_signs_of_comments_as_in_coq(text: str, kept: str) -> None:
    assert sources.without_comments(text).split() == kept.split()


def test_a_statement_cannot_hide_behind_comments(tmp_path: Path) -> None:
    """Coq reads True here, and the result itself stands in a comment."""
    before = manifest.specification_digests(toy(tmp_path))
    head, rest = STATEMENT.split("\n", 1)
    other = '(* "(*" *)\n Definition One_Is_One : result := True.\n(* "*)" *)'
    swapped = f'{head}\n{other}\n(* "*)\n{rest}(*" *)\n'
    assert manifest.specification_digests(toy(tmp_path, swapped)) != before
    assert sources.results(tmp_path) == ()


def test_a_result_without_words_or_without_a_theorem_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EvidenceFailed, match="has no words"):
        sources.results(toy(tmp_path, STATEMENT.replace("(** One is one. *)\n", "")))
    with pytest.raises(EvidenceFailed, match="0 theorems"):
        sources.proof_of(sources.results(toy(tmp_path, proof=""))[0], tmp_path)


def test_an_axiom_outside_the_allow_list_is_refused() -> None:
    some = manifest.load().results[0]
    of_mathcomp, imitated = "mathcomp.classical.boolp.propositional_extensionality", "Classical_Prop.classic"
    for name in ("Smuggled.truth", of_mathcomp, imitated, f"FPS.toy.OneProof.{imitated}"):
        with pytest.raises(EvidenceFailed, match="outside the allow list"):
            prove.demand_allowed(replace(some, file="repaired/X.v", axioms=(name,)))
    prove.demand_allowed(replace(some, file="lebesgue/X.v", axioms=(of_mathcomp,)))


def test_without_coq_there_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(build, "coq_version", lambda: None)
    assert prove.main([]) == 2
    assert capsys.readouterr().err == prove.INSTALL + "\n"


# --- with Coq -------------------------------------------------------------------------------------------


@needs_coq
@pytest.mark.parametrize(
    "planted",
    [
        {"statement": STATEMENT.replace("1 = 1", "1 = 2")},
        {"proof": PROOF.format("exact I.")},
        {"proof": "Theorem one_is_one : True.\nProof. exact I. Qed.\n(* Theorem *)\n"},
    ],
)
def test_what_is_not_proved_as_stated_fails(tmp_path: Path, planted: dict[str, str]) -> None:
    with pytest.raises(EvidenceFailed):
        axioms_of(toy(tmp_path, **planted))


@needs_coq
def test_a_proof_of_the_stated_result_passes_and_its_axioms_are_printed_by_name(tmp_path: Path) -> None:
    smuggled = "Axiom truth : 1 = 1.\n" + PROOF.format("exact truth.")
    found = [axioms_of(toy(tmp_path, proof=p))["One_Is_One"] for p in (PROVED, smuggled, IMITATED)]
    assert found == [
        (),
        ("FPS.toy.OneProof.truth",),
        ("Coq.Logic.Classical_Prop.classic", "FPS.toy.OneProof.Classical_Prop.classic"),
    ]


@needs_coq
def test_make_prove_refuses_an_imitated_axiom_and_what_coqchk_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: Path, results: object) -> None:
        raise EvidenceFailed("coqchk failed")

    monkeypatch.setattr(gallina, "write", lambda file: None)
    monkeypatch.setattr(build, "copy_sources", lambda folder, wanted: toy(folder, proof=IMITATED))
    with pytest.raises(EvidenceFailed, match="allow list: FPS.toy.OneProof.Classical_Prop.classic"):
        prove._build(1)
    monkeypatch.setattr(build, "copy_sources", lambda folder, wanted: toy(folder))
    monkeypatch.setattr(build, "recheck", refuse)
    with pytest.raises(EvidenceFailed, match="coqchk failed"):
        prove._build(1)


@needs_coq
def test_a_damaged_proof_is_refused_by_coqchk(tmp_path: Path) -> None:
    axioms_of(toy(tmp_path))
    build.recheck(tmp_path, sources.results(tmp_path))
    compiled = tmp_path / "toy/OneProof.vo"
    compiled.write_bytes(compiled.read_bytes()[:-9])
    with pytest.raises(EvidenceFailed, match="coqchk failed"):
        build.recheck(tmp_path, sources.results(tmp_path))


@needs_coq
def test_every_statement_compiles_and_the_calculators_have_its_formulas(tmp_path: Path) -> None:
    """All that a reader must believe, and one proof: that of the formulas. `make prove` builds the rest."""
    believed = [path for path in sources.specification() if path.parts[0] != build.LEBESGUE]
    build.copy_sources(tmp_path, [*believed, Path("formulas/AgreementProof.v")])
    gallina.write(tmp_path / gallina.FILE)
    build.compile_all(tmp_path, 2, lambda file, seconds: None)
    agreement = [result for result in sources.results(tmp_path) if result.file == "formulas/Agreement.v"]
    build.compare_statements(tmp_path, agreement)


a, b = sp.symbols("a b", positive=True)


@pytest.mark.parametrize(
    ("condition", "decided"), [(a < b, "Rlt_dec a b"), (a <= b, "Rle_dec a b"), (a > b, "Rlt_dec b a")]
)
def test_a_strict_condition_is_printed_as_strict(condition: sp.Basic, decided: str) -> None:
    """At a = b the two cases differ."""
    printed = gallina.Gallina().doprint(sp.Piecewise((a, condition), (1 + a, True)))
    assert printed.startswith(f"(if {decided} then a else ")
