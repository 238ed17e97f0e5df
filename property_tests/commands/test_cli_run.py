"""`fpsverify run` as a user meets it: one line for bad input, a summary for good, nothing half-written.

Whatever ends a command, the user reads one line, and the exit code says what kind of end it was.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fpsverify import cli
from fpsverify.cli import EXIT_BAD_INPUT, EXIT_INTERRUPTED, main
from fpsverify.cli.run import DEMO
from fpsverify.config import load, parse
from fpsverify.runs.shown import LABEL, LINES, _cost, _history
from property_tests import laws
from property_tests.support.commands import refusal, said
from property_tests.support.small_runs import RECORDS, small

SOURCE = laws.COMMANDS

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def toml(tmp_path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(small().to_toml())
    return path


def test_a_run_writes_its_record_and_ends_with_an_answer_of_at_most_six_lines(toml, tmp_path, capsys):
    folder = str(tmp_path / "r")
    out = said(capsys, "run", toml, "--out", folder, "--quiet")
    lines = out.partition("\n\n")[0].splitlines()
    assert lines[0].startswith("fps, 6 rounds, 4 devices: ") and "majority class alone" in out
    assert {p.name for p in (tmp_path / "r").iterdir()} == {".lock", "checkpoints", *RECORDS}
    widths = [len(line.replace(folder, "DIR")) for line in out.splitlines()]
    assert len(lines) <= 6 and max(widths) <= 80 and f"estimate {folder} " in lines[-1]
    document = json.loads(said(capsys, "run", "--resume", "--out", folder, "--quiet", "--json"))
    assert document["answer"] == lines and document["config_digest"] == small().digest()
    assert f"{document['final']['accuracy']:.1%} test accuracy" in lines[0]


@given(st.lists(st.floats(0.1, 10), min_size=1, max_size=6))
def test_a_loss_that_has_risen_again_is_said_to(losses):
    """Lowest at the end, or higher by a hundredth of the whole fall: not risen."""
    rows = [{"round": 10 * i, "test_loss": loss} for i, loss in enumerate(losses)]
    result = SimpleNamespace(rows=rows, summary={"final": rows[-1]})
    lines = _history(result)
    assert lines[0].startswith(f"  Test loss {losses[0]:.4g} → {losses[-1]:.4g}")
    rise, fall = losses[-1] - min(losses), losses[0] - min(losses)
    risen = rise > 0.01 * fall
    assert ("has risen" in lines[0]) == risen == (len(lines) == 2)
    if risen:
        assert f"in round {10 * losses.index(min(losses))} " in lines[0]


@pytest.mark.parametrize("buckets", [6, 7])
def test_a_table_as_large_as_the_model_is_said_to_save_nothing(buckets):
    """Three rows: 18 and 21 numbers for 21 parameters."""
    summary = {"channel_uses_total": 9000, "d": 21}
    line = _cost(SimpleNamespace(config=small(f"algorithm.buckets={buckets}"), summary=summary))
    assert ("21 numbers for 21 parameters save nothing" in line) == (buckets == 7) and "9,000" in line


def test_a_space_follows_every_name_of_a_figure():
    assert max(len(label) for label, *_ in LINES) < LABEL


def test_the_demo_needs_no_file_and_leaves_none(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "generated" in said(capsys, "run", "--demo", "--quiet", "--set", "rounds=2")
    assert list(tmp_path.iterdir()) == []


def test_the_demo_is_the_example_file():
    assert parse(DEMO) == load(ROOT / "examples" / "demo.toml")


WRONG = [
    (["run"], "config: got"),
    (["run", "absent.toml"], "No such file"),
    (["run", "--demo", "--set", "algorithm.k=999999"], "algorithm.k: got 999999"),
    (["run", "--demo", "x.toml"], "either a config file or --demo"),
    (["run", "--resume"], "--resume with --out"),
    (["run", "--resume", "--out", "/dev/null"], "/dev/null"),
    (["run", "--demo", "--out", "/dev/null/x"], "/dev/null/x"),
    (["run", "--set", "seed=1"], "--set"),
    (["run", "--nonsense"], "--nonsense"),
    (["fly"], "command: got 'fly', expected one of 'advise', 'run'"),
    (["reproduce", "mnist", "--profile", "x"], "--profile: got 'x', expected one of 'quick', 'full'"),
    (["verify", "--jobs", "x"], "--jobs: got 'x', expected a whole number"),
    (["run", "--demo", "--set", "algorithm.k=200,400"], "fpsverify sweep --over runs several"),
    (["report", "a", "b"], "unrecognized arguments: b (several runs: fpsverify compare"),
    (["run", "a.toml", "b.toml"], "unrecognized arguments: b.toml (see fpsverify run --help)"),
]


@pytest.mark.parametrize("argv,part", WRONG)
def test_bad_input_is_one_line_and_exit_code_2(argv, part, capsys):
    assert part in refusal(capsys, *argv)


ENDS = [
    (KeyboardInterrupt(), EXIT_INTERRUPTED, "interrupted"),
    (OSError(36, "File name too long", "a/b"), EXIT_BAD_INPUT, "a/b: File name too long"),
    (OSError("no place left"), EXIT_BAD_INPUT, "no place left"),
    (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), EXIT_BAD_INPUT, "invalid start byte"),
    (MemoryError(), EXIT_BAD_INPUT, "out of memory"),
]


@pytest.mark.parametrize("error, code, words", ENDS, ids=lambda x: type(x).__name__)
def test_every_end_is_one_line(error, code, words, monkeypatch, capsys):
    def command(commands) -> None:
        def fail(args: argparse.Namespace) -> int:
            raise error

        commands.add_parser("fail").set_defaults(func=fail)

    monkeypatch.setattr(cli.data, "add_commands", command)
    assert main(["fail"]) == code
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and err.startswith("fpsverify: ") and words in err


def test_a_reader_who_goes_away_is_no_error_worth_a_word():
    """`fpsverify lr … | head -0`: the pipe is closed before anything is read."""
    command = [sys.executable, "-u", "-m", "fpsverify", "reproduce", "mnist", "--list"]
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, cwd=ROOT, timeout=120)
    os.close(writer)
    assert done.returncode == 1 and done.stderr == ""
