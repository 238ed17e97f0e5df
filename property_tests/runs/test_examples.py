"""The examples are configs that can be read, the README names each, and one has a finite bound."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fpsverify.cli import main
from fpsverify.config import load
from fpsverify.runs import record
from property_tests import laws

SOURCE = laws.COMMANDS

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))
SHORTER = ("rounds=40", "record.checkpoint_every=4", "devices.M=5")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_a_config_and_the_readme_names_it(path):
    load(path)
    assert f"`{path.name}`" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_bounded_example_has_a_finite_bound_above_the_runs_mean_gradient(tmp_path, capsys):
    """Shortened: a fifth of the rounds, half of the devices, as many checkpoints."""
    folder, example = tmp_path / "run", str(ROOT / "examples" / "bounded.toml")
    changes = [word for each in SHORTER for word in ("--set", each)]
    assert main(["run", example, "--out", str(folder), "--quiet", *changes]) == 0
    capsys.readouterr()
    assert main(["estimate", str(folder), "--json", "--quiet", "--replicates", "12"]) == 0
    bound = json.loads(capsys.readouterr().out)["bound"]
    squares = [row["grad_norm_squared"] for row in record.read_rows(folder)][:-1]
    mean = sum(squares) / len(squares)
    assert bound["theorem_a"] is not None and bound["why_not"] == ""
    assert 0 < mean < bound["theorem_a"] < 100 * mean
    assert bound["holds"] and abs(bound["measured_average"]["estimate"] / mean - 1) < 1e-9
