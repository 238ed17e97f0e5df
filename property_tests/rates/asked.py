"""A command asked in this process, without a fixture: generated inputs can ask too."""

import contextlib
import io
import json
from typing import Any

from fpsverify.cli import main


def answer(words: list[str]) -> tuple[int, str, str]:
    """Exit code, output and errors of one command."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    return code, out.getvalue(), err.getvalue()


def printed(line: str) -> str:
    """The output of a command that succeeds."""
    code, out, err = answer(line.split())
    assert code == 0 and not err, err
    return out


def first_lines(line: str) -> list[str]:
    """What a command says before its first empty line."""
    return printed(line).split("\n\n")[0].splitlines()


def record(line: str) -> dict[str, Any]:
    return json.loads(printed(f"{line} --json"))


def refused(line: str) -> str:
    """The one line of a command that refuses its input."""
    code, out, err = answer(line.split())
    assert code == 2 and not out and err.count("\n") == 1, (code, out, err)
    return err.removeprefix("fpsverify: ")
