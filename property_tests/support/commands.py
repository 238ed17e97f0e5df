"""The command line as a user meets it."""

from typing import Any

from fpsverify.cli import main


def said(capsys: Any, *argv: object) -> str:
    """What a command that succeeds prints on standard output."""
    capsys.readouterr()
    assert main([str(word) for word in argv]) == 0
    return str(capsys.readouterr().out)


def refusal(capsys: Any, *argv: object) -> str:
    """What a command says that refuses: exit code 2, one line on standard error, nothing else."""
    capsys.readouterr()
    try:
        code = main([str(word) for word in argv])
    except SystemExit as stop:
        code = stop.code
    out, err = capsys.readouterr()
    told = code == 2 and out == "" and err.count("\n") == 1 and err.startswith("fpsverify: ")
    assert told, (code, out, err)
    return err.removeprefix("fpsverify: ").rstrip("\n")
