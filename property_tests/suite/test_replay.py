"""The runs of a grid that takes hours are current if a sample of them, run again, agrees."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import provenance, replay
from benchmarks import results as commands
from fpsverify.files import json_safe
from fpsverify.grids.store import write_columns
from fpsverify.grids.task import Result, Task, measure
from property_tests.support.small_runs import small


def run_of(seed: int, algorithm: str) -> Result:
    """A trial of a small grid, as it is stored."""
    config = small(f"seed={seed}", "rounds=4", "record.verify=false")
    labels = {"dataset": "mnist", "scenario": 1, "sigma": 0.0, "algorithm": algorithm, "reading": ""}
    task = Task(f"cell-{algorithm}", "trial", seed, config, {**labels, "mu": config.local.mu})
    return json_safe(measure(task))


@pytest.fixture(scope="module")
def trials() -> list[Result]:
    return [run_of(seed, name) for name in ("FPS", "BLCD") for seed in (1, 2, 3)]


def damaged(result: Result, by: float) -> Result:
    last = {**result["curve"][-1], "accuracy": result["curve"][-1]["accuracy"] + by}
    return {**result, "curve": [*result["curve"][:-1], last]}


def test_a_run_that_is_repeated_gives_every_stored_number(trials: list[Result]) -> None:
    assert replay.same_numbers(trials[0], replay.replay(trials[0]))
    assert not replay.same_numbers(damaged(trials[0], 1e-12), replay.replay(trials[0]))


def test_every_algorithm_is_replayed_before_one_is_replayed_twice(trials: list[Result]) -> None:
    for runs in range(1, 7):
        chosen = replay.sample(trials, runs)
        counts = [sum(r["algorithm"] == name for r in chosen) for name in ("FPS", "BLCD")]
        assert len(chosen) == runs and max(counts) - min(counts) <= 1
    assert replay.sample(trials, 3) == replay.sample(trials[::-1], 3) != replay.sample(trials, 3, seed=1)


@given(st.floats(-2, 2))
def test_a_difference_agrees_within_what_seeds_do(trials: list[Result], share: float) -> None:
    """Three seeds at −s, 0 and s about their mean have standard deviation s; t(2) is at 22.3 for 0.1 %."""
    centre = trials[0]
    cell = [damaged({**centre, "trial": i}, by) for i, by in enumerate((-0.01, 0.0, 0.01))]
    limit = replay.allowed(cell, centre, "accuracy")
    assert limit == pytest.approx(22.3271 * 0.01 * 2**0.5, rel=1e-4)
    row = replay.compared(centre, damaged(centre, share * limit), "accuracy", limit)
    assert row["agrees"] == (abs(row["replayed"] - row["stored"]) <= limit)
    assert row["exact"] == (row["replayed"] == row["stored"])


def test_a_replay_is_recorded_and_one_that_disagrees_makes_the_grid_old(
    trials: list[Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "ROOT", tmp_path)
    for name, found in (("good", trials), ("bad", [{**r, "status": "diverged"} for r in trials])):
        folder = tmp_path / "reproduced" / name
        folder.mkdir(parents=True)
        write_columns(found, folder)
        assert replay.record(folder) == (name == "good")
    stored = commands.stored(tmp_path)
    assert set(stored) == {"reproduced/good/replay", "reproduced/bad/replay"}
    assert provenance.why_old(stored["reproduced/good/replay"]) == ""
    assert "run again" in provenance.why_old(stored["reproduced/bad/replay"])
    assert all(row["exact"] for row in stored["reproduced/good/replay"]["replayed"])
