"""`--problem FILE.py:FUNCTION`: a run of one's own problem from the command line, resumed and read again."""

import random
import shutil

import numpy as np
import pytest
import torch

from fpsverify import config as configs
from fpsverify.cli import main
from fpsverify.own.source import federation_of, load, with_problem
from fpsverify.own.training import run_config
from fpsverify.runs import checkpoint, files
from fpsverify.runs.loop import prepare
from property_tests.support.commands import refusal, said
from property_tests.support.small_runs import SMALL, record_of

FILE = """
import torch
from torch import nn
import fpsverify as fps
from neighbour import CLASSES

def make_federation():
    X = torch.randn(60, 5)  # seeded by whoever calls
    y = torch.arange(60) % CLASSES
    parts = [list(range(m, 60, 3)) for m in range(3)]
    net = nn.Sequential(nn.Linear(5, 6), nn.Tanh(), nn.Linear(6, CLASSES))
    return fps.Federation(net, nn.functional.cross_entropy, (X, y), parts=parts, test=(X[:12], y[:12]))

def wrong():
    return 3

def fails():
    return 1 / 0
"""
SHORT = ["rounds=6", "record.checkpoint_every=2", "algorithm.k=20", "local.gamma=0.05", "record.verify=true"]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with the user's file, a module beside it, and a config."""
    (tmp_path / "my_file.py").write_text(FILE)
    (tmp_path / "neighbour.py").write_text("CLASSES = 3\n")
    config = configs.parse(configs.apply_overrides(SMALL, SHORT))
    (tmp_path / "small.toml").write_text(config.to_toml())
    monkeypatch.chdir(tmp_path)
    return tmp_path


QUICK = ["--replicates", "8", "--rounds", "3", "--quiet", "--json"]
RUN = ["run", "small.toml", "--problem", "my_file.py:make_federation", "--quiet", "--out"]


def test_a_killed_run_goes_on_bit_for_bit_from_its_folder_alone(place):
    assert main([*RUN, "whole"]) == 0
    shutil.copytree("whole", "cut")
    for t in (4, 6):
        checkpoint.path_of(place / "cut", t).unlink()
    assert main(["run", "--resume", "--out", "cut", "--quiet", "--trust"]) == 0
    assert record_of(place / "cut") == record_of(place / "whole")
    config = files.read_config(place / "whole")
    assert config.devices.M == 3 and config.problem.source == f"{place / 'my_file.py'}:make_federation"
    assert prepare(config, federation=federation_of(config))[1].problem.d == 57


def test_other_commands_find_the_problem_again(place, capsys):
    assert main([*RUN, "run", "--set", "rounds=12"]) == 0
    answer = said(capsys, "estimate", "run", "--trust", *QUICK)
    assert '"d": 57' in answer
    answer = said(capsys, "estimate", "run", "--problem", "my_file.py:make_federation", *QUICK)
    assert '"d": 57' in answer
    sweep = ["sweep", "small.toml", "--problem", "my_file.py:make_federation", "--seeds", "2", "--quiet"]
    over = ["--over", "local.gamma=0.01,0.1"]
    assert "gamma=0.01" in said(capsys, *sweep, "--set", "rounds=2", *over, "--out", "sweep")


def test_without_a_config_all_else_is_as_in_train(place, capsys):
    alone = ["--problem", "my_file.py:make_federation", "--set", "algorithm.k=20", "--set", "rounds=12"]
    assert "12 rounds, 3 devices" in said(capsys, "run", *alone, "--quiet")
    (folder,) = (place / "runs").iterdir()
    config, usual = files.read_config(folder), configs.RunConfig()
    assert folder.name == f"my_file-{config.digest()}"
    assert config.local == usual.local and config.channel == usual.channel and config.seed == usual.seed
    (federation := load(place / "my_file.py", "make_federation")).demand(config.problem.federation, "it")
    asked = run_config(federation, average="last_half", rounds=12, set=["algorithm.k=20"])
    assert config.algorithm == asked.algorithm and config.record == asked.record
    assert "Use gamma" in said(capsys, "advise", *alone, "--pilot", "10", "--quiet")


def test_the_file_is_part_of_the_runs_identity_and_its_place_is_not(place):
    base = configs.load(place / "small.toml")
    one = with_problem(base, "my_file.py:make_federation")
    (place / "there").mkdir()
    for name in ("my_file.py", "neighbour.py"):
        shutil.copy(name, place / "there" / name)
    assert with_problem(base, "there/my_file.py:make_federation").digest() == one.digest()
    (place / "my_file.py").write_text(FILE + "\n# a remark\n")
    assert with_problem(base, "my_file.py:make_federation").digest() != one.digest()


def test_a_file_that_is_gone_or_changed_is_one_line(place, capsys):
    assert main([*RUN, "run", "--set", "rounds=12"]) == 0
    again = ["run", "--resume", "--out", "run", "--quiet", "--trust"]
    (place / "my_file.py").write_text(FILE.replace("nn.Tanh", "nn.ReLU"))
    assert "a changed my_file.py" in refusal(capsys, *again)
    (place / "my_file.py").unlink()
    for command in (again, ["estimate", "run", "--quiet", "--trust"]):
        line = refusal(capsys, *command)
        assert "problem.source" in line and "no file my_file.py" in line


@pytest.mark.parametrize(
    "reference,words",
    [
        ("my_file.py", "FILE.py:FUNCTION"),
        ("nowhere.py:make_federation", "no file nowhere.py"),
        ("my_file.py:unknown", "make_federation, wrong, fails"),
        ("small.toml:make_federation", "a Python file (.py)"),
        ("my_file.py:wrong", "a fps.Federation"),
        ("my_file.py:fails", "line 18: got 'ZeroDivisionError"),
        ("broken.py:make", "broken.py, line 1: got 'SyntaxError"),
        ("raises.py:make", "while importing raises.py, line 1 (its top level runs): got "),
    ],
)
def test_files_that_give_no_federation_are_one_line(place, reference, words, capsys):
    (place / "broken.py").write_text("def make(:\n")
    (place / "raises.py").write_text("raise KeyError('x')\n")
    assert words in refusal(capsys, "run", "small.toml", "--problem", reference, "--out", "run")
    assert not (place / "run").exists()


@pytest.mark.parametrize("item", ["device=cuda", "dtype=float64", "devices.M=4"])
def test_what_the_federation_decides_is_not_set(place, item, capsys):
    assert f"--set: got '{item}', expected this as my_file.py" in refusal(capsys, *RUN, "run", "--set", item)
    assert not (place / "run").exists()


def test_loading_leaves_generators_and_search_path_as_they_were(place):
    import sys

    before = torch.get_rng_state(), random.getstate(), list(sys.path)
    numbers = np.random.get_state()[1].copy()  # noqa: NPY002
    one, other = (load(place / "my_file.py", "make_federation") for _ in range(2))
    assert one.identity == other.identity
    assert torch.equal(before[0], torch.get_rng_state()) and before[1] == random.getstate()
    assert np.array_equal(numbers, np.random.get_state()[1]) and before[2] == sys.path  # noqa: NPY002
