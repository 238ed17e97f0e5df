"""`fpsverify verify` and `fpsverify claim`: exit codes, the JSON file, bad input."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import pytest

from fpsverify.cli import ledger as commands
from fpsverify.errors import BadInput
from property_tests import laws
from theory.errors import InvalidParameter
from theory.ledger import Claim
from theory.ledger import collection as ledger
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
    assert set(document) == {"entries", "summary", "refutations", "graph", "versions"}
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
    for word in ("refuted", "1/gamma", "counterexample", "earlier errors", "fixable", "learning rate"):
        assert word in text


def test_a_run_is_shown_with_its_qualification(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "runs.json"
    assert run("verify", "--only", "R.top-k-fr", "--jobs", "1", "--json", str(target)) == 0
    assert "R.top-k-freezing: Assumption 4 is read with" in capsys.readouterr().out
    (found,) = json.loads(target.read_text())["refutations"]
    assert not found["as_printed"] and "T1.37" in found["qualification"] and "Definition 1" in found["note"]
    assert run("claim", "R.top-k-freezing") == 0
    assert "scope           Assumption 4 is read with" in capsys.readouterr().out


def test_claims_are_found_by_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("claim", "--search", "step (b)") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("T1.5 ") and any(line.startswith("T1.23 ") for line in lines)
    for arguments in (("claim",), ("claim", "T1", "--search", "x"), ("claim", "--search", "zzz")):
        with pytest.raises(BadInput):
            run(*arguments)


def test_one_claim_builds_only_the_modules_of_its_part(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str] = []
    original = ledger.of_module.__wrapped__
    monkeypatch.setattr(ledger, "of_module", lambda name: built.append(name) or original(name))
    assert ledger.find("S.3").id == "S.3"
    assert set(built) == {"theory.paper.setup.assumptions", "theory.paper.setup.devices"}


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


def test_the_example_shows_five_ranges() -> None:
    text = commands._example()
    for name in ("paper", "paper_with_conditions", "corrected", "repaired_closed", "repaired_sharp"):
        assert name in text
