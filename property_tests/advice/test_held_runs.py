"""Runs that were once called safe at rates at which they diverge: none is advised any more.

A recommended γ is judged by the run that it is for: it stays finite and its last tenth is below f(w_0).
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from empirical.advice.advice import Advice
from empirical.advice.advise import advice_for
from empirical.advice.case import Case, case_of
from empirical.advice.pilots import make
from empirical.observed.run_models import model_of
from fpsverify import algorithms
from fpsverify import config as configs
from fpsverify.algorithms import Setup
from fpsverify.runs.loop import run
from property_tests.estimates.test_sketch_edge import HELD
from property_tests.rates import asked
from property_tests.support import chosen_hash

NETWORK = {"data": "blobs", "objective": "mlp", "samples": 400, "features": 30, "classes": 5, "hidden": 16}
RELU = {
    "problem": NETWORK,
    "algorithm": {"name": "fps", "rows": 5, "buckets": 120, "k": 120, "recovery": "median"},
}


def held(*overrides: str, **sections: Any) -> Case:
    values = {**HELD, "rounds": 150, **sections}
    return case_of(configs.parse(configs.apply_overrides(values, list(overrides))))


def demand_safe(case: Case, gamma: float) -> None:
    """The run at γ, for as many rounds as the config says."""
    made = make(case, gamma, case.config.rounds, lambda line: None).pilot
    last = [loss for t, loss in zip(made.rounds, made.losses, strict=True) if t > 0.9 * case.config.rounds]
    assert not made.diverged and np.mean(last) < made.losses[0]


def diverges(case: Case, gamma: float) -> bool:
    return make(case, gamma, case.config.rounds, lambda line: None).pilot.diverged


@pytest.mark.parametrize("recovery", ["mean", "median"])
@pytest.mark.parametrize("k", [40, 400])
def test_least_squares_with_a_compressing_sketch(k: int, recovery: str) -> None:
    """d = 400, 5x8 buckets: 1.438 and 0.719 were called safe; 1.4 diverges, 0.72 as well for k = d."""
    case = held(f"algorithm.k={k}", f"algorithm.recovery={recovery}")
    advice = advice_for(case)
    edge = advice.at_estimates.edge
    assert edge is not None and edge < 0.72 and advice.pilots[0].gamma <= edge / 2
    assert advice.edge is not None and (advice.edge == edge) == (k == 400)
    if k == 400:
        assert diverges(case, 0.72)
    _never_above(advice, 0.72)
    if advice.recommended is not None:
        demand_safe(case, advice.recommended)
    if (k, recovery) != (400, "mean"):
        assert advice.guaranteed is None
        return
    # The exact edge: what is guaranteed below it descends, and a little more than the edge diverges.
    assert advice.guaranteed is not None and advice.over_intervals.edge is not None
    assert 0.97 * advice.edge < advice.guaranteed <= advice.over_intervals.edge
    demand_safe(case, advice.guaranteed)
    assert diverges(case, 1.05 * advice.edge)


@pytest.mark.parametrize("scenario", [1, 3])
def test_a_relu_network_with_a_compressing_sketch(scenario: int) -> None:
    """d = 581, 5x120, k = 120: the sharp rate fails in 2 of 12 runs. No theorem covers it, and it says so."""
    case = held(f"devices.scenario={scenario}", "seed=1", **RELU)
    assert case.d == 581
    advice = advice_for(case)
    assert advice.guaranteed is None and "Assumption 1 fails" in advice.labels["guaranteed"]
    assert advice.recommended is not None
    demand_safe(case, advice.recommended)


def chosen(X: torch.Tensor, w_star: list[float], start: list[float], *overrides: str) -> Case:
    make_vector = lambda values: torch.tensor(values, dtype=torch.float64)  # noqa: E731
    setup: Setup = chosen_hash.setup(X, make_vector(w_star), make_vector(start), *overrides, "rounds=200")
    model = model_of(setup.problem, setup.config.local)
    return Case(algorithms.find("fps"), setup, model, False)


def test_proposition_g_from_the_sketch_of_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loss rises from the first round on at every γ: no γ is recommended, and more k or buckets are."""
    chosen_hash.use(chosen_hash.hash_of_G(), monkeypatch)
    size = ("algorithm.rows=3", "algorithm.buckets=5", "algorithm.k=1", "algorithm.initial_model=sketch")
    case = chosen(chosen_hash.rows_of_G(), [0.0] * 7, [1.0] + [0.0] * 6, *size)
    advice = advice_for(case)
    assert advice.recommended is None and advice.guaranteed is None
    assert advice.change[0].startswith("raise k (now 1 of 7), or send whole vectors")


@pytest.mark.parametrize("recovery", ["mean", "median"])
def test_proposition_m(recovery: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The median diverges from 1 on, inside the mean's range, which ends at 3/2."""
    chosen_hash.use(chosen_hash.HASH_OF_M, monkeypatch)
    X = torch.zeros(4, 2, dtype=torch.float64)
    X[0, 0] = X[1, 1] = 2.0
    size = ("algorithm.rows=3", "algorithm.buckets=1", "algorithm.k=2", f"algorithm.recovery={recovery}")
    case = chosen(X, [3.0, 1.0], [0.0, 0.0], *size)
    advice = advice_for(case)
    assert advice.edge == pytest.approx(1.5)
    assert advice.guaranteed == (pytest.approx(1.5, rel=1e-4) if recovery == "mean" else None)
    assert advice.recommended is not None and advice.recommended < 1
    demand_safe(case, advice.recommended)


def recorded(folder: Path, *overrides: str, **sections: Any) -> dict[str, Any]:
    """What every command says of a run at a small γ: `estimate`, `lr --from`, `bound --from`."""
    record = ["rounds=60", "record.verify=true", "record.checkpoint_every=10", *overrides]
    run(configs.parse(configs.apply_overrides({**HELD, **sections}, record)), folder)
    lines = {"estimate": ["estimate", str(folder), "--fast"], "lr": ["lr", "--from", str(folder)]}
    lines |= {"bound": ["bound", "--from", str(folder)], "text": ["lr", "--from", str(folder)]}
    return {name: _said(line, as_json=name != "text") for name, line in lines.items()}


def _said(line: list[str], as_json: bool) -> Any:
    code, out, _ = asked.answer([*line, "--json"] if as_json else line)
    assert code == 0
    return json.loads(out) if as_json else out


@pytest.mark.parametrize("k", [40, 400])
def test_no_command_calls_the_diverging_rate_safe(k: int, tmp_path: Path) -> None:
    """0.72 lies in Theorem A's and in the certified range, which are for exact averaging, and are said so."""
    said = recorded(tmp_path / "run", f"algorithm.k={k}", "local.gamma=0.1")
    for command in ("estimate", "lr"):
        _never_above(Advice.from_json(said[command]["advice"]), 0.72)
        assert said[command]["advice"]["edge"] < 0.72
    assert said["lr"]["certified"]["gamma_max"] > 0.72
    certified = said["text"].index("If these held: gamma")
    assert "Without a sketch, with all devices" in said["text"][:certified]
    assert "holds with a sketch only if" in said["text"]
    assert "residual stays bounded" in said["lr"]["repaired_sharp"]["status"]
    sharp = said["estimate"]["learning_rate"]["repaired_sharp"]
    assert sharp["gamma_max"] > 0.72 and "residual stays bounded" in sharp["status"]


def test_no_command_covers_the_relu_network(tmp_path: Path) -> None:
    said = recorded(tmp_path / "run", "local.gamma=0.1", "seed=1", **RELU)
    assert said["estimate"]["answer"]["covered"] is False
    assert said["estimate"]["advice"]["guaranteed"] is None is said["lr"]["advice"]["guaranteed"]
    assert said["estimate"]["advice"]["recommended"] in (None, 0.1)
    assert said["bound"]["fails"]
    shown = _said(["bound", "--from", str(tmp_path / "run")], as_json=False)
    assert shown.startswith("No proved bound for this run: ")
    answer, own = shown.split("\n\n")[0], said["bound"]["measured_average"]["estimate"]
    assert " <= " in answer and f"This run's own mean: {own:.4g}." in answer
    assert len(answer.splitlines()) <= 6 and max(map(len, answer.splitlines())) <= 80


def _never_above(advice: Advice, limit: float) -> None:
    for gamma in (advice.recommended, advice.guaranteed):
        assert gamma is None or gamma < limit
