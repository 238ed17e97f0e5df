"""`fpsverify run` as a user meets it: one line for bad input, a summary for good, nothing half-written.

Whatever ends a command, the user reads one line, and the exit code says what kind of end it was.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fpsverify import cli
from fpsverify.cli import EXIT_BAD_INPUT, EXIT_INTERRUPTED, main
from fpsverify.cli.run import DEMO
from fpsverify.config import load, parse
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


def test_the_demo_is_the_example_needs_no_file_and_leaves_none(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "generated" in said(capsys, "run", "--demo", "--quiet", "--set", "rounds=2")
    assert list(tmp_path.iterdir()) == []
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
