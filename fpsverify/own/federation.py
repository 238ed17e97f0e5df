"""A problem of one's own: any `nn.Module`, any loss, and a data set for each device."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from fpsverify.data import given_parts, holdings
from fpsverify.errors import BadInput
from fpsverify.own import checks as module_checks
from fpsverify.own import identity as federation_identity
from fpsverify.own import rows as device_rows
from fpsverify.own.objective import Criterion, ModuleObjective
from fpsverify.own.parts import listed
from fpsverify.own.problem import KINDS, Kind, ModuleProblem, kind_of
from fpsverify.own.rows import Rows


class Federation:
    """What M devices learn together: f(w) = (1/M) Σ_m l_m(w), with l_m the mean loss over device m's rows.

        Federation(module, torch.nn.functional.cross_entropy, [device_0, device_1, …], test=held_out)
        Federation(module, torch.nn.MSELoss(), everything, parts=[[0, 2, 5], [1, 3, 4]])

    module    takes one tensor of inputs; training starts at its own parameters; it is copied, not changed
    loss      loss(outputs, targets) → one number, the mean over rows
    datasets  one Dataset, DataLoader or (inputs, targets) pair per device; with `parts` a single one;
              or a partitioner of flwr-datasets (anything with load_partition and num_partitions)
    parts     the row numbers of each device
    test      a data set for metrics; without it they are those of the training rows, named train_…
    metrics   "multiclass", "binary", "regression" or "loss"; by default what fits outputs and targets

    Layers that mix rows or draw at random (BatchNorm, Dropout) are refused in training mode.
    """

    def __init__(
        self,
        module: nn.Module,
        loss: Criterion,
        datasets: Any,
        test: Any = None,
        *,
        parts: Sequence[Sequence[int]] | None = None,
        metrics: Kind | None = None,
    ) -> None:
        if not callable(loss):
            raise BadInput("loss", type(loss).__name__, "a function of outputs and targets")
        if isinstance(loss, type):
            raise BadInput("loss", f"the class {loss.__name__}", f"an instance of it: {loss.__name__}()")
        rows, self.shards = _devices(datasets, parts)
        held = device_rows.read(test, "test") if test is not None else None
        if held is not None:
            device_rows.demand_alike(held, rows, "test", "the devices")
        self.device = rows.inputs.device
        self.dtype = module_checks.check_parameters(module, self.device)
        self.X, self.y = _flat(rows, self.dtype)
        self.X_test, self.y_test = (self.X, self.y) if held is None else _flat(held, self.dtype)
        self.tested = held is not None
        self.objective = _objective(module, loss, rows)
        self.start = self.objective.initial(torch.Generator(self.device), self.dtype)
        module_checks.check_behaviour(self.objective, self.start, self.X, self.y)
        if self.tested:
            _check_test(self)
        together = module_checks.goes_together(self.objective, self.start, self.X, self.y)
        self.objective = replace(self.objective, together=together)
        self.metrics = _metrics(metrics, self)
        self.identity = _identity(self)

    @property
    def d(self) -> int:
        """Trainable parameters."""
        return self.objective.d

    @property
    def M(self) -> int:
        """Devices."""
        return len(self.shards)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Rows per device."""
        return tuple(len(shard) for shard in self.shards)

    @property
    def provenance(self) -> str:
        test = f"{len(self.y_test)} test rows" if self.tested else "no test rows"
        fewest, most = min(self.sizes), max(self.sizes)
        rows = f"{most} rows each" if fewest == most else f"{fewest} to {most} rows each"
        name = type(self.objective.module).__name__
        return f"own data and {name}, {self.M} devices with {rows}, {test}{self._shared}"

    @property
    def _shared(self) -> str:
        """Rows that devices share, or one has twice: legal, and often a slip in `parts`."""
        _, counts = np.unique(np.concatenate(self.shards), return_counts=True)
        more = int((counts > 1).sum())
        return f"; {more} of {len(counts)} rows are given more than once" if more else ""

    def problem(self, seed: int) -> ModuleProblem:
        """As algorithms see it; the seed decides the mini-batches."""
        return ModuleProblem(
            self.objective,
            self.X,
            self.y,
            self.shards,
            self.X_test,
            self.y_test,
            "regression" if self.metrics == "loss" else self.metrics,
            seed,
            self.start,
            kind=self.metrics,
            tested=self.tested,
        )

    def module(self, w: Tensor | None = None) -> nn.Module:
        """A copy of the module with the parameters w (d,); without w, with those it came with."""
        made = copy.deepcopy(self.objective.module)
        values = self.objective.named(self.start if w is None else w)
        with torch.no_grad():
            for name, p in made.named_parameters():
                if name in values:
                    p.copy_(values[name])
        return made

    def plot(self) -> Any:
        """Who holds what: rows of each class on each device, as a matplotlib figure."""
        classes = self.metrics in ("multiclass", "binary") and self.y.ndim == 1
        groups = self.y.cpu().numpy() if classes else np.zeros(len(self.y))
        return holdings.picture(groups, self.shards)

    def demand(self, identity: str | None, where: str) -> None:
        """Refuse to stand in for another federation."""
        if identity is not None and identity != self.identity:
            told = ", ".join(federation_identity.changed(identity, self.identity))
            raise BadInput("federation", f"another {told}", f"the federation of {where}")

    def __repr__(self) -> str:
        name = type(self.objective.module).__name__
        return f"Federation({name}, d={self.d}, M={self.M}, {self.metrics}{self._shared})"


def _devices(datasets: Any, parts: Sequence[Sequence[int]] | None) -> tuple[Rows, tuple[Any, ...]]:
    """All rows, and the row numbers of each device."""
    if parts is not None:
        given = listed(parts)
        rows = device_rows.read(datasets, "datasets")
        return rows, given_parts.checked(given, len(rows))
    if given_parts.is_partitioner(datasets):
        datasets = given_parts.of_partitioner(datasets)
    if not isinstance(datasets, (list, tuple)) or _are_arrays(datasets):
        told = type(datasets).__name__
        told = f"one {told} of {len(datasets)} tensors" if isinstance(datasets, (list, tuple)) else told
        raise BadInput("datasets", told, "a list with one data set per device, or parts=")
    if not datasets:
        raise BadInput("datasets", "no device", "a list with one data set per device")
    each = [device_rows.read(data, f"datasets[{m}]") for m, data in enumerate(datasets)]
    return device_rows.joined(each, "datasets"), device_rows.blocks(each)


def _are_arrays(datasets: Any) -> bool:
    return all(isinstance(x, (Tensor, np.ndarray)) for x in datasets) and len(datasets) > 0


def _check_test(federation: Federation) -> None:
    try:
        module_checks.check_targets(
            federation.objective, federation.start, federation.X_test, federation.y_test
        )
    except BadInput as error:
        raise BadInput("test", f"rows that give {error.value}", "rows like those of the devices") from None


def _flat(rows: Rows, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """Inputs (n, features) and targets (n, …); floats in the module's precision, integers as int64."""
    inputs, targets = (
        x.to(dtype if x.is_floating_point() else torch.int64) for x in (rows.inputs, rows.targets)
    )
    return inputs.reshape(len(rows), -1), targets


def _objective(module: nn.Module, loss: Criterion, rows: Rows) -> ModuleObjective:
    whole = not rows.inputs.is_floating_point()
    return ModuleObjective(copy.deepcopy(module), loss, tuple(rows.inputs.shape[1:]), whole)


def _metrics(asked: Kind | None, federation: Federation) -> Kind:
    if asked is not None and asked not in KINDS:
        raise BadInput("metrics", asked, "one of " + ", ".join(KINDS))
    outputs = federation.objective.scores(federation.start, federation.X_test[: module_checks.FEW])
    return asked or kind_of(outputs, federation.y_test)


def _identity(federation: Federation) -> str:
    objective = federation.objective
    state = objective.module.state_dict()
    return federation_identity.identity(
        module=federation_identity.of_module(objective.module),
        loss=federation_identity.of_callable(objective.criterion),
        start=[*state, *state.values()],
        data=[federation.X, federation.y, *federation.shards],
        test=[federation.X_test, federation.y_test],
    )
