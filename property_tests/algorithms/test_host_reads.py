"""A round keeps an accelerator busy: its values are looked at a few times, however many devices and steps."""

import math
from typing import Any

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from fpsverify.config import LocalConfig, RunConfig
from fpsverify.distributed.ranks import alone
from fpsverify.local import check_finite, dense_updates
from fpsverify.problems.problem import DenseProblem
from fpsverify.runs.loop import prepare, rounds
from fpsverify.sketch.sketch import CountSketch, SketchSpec
from fpsverify.vectors import DenseUpdates, SparseUpdates, SparseVector
from property_tests.algorithms.test_objectives import KINDS
from property_tests.algorithms.test_objectives import build as objective_of

# What makes a program wait for an accelerator: a number is read, or a shape depends on values.
WAITS = ("aten::_local_scalar_dense", "aten::nonzero", "aten::equal", "aten::masked_select", "aten::_unique2")
# Finite updates, tables, sum and model; power, norms of updates and model; five in the scan for the largest.
MOST_READS = 12


class Reads(TorchDispatchMode):
    """Counts the operations that wait."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.count += function.name().split(".")[0] in WAITS
        return function(*args, **(kwargs or {}))


def reads_of_a_round(monkeypatch: pytest.MonkeyPatch, M: int, E: int, **more: Any) -> int:
    """Of round 2: nothing is made for the first time in it."""
    config = RunConfig.model_validate(
        {
            "rounds": 3,
            "problem": {"samples": 200, "test_samples": 20, "features": 20},
            "devices": {"M": M},
            "local": {"E": E, "batch": 4, "mu": 0.1},
            "algorithm": {"buckets": 40, "k": 20},
            "record": {"evaluate_every": 100},
            **more,
        }
    )
    monkeypatch.setenv("FPSVERIFY_BACKEND", "torch")
    algorithm, setup, _ = prepare(config)
    following = rounds(algorithm, setup, algorithm.init(setup), 1)
    next(following)
    lists = []
    with monkeypatch.context() as patch, Reads() as seen:
        plain = torch.Tensor.tolist
        patch.setattr(torch.Tensor, "tolist", lambda x: lists.append(x.device) or plain(x))
        next(following)
    return seen.count + len(lists)


def test_reads_of_a_round_do_not_grow_with_devices_or_steps(monkeypatch) -> None:
    few = reads_of_a_round(monkeypatch, M=2, E=1)
    assert few == reads_of_a_round(monkeypatch, M=2, E=5) == reads_of_a_round(monkeypatch, M=11, E=2)
    assert 0 < few <= MOST_READS + 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("unit", ["steps", "epochs"])
def test_local_steps_and_sketch_run_where_nothing_can_be_read(
    kind: str, dtype: torch.dtype, unit: str
) -> None:
    """On torch's `meta` device tensors have no values: whoever looks at one, or makes one elsewhere, fails.
    Devices whose last batches are shorter have weights."""
    objective, M, n = objective_of(kind, 6, 5, 3), 4, 10
    X = torch.empty(M * n, 6, dtype=dtype, device="meta")
    y = torch.empty(M * n, dtype=torch.int64, device="meta")
    shards = tuple(np.arange(m * n, (m + 1) * n - m) for m in range(M))
    start = torch.empty(objective.d, dtype=dtype, device="meta")
    problem = DenseProblem(objective, X, y, shards, X, y, "multiclass", 1, start)
    local = LocalConfig(E=3, batch=3, mu=0.1, unit=unit)
    updates = dense_updates(problem, start, local, 1, alone(M))
    assert updates.values.shape == (M, objective.d) and updates.values.is_meta
    assert updates.values.dtype == objective.loss(start[None], X[None], y[None]).dtype == dtype
    zero = CountSketch.zeros(SketchSpec(3, 8, objective.d, 1), batch=M, device="meta", dtype=dtype)
    assert zero.add(updates).mean().table.is_meta


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("m", [0, 2])
def test_one_look_at_all_devices_finds_what_a_look_at_each_finds(bad: float, m: int) -> None:
    values = torch.full((3, 4), 1.7e308, dtype=torch.float64)  # sums and norms overflow, no value does
    parts = tuple(SparseVector(9, torch.arange(4), row) for row in values)
    for updates in (DenseUpdates(values), SparseUpdates(parts)):
        check_finite(updates, 1)
    values[m, 1] = bad  # the sparse parts are views of it
    for updates in (DenseUpdates(values), SparseUpdates(parts)):
        with pytest.raises(Exception, match=f"device {m}"):
            check_finite(updates, 1)
