"""Whatever ends a command, the user reads one line, and the exit code says what kind of end it was."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fpsverify import cli
from fpsverify.cli import EXIT_BAD_INPUT, EXIT_INTERRUPTED, main
from property_tests import laws

SOURCE = laws.COMMANDS

ROOT = Path(__file__).resolve().parents[2]
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
