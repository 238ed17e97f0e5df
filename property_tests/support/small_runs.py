"""Small configurations for tests of runs: a second each at most, every field overridable."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fpsverify import config as configs
from fpsverify.config import RunConfig
from fpsverify.data.labelled import CsrRows
from fpsverify.problems.problem import DenseProblem, SparseProblem
from fpsverify.reproduce.grid import NAMES, Cell
from fpsverify.runs.loop import run

SMALL: dict[str, Any] = {
    "seed": 3,
    "rounds": 6,
    "dtype": "float64",
    "problem": {"objective": "softmax", "samples": 120, "test_samples": 40, "features": 6, "classes": 3},
    "devices": {"M": 4, "scenario": 4},
    "local": {"E": 3, "batch": 5, "gamma": 0.1},
    "algorithm": {"name": "fps", "rows": 3, "buckets": 16, "k": 7},
    "channel": {"kind": "gaussian", "sigma": 0.1},
    "record": {"evaluate_every": 2, "checkpoint_every": 2, "verify": True},
}


def small(*overrides: str) -> RunConfig:
    """The small FPS run with `section.key=value` overrides."""
    values = configs.apply_overrides(SMALL, list(overrides))
    if values["algorithm"]["name"] == "fresh" and not any("algorithm.k=" in one for one in overrides):
        del values["algorithm"]["k"]
    return configs.parse(values)


def small_for(algorithm: str) -> RunConfig:
    """A small run of any registered algorithm."""
    extra = ["devices.M=1", "devices.scenario=1"] if algorithm == "mission" else []
    return small(f"algorithm.name={algorithm}", *extra)


def finished_and_copy(config: RunConfig, then: Callable[[Path], Any] | None = None) -> tuple[Any, Any]:
    """Two fixtures, the first to be named `whole`: a finished run, made once, and a copy for each test."""

    @pytest.fixture(scope="module")
    def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
        folder = tmp_path_factory.mktemp("whole") / "run"
        run(config, folder)
        if then is not None:
            then(folder)
        return folder

    @pytest.fixture
    def folder(whole: Path, tmp_path: Path) -> Path:
        return Path(shutil.copytree(whole, tmp_path / "run"))

    return whole, folder


RECORDS = ("rounds.parquet", "summary.json", "config.toml")


def record_of(folder: Path) -> dict[str, bytes]:
    """The bytes of what a run leaves beside its checkpoints."""
    return {name: (folder / name).read_bytes() for name in RECORDS}


class Stop(Exception):
    """Stands for any sudden end inside a round."""


def stop_at(t: int, how: type[BaseException] = Stop) -> Any:
    """For `progress`: end the run after round t."""

    def progress(row: dict[str, Any]) -> None:
        if row["round"] == t:
            raise how

    return progress


SPARSE = (
    "problem.data=kdd12",
    "problem.objective=sparse_logistic",
    "algorithm.buckets=64",
    "algorithm.k=9",
    "algorithm.scan=support",
)


def densified(problem: SparseProblem, objective: Any) -> DenseProblem:
    """The same problem with its rows written out, for sparse problems of small d."""
    X, X_test = dense_rows(problem.train), dense_rows(problem.test)
    return DenseProblem(
        objective,
        X.to(problem.dtype),
        problem.train.labels.to(problem.dtype),
        problem.shards,
        X_test.to(problem.dtype),
        problem.test.labels.to(problem.dtype),
        "binary",
        problem.seed,
        problem.start.dense(),
    )


def dense_rows(rows: CsrRows) -> Any:
    import torch

    X = torch.zeros(rows.n, rows.d, dtype=torch.float64)
    X.index_put_((rows.owner(), rows.indices), rows.values.double(), accumulate=True)
    return X


def tiny_cell(
    label: str = "FPS", *overrides: str, trials: int = 2, mus: tuple[float, ...] = (0.0, 0.5)
) -> Cell:
    """A cell of a grid that runs in no time."""
    k = "algorithm.k=7"
    config = small(f"algorithm.name={NAMES[label]}", k, "record.verify=false", *overrides)
    return Cell("mnist", 1, 0.8, label, config, trials, 20, mus if label == "FPS" else ())
