"""The paper's cells: frozen configs, its trials and budgets, tuning that never sees the test rows.

Tables of its grids, and the command that prints them.
"""

import dataclasses
import json
import math
import tomllib

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fpsverify import config as configs
from fpsverify.data.labelled import validation_split
from fpsverify.errors import BadInput
from fpsverify.grids.task import measure
from fpsverify.problems.build import load_data
from fpsverify.reproduce import grid
from fpsverify.reproduce.claims import CLAIMS
from fpsverify.reproduce.grid import GRIDS, LABELS, PROFILES, cells, make_cell, printed
from fpsverify.reproduce.tables import Results, point_at_uses, table, uses_to_reach, values
from property_tests.grids.paper_results import result, two_budgets
from property_tests.support.commands import refusal, said
from property_tests.support.small_runs import small, tiny_cell


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("grid", GRIDS)
def test_every_cell_has_a_name_of_its_own_and_a_config_that_reads_back(grid, profile):
    found = cells(grid, profile)
    assert len({cell.name for cell in found}) == len(found)
    for cell in found:
        again = configs.parse(tomllib.loads(cell.config.to_toml()))
        assert again.digest() == cell.config.digest()


@pytest.mark.parametrize("grid", ["mnist", "kdd12", "kdd10"])
def test_every_cell_that_the_paper_prints_is_in_the_grid(grid):
    names = {(c.scenario, c.sigma, c.label) for c in cells(grid, "full") if not c.reading}
    sigmas = {sigma for _, sigma, _ in names}
    assert names == {(s, sigma, label) for s in (1, 2, 3, 4) for sigma in sigmas for label in LABELS}
    assert all(printed(grid, *name) is not None for name in names)
    assert printed("mnist", 1, 0.8, "FPS").mean == 81.31 and printed("fashion", 1, 0.8, "FPS") is None


@pytest.mark.parametrize("grid", ["mnist", "fashion", "kdd12", "kdd10", "synthetic"])
def test_cells_of_a_table_take_the_same_number_of_gradient_steps_from_the_same_seeds(grid):
    found = cells(grid, "full")
    assert len({c.config.rounds * c.config.local.E for c in found}) == 1
    assert len({(c.trials, c.config.seed, c.config.local.gamma, c.config.devices.M) for c in found}) == 1
    assert {c.config.local.E for c in found if c.label in ("FetchSGD", "BLCD", "Top-k")} == {1}


def test_unknown_grids_and_profiles_are_refused():
    for arguments, field in ((("cifar", "quick"), "grid"), (("mnist", "slow"), "--profile")):
        with pytest.raises(BadInput, match=f"^{field}: got "):
            cells(*arguments)


@pytest.mark.parametrize("grid", ["mnist", "readings", "ablations"])
def test_every_grid_has_the_cell_of_fps_that_changes_nothing(grid):
    """What its other lines are compared with: the paper's FPS of the same scenario and noise, μ aside."""
    table_cells = {
        (c.scenario, c.sigma): c.config for c in cells("mnist", "full") if c.label == "FPS" and not c.reading
    }
    found = Results.of([{**result(c.label, 0, [0.1], 1), "scenario": c.scenario, "sigma": c.sigma,
                         "reading": c.reading, "config": c.config} for c in cells(grid, "full")])  # fmt: skip
    for dataset, scenario, sigma, _, _ in found.by_cell:
        (same,) = found.fps(dataset, scenario, sigma)
        assert same["config"] == table_cells[scenario, sigma]


@given(seed=st.integers(0, 50), rows=st.integers(1, 119))
def test_validation_rows_are_training_rows_that_are_no_longer_trained_on(seed, rows):
    data = load_data(small())
    split = validation_split(data, rows, seed)
    assert len(split.X) + len(split.X_test) == len(data.X) and len(split.X_test) == rows
    together = torch.cat([split.X, split.X_test])  # in another order: equal when sorted by first columns
    assert torch.equal(*(x[torch.argsort(x[:, 0])] for x in (together, data.X)))
    assert (split.groups == split.y.numpy()).all()
    assert "held-out" in split.provenance


def test_tuning_never_looks_at_the_test_rows(monkeypatch):
    """Other test rows, same tuning result, bit for bit."""
    from fpsverify.problems import build

    task, *_ = grid.tuning_tasks(tiny_cell())
    before = measure(task)["curve"]
    original = build.load_data

    def other_test_rows(config):
        data = original(config)
        return dataclasses.replace(data, X_test=data.X_test + 9, y_test=1 - data.y_test.clamp(max=1))

    monkeypatch.setattr(build, "load_data", other_test_rows)
    assert measure(task)["curve"] == before
    assert measure(grid.trial_tasks(tiny_cell(), 0.0)[0])["curve"] != before


def test_a_run_that_diverges_is_a_result_and_loses_the_tuning(tmp_path):
    wild = tiny_cell(
        "FPS", "problem.objective=mlp", "problem.hidden=4", "local.gamma=1e30", "dtype=float32", mus=()
    )
    outcome = grid.run_grid([wild], tmp_path)
    assert {r["status"] for r in outcome.trials} == {"diverged"} and "not finite" in outcome.trials[0][
        "message"
    ]
    assert "diverged" in table(Results.of(outcome.trials), "mnist")
    seen = [(1.0, "done", 0.5), (0.1, "done", 0.7), (0.01, "done", 0.7), (0.0, "diverged", 0.9)]
    attempts = [
        {"cell": wild.name, "mu": mu, "status": status, "curve": [{"accuracy": a}]} for mu, status, a in seen
    ]
    assert grid.best_mu(wild, attempts) == 0.01


def test_what_a_run_had_reached_at_a_given_use_of_the_channel():
    run = result("FPS", 0, [0.1, 0.5, 0.8, 0.6], 100)
    assert [point_at_uses(run, u)["accuracy"] for u in (0, 49, 51, 100, 250, 251, 1e9)] == [
        0.1, 0.1, 0.5, 0.5, 0.8, 0.6, 0.6,
    ]  # fmt: skip
    assert point_at_uses({**run, "status": "diverged"}, 100) == {}
    assert uses_to_reach(run, "accuracy", 0.7) == 200 and uses_to_reach(run, "accuracy", 0.9) is None
    assert uses_to_reach(run, "test_loss", -0.7) == 200


@pytest.mark.parametrize("reference", [[], [result("FPS", 0, [0.1, 0.7], 100, status="diverged")]])
def test_no_value_at_the_channel_uses_of_a_run_that_is_absent_or_diverged(reference):
    """Not the value of the start, which a limit of no uses would give."""
    run = result("BLCD", 0, [0.1, 0.5, 0.8], 100)
    assert values([run], "accuracy", "uses", reference) == {}
    assert values([run], "accuracy", "uses", [result("FPS", 0, [0.1, 0.7], 100)]) == {0: 0.5}
    assert values([run], "accuracy", "steps", reference) == {0: 0.8}
    assert "10.00" not in table(Results.of([run, *reference]), "mnist")


def test_tables_show_paper_and_measurement_side_by_side():
    text = table(two_budgets(0.8, 0.6, 0.9), "mnist")
    fps, fetch = text.splitlines()[-2:]
    assert "81.31 ± 1.30" in fps and "80.00 ± 0.10" in fps
    assert "74.21 ± 0.87" in fetch and "90.00 ± 0.00" in fetch and "60.00 ± 0.00" in fetch
    assert "no, worse" in fetch and "yes (p" in fetch and text.startswith("**mnist**: real data")
    columns = {line.count("|") for line in text.splitlines() if line.startswith("|")}
    assert len(columns) == 1 and not math.isnan(len(text))
    accum = ("algorithm.device_sketch=accum", "local.mu=0.0", "algorithm.simulate=batched")
    reading = make_cell("mnist", "quick", 1, 0.8, "FPS", "accum", *accum)
    assert reading.mus == () and reading.name.endswith("-accum")


def test_the_command_names_cells_and_prints_their_configs(capsys):
    from fpsverify.cli import reproduce

    assert reproduce.GRIDS == ("mnist", "fashion", "synthetic", "kdd12", "kdd10", "readings", "ablations")
    assert sorted(reproduce.GRIDS) == sorted(GRIDS)
    lines = said(capsys, "reproduce", "kdd12", "--list", "--only", "S2").splitlines()
    assert lines[-1] == "18 cells, 60 runs" and all("-S2-" in line for line in lines[:-1])
    assert 'name = "blcd"' in said(capsys, "reproduce", "kdd12", "--show", "kdd12-S2-sigma1-blcd")
    for option in ("--only", "--show"):
        line = refusal(capsys, "reproduce", "kdd12", option, "nothing")
        assert line.startswith(f"{option}: got 'nothing'")


def test_the_command_runs_a_grid_shows_it_again_and_takes_over_its_runs(tmp_path, monkeypatch, capsys):
    cells = [tiny_cell(), tiny_cell("BLCD")]
    monkeypatch.setattr("fpsverify.reproduce.grid.cells", lambda grid, profile: cells)
    one, two = (tmp_path / name for name in ("one", "two"))
    words = ["reproduce", "mnist", "--quiet", "--out"]
    assert refusal(capsys, *words, two, "--reuse", one).startswith("--reuse: got ") and not two.exists()
    printed_text = said(capsys, *words, one)
    assert "**mnist**: generated data, mean ± std over 2 trials." in printed_text
    assert (one / "tables.md").read_text() in printed_text + "\n"
    drawn = (one / "mnist-sigma0.8.svg").read_bytes()
    judged = json.loads((one / "verdicts.json").read_text())["verdicts"]
    assert {v["claim"] for v in judged} == {c.name for c in CLAIMS if c.dataset == "mnist"}
    assert "6 runs were found finished" in said(capsys, *words, one, "--resume")
    assert (one / "mnist-sigma0.8.svg").read_bytes() == drawn
    assert "6 runs have the config of another one" in said(capsys, *words, two, "--reuse", one)
    monkeypatch.undo()
    assert "| 1 | 0.8 | FPS |" in said(capsys, *words, one, "--report")
    for name, out in (("mnist", tmp_path / "none"), ("synthetic", one)):
        line = refusal(capsys, "reproduce", name, "--report", "--out", out)
        assert line.startswith("--report: got") and "a folder with finished runs of this grid" in line
