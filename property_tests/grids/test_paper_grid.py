"""The paper's cells: frozen configs, its trials and budgets, tuning that never sees the test rows."""

from __future__ import annotations

import dataclasses

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fpsverify.data.holdout import validation_split
from fpsverify.errors import BadInput
from fpsverify.grids.task import measure
from fpsverify.problems.build import load_data
from fpsverify.reproduce import tuned
from fpsverify.reproduce.grid import GRIDS, PROFILES, cells
from fpsverify.reproduce.paper import LABELS, printed
from fpsverify.reproduce.tables import Results, table
from property_tests import laws
from property_tests.grids.paper_results import result
from property_tests.support.small_runs import small, tiny_cell

SOURCE = laws.EXPERIMENTS


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("grid", GRIDS)
def test_every_cell_has_a_name_of_its_own_and_a_config_that_reads_back(grid, profile):
    import tomllib

    from fpsverify import config as configs

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

    task, *_ = tuned.tuning_tasks(tiny_cell())
    before = measure(task)["curve"]
    original = build.load_data

    def other_test_rows(config):
        data = original(config)
        return dataclasses.replace(data, X_test=data.X_test + 9, y_test=1 - data.y_test.clamp(max=1))

    monkeypatch.setattr(build, "load_data", other_test_rows)
    assert measure(task)["curve"] == before
    assert measure(tuned.trial_tasks(tiny_cell(), 0.0)[0])["curve"] != before


def test_a_run_that_diverges_is_a_result_and_loses_the_tuning(tmp_path):
    wild = tiny_cell(
        "FPS", "problem.objective=mlp", "problem.hidden=4", "local.gamma=1e30", "dtype=float32", mus=()
    )
    outcome = tuned.run_grid([wild], tmp_path)
    assert {r["status"] for r in outcome.trials} == {"diverged"} and "not finite" in outcome.trials[0][
        "message"
    ]
    assert "diverged" in table(Results.of(outcome.trials), "mnist")
    seen = [(1.0, "done", 0.5), (0.1, "done", 0.7), (0.01, "done", 0.7), (0.0, "diverged", 0.9)]
    attempts = [
        {"cell": wild.name, "mu": mu, "status": status, "curve": [{"accuracy": a}]} for mu, status, a in seen
    ]
    assert tuned.best_mu(wild, attempts) == 0.01
