"""A grid on disk: every run stored at once, resumed where it was, the same files in the end."""

import dataclasses
import json
import shutil

import pyarrow.parquet as pq
import pytest

from fpsverify import tables
from fpsverify.errors import BadInput, FpsError
from fpsverify.grids import executors, store
from fpsverify.grids.store import read_results
from fpsverify.grids.task import stored, taken_over
from fpsverify.reproduce import grid
from fpsverify.reproduce.tables import Results, table
from property_tests.support.small_runs import tiny_cell


def test_a_grid_stores_every_run_and_merges_them(tmp_path):
    found = [tiny_cell(), tiny_cell("BLCD")]
    seen = []
    outcome = grid.run_grid(found, tmp_path, progress=seen.append)
    assert len(seen) == grid.count_tasks(found) == 2 + 2 + 2 and outcome.reused == 0
    assert len(list((tmp_path / "cells").glob("*.json"))) == 6
    rows = pq.read_table(tmp_path / "results.parquet").to_pylist()
    assert [r["kind"] for r in rows].count("tuning") == 2
    results = [r for r in rows if r["kind"] == "trial"]
    expected = [(label, trial, 101 + trial) for label in ("BLCD", "FPS") for trial in (0, 1)]
    assert [(r["algorithm"], r["trial"], r["seed"]) for r in results] == expected
    for row in results:
        assert row["config_digest"] and json.loads(row["versions"])["torch"] and 0 <= row["accuracy"] <= 1
        assert row["provenance"].startswith("generated") and row["status"] == "done"
    curves = [c for c in pq.read_table(tmp_path / "curves.parquet").to_pylist() if c["kind"] == "trial"]
    assert {c["round"] for c in curves} == {0, 2, 4, 6}
    assert [c["uses"] for c in curves if c["algorithm"] == "BLCD" and c["trial"] == 0] == [0, 14, 28, 42]
    assert results[-1]["mu"] == outcome.tuned["mnist-S1-sigma0.8-fps"]


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
    apart = {r["task"]: r for c in (one, twin) for r in grid.run_grid([c], tmp_path / c.name).trials}
    names = counted(monkeypatch)
    outcome = grid.run_grid([one, twin], tmp_path / "both")
    assert {r["task"]: r for r in outcome.trials} == apart and len(apart) == 4
    assert len(names) == 2 and (outcome.reused, outcome.shared) == (0, 2)
    assert {r["task"]: r for r in read_results(tmp_path / "both")} == apart
    again = grid.run_grid([one, twin], tmp_path / "both", resume=True)
    assert (again.reused, again.shared) == (4, 0) and len(names) == 2


def test_runs_of_another_grid_are_taken_over_if_their_config_is_equal(tmp_path, monkeypatch):
    one = tiny_cell("BLCD")
    twin, faster = dataclasses.replace(one, reading="default"), tiny_cell("BLCD", "local.gamma=0.2")
    other = grid.run_grid([one], tmp_path / "one").trials
    names = counted(monkeypatch)
    outcome = grid.run_grid([twin], tmp_path / "two", other=other)
    assert not names and outcome.shared == 2
    assert outcome.trials == grid.run_grid([twin], tmp_path / "apart").trials and len(names) == 2
    grid.run_grid([faster], tmp_path / "three", other=other)
    assert len(names) == 4
    task, *_ = grid.trial_tasks(faster, None)
    with pytest.raises(ValueError, match="a run of another config"):
        taken_over(task, other[0], tmp_path)


def test_the_columns_alone_are_enough_to_go_on_and_to_show(tmp_path):
    """Tables, tuned μ and the columns themselves do not change when the files of the runs are gone."""
    found = [tiny_cell(), tiny_cell("BLCD")]
    whole = grid.run_grid(found, tmp_path)
    before = [(tmp_path / name).read_bytes() for name in ("results.parquet", "curves.parquet")]
    shutil.rmtree(tmp_path / "cells")
    with pytest.raises(BadInput, match="--out: got .* add --resume"):
        grid.run_grid(found, tmp_path)
    again = grid.run_grid(found, tmp_path, resume=True)
    assert again.reused == 6 and again.tuned == whole.tuned
    assert [(tmp_path / name).read_bytes() for name in ("results.parquet", "curves.parquet")] == before
    assert table(Results.of(again.trials), "mnist") == table(Results.of(whole.trials), "mnist")


@pytest.mark.parametrize("grown", [False, True])
@pytest.mark.parametrize("written", range(3))
def test_a_grid_killed_between_its_two_files_goes_on_to_the_same_bytes(written, grown, tmp_path, monkeypatch):
    """New, and with another cell beside finished ones."""
    found, place = [tiny_cell(mus=()), tiny_cell("BLCD")], tmp_path / "killed"
    grid.run_grid(found, tmp_path / "whole")
    if grown:
        grid.run_grid(found[:1], place)
    original, left = tables.write_atomically, iter(range(written))

    def write(path, how):
        if next(left, None) is None:
            raise KeyboardInterrupt
        original(path, how)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(tables, "write_atomically", write)
        for _ in range(3):
            grid.run_grid(found, place, resume=True)
    grid.run_grid(found, place, resume=True)
    for name in (store.RESULTS, store.CURVES):
        assert (place / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_damaged_columns_are_one_line(tmp_path):
    grid.run_grid([tiny_cell()], tmp_path)
    (tmp_path / "results.parquet").write_bytes(b"PAR1 torn")
    with pytest.raises(FpsError, match="results.parquet: unreadable") as caught:
        grid.run_grid([tiny_cell()], tmp_path, resume=True)
    assert "\n" not in str(caught.value)


def test_a_stored_result_of_another_config_is_not_taken(tmp_path):
    cell, faster = tiny_cell(mus=()), tiny_cell("FPS", "local.gamma=0.2", mus=())
    grid.run_grid([cell], tmp_path)
    assert stored(grid.trial_tasks(cell, None)[0], tmp_path) is not None
    assert stored(grid.trial_tasks(faster, None)[0], tmp_path) is None
    shutil.rmtree(tmp_path / "cells")  # the columns are left
    assert grid.run_grid([faster], tmp_path, resume=True).reused == 0
