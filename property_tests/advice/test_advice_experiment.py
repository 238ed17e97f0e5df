"""The experiments on the advice: what is called safe, what a limit, what is counted."""

import math
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.estimates import advice, advice_runs
from benchmarks.estimates.advice_problems import LOSSES, ROUNDS, STEPS, case, problems
from benchmarks.estimates.advice_runs import EVERY, final, is_safe, run, search, true_limit
from benchmarks.estimates.advice_table import regret
from empirical.advice.pilots import drawn

POINTS = ROUNDS // EVERY + 1


def falling(rate: float) -> list[float]:
    return [math.exp(-rate * EVERY * i) for i in range(POINTS)]


def test_a_run_is_safe_if_it_gets_to_the_end_below_its_start() -> None:
    assert is_safe(falling(0.01), 300) and is_safe(falling(0.01), 100)
    assert not is_safe(falling(0.01)[:-1], 300) and is_safe(falling(0.01)[:-1], 100)
    late = falling(0.01)[:-6] + [2.0] * 6
    assert not is_safe(late, 300) and is_safe(late, 100)
    assert not is_safe([1.0, *[1.0] * (POINTS - 1)], 300)


def test_the_end_of_a_run_is_its_last_tenth() -> None:
    losses = [float(EVERY * i) for i in range(POINTS)]
    assert final(losses, 300) == pytest.approx((275 + 300) / 2)
    assert final(losses, 100) == pytest.approx((95 + 100) / 2)


@given(st.floats(-2, 2), st.integers(-3, 3))
def test_the_true_limit_is_within_a_fourth_of_an_octave_below_the_border(border: float, start: int) -> None:
    losses = lambda gamma: falling(0.01 * gamma) if gamma <= 2.0**border else [1.0]  # noqa: E731
    grid = search(lambda j: losses(2.0**j), start)
    found = true_limit(grid, losses)
    assert found is not None and found <= 2.0**border < 2**0.25 * found * (1 + 1e-12)


def test_without_a_border_the_limit_is_infinite_and_without_a_safe_rate_there_is_none() -> None:
    assert true_limit(search(lambda j: falling(0.01), 0), lambda gamma: falling(0.01)) == math.inf
    assert true_limit(search(lambda j: [1.0], 0), lambda gamma: [1.0]) is None


def row(gamma: float, loss: float | None, best: float, limit: Any) -> dict[str, Any]:
    found = {"gamma": gamma, "loss_100": loss, "safe_100": loss is not None and loss < 1}
    return {
        "f_0": 1.0,
        "limit": limit,
        "best": {"100": {"gamma": 1.0, "loss": best}},
        "forms": {"paper": found, "recommended_100": found},
        "held_out": True,
    }


def test_regret_is_the_share_of_the_possible_gain_that_was_missed() -> None:
    assert regret(row(1.0, 0.2, 0.2, 2.0), "paper", 100) == 0
    assert regret(row(1.0, 1.0, 0.2, 2.0), "recommended", 100) == 1
    assert regret(row(1.0, 0.6, 0.2, 2.0), "paper", 100) == pytest.approx(0.5)
    assert regret(row(1.0, None, 0.2, 2.0), "paper", 100) == math.inf
    assert regret(row(1.0, 2.0, 1.0, None), "paper", 100) is None
    assert regret(row(1.0, 0.6, 0.2, 2.0), "half", 100) == 1  # it gave no γ, so nothing was gained


def test_about_half_of_the_problems_are_held_out_and_nothing_of_them_is_in_the_other_half() -> None:
    everyone = list(problems())
    assert everyone == list(problems()) and len({p.name for p in everyone}) == len(everyone) >= 150
    halves = [[p for p in everyone if p.held_out == held] for held in (False, True)]
    assert min(map(len, halves)) >= 0.45 * len(everyone)
    for half in halves:
        assert {p.loss for p in half} == set(LOSSES) and {p.E for p in half} == set(STEPS)
    known, fresh = ({p.seed for p in half} for half in halves)
    assert known.isdisjoint(fresh)


def test_the_experiment_continues_where_it_stopped(tmp_path: Path) -> None:
    """One small problem in full: asked, run and judged once; the second call has nothing to do."""
    known = (p for p in problems() if not p.held_out and (p.loss, p.E) == ("logistic", 1))
    chosen = [next(p for p in known if p.compression == "none")]
    said: list[str] = []
    assert advice.collect(chosen, tmp_path, math.inf, said.append)
    before = (tmp_path / "curves.jsonl").read_bytes()
    assert advice.collect(chosen, tmp_path, math.inf, said.append) and len(said) == 1
    assert (tmp_path / "curves.jsonl").read_bytes() == before
    found = advice.result(tmp_path)
    assert found["rows"][0]["forms"]["recommended_300"]["safe_300"]
    assert not advice.collect([*chosen, next(problems())], tmp_path, -1.0, said.append)
    again, earlier = tmp_path / "again", {row["problem"]: row for row in found["rows"]}
    again.mkdir()
    assert advice.collect(chosen, again, math.inf, said.append, earlier)
    assert not (again / "curves.jsonl").exists()
    assert advice.result(again)["rows"][0]["forms"] == found["rows"][0]["forms"]


def test_runs_are_kept_only_where_every_rate_came_out_the_same() -> None:
    before = {"problem": "p", "rule": "old", "limit": 2.0, "forms": {"paper": 1, "half": 2}}
    before |= {"gammas": {"paper": 0.5, "half": 0.25, "certified": None}}
    same = {"problem": "p", "rule": "new", "gammas": {"paper": 0.5 * (1 + 1e-12)}}
    found = advice.kept(same, before)
    assert found is not None and found["rule"] == "new"
    assert found["forms"] == {"paper": 1}
    for changed in ({"paper": 0.501}, {"paper": 0.5, "half": 0.1}, {"certified": 0.1}, {"theorem_a": 0.1}):
        assert advice.kept(same | {"gammas": changed}, before) is None
    assert advice.kept(same, None) is None
    assert advice.kept(same, before | {"limit": None}) is None  # the grid had found no safe rate


def test_other_draws_change_the_hash_the_batches_and_the_noise_and_nothing_else() -> None:
    noisy = next(p for p in problems() if p.held_out and p.sigma and p.batch and p.compression != "none")
    own = case(noisy).at(0.01)
    other = drawn(own, 1)
    assert other.seed == other.problem.seed not in (own.seed, drawn(own, 2).seed)
    assert torch.equal(own.problem.start, other.problem.start)
    assert all(map(np.array_equal, own.problem.shards, other.problem.shards))
    assert run(case(noisy), 0.01) != run(case(noisy), 0.01, 1)
    same = lambda p: p.compression == "none" and not p.batch and not p.sigma and p.n == 4  # noqa: E731
    quiet = case(next(filter(same, problems())))
    assert run(quiet, 0.01) == run(quiet, 0.01, 1)


def test_the_grid_goes_down_to_a_safe_rate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    border = 2.0**-12
    monkeypatch.setattr(
        advice_runs, "run", lambda subject, gamma, draw=None: falling(0.01) if gamma <= border else [1.0]
    )
    asked = {"gammas": {"half": 1.0, "recommended_100": border / 2, "recommended_300": border / 2}}
    found = advice.judge("p", cast(Any, None), asked, advice_runs.Curves(tmp_path / "curves.jsonl"))
    assert found["limit"] == border
