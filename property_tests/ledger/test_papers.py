"""A paper as a value: encoded in a file, judged and reported; square roots; further verdicts."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from fpsverify import cli
from fpsverify.errors import BadInput
from theory import papers
from theory.errors import EvidenceFailed, InvalidParameter
from theory.ledger import Claim, Verdict, derivation_wrong, other_reading
from theory.ledger.entry import Entry
from theory.ledger.judge import judge
from theory.ledger.lines import refuted, undefined, underived
from theory.ledger.paper import Paper, Source, load
from theory.ledger.review import INVITATION, markdown, rows
from theory.letters import real
from theory.papers.fedprox.paper import PAPER as FEDPROX
from theory.provers import AtPoint, SumOfSquares, term
from theory.provers.roots import Roots

TUTORIAL = Path(__file__).parents[2] / "examples" / "encode_a_paper.py"
K, b, x, y = real("K b x y")
LETTERS = {"K": "devices", "b": "a number", "x": "a number", "y": "a number"}
ALONE = Paper("alone", Source("Nothing", "none", "nowhere"))


def run(*words: str) -> int:
    args = cli.parser().parse_args(words)
    return args.func(args)


def faults(entry: Entry) -> str:
    return "; ".join(judge(entry, ALONE).faults)


# ---------------------------------------------------------------- a paper of one's own


def test_the_tutorial_is_short_and_ends_with_a_judged_theorem(capsys: pytest.CaptureFixture[str]) -> None:
    about, _, code = TUTORIAL.read_text().removeprefix('"""').partition('"""')
    assert len([s for line in code.splitlines() if (s := line.strip()) and not s.startswith("#")]) <= 60
    assert f"--paper {TUTORIAL.relative_to(TUTORIAL.parents[1])}" in about
    assert run("verify", "--paper", str(TUTORIAL), "--jobs", "1") == 0
    shown = capsys.readouterr().out
    assert "Theorem 1 as printed is true under γ ≤ 1/L (G.2)" in shown and "3 of 3 entries" in shown
    assert run("claim", "G.2", "--paper", str(TUTORIAL)) == 0
    card = capsys.readouterr().out
    assert str(TUTORIAL) in card and "fair reading" in card


@pytest.mark.parametrize(
    "text", ["1/0", "x = (", "PAPER = 3", "import no_such_module", "raise SystemError('no')"]
)
def test_a_file_that_is_no_paper_is_one_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(InvalidParameter, match="paper: got .*mine.py") as failed:
        load(str(path))
    assert "\n" not in str(failed.value)
    with pytest.raises(InvalidParameter, match="PAPER"):
        load(str(tmp_path / "absent.py"))


def test_papers_are_found_by_name_and_ids_lead_to_their_paper(capsys: pytest.CaptureFixture[str]) -> None:
    assert papers.names() == ("fedprox", "fps")
    with pytest.raises(InvalidParameter, match="one of fedprox, fps"):
        papers.paper("nothing")
    assert not set(papers.paper("fps").known) & set(FEDPROX.known)
    assert run("claim", "fp.r1") == 0 and "theory/papers/fedprox/repairs.py" in capsys.readouterr().out
    assert run("claim", "--paper", "fedprox", "--search", "corollary 9") == 0
    assert "FP.C9" in capsys.readouterr().out


def test_every_paper_names_its_source_and_every_entry_its_file() -> None:
    for paper in map(papers.paper, papers.names()):
        assert paper.source.title and paper.source.identifier and paper.source.where and paper.source.read
        root = Path(__file__).parents[2]
        assert all((root / entry.file).is_file() for entry in paper.entries)
        assert set(paper.milestones) | {paper.main[0]} <= set(paper.known)


def test_what_is_refuted_has_a_charitable_reading_and_says_what_survives() -> None:
    for entry in (entry for paper in map(papers.paper, papers.names()) for entry in paper.entries):
        if entry.severity is not None and entry.verdict is not Verdict.ABSORBED:
            assert entry.reading and entry.corrected.words, entry.id


# ---------------------------------------------------------------- reports


def test_a_report_has_every_entry_the_worst_first(tmp_path: Path) -> None:
    judged = tuple(judge(FEDPROX.find(name), FEDPROX) for name in ("FP.2", "FP.33", "FP.C9"))
    assert [each.id for each in rows(judged)] == ["FP.C9", "FP.33", "FP.2"]
    table = markdown(FEDPROX, rows(judged), ["Lead."])
    assert table.count("\n| FP.") == 3 and INVITATION in table and "Lead." in table
    widths = {line.replace(r"\|", "").count("|") for line in table.splitlines() if line.startswith("|")}
    assert widths == {8}


@pytest.mark.parametrize("ending", ["html", "md", "tex"])
def test_verify_writes_a_report(ending: str, tmp_path: Path) -> None:
    target = tmp_path / f"report.{ending}"
    only = ("verify", "fedprox", "--only", "FP.C9", "--jobs", "1", "--report")
    assert run(*only, str(target)) == 0
    text = target.read_text(encoding="utf-8")
    assert "FP.C9p" in text and "largest over all devices" in text
    with pytest.raises(InvalidParameter, match="html"):
        run(*only, str(tmp_path / "report.doc"))
    with pytest.raises(BadInput, match="no file beside"):
        run("verify", "fedprox", "--paper", "x.py")


def test_the_calculator_prints_a_line_for_each_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("fedprox", "--L", "1", "--B", "6", "--K", "50", "--mu", "48") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [["printed", "none"], ["R1", "24"], ["R_K", "6.36158"]]
    assert run("fedprox", "--L", "1", "--B", "2", "--gamma", "0.5") == 0
    assert capsys.readouterr().out.startswith("impossible")
    with pytest.raises(BadInput, match="mu"):
        run("fedprox", "--L", "1", "--mu", "0.5", "--L-minus", "0.5")


# ---------------------------------------------------------------- square roots


@given(st.integers(1, 9), st.integers(1, 9), st.integers(-9, 9))
def test_a_claim_without_roots_says_what_it_said_with_them(n: int, m: int, value: int) -> None:
    """At K = n²/2 every root is a fraction, and both forms have the same truth value."""
    printed = b * sp.sqrt(2) / (m * sp.sqrt(K)) + b**2 / K * (2 * sp.sqrt(2 * K) + 2) <= K
    roots = Roots.of((printed,))
    point = {K: sp.Rational(n * n, 2), b: sp.Integer(value)}
    assert roots.cleared(printed).subs(roots.cleared(point)) == printed.subs(point)
    assert all(power.exp.is_Integer for power in roots.cleared(printed).atoms(sp.Pow))


@pytest.mark.parametrize(
    "relation", [b < sp.sqrt(2), b < sp.sqrt(K) + sp.sqrt(2 * K), b < sp.sqrt(K**2 + b**2)]
)
def test_a_root_that_cannot_be_cleared_says_what_to_do(relation: sp.Basic) -> None:
    with pytest.raises(EvidenceFailed, match="name the root by a letter"):
        Roots.of((relation,))


def test_a_root_is_decided_only_where_it_is_defined() -> None:
    line = refuted(
        id="x", place="", title="", claim=Claim((K >= 1,), sp.sqrt(K) <= 1), fails=AtPoint({K: 4}),
        severity="cosmetic", letters=LETTERS,
    )  # fmt: skip
    assert faults(line) == ""
    assert "not shown to be >= 0" in faults(replace(line, claim=Claim((K <= 9,), sp.sqrt(K) <= 1)))
    irrational = replace(line, evidence=(replace(line.evidence[0], method=AtPoint({K: 3})),))
    assert "is no fraction at the point" in faults(irrational)


# ---------------------------------------------------------------- verdicts

SQUARE = Claim((x >= 0,), 2 * x <= 1 + x**2)
PROVED = SumOfSquares((term(1, x - 1),))
TIGHTER = Claim((x >= 0,), 2 * x <= x**2)


def test_a_true_line_with_a_wrong_derivation_needs_both() -> None:
    line = underived(
        id="x", place="", title="", claim=SQUARE, method=PROVED, letters=LETTERS,
        beside=derivation_wrong(TIGHTER, AtPoint({x: 1}), "the lines before it give this"),
    )  # fmt: skip
    judged = judge(line, ALONE)
    assert judged.ok and judged.truth == "true"
    assert "a wrong derivation" in faults(replace(line, evidence=line.evidence[:1]))
    assert "a proof" in faults(replace(line, evidence=line.evidence[1:]))


def test_a_missing_definition_needs_a_reading_that_holds_and_one_that_fails() -> None:
    line = undefined(
        id="x", place="", title="", claim=SQUARE, method=PROVED, letters=LETTERS,
        beside=other_reading(TIGHTER, AtPoint({x: 1}), "without the 1"),
    )  # fmt: skip
    judged = judge(line, ALONE)
    assert judged.ok and judged.truth == "true in one reading"
    assert "another reading that fails" in faults(replace(line, evidence=line.evidence[:1]))
    assert "no other reading" in faults(replace(line, verdict=Verdict.VALID, severity=None))


def test_a_proof_is_no_counterexample_and_a_point_no_proof() -> None:
    line = refuted(
        id="x", place="", title="", claim=SQUARE, fails=PROVED, severity="cosmetic", letters=LETTERS
    )
    assert "cannot be a counterexample" in faults(line)
    wrong = undefined(
        id="x", place="", title="", claim=SQUARE, method=AtPoint({x: 1}), letters=LETTERS,
        beside=other_reading(SQUARE, PROVED, "a proof"),
    )  # fmt: skip
    assert "cannot be a fails in another reading" in faults(wrong)


def test_a_counterexample_is_a_model_where_the_solver_has_none() -> None:
    """b² K = 2 with K = 8 has the rational b = 1/2; z3 may choose an irrational one."""
    claim = Claim((K >= 1, b > 0, sp.Eq(b**2 * K, 2)), b >= 1)
    line = refuted(
        id="x", place="", title="", claim=claim, fails=AtPoint({K: 8, b: Fraction(1, 2)}),
        severity="cosmetic", letters=LETTERS,
    )  # fmt: skip
    assert judge(line, ALONE).ok
    contradictory = replace(claim, hypotheses=(*claim.hypotheses, K < 1))
    assert not judge(replace(line, claim=contradictory), ALONE).ok
