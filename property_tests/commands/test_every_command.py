"""What all commands have in common: --json and --quiet, exit codes, terminals that lack characters."""

import io
import json
import sys
from pathlib import Path

import pytest

from fpsverify.cli import leaves, main, parser
from property_tests.support.commands import said
from property_tests.support.small_runs import small


def test_every_command_takes_json_and_quiet_and_the_help_lists_exit_codes() -> None:
    for command in leaves(parser()):
        assert {"--json", "--quiet"} <= set(command._option_string_actions), command.prog
    assert "2 bad input" in parser().format_help()


@pytest.fixture
def run(tmp_path: Path) -> Path:
    (tmp_path / "c.toml").write_text(small("rounds=12").to_toml())
    assert main(["run", str(tmp_path / "c.toml"), "--out", str(tmp_path / "run"), "--quiet"]) == 0
    (tmp_path / "f.svm").write_text("1 1:1\n0 2:0.5\n")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "key", "value"),
    [
        ("report RUN/run --no-estimate", "page", "RUN/run/report.html"),
        ("data partition RUN/c.toml", "picture", None),
        ("data convert RUN/f.svm", "rows", 2),
        ("reproduce mnist --list", "runs", 144),
        ("reproduce mnist --show mnist-S1-sigma0-fps", "seed", 101),
        ("claim T1.29", "id", "T1.29"),
        ("claim --search sketch", "entries", None),
        ("config local.gamma", None, None),
    ],
)
def test_json_is_the_whole_of_standard_output(words: str, key: str, value: object, run: Path, capsys) -> None:
    found = json.loads(said(capsys, *words.replace("RUN", str(run)).split(), "--json", "--quiet"))
    expected = value.replace("RUN", str(run)) if isinstance(value, str) else value
    assert key is None or (key in found and value is None) or found[key] == expected


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "cp1252"])
def test_a_terminal_that_lacks_a_character_loses_no_result(encoding: str, run: Path, monkeypatch) -> None:
    """The line `0.98 → 0.41` has an arrow."""
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", out)
    assert main(["run", str(run / "c.toml"), "--out", str(run / "again"), "--quiet"]) == 0
    out.flush()
    shown = out.buffer.getvalue().decode(encoding)
    assert " ? " in shown and "fps, 12 rounds" in shown
