"""The README shows what the commands say, and its script runs."""

import re
from pathlib import Path

import pytest

from fpsverify.cli import main, parser
from fpsverify.cli.ledger_answer import answer
from theory.ledger import graph
from theory.ledger.judge import Judgement
from theory.papers.fps.paper import PAPER

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
COMMANDS = re.findall(r"`(fpsverify [^`]+)`", README)


def block_with(words: str) -> str:
    (found,) = (text for _, text in BLOCKS if words in text)
    return found


def test_what_verify_says_is_current():
    """Its words; how many results there are, and the date of Coq's record, change more often."""
    judged = tuple(Judgement(entry, (), (), 0.0, "") for entry in PAPER.entries)
    said = answer(PAPER, judged, graph.build(PAPER.entries))
    shown = block_with("Theorem 1 as printed").splitlines()
    assert [re.sub(r"\d", "", line) for line in shown] == [re.sub(r"\d", "", line) for line in said]


def test_the_numbers_of_lr_are_current(capsys):
    (command,) = (c for c in COMMANDS if c.startswith("fpsverify lr --L 4 --E 5 --B"))
    assert main(command.split()[1:]) == 0
    said = capsys.readouterr().out
    numbers = re.findall(r"\d+\.\d+", block_with("Certified"))
    assert len(numbers) >= 3 and all(number in said for number in numbers)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_one_that_the_program_takes(command):
    """Whole commands are parsed; names of commands alone are asked for their help."""
    words = command.replace("CONFIG.toml", "examples/demo.toml").split()[1:]
    top = parser()
    if len(words) > 1 or words in (["verify"], ["config"]):
        assert top.parse_args(words).func
    else:
        with pytest.raises(SystemExit) as stop:
            top.parse_args([*words, "--help"])
        assert stop.value.code == 0


def test_the_script_for_your_own_model_runs(tmp_path, monkeypatch, capsys):
    (script,) = (text for language, text in BLOCKS if language == "python")
    assert len([line for line in script.splitlines() if line]) <= 12
    monkeypatch.chdir(tmp_path)
    exec(compile(script.replace("rounds=60", "rounds=10"), "README.md", "exec"), {})
    assert "Trained(10 rounds" in capsys.readouterr().out and (tmp_path / "mine/summary.json").exists()
    assert main(["report", "mine", "--no-estimate"]) == 0


def test_the_files_it_points_to_exist():
    paths = re.findall(r"`((?:book|examples|theory|property_tests)/[\w./]+|[A-Z]+\.(?:md|cff))`", README)
    assert len(paths) > 4 and all((ROOT / path).exists() for path in paths)
    assert len(README.splitlines()) <= 100
