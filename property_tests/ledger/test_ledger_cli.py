"""`fpsverify verify` and `fpsverify claim`: exit codes, the JSON file, bad input."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from fpsverify import cli
from fpsverify.cli import ledger as commands
from fpsverify.cli.ledger_answer import answer
from fpsverify.errors import BadInput
from theory.ledger import Claim, graph, report
from theory.ledger.entry import Entry, Kind
from theory.ledger.judge import Judgement
from theory.ledger.paper import Paper
from theory.papers.fps.letters import H
from theory.papers.fps.paper import PAPER


def run(*arguments: str) -> int:
    args = cli.parser().parse_args(arguments)
    return args.func(args)


def test_verify_writes_json_and_succeeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "ledger.json"
    assert run("verify", "--only", "S.", "--jobs", "1", "--json", str(target)) == 0
    document = json.loads(target.read_text())
    assert {e["id"] for e in document["entries"]} == {e.id for e in PAPER.entries if e.id.startswith("S.")}
    assert set(document) == {"answer", "paper", "entries", "summary", "graph", "versions"}
    assert list(tmp_path.iterdir()) == [target]
    shown = capsys.readouterr().out
    assert "S.3" in shown and shown.partition("\n\n")[0].splitlines() == document["answer"]


def test_a_failing_entry_gives_a_nonzero_exit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = PAPER.find("S.3")
    planted = replace(line, claim=Claim(line.claim.hypotheses, H >= 1))
    monkeypatch.setattr(Paper, "select", lambda paper, prefix: (planted,))
    assert run("verify", "--only", "S.3", "--jobs", "1") == commands.EXIT_EVIDENCE_FAILED
    assert "FAILED" in capsys.readouterr().out


def test_claim_prints_one_entry(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("claim", "T1.29") == 0
    text = capsys.readouterr().out
    for word in ("refuted", "1/γ", "counterexample", "earlier errors", "fixable", "learning rate"):
        assert word in text


def test_claims_are_found_by_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("claim", "--search", "step (b)") == 0
    assert capsys.readouterr().out.startswith("T1.5 ")
    for arguments in (("claim",), ("claim", "T1", "--search", "x"), ("claim", "--search", "zzz")):
        with pytest.raises(BadInput):
            run(*arguments)


@pytest.mark.parametrize(
    "arguments",
    [("verify", "--jobs", "0"), ("verify", "--json", "/no/such/folder/file.json"), ("verify", "--json", "/")],
)
def test_bad_input_is_one_line(arguments: tuple[str, ...]) -> None:
    with pytest.raises(BadInput) as caught:
        run(*arguments)
    assert "\n" not in str(caught.value)


def accepted(entry: Entry) -> Judgement:
    """A judgement without its work: the answer is about entries and whether they check out."""
    return Judgement(entry, (), (), 0.0, "")


def test_the_answer_counts_what_was_judged() -> None:
    """Few entries, few lines; an entry that fails is all that the answer speaks of."""
    found = tuple(map(accepted, PAPER.entries))
    nodes = graph.build(PAPER.entries)
    lines = answer(PAPER, found, nodes)
    assert len(lines) == 6 and max(map(len, lines)) <= 80
    assert all(f"{word}: " in report.WORDS for word in ("absorbed", "cited", "silent step"))
    assert max(map(len, report.WORDS.splitlines())) <= 80 and report.WORDS in report.summary(
        PAPER, found, nodes
    )
    broken = [e for e in PAPER.entries if e.id.startswith("R.") and not e.scope]
    assert lines[0].startswith(f"Theorem 1 as printed is false: its bound fails in {len(broken)} runs")
    printed = [e.verdict for e in PAPER.entries if e.kind is Kind.PRINTED]
    assert all(f"{printed.count(v)} {v}" in lines[1] for v in set(printed)) and "Lemma 2" in lines[2]
    assert "Lemma 1" not in lines[2]  # it falls
    few = answer(PAPER, tuple(map(accepted, PAPER.select("T1"))), {})
    assert few[0] == "Theorem 1 as printed is false." and "Printed lines" in few[1] and len(few) == 4
    runs_alone = answer(PAPER, tuple(map(accepted, PAPER.select("R."))), {})
    assert runs_alone[0].startswith("Evidence: ")
    one = replace(found[3], faults=("planted",))
    assert answer(PAPER, (*found[:3], one), nodes) == [
        f"Evidence: 3 of 4 entries check out. FAILED: {one.entry.id}"
    ]
