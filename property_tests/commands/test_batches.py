"""A mini-batch is at most as large as the largest device, or else one line says so before anything is run."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fpsverify as fps
from fpsverify.batches import USUAL
from fpsverify.errors import BadInput, FpsError
from fpsverify.problems.build import build
from property_tests.support.commands import refusal
from property_tests.support.own_models import SIZES, federation
from property_tests.support.small_runs import small

FILE = """
from property_tests.support.own_models import federation
"""
LARGEST = f"at most {max(SIZES)}, the rows of the largest device; 0 takes all rows"


@given(st.integers(1, 4), st.integers(2, 7), st.integers(0, 150))
def test_a_batch_is_refused_if_it_is_larger_than_every_device(scenario, M, batch):
    """The usual batch never is."""
    devices = f"devices.scenario={scenario}", f"devices.M={M}"
    most = max(build(small(*devices)).problem.sizes)
    try:
        build(small(*devices, f"local.batch={batch}"))
    except BadInput as error:
        assert str(error).startswith(f"local.batch: got {batch}, expected at most {most}")
        assert batch > most
    else:
        assert batch <= most or batch == USUAL


def test_a_sweep_in_python_refuses_it_too():
    for problem, batch in ((federation(), 33), (small(), 121)):
        with pytest.raises(FpsError, match=f"local.batch: got {batch}, expected at most "):
            fps.sweep(problem, {"local.batch": [4, batch]})


@pytest.mark.parametrize("command", ["run", "advise", "sweep"])
def test_commands_refuse_it_in_one_line(command, tmp_path, capsys):
    (tmp_path / "problem.py").write_text(FILE, encoding="utf-8")
    (tmp_path / "config.toml").write_text(small().to_toml(), encoding="utf-8")
    more = ["--out", tmp_path / "out"] if command != "advise" else []
    more += ["--over", "local.gamma=0.1"] if command == "sweep" else []
    own = ["--problem", f"{tmp_path / 'problem.py'}:federation"]
    said = refusal(capsys, command, *own, *more, "--set", "local.batch=33")
    assert said.endswith(f"local.batch: got 33, expected {LARGEST}")
    said = refusal(capsys, command, tmp_path / "config.toml", *more, "--set", "local.batch=121")
    assert said.endswith("the rows of the largest device; 0 takes all rows")
    assert not (tmp_path / "out").exists()


def test_a_sweep_knows_the_devices_of_each_cell_before_it_begins(tmp_path, capsys):
    """Scenario 4: the largest device has fewer than all 120 rows."""
    (tmp_path / "config.toml").write_text(small().to_toml(), encoding="utf-8")
    over = ["--over", "local.batch=5,119", "--out", tmp_path / "out"]
    said = refusal(capsys, "sweep", tmp_path / "config.toml", *over, "--quiet")
    assert said.startswith("local.batch=119: local.batch: got 119, expected at most ")
    assert "the largest device" in said
