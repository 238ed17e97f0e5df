"""`fpsverify run` as a user meets it: one line for bad input, a summary for good, nothing half-written.

Whatever ends a command, the user reads one line, and the exit code says what kind of end it was.
"""

import argparse
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from fpsverify import cli
from fpsverify.cli import EXIT_BAD_INPUT, EXIT_INTERRUPTED, main
from fpsverify.cli.run import DEMO, ProgressBar
from fpsverify.config import load, parse
from fpsverify.runs import shown
from fpsverify.runs.loop import run_in_memory
from fpsverify.runs.shown import hardly_learned
from property_tests.support.commands import refusal, said
from property_tests.support.small_runs import RECORDS, record_of, small

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


@pytest.mark.parametrize(
    ("accuracy", "loss", "hardly"), [(0.6, 0.9, False), (0.5, 0.9, True), (0.6, 0.96, True)]
)
def test_a_run_that_hardly_learned_is_sent_to_advise(accuracy, loss, hardly) -> None:
    """No better than the largest class alone, or less than 5 % of the loss gone."""
    done = run_in_memory(small())
    rows = [{"round": 0, "loss": 1.0}, {"round": 6, "loss": loss}]
    final = {"accuracy": accuracy, "majority": 0.5}
    for kind, folder, words in (
        ("", Path("DIR"), "fpsverify advise DIR/config.toml"),
        ("train_", None, "fpsverify advise with the same arguments"),
    ):
        named = {kind + name: value for name, value in final.items()}
        found = replace(done, rows=rows, summary={**done.summary, "final": named}, folder=folder)
        assert hardly_learned(found) == hardly
        *_, last = shown.answer(found)
        assert last.startswith(f"It hardly learned. Next: {words} (which rate?)") == hardly
        assert ("fpsverify estimate DIR" in last) != hardly and len(last) <= 80


def test_what_a_run_that_hardly_learned_is_told_to_ask_can_be_asked(toml, tmp_path, capsys, monkeypatch):
    """Of a config, and of a problem of one's own with its file."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("from property_tests.support.own_models import federation\n")
    little = ["--set", "local.gamma=1e-9", "--quiet", "--out"]
    for run in ([toml], ["--problem", "mine.py:federation", "--set", "algorithm.k=20", "--set", "rounds=12"]):
        out = said(capsys, "run", *run, *little, f"r{len(run)}").partition("\n\n")[0].splitlines()[-1]
        command = (
            out.removeprefix("It hardly learned. Next: fpsverify ").removesuffix(" (which rate?).").split()
        )
        assert command == ["advise", f"r{len(run)}/config.toml", *["--trust"] * ("--problem" in run)]
        assert "Next: fpsverify run" in said(capsys, *command, "--pilot", "10", "--quiet")


def test_a_run_that_is_interrupted_says_how_far_it_came_and_goes_on(toml, tmp_path, capsys, monkeypatch):
    command, show = ["run", str(toml), "--quiet", "--out"], ProgressBar.show

    def stop(bar, row) -> None:
        show(bar, row)
        if row["round"] == 3:
            raise KeyboardInterrupt

    assert main([*command, str(tmp_path / "whole")]) == 0
    with monkeypatch.context() as patch:
        patch.setattr(ProgressBar, "show", stop)
        assert main([*command, str(tmp_path / "cut")]) == EXIT_INTERRUPTED
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == "fpsverify: interrupted after round 3; the same command with --resume goes on"
    assert main([*command, str(tmp_path / "cut"), "--resume"]) == 0
    assert record_of(tmp_path / "cut") == record_of(tmp_path / "whole")


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
