"""`fpsverify run` as a user meets it: one line for bad input, a summary for good, nothing half-written."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fpsverify.cli import main
from fpsverify.cli.run import DEMO
from fpsverify.config import load, parse
from property_tests import laws
from property_tests.support.small_runs import small

SOURCE = laws.COMMANDS

ROOT = Path(__file__).parents[2]


def call(capsys, *argv: str) -> tuple[int, str, str]:
    try:
        code = main(argv)
    except SystemExit as stop:
        code = int(stop.code or 0)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture
def toml(tmp_path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(small().to_toml())
    return path


def test_a_run_prints_its_summary_and_writes_its_record(toml, tmp_path, capsys):
    code, out, _ = call(capsys, "run", str(toml), "--out", str(tmp_path / "r"), "--quiet")
    assert code == 0
    assert "fps: 6 rounds, M = 4 devices" in out and "majority class alone" in out
    assert {p.name for p in (tmp_path / "r").iterdir()} == {
        ".lock",
        "config.toml",
        "rounds.parquet",
        "summary.json",
        "checkpoints",
    }


def test_resuming_a_finished_run_repeats_its_summary(toml, tmp_path, capsys):
    folder = str(tmp_path / "r")
    first = call(capsys, "run", str(toml), "--out", folder, "--quiet")
    again = call(capsys, "run", "--resume", "--out", folder, "--quiet")
    assert first[:2] == again[:2]


def test_the_demo_needs_no_file_and_leaves_none(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, _ = call(capsys, "run", "--demo", "--quiet", "--set", "rounds=2")
    assert code == 0 and "generated" in out
    assert list(tmp_path.iterdir()) == []


def test_the_demo_is_the_example_file():
    assert parse(DEMO) == load(ROOT / "examples" / "demo.toml")


WRONG = [
    (["run"], "config: got"),
    (["run", "absent.toml"], "No such file"),
    (["run", "--demo", "--set", "local.gamma=-1"], "local.gamma: got -1"),
    (["run", "--demo", "--set", "algorithm.k=999999"], "algorithm.k: got 999999"),
    (["run", "--demo", "--set", "algorithm.name=adam"], "algorithm.name: got 'adam'"),
    (["run", "--demo", "x.toml"], "either a config file or --demo"),
    (["run", "--resume"], "--resume with --out"),
    (["run", "--resume", "--out", "/dev/null"], "/dev/null"),
    (["run", "--demo", "--out", "/dev/null/x"], "/dev/null/x"),
    (["run", "--set", "seed=1"], "--set"),
    (["run", "--nonsense"], "--nonsense"),
    (["fly"], "fly"),
]


@pytest.mark.parametrize("argv,part", WRONG)
def test_bad_input_is_one_line_and_exit_code_2(argv, part, capsys):
    code, out, err = call(capsys, *argv)
    lines = err.strip().splitlines()
    assert code == 2 and out == ""
    assert lines[-1].startswith("fpsverify: ") and part in lines[-1]
    assert "Traceback" not in err


@given(
    st.lists(
        st.sampled_from(["run", "--demo", "--set", "--out", "--resume"]) | st.text(max_size=8), max_size=5
    )
)
def test_any_arguments_give_a_line_or_success(argv):
    if "run" in argv and "--demo" in argv:
        argv = [*argv, "--set", "rounds=0"]  # never start real work
    try:
        assert main(argv) in (0, 2)
    except SystemExit as stop:
        assert stop.code in (0, 2)


def test_help_does_not_import_torch():
    code = "import sys; from fpsverify.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass\n"
    code += "assert not {'torch', 'sympy', 'numba', 'statsmodels'} & set(sys.modules), sorted(sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert "run" in done.stdout


def test_version_is_that_of_the_package(capsys):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert call(capsys, "--version")[1].strip() == f"fpsverify {project['version']}"


@pytest.mark.parametrize(
    "words,line",
    [
        (["nothing"], "fpsverify: command: got 'nothing', expected one of 'run'"),
        (
            ["reproduce", "mnist", "--profile", "x"],
            "fpsverify: --profile: got 'x', expected one of 'quick', 'full'",
        ),
        (["verify", "--jobs", "x"], "fpsverify: --jobs: got 'x', expected a whole number"),
    ],
)
def test_what_argparse_refuses_is_said_like_everything_else(words, line, capsys):
    with pytest.raises(SystemExit) as caught:
        main(words)
    err = capsys.readouterr().err
    assert caught.value.code == 2 and err.startswith(line) and err.count("\n") == 1
