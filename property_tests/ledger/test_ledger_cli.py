"""`fpsverify verify` and `fpsverify claim`: exit codes, the JSON file, bad input."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import pytest

from fpsverify.cli import ledger as commands
from fpsverify.cli.ledger_answer import answer
from fpsverify.errors import BadInput
from property_tests import laws
from theory.errors import InvalidParameter
from theory.ledger import Claim, graph
from theory.ledger import collection as ledger
from theory.ledger.entry import Entry, Kind, Verdict
from theory.ledger.judge import Judgement
from theory.ledger.printer import in_signs
from theory.symbols import H

SOURCE = laws.COMMANDS


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    commands.add_commands(parser.add_subparsers())
    args = parser.parse_args(arguments)
    return args.func(args)


def test_verify_writes_json_and_succeeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "ledger.json"
    assert run("verify", "--only", "S.", "--jobs", "1", "--json", str(target)) == 0
    document = json.loads(target.read_text())
    assert {e["id"] for e in document["entries"]} == {e.id for e in ledger.entries() if e.id.startswith("S.")}
    assert set(document) == {"answer", "entries", "summary", "graph", "versions"}
    assert list(tmp_path.iterdir()) == [target]
    assert "S.3" in capsys.readouterr().out


def test_a_failing_entry_gives_a_nonzero_exit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ledger.find("S.3")
    planted = replace(line, claim=Claim(line.claim.hypotheses, H >= 1))
    monkeypatch.setattr(ledger, "select", lambda prefix: (planted,))
    assert run("verify", "--only", "S.3", "--jobs", "1") == commands.EXIT_EVIDENCE_FAILED
    assert "FAILED" in capsys.readouterr().out


def test_claim_prints_one_entry(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("claim", "T1.29") == 0
    text = capsys.readouterr().out
    for word in ("refuted", "1/γ", "counterexample", "earlier errors", "fixable", "learning rate"):
        assert word in text


def test_a_run_is_shown_with_its_qualification(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "runs.json"
    assert run("verify", "--only", "R.top-k-fr", "--jobs", "1", "--json", str(target)) == 0
    assert "R.top-k-freezing: Assumption 4 is read with" in capsys.readouterr().out
    (found,) = json.loads(target.read_text())["entries"]
    assert "T1.37" in found["scope"] and "Definition 1" in found["note"]
    assert run("claim", "R.top-k-freezing") == 0
    assert "scope           Assumption 4 is read with" in capsys.readouterr().out


def test_claims_are_found_by_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("claim", "--search", "step (b)") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("T1.5 ") and any(line.startswith("T1.23 ") for line in lines)
    for arguments in (("claim",), ("claim", "T1", "--search", "x"), ("claim", "--search", "zzz")):
        with pytest.raises(BadInput):
            run(*arguments)


def test_an_unknown_claim_names_close_matches() -> None:
    with pytest.raises(InvalidParameter, match=r"T1\.2"):
        run("claim", "T1.2x")


@pytest.mark.parametrize(
    "arguments",
    [("verify", "--jobs", "0"), ("verify", "--json", "/no/such/folder/file.json"), ("verify", "--json", "/")],
)
def test_bad_input_is_one_line(arguments: tuple[str, ...]) -> None:
    with pytest.raises(BadInput) as caught:
        run(*arguments)
    assert "\n" not in str(caught.value)


def test_the_answer_comes_first_and_follows_the_entries(capsys: pytest.CaptureFixture[str]) -> None:
    """Few entries, few lines; an entry that fails is all that the answer speaks of."""
    assert run("verify", "--only", "T1", "--jobs", "1") == 0
    lines = capsys.readouterr().out.partition("\n\n")[0].splitlines()
    assert lines[0] == "Theorem 1 as printed is false." and "Printed lines" in lines[1]
    assert len(lines) <= 6 and max(map(len, lines)) <= 80 and "check out" in lines[-2]


def test_the_answer_counts_what_was_judged() -> None:
    found = tuple(accepted(entry) for entry in ledger.entries())
    nodes = graph.build(ledger.entries())
    lines = answer(found, nodes)
    assert len(lines) == 6 and max(map(len, lines)) <= 80
    broken = [e for e in ledger.entries() if e.id.startswith("R.") and not e.scope]
    assert lines[0].startswith(f"Theorem 1 as printed is false: {len(broken)} exact runs")
    printed = [e.verdict for e in ledger.entries() if e.kind is Kind.PRINTED]
    assert f"{printed.count(Verdict.VALID)} right" in lines[1] and "Lemma 2" in lines[2]
    assert "Lemma 1" not in lines[2]  # it falls
    one = replace(found[3], faults=("planted",))
    assert answer((*found[:3], one), nodes) == [f"Evidence: 3 of 4 entries check out. FAILED: {one.entry.id}"]


def accepted(entry: Entry) -> Judgement:
    """A judgement without its work: the answer is about entries and whether they check out."""
    return Judgement(entry, (), (), 0.0, "")


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("gamma <= 1/L^2", "γ ≤ 1/L²"),
        ("|grad f|^2/A^2 + sigma_c^2", "|∇f|²/A² + σ_c²"),
        ("x^1/2 stays, i^{-p} has no braces", "x^1/2 stays, i^(-p) has no braces"),
        ("entry Lemma2r, delta_1 and (*)", "entry Lemma2r, δ_1 and (★)"),
        ("a mule, 2*h*Mg, sqrt(N), Ebar", "a mule, 2·h·Mg, √(N), Ē"),
    ],
)
def test_typed_formulas_are_shown_with_their_signs(typed: str, shown: str) -> None:
    assert in_signs(typed) == shown
