"""From a config to a problem: data, its partition over devices, and the objective."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch

from fpsverify.batches import demand_batch
from fpsverify.config import RunConfig
from fpsverify.data.generated import blobs, clicks, synthetic_regression
from fpsverify.data.labelled import DenseData, SparseData, validation_split
from fpsverify.data.libsvm import load_converted
from fpsverify.data.mnist import load_images
from fpsverify.data.partition import from_file, partition
from fpsverify.device import parse_device
from fpsverify.errors import BadInput
from fpsverify.memory import demand_room
from fpsverify.objectives import DenseObjective, LeastSquares, Logistic, Softmax, SparseLogistic, TwoLayerMLP
from fpsverify.problems.problem import DenseProblem, Problem, SparseProblem
from fpsverify.rng import numpy_generator, torch_generator

if TYPE_CHECKING:
    from fpsverify.own.federation import Federation

DTYPES = {"float32": torch.float32, "float64": torch.float64}


@dataclass(frozen=True)
class Built:
    problem: Problem
    provenance: str
    dtype: torch.dtype
    device: torch.device


def build(config: RunConfig, accelerator: int | None = None, federation: Federation | None = None) -> Built:
    """`accelerator`: the one to take if the config names a kind of accelerator and not which.

    `federation`: the problem of a config whose data are `own`.
    """
    demand_room(config)
    if federation is not None or config.problem.data == "own":
        return own_problem(config, federation)
    dtype, device = DTYPES[config.dtype], parse_device(config.device)
    if accelerator is not None and device.type != "cpu" and device.index is None:
        device = parse_device(f"{device.type}:{accelerator}")
    data = training_data(config)
    shards = shards_of(config, data)
    demand_batch(config, [len(shard) for shard in shards])
    if isinstance(data, SparseData):
        problem: Problem = SparseProblem(
            SparseLogistic(data.d),
            data.train,
            shards,
            data.test,
            config.seed,
            torch.unique(data.train.indices),
            dtype,
        )
    else:
        problem = dense_problem(data, objective_for(config, data), shards, config.seed, dtype, device)
    return Built(problem, data.provenance, dtype, device)


def training_data(config: RunConfig) -> DenseData | SparseData:
    """The data without the rows that are held out for tuning."""
    data = load_data(config)
    if config.problem.validation:
        data = validation_split(data, config.problem.validation, config.seed)
    return data


def shards_of(config: RunConfig, data: DenseData | SparseData) -> tuple[np.ndarray, ...]:
    """The row numbers of each device: a scenario, Dirichlet(α), or lists in a file."""
    devices, groups = config.devices, data.groups
    if devices.partition is not None:
        return from_file(Path(devices.partition), devices.M, len(groups), devices.partition_digest)
    few = devices.classes_per_device if devices.scenario == 2 and devices.alpha is None else None
    return partition(
        groups, devices.M, devices.scenario, config.seed, classes_per_device=few, alpha=devices.alpha
    )


def own_problem(config: RunConfig, federation: Federation | None) -> Built:
    """No file that a config names is run here: who has the user's consent hands over what it made."""
    if federation is None and config.problem.source is not None:
        raise untrusted(config)
    if federation is None:
        raise BadInput(
            "problem.data",
            "own",
            "its federation: call fps.estimate(folder, federation) in Python; report, lr --from and bound "
            "--from then read what it stored; "
            "a run made with --problem FILE.py:FUNCTION finds it by itself",
        )
    if config.problem.data != "own":
        raise BadInput(
            "federation", federation, f"none: this config has data of its own, {config.problem.data}"
        )
    federation.demand(config.problem.federation, f"this config ({config.problem.federation})")
    if config.devices.M != federation.M:
        raise BadInput("devices.M", config.devices.M, f"{federation.M}, the devices of the federation")
    demand_batch(config, federation.sizes)
    return Built(federation.problem(config.seed), federation.provenance, federation.dtype, federation.device)


def untrusted(config: RunConfig) -> BadInput:
    right = (
        "your consent to run this file: --trust, or --problem FILE.py:FUNCTION with your own; "
        "in Python trust=True, or the federation"
    )
    return BadInput("problem.source", config.problem.source, right)


def load_data(config: RunConfig) -> DenseData | SparseData:
    p, seed = config.problem, config.seed
    if p.data == "blobs":
        return blobs(p.samples, p.test_samples, p.features, p.classes, seed=seed)
    if p.data == "synthetic":
        distributions = 1 if config.devices.scenario == 1 else 2
        return synthetic_regression(
            p.samples, p.test_samples, p.features, p.power_law, distributions=distributions, seed=seed
        )
    if p.data in ("mnist", "fashion"):  # pragma: no cover: real images need a network
        return subset(load_images(p.data), p.samples, p.test_samples, seed)
    stored = load_converted(p.data, p.samples, p.test_samples, seed)
    return stored or clicks(p.data, p.samples, p.test_samples, seed=seed)


def subset(data: DenseData, samples: int, test_samples: int, seed: int) -> DenseData:
    """A random subset of a data set."""
    for field, wanted, there in (
        ("problem.samples", samples, len(data.X)),
        ("problem.test_samples", test_samples, len(data.X_test)),
    ):
        if wanted > there:
            raise BadInput(field, wanted, f"at most {there}")
    train = numpy_generator(seed, "subset", "train").permutation(len(data.X))[:samples]
    test = numpy_generator(seed, "subset", "test").permutation(len(data.X_test))[:test_samples]
    return replace(
        data,
        X=data.X[train],
        y=data.y[train],
        groups=data.groups[train],
        X_test=data.X_test[test],
        y_test=data.y_test[test],
        provenance=f"{data.provenance}, {len(train)} training and {len(test)} test rows",
    )


def objective_for(config: RunConfig, data: DenseData) -> DenseObjective:
    name, features = config.problem.objective, data.features
    regression = data.task == "regression"
    if regression != (name == "least_squares"):
        raise BadInput("problem.objective", name, f"an objective for {data.task}")
    if name == "logistic" and data.classes != 2:
        raise BadInput("problem.classes", data.classes, "2 for logistic regression, or objective softmax")
    if name == "least_squares":
        return LeastSquares(features)
    if name == "logistic":
        return Logistic(features)
    if name == "softmax":
        return Softmax(features, data.classes)
    return TwoLayerMLP(features, config.problem.hidden, data.classes)


def dense_problem(
    data: DenseData,
    objective: DenseObjective,
    shards: tuple[np.ndarray, ...],
    seed: int,
    dtype: torch.dtype,
    device: torch.device,
) -> DenseProblem:
    y_dtype = dtype if data.task == "regression" else torch.int64
    start = objective.initial(torch_generator(seed, "initial model"), dtype).to(device)
    return DenseProblem(
        objective,
        data.X.to(device, dtype),
        data.y.to(device, y_dtype),
        shards,
        data.X_test.to(device, dtype),
        data.y_test.to(device, y_dtype),
        data.task,
        seed,
        start,
    )
