"""The grid: frozen cells, tuning that never sees the test rows, resuming, statistics and verdicts."""

from __future__ import annotations

import dataclasses
import json
import math
import shutil

import pyarrow.parquet as pq
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fpsverify.data.holdout import validation_split
from fpsverify.errors import BadInput, FpsError
from fpsverify.problems.build import load_data
from fpsverify.reproduce import claims, executors, runner
from fpsverify.reproduce.cell import make_cell
from fpsverify.reproduce.grid import GRIDS, PROFILES, cells
from fpsverify.reproduce.paper import LABELS, printed
from fpsverify.reproduce.section6 import CLAIMS, render, verdicts
from fpsverify.reproduce.statistics import compare, point_at_uses, summarise, uses_to_reach, values
from fpsverify.reproduce.store import read_results
from fpsverify.reproduce.tables import Results, table
from fpsverify.reproduce.task import Task, measure, stored, taken_over
from property_tests import laws
from property_tests.support.small_runs import small, tiny_cell

SOURCE = laws.EXPERIMENTS
KILLS = (
    "fpsverify/reproduce/statistics.py",
    "fpsverify/reproduce/claims.py",
)

# ---- the grid -----------------------------------------------------------------------------------------


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


def test_the_number_of_trials_is_the_papers():
    assert {g: cells(g, "full")[0].trials for g in ("mnist", "kdd12", "kdd10", "synthetic")} == {
        "mnist": 3,
        "kdd12": 5,
        "kdd10": 5,
        "synthetic": 10,
    }


def test_unknown_grids_and_profiles_are_refused():
    for arguments, field in ((("cifar", "quick"), "grid"), (("mnist", "slow"), "--profile")):
        with pytest.raises(BadInput, match=f"^{field}: got "):
            cells(*arguments)


# ---- validation rows ----------------------------------------------------------------------------------


@given(seed=st.integers(0, 50), rows=st.integers(1, 119))
def test_validation_rows_are_training_rows_that_are_no_longer_trained_on(seed, rows):
    data = load_data(small())
    split = validation_split(data, rows, seed)
    assert len(split.X) + len(split.X_test) == len(data.X) and len(split.X_test) == rows
    together = torch.cat([split.X, split.X_test])
    for part in (together,):  # the same rows in another order: equal when sorted by their first columns
        assert torch.equal(*(x[torch.argsort(x[:, 0])] for x in (part, data.X)))
    assert (split.groups == split.y.numpy()).all()
    assert "held-out" in split.provenance


def test_sparse_validation_rows():
    data = load_data(small("problem.data=kdd12", "problem.objective=sparse_logistic"))
    split = validation_split(data, 30, 1)
    assert (split.train.n, split.test.n) == (90, 30)
    total = split.train.labels.sum() + split.test.labels.sum()
    assert total == data.train.labels.sum() and split.train.nnz + split.test.nnz == data.train.nnz


def test_tuning_never_looks_at_the_test_rows(monkeypatch):
    """Other test rows, same tuning result, bit for bit."""
    from fpsverify.problems import build

    task = Task(tiny_cell(), "tuning", 0, 0.0)
    before = measure(task)["curve"]
    original = build.load_data

    def other_test_rows(config):
        data = original(config)
        return dataclasses.replace(data, X_test=data.X_test + 9, y_test=1 - data.y_test.clamp(max=1))

    monkeypatch.setattr(build, "load_data", other_test_rows)
    assert measure(task)["curve"] == before
    assert measure(Task(tiny_cell(), "trial", 0, 0.0))["curve"] != before


def test_too_many_validation_rows_are_refused():
    with pytest.raises(BadInput, match="problem.validation: got 120, expected fewer than the 120"):
        validation_split(load_data(small()), 120, 1)


# ---- running ------------------------------------------------------------------------------------------


def test_a_grid_stores_every_run_and_merges_them(tmp_path):
    found = [tiny_cell(), tiny_cell("BLCD")]
    seen = []
    outcome = runner.run_grid(found, tmp_path, progress=seen.append)
    assert len(seen) == runner.count_tasks(found) == 2 + 2 + 2 and outcome.reused == 0
    assert len(list((tmp_path / "cells").glob("*.json"))) == 6
    rows = pq.read_table(tmp_path / "results.parquet").to_pylist()
    assert [r["kind"] for r in rows].count("tuning") == 2
    results = [r for r in rows if r["kind"] == "trial"]
    assert [(r["algorithm"], r["trial"], r["seed"]) for r in results] == [
        ("BLCD", 0, 101),
        ("BLCD", 1, 102),
        ("FPS", 0, 101),
        ("FPS", 1, 102),
    ]
    for row in results:
        assert row["config_digest"] and json.loads(row["versions"])["torch"] and 0 <= row["accuracy"] <= 1
        assert row["provenance"].startswith("generated") and row["status"] == "done"
    curves = [c for c in pq.read_table(tmp_path / "curves.parquet").to_pylist() if c["kind"] == "trial"]
    assert {c["round"] for c in curves} == {0, 2, 4, 6}
    assert [c["uses"] for c in curves if c["algorithm"] == "BLCD" and c["trial"] == 0] == [0, 14, 28, 42]
    assert results[-1]["mu"] == outcome.tuned["mnist-S1-sigma0.8-fps"]


def test_a_killed_grid_resumes_where_it_was_and_gives_the_same_files(tmp_path, monkeypatch):
    found = [tiny_cell(), tiny_cell("BLCD")]
    runner.run_grid(found, tmp_path / "whole")
    original, done = executors.perform, []

    def dies_after_three(task, folder):
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append(task.name)
        return original(task, folder)

    monkeypatch.setattr(executors, "perform", dies_after_three)
    with pytest.raises(KeyboardInterrupt):
        runner.run_grid(found, tmp_path / "killed")
    monkeypatch.setattr(executors, "perform", original)
    with pytest.raises(BadInput, match="--out: got .* add --resume"):
        runner.run_grid(found, tmp_path / "killed")
    (tmp_path / "killed/cells" / f"{done[-1]}.json").write_text("{ torn")
    outcome = runner.run_grid(found, tmp_path / "killed", resume=True)
    assert outcome.reused == 2
    for path in sorted((tmp_path / "whole").rglob("*.*")):
        if path.is_file() and path.name != ".lock":
            assert (
                path.read_bytes() == (tmp_path / "killed" / path.relative_to(tmp_path / "whole")).read_bytes()
            )


def test_processes_give_the_same_results_as_one(tmp_path):
    found = [tiny_cell(trials=2, mus=()), tiny_cell("BLCD")]
    alone = runner.run_grid(found, tmp_path / "one")
    together = runner.run_grid(found, tmp_path / "two", executors.Processes(2))
    assert alone.trials == together.trials == runner.run_grid(found, tmp_path / "one", resume=True).trials
    assert [r["task"] for r in read_results(tmp_path / "two")] == sorted(r["task"] for r in alone.trials)


def counted(monkeypatch) -> list[str]:
    """The names of the tasks that are really run from now on."""
    original, names = executors.perform, []
    monkeypatch.setattr(
        executors, "perform", lambda task, folder: names.append(task.name) or original(task, folder)
    )
    return names


def test_tasks_of_equal_config_are_run_once_and_stored_under_each_name(tmp_path, monkeypatch):
    one = tiny_cell("BLCD")
    twin = dataclasses.replace(one, reading="default")
    apart = {r["task"]: r for c in (one, twin) for r in runner.run_grid([c], tmp_path / c.name).trials}
    names = counted(monkeypatch)
    outcome = runner.run_grid([one, twin], tmp_path / "both")
    assert {r["task"]: r for r in outcome.trials} == apart and len(apart) == 4
    assert len(names) == 2 and (outcome.reused, outcome.shared) == (0, 2)
    assert {r["task"]: r for r in read_results(tmp_path / "both")} == apart
    again = runner.run_grid([one, twin], tmp_path / "both", resume=True)
    assert (again.reused, again.shared) == (4, 0) and len(names) == 2


def test_runs_of_another_grid_are_taken_over_if_their_config_is_equal(tmp_path, monkeypatch):
    one = tiny_cell("BLCD")
    twin, faster = dataclasses.replace(one, reading="default"), tiny_cell("BLCD", "local.gamma=0.2")
    other = runner.run_grid([one], tmp_path / "one").trials
    names = counted(monkeypatch)
    outcome = runner.run_grid([twin], tmp_path / "two", other=other)
    assert not names and outcome.shared == 2
    assert outcome.trials == runner.run_grid([twin], tmp_path / "apart").trials and len(names) == 2
    runner.run_grid([faster], tmp_path / "three", other=other)
    assert len(names) == 4
    task = Task(faster, "trial", 0, None)
    with pytest.raises(ValueError, match="a run of another config"):
        taken_over(task, other[0], tmp_path)


def test_the_columns_alone_are_enough_to_go_on_and_to_show(tmp_path):
    """Tables, tuned μ and the columns themselves do not change when the files of the runs are gone."""
    found = [tiny_cell(), tiny_cell("BLCD")]
    whole = runner.run_grid(found, tmp_path)
    before = [(tmp_path / name).read_bytes() for name in ("results.parquet", "curves.parquet")]
    shutil.rmtree(tmp_path / "cells")
    with pytest.raises(BadInput, match="--out: got .* add --resume"):
        runner.run_grid(found, tmp_path)
    again = runner.run_grid(found, tmp_path, resume=True)
    assert again.reused == 6 and again.tuned == whole.tuned
    assert [(tmp_path / name).read_bytes() for name in ("results.parquet", "curves.parquet")] == before
    assert table(Results.of(again.trials), "mnist") == table(Results.of(whole.trials), "mnist")


def test_a_part_of_a_grid_adds_to_what_is_there(tmp_path):
    runner.run_grid([tiny_cell()], tmp_path)
    runner.run_grid([tiny_cell("BLCD")], tmp_path, resume=True)
    assert {r["algorithm"] for r in pq.read_table(tmp_path / "results.parquet").to_pylist()} == {
        "FPS",
        "BLCD",
    }


def test_damaged_columns_are_one_line(tmp_path):
    runner.run_grid([tiny_cell()], tmp_path)
    (tmp_path / "results.parquet").write_bytes(b"PAR1 torn")
    with pytest.raises(FpsError, match="results.parquet: unreadable") as caught:
        runner.run_grid([tiny_cell()], tmp_path, resume=True)
    assert "\n" not in str(caught.value)


def test_a_report_needs_no_run(tmp_path, capsys):
    from fpsverify.cli import main

    runner.run_grid([tiny_cell()], tmp_path)
    assert main(["reproduce", "mnist", "--report", "--out", str(tmp_path)]) == 0
    assert "| 1 | 0.8 | FPS |" in capsys.readouterr().out
    assert main(["reproduce", "mnist", "--report", "--out", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.startswith("fpsverify: --report: got")
    assert main(["reproduce", "synthetic", "--report", "--out", str(tmp_path)]) == 2
    assert "expected a folder with finished runs of this grid" in capsys.readouterr().err


def test_a_grid_that_was_not_begun_begins_and_says_so(tmp_path, monkeypatch, capsys):
    """A kill may come before the folder, so this is no error; a wrong name should still be noticed."""
    from fpsverify.cli import main
    from fpsverify.reproduce import grid

    monkeypatch.setattr(grid, "cells", lambda name, profile: [tiny_cell("BLCD")])
    for said in (True, False):
        assert main(["reproduce", "mnist", "--resume", "--quiet", "--out", str(tmp_path / "new")]) == 0
        assert ("nothing to continue in" in capsys.readouterr().err) is said


def test_a_report_of_a_grid_at_work_writes_nothing(tmp_path, capsys):
    from fpsverify.cli import main
    from fpsverify.files import only_one

    runner.run_grid([tiny_cell()], tmp_path)
    before = {path: path.read_bytes() for path in sorted(tmp_path.rglob("*")) if path.is_file()}
    with only_one(tmp_path):
        assert main(["reproduce", "mnist", "--report", "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "| 1 | 0.8 | FPS |" in out and "not written" in out
    assert before == {path: path.read_bytes() for path in sorted(tmp_path.rglob("*")) if path.is_file()}


def test_a_line_with_fewer_trials_says_so(tmp_path):
    trials = runner.run_grid([tiny_cell(mus=())], tmp_path).trials
    alone = {**trials[0], "algorithm": "BLCD"}
    lines = table(Results.of([*trials, alone]), "mnist").splitlines()
    short = next(line for line in lines if "BLCD" in line)
    assert f"BLCD, 1 of {len(trials)} trials" in short and "±" not in short.split("BLCD")[1].split("|")[4]


def test_a_stored_result_of_another_config_is_not_taken(tmp_path):
    task = Task(tiny_cell(mus=()), "trial", 0, None)
    runner.run_grid([task.cell], tmp_path)
    assert stored(task, tmp_path) is not None
    assert stored(Task(tiny_cell("FPS", "local.gamma=0.2", mus=()), "trial", 0, None), tmp_path) is None


def test_a_run_that_diverges_is_a_result_and_loses_the_tuning(tmp_path):
    wild = tiny_cell(
        "FPS", "problem.objective=mlp", "problem.hidden=4", "local.gamma=1e30", "dtype=float32", mus=()
    )
    outcome = runner.run_grid([wild], tmp_path)
    assert {r["status"] for r in outcome.trials} == {"diverged"} and "not finite" in outcome.trials[0][
        "message"
    ]
    assert "diverged" in table(Results.of(outcome.trials), "mnist")
    tuned = [
        {"cell": "c", "mu": mu, "status": status, "curve": [{"accuracy": a}]}
        for mu, status, a in [
            (1.0, "done", 0.5),
            (0.1, "done", 0.7),
            (0.01, "done", 0.7),
            (0.0, "diverged", 0.9),
        ]
    ]
    cell = dataclasses.replace(wild)
    assert runner.best_mu(cell, [{**r, "cell": cell.name} for r in tuned]) == 0.01


def test_tuning_in_regression_takes_the_lowest_loss():
    assert runner.score({"test_loss": 2.0}) < runner.score({"test_loss": 1.0})


def test_bad_input_inside_a_cell_ends_the_grid_in_one_line(tmp_path):
    with pytest.raises(FpsError, match="mnist-S1-sigma0.8-fps--trial0: algorithm.k: got 22") as caught:
        runner.run_grid([tiny_cell("FPS", "algorithm.k=22", mus=())], tmp_path)
    assert "\n" not in str(caught.value) and not list((tmp_path / "cells").glob("*.json"))


# ---- where tasks run ----------------------------------------------------------------------------------


def test_the_options_say_where_tasks_run():
    for jobs, expected in ((1, executors.Here()), (3, executors.Processes(3))):
        with executors.executor(jobs) as where:
            assert where == expected


@pytest.mark.parametrize(
    "address",
    [
        "",
        "here",
        "host:8786",
        "http://host:8786",
        "tcp://",
        "tcp://host",
        "tcp://:8786",
        "tcp://host:0",
        "tcp://host:70000",
        "tcp://host:port",
        "tcp://host:8786/path",
        "tcp://[::1:8786",
        "tcp://host:1?x=1",
    ],
)
def test_an_address_that_is_none_is_refused(address):
    with pytest.raises(BadInput, match="^--scheduler: got .*expected an address such as tcp://"):
        executors.require_address(address)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:8786", "tls://cluster.example:8786", "tcp://[::1]:1"])
def test_addresses_are_taken(address):
    executors.require_address(address)


def test_a_cluster_without_the_extra_is_one_line_that_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with (
        pytest.raises(FpsError, match=r"^--scheduler needs Dask: pip install 'fpsverify\[dask\]'$"),
        executors.executor(scheduler="tcp://127.0.0.1:8786"),
    ):
        raise AssertionError("there is no Dask")


@pytest.mark.parametrize("jobs,scheduler", [(0, None), (-1, None), (2, "tcp://127.0.0.1:8786")])
def test_numbers_of_processes_that_make_no_sense_are_refused(jobs, scheduler):
    with pytest.raises(BadInput, match="^--jobs: got "), executors.executor(jobs, scheduler):
        raise AssertionError("not refused")


def test_a_result_of_another_version_config_or_kind_of_data_is_refused():
    task = Task(tiny_cell(mus=()), "trial", 0, None)
    result = measure(task)
    executors.require_ours(result, task, "generated")
    strange = {
        "torch 0.1 ": {"versions": {**result["versions"], "torch": "0.1"}},
        "result format 99 ": {"format": 99},
        "read another config": {"config_digest": "0"},
        "another config": {"task": "another"},
        "has real data": {"provenance": "real: clicks"},
    }
    for words, change in strange.items():
        with pytest.raises(FpsError, match=words) as caught:
            executors.require_ours({**result, **change}, task, "generated")
        assert "\n" not in str(caught.value) and task.name in str(caught.value)


# ---- statistics, tables, verdicts ---------------------------------------------------------------------


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=10))
def test_comparisons_are_the_paired_t_test(pairs):
    a, b = ({i: p[j] for i, p in enumerate(pairs)} for j in (0, 1))
    found = compare(a, b, "accuracy")
    differences = [x - y for x, y in pairs]
    if max(differences) - min(differences) < 1e-9:
        return
    known = stats.ttest_rel(list(a.values()), list(b.values()), alternative="greater")
    interval = stats.ttest_rel(list(a.values()), list(b.values())).confidence_interval(0.95)
    assert found.p == pytest.approx(known.pvalue, rel=1e-6, abs=1e-12)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), rel=1e-6, abs=1e-9)
    assert (found.outcome == "better") == (found.low > 0)


def test_lower_losses_are_better_and_constant_differences_decide():
    a, b = {0: 1.0, 1: 2.0}, {0: 2.0, 1: 3.0}
    assert compare(a, b, "log_test_loss").outcome == "better" and compare(a, b, "accuracy").outcome == "worse"
    assert compare({0: 1.0}, {0: 0.0}, "accuracy") is None
    assert compare(a, a, "accuracy").outcome == "undecided"


def test_summaries():
    assert summarise([]) is None
    found = summarise([0.1, 0.2, 0.3])
    assert (found.mean, found.std, found.n) == (pytest.approx(0.2), pytest.approx(0.1), 3)


def result(label: str, trial: int, accuracies: list[float], uses: float, **more) -> dict:
    curve = [
        {"round": i, "accuracy": a, "uses": i * uses, "steps": i, "ties": 0.0, "auc": 0.5, "test_loss": -a}
        for i, a in enumerate(accuracies)
    ]
    base = {"dataset": "mnist", "scenario": 1, "sigma": 0.8, "reading": "", "mu": 0.0, "status": "done"}
    return {**base, "algorithm": label, "trial": trial, "curve": curve, "provenance": "real: x", **more}


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


def two_budgets(fps: float, early: float, late: float) -> Results:
    """FetchSGD has used the channel as often as FPS at its first evaluation, five times as often later."""
    trials = []
    for i, noise in enumerate((0.0, 0.001, -0.001)):
        trials.append(result("FPS", i, [0.1, fps + noise], 100))
        trials.append(result("FetchSGD", i, [0.1, early, late, late, late, late], 100))
    return Results.of(trials)


@pytest.mark.parametrize(
    "early,late,status",
    [
        (0.6, 0.7, "reproduced"),
        (0.9, 0.9, "not reproduced"),
        (0.6, 0.9, "depends on the reading"),
        (0.8, 0.8, "undecided"),
    ],
)
def test_verdicts_see_both_budgets(early, late, status):
    judge = claims.fps_beats("mnist", ("FetchSGD",), (1,), 0.8)
    assert judge(two_budgets(0.8, early, late)).status == status


@pytest.mark.parametrize(
    "default,updates,status",
    [
        (0.6, 0.6, "reproduced"),
        (0.9, 0.6, "depends on the reading"),
        (0.9, 0.9, "not reproduced"),
        (0.9, None, "not reproduced"),
        (None, 0.6, "not measured"),
    ],
)
def test_a_verdict_that_turns_with_a_reading_says_so(default, updates, status):
    """FPS at 0.8 in every scenario; rivals as given by the default readings and if they send updates."""

    def cell(label, scenario, accuracy, reading):
        return [result(label, i, [0.1, accuracy + e], 100, scenario=scenario, reading=reading)
                for i, e in enumerate((0.0, 0.001, -0.002)) if accuracy is not None]  # fmt: skip

    places = [(label, s) for label in LABELS if label != "FPS" for s in (1, 2, 3, 4)]
    fps = [run for s in (1, 2, 3, 4) for run in cell("FPS", s, 0.8, "")]
    table_runs = Results.of(fps + [run for place in places for run in cell(*place, default, "")])
    others = Results.of([run for place in places for run in cell(*place, updates, "send-update")])
    read = {"if they send updates": table_runs.with_rivals_of(others, "send-update")}
    found = {claim.name: v for claim, v in verdicts(table_runs, "mnist", read)}["mnist-best-in-noise"]
    assert found.status == status
    expected = {"by the default readings": "not reproduced", "if they send updates": "reproduced"}
    assert {w: v.status for w, v in found.by_reading.items()} == (expected if "depends" in status else {})


def test_what_was_not_run_is_not_measured():
    judged = verdicts(Results.of([]), "mnist")
    assert len(judged) == sum(c.dataset == "mnist" for c in CLAIMS) > 3
    assert {v.status for _, v in judged} == {"not measured"}
    assert render(judged).count("\n") == len(judged) + 1


def test_other_judges():
    flat = [result("BLCD", i, [0.1, 0.9, 0.5], 10) for i in range(2)]
    assert claims.rises_then_falls("mnist", "BLCD", 1, 0.8, 0.3)(Results.of(flat)).status == "reproduced"
    assert claims.rises_then_falls("mnist", "BLCD", 1, 0.8, 0.5)(Results.of(flat)).status == "not reproduced"
    assert claims.below("mnist", ("BLCD",), 1, 0.8, 0.51)(Results.of(flat)).status == "reproduced"
    assert claims.below("mnist", ("BLCD",), 1, 0.8, 0.50)(Results.of(flat)).status == "not reproduced"
    noisy = [result("FetchSGD", i, [0.7 + i / 100], 10, scenario=2) for i in range(3)]
    clean = [result("FetchSGD", i, [0.1 + i / 200], 10, scenario=2, sigma=0.0) for i in range(3)]
    judge = claims.better_with_noise("mnist", "FetchSGD", 2)
    assert judge(Results.of(noisy + clean)).status == "reproduced"
    swapped = [{**r, "sigma": 0.8 - r["sigma"]} for r in noisy + clean]
    assert judge(Results.of(swapped)).status == "not reproduced"
    close = claims.close_to_fps("mnist", "FetchSGD", (1,), 0.8, 0.15)
    assert close(two_budgets(0.8, 0.7, 0.9)).status == "reproduced"
    assert close(two_budgets(0.8, 0.5, 0.9)).status == "depends on the reading"
    assert close(two_budgets(0.8, 0.99, 0.99)).status == "not reproduced"  # far above FPS is not close
    one_falls = [result("BLCD", 0, [0.1, 0.9, 0.5], 10), result("BLCD", 1, [0.1, 0.8, 0.9], 10)]
    judge = claims.rises_then_falls("mnist", "BLCD", 1, 0.8, 0.3)
    assert judge(Results.of(one_falls)).status == "not reproduced"


@pytest.mark.parametrize(
    "outcomes,status",
    [
        (["better", "better"], "reproduced"),
        (["better", "undecided"], "undecided"),
        (["worse", "undecided"], "not reproduced"),
        (["undecided", "worse"], "not reproduced"),
        (["better", "missing"], "not measured"),
    ],
)
def test_one_worse_case_refutes_and_one_undecided_case_leaves_open(outcomes, status):
    cases = tuple(claims.Case(s, "BLCD", outcome, "steps") for s, outcome in enumerate(outcomes))
    assert claims.combine(cases).status == status


def test_fps_by_another_reading_takes_the_place_of_fps_among_the_same_rivals():
    cell = two_budgets(0.8, 0.6, 0.7)
    read = Results.of([result("FPS", i, [0.1, 0.3], 100, reading="accum") for i in range(3)]
                      + [result("BLCD", 0, [0.9], 100, reading="accum")])  # fmt: skip
    found = cell.with_fps_of(read, "accum")
    assert set(found.measured("mnist", 1, 0.8, "FPS", "accuracy").values()) == {0.3}
    assert found.cell("mnist", 1, 0.8, "FetchSGD") == cell.cell("mnist", 1, 0.8, "FetchSGD")
    assert found.cell("mnist", 1, 0.8, "BLCD") == []


def test_the_cell_of_the_table_comes_before_those_of_other_grids():
    cells_of_fps = [
        result("FPS", 0, [a], 1, reading=r) for a, r in ((0.1, "mu0"), (0.2, "default"), (0.3, ""))
    ]
    (found,) = Results.of(cells_of_fps).fps("mnist", 1, 0.8)
    assert found["reading"] == ""


def test_scores_that_are_all_tied_say_nothing():
    def run(scenario, ties, auc):
        r = result("FPS", 0, [0.95], 10, dataset="kdd12", scenario=scenario, sigma=1.0)
        r["curve"][-1] |= {"ties": ties, "auc": auc}
        return {**r, "accuracy_ties_negative": 0.95, "accuracy_ties_positive": 0.05}

    judge = claims.scores_mean_something("kdd12", "FPS", 1.0)
    tied = judge(Results.of([run(s, 1.0, 0.5) for s in (1, 2, 3, 4)]))
    assert tied.status == "not reproduced" and "95.0% or 5.0% by the tie rule" in tied.reason
    assert judge(Results.of([run(s, 0.0, 0.8) for s in (1, 2, 3, 4)])).status == "reproduced"
    for ties, auc in ((0.0, 0.5), (0.9, 0.8)):
        assert judge(Results.of([run(s, ties, auc) for s in (1, 2, 3, 4)])).status == "not reproduced"


def test_tables_show_paper_and_measurement_side_by_side():
    text = table(two_budgets(0.8, 0.6, 0.9), "mnist")
    fps, fetch = text.splitlines()[-2:]
    assert "81.31 ± 1.30" in fps and "80.00 ± 0.10" in fps
    assert "74.21 ± 0.87" in fetch and "90.00 ± 0.00" in fetch and "60.00 ± 0.00" in fetch
    assert "no, worse" in fetch and "yes (p" in fetch and text.startswith("**mnist**: real data")
    columns = {line.count("|") for line in text.splitlines() if line.startswith("|")}
    assert len(columns) == 1 and not math.isnan(len(text))
    reading = make_cell(
        "mnist",
        "quick",
        1,
        0.8,
        "FPS",
        "accum",
        "algorithm.device_sketch=accum",
        "local.mu=0.0",
        "algorithm.simulate=batched",
    )
    assert reading.mus == () and reading.name.endswith("-accum")


def test_if_every_mu_diverges_the_smallest_is_taken():
    cell = tiny_cell()
    gone = [{"cell": cell.name, "mu": mu, "status": "diverged", "curve": []} for mu in (1.0, 0.01, 0.1)]
    assert runner.best_mu(cell, gone) == 0.01


def test_a_table_of_losses_has_the_loss_of_knowing_nothing_beside():
    trials = [
        result(label, i, [9.0, 2.0], 100, dataset="synthetic", sigma=1.0)
        for label in ("FPS", "BLCD")
        for i in (0, 1)
    ]
    for i, r in enumerate(trials):
        loss = {"FPS": 1.5, "BLCD": 2.5}[r["algorithm"]] + 0.01 * (i % 2)
        r["curve"][-1] |= {"log_test_loss": loss, "zero_mse": 7.25}
    fps, blcd = table(Results.of(trials), "synthetic").splitlines()[-2:]
    assert "1.5 ± 0.0071" in fps and "2.5 ± 0.0071" in blcd and "7.25" in fps and "7.25" in blcd
    assert "yes" in blcd and "yes" not in fps
    columns = {
        line.count("|") for line in (fps, blcd, table(Results.of(trials), "synthetic").splitlines()[2])
    }
    assert len(columns) == 1


def test_a_difference_within_chance_is_undecided_and_a_missing_part_not_measured():
    judge = claims.better_with_noise("mnist", "FetchSGD", 2)
    noisy = [result("FetchSGD", i, [a], 10, scenario=2) for i, a in enumerate((0.6, 0.4, 0.5))]
    clean = [result("FetchSGD", i, [a], 10, scenario=2, sigma=0.0) for i, a in enumerate((0.4, 0.6, 0.5))]
    assert judge(Results.of(noisy + clean)).status == "undecided"
    assert claims.scores_mean_something("kdd12", "FPS", 1.0)(Results.of([])).status == "not measured"
    verdict = claims.Verdict
    halves = {"steps": verdict("not measured", "a"), "uses": verdict("reproduced", "b")}
    assert (
        claims.over_budgets(lambda results, budget: halves[budget])(Results.of([])).status == "not measured"
    )


# ---- the command -----------------------------------------------------------------------------------


def command(*arguments: str) -> int:
    import argparse

    from fpsverify.cli import reproduce

    parser = argparse.ArgumentParser()
    reproduce.add_commands(parser.add_subparsers())
    args = parser.parse_args(["reproduce", *arguments])
    return args.func(args)


def test_the_command_names_cells_and_prints_their_configs(capsys):
    from fpsverify.cli import reproduce

    assert reproduce.GRIDS == ("mnist", "fashion", "synthetic", "kdd12", "kdd10", "readings", "ablations")
    assert sorted(reproduce.GRIDS) == sorted(GRIDS)
    assert command("kdd12", "--list", "--only", "S2") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "18 cells, 60 runs" and all("-S2-" in line for line in lines[:-1])
    assert command("kdd12", "--show", "kdd12-S2-sigma1-blcd") == 0
    assert 'name = "blcd"' in capsys.readouterr().out
    for option in ("--only", "--show"):
        with pytest.raises(BadInput, match=f"^{option}: got 'nothing'"):
            command("kdd12", option, "nothing")


def test_the_command_runs_a_grid_and_writes_tables_and_verdicts(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(
        "fpsverify.reproduce.grid.cells", lambda grid, profile: [tiny_cell(), tiny_cell("BLCD")]
    )
    out = str(tmp_path / "out")
    assert command("mnist", "--out", out, "--quiet") == 0
    printed_text = capsys.readouterr().out
    assert "**mnist**: generated data, mean ± std over 2 trials." in printed_text
    assert (tmp_path / "out/tables.md").read_text() in printed_text + "\n"
    drawn = (tmp_path / "out/mnist-sigma0.8.svg").read_bytes()
    judged = json.loads((tmp_path / "out/verdicts.json").read_text())
    assert {v["claim"] for v in judged} == {c.name for c in CLAIMS if c.dataset == "mnist"}
    assert command("mnist", "--out", out, "--quiet", "--resume") == 0
    assert "6 runs were found finished" in capsys.readouterr().out
    assert (tmp_path / "out/mnist-sigma0.8.svg").read_bytes() == drawn


def test_the_command_takes_over_runs_of_other_folders(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("fpsverify.reproduce.grid.cells", lambda grid, profile: [tiny_cell("BLCD")])
    first, second = str(tmp_path / "first"), str(tmp_path / "second")
    with pytest.raises(BadInput, match="^--reuse: got .*first"):
        command("mnist", "--out", second, "--quiet", "--reuse", first)
    assert not (tmp_path / "second").exists()
    assert command("mnist", "--out", first, "--quiet") == 0
    assert command("mnist", "--out", second, "--quiet", "--reuse", first) == 0
    assert "2 runs have the config of another one" in capsys.readouterr().out


def test_the_command_makes_no_folder_for_a_scheduler_that_it_cannot_use(tmp_path):
    out = tmp_path / "out"
    with pytest.raises(BadInput, match="^--scheduler: got 'nowhere'"):
        command("synthetic", "--out", str(out), "--scheduler", "nowhere")
    assert not out.exists()


def test_curves_of_figures_are_means_over_trials():
    from fpsverify.reproduce.figures import mean_curve

    cell = [result("FPS", i, [0.1, 0.5 + i / 10], 100) for i in range(3)]
    uses, means = mean_curve([*cell, {**cell[0], "status": "diverged"}], "accuracy")
    assert uses == [0, 100] and means == pytest.approx([0.1, 0.6])
    assert mean_curve([], "accuracy") == ([], [])
