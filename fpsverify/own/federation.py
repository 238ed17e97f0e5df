"""A problem of one's own: any `nn.Module`, any loss, and a data set for each device.

As algorithms see it, it is a `DenseProblem` whose objective is a module, with metrics that fit:

multiclass   whole-number targets, one score per class
binary       targets 0 and 1, one score per row
regression   anything else with as many outputs as targets
loss         outputs of another shape: the test loss alone
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from numbers import Real
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor, nn

from fpsverify.data import partition
from fpsverify.errors import BadInput
from fpsverify.own import checks as module_checks
from fpsverify.own import identity as federation_identity
from fpsverify.own import rows as device_rows
from fpsverify.own.checks import block_rows, of_devices
from fpsverify.own.layers import plain_copy, working_copy
from fpsverify.own.layout import Layout
from fpsverify.own.objective import Criterion, ModuleObjective, scores_in
from fpsverify.own.parts import listed
from fpsverify.own.rows import Rows
from fpsverify.problems import metrics
from fpsverify.problems.problem import DenseProblem
from fpsverify.vectors import Vector

Kind = Literal["multiclass", "binary", "regression", "loss"]
KINDS: tuple[Kind, ...] = ("multiclass", "binary", "regression", "loss")


@dataclass(frozen=True)
class ModuleProblem(DenseProblem):
    """`tested`: there are test rows; without them metrics are those of the training rows and say so."""

    kind: Kind = "loss"
    tested: bool = True
    own: tuple[tuple[str, Callable[[Any, Any], float]], ...] = ()

    def evaluate(self, w: Vector, tie: metrics.TieRule) -> dict[str, float]:
        """The loss without weight decay, the metrics of its kind, and the user's own."""
        assert isinstance(w, Tensor) and isinstance(self.objective, ModuleObjective)
        objective, dtype, n = replace(self.objective, decay=0.0), w.dtype, len(self.y_test)
        loss = 0.0
        said: list[Tensor] = []
        with torch.no_grad():
            for X, y in self._test_blocks(objective, w):
                outputs = objective.outputs(w, X, y)
                mean = objective.judged(outputs, X, y, dtype)
                share = X[:, -1].sum().item() if objective.weighted else len(y)
                loss += share / n * float(mean)
                if (scores := scores_in(outputs)) is not None and (self.kind != "loss" or self.own):
                    said.append(scores)
        found = {"test_loss": loss}
        if said:
            scores, wanted = torch.cat(said), objective.wanted(self.X_test, self.y_test, dtype, whole=False)
            found = {**measured(self.kind, scores, self.y_test, tie), **found}
            found |= {name: _number(name, f(scores, wanted)) for name, f in self.own}
        if self.tested:
            return found
        return {f"train_{name.removeprefix('test_')}": value for name, value in found.items()}

    def _test_blocks(self, objective: ModuleObjective, w: Tensor) -> Iterator[tuple[Tensor, Tensor]]:
        size = block_rows(objective, w, self.X_test, self.y_test)
        return zip(self.X_test.split(size), self.y_test.split(size), strict=True)


def _number(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, RuntimeError):
        raise BadInput(f"metrics[{name!r}]", type(value).__name__, "one number") from None


def measured(kind: Kind, outputs: Tensor, targets: Tensor, tie: metrics.TieRule) -> dict[str, float]:
    if kind == "loss":
        return {}
    if kind == "multiclass":  # (n, classes, …): further places are further rows
        scores = outputs.movedim(1, -1).reshape(-1, outputs.shape[1])
        return metrics.classification(scores, targets.flatten(), tie).as_row()
    if kind == "binary":
        return metrics.classification(outputs.flatten(), targets.flatten(), tie).as_row()
    mse = metrics.regression(outputs.flatten(), targets.flatten()).mse
    away = targets.double() - targets.double().mean(0)  # a model that says the mean of each target
    return {"mse": mse, "mean_mse": float(away.square().mean())}


def kind_of(outputs: Tensor, targets: Tensor) -> Kind:
    """Which metrics fit, from the outputs for the first rows and all targets."""
    if outputs.numel() == targets[: len(outputs)].numel():
        return "binary" if bool(((targets == 0) | (targets == 1)).all()) else "regression"
    whole = not targets.is_floating_point()
    per_class = outputs.ndim >= 2 and outputs.shape[2:] == targets.shape[1:]
    fits = per_class and whole and 0 <= int(targets.min()) and int(targets.max()) < outputs.shape[1]
    return "multiclass" if fits else "loss"


Metric = Callable[[Any, Any], float]


class Federation:
    """What M devices learn together: f(w) = (1/M) Σ_m l_m(w), with l_m the loss of all rows of device m.

        >>> X, y = torch.randn(60, 4), torch.arange(60) % 3
        >>> Federation(nn.Linear(4, 3), nn.CrossEntropyLoss(), (X, y), parts=[range(20), range(20, 60)])
        Federation(Linear, d=15, M=2, multiclass)

    module    any nn.Module; training starts at its own parameters; it is copied, not changed
    loss      a function of outputs and targets → one number; None: the module returns `.loss` itself
    datasets  one data set per device; with `parts` a single one; or a partitioner of flwr-datasets
              (anything with load_partition and num_partitions)
    parts     the row numbers of each device
    test      a data set for metrics; without it they are those of the training rows, named train_…
    metrics   "multiclass", "binary", "regression" or "loss", by default what fits; or a dictionary of
              functions of outputs and targets: {"perplexity": f}
    weight_decay  λ of a term (λ/2)‖w‖² in every device's loss: L and μ of the theory grow by λ

    What your model must look like:

    1. A data set is a Dataset, a DataLoader, or tensors. A row is (inputs, target), or one dictionary.
    2. Inputs are a tensor, or a tuple or dictionary of tensors, also nested, and sparse matrices.
    3. The module is called as module(x), module(*tuple) or module(**dict), as its `forward` has it.
    4. It returns a tensor, a tuple that begins with one, or something with `.logits` or ["logits"].
    5. The loss takes what the module returns (or these scores), and the target, which is the column
       label, labels, target, targets or y of a dictionary. A loss that needs more is given the whole batch;
       so is any loss where rows have no target.
    6. The loss is a mean over rows; weight= and ignore_index= are the weights of that mean.
    7. Rows do not influence each other: no BatchNorm (`fps.without_batch_norm`), no Dropout in training.
    8. Parameters are real, all of one type (float32 or float64), and have their sizes (no lazy layers).
    """

    def __init__(
        self,
        module: nn.Module,
        loss: Criterion | None,
        datasets: Any,
        test: Any = None,
        *,
        parts: Sequence[Sequence[int]] | None = None,
        metrics: Kind | Metric | dict[str, Metric] | None = None,
        weight_decay: float = 0.0,
    ) -> None:
        _demand_arguments(loss, metrics, weight_decay)
        rows, self.shards, held = _devices(datasets, parts, test)
        self.device = next(part.device for _, part in device_rows.tensors(rows))
        self.dtype = module_checks.check_parameters(module, self.device)
        self.tested = held is not None
        inputs = Layout.of(rows.inputs if held is None else device_rows.joined([rows, held], "test").inputs)
        targets = None if rows.targets is None else Layout.of(rows.targets)
        objective = ModuleObjective(working_copy(module), loss, inputs, targets, rows.label)
        self.X, self.y = _packed(rows, objective, self.dtype)
        self.X_test, self.y_test = (self.X, self.y) if held is None else _packed(held, objective, self.dtype)
        self.start = objective.initial(torch.Generator(self.device), self.dtype)
        self.objective = module_checks.tried(objective, self.start, self.X, self.y)
        self._weigh_rows()
        self.objective = replace(self.objective, decay=float(weight_decay))
        together = module_checks.goes_together(self.objective, self.start, self.X, self.y)
        self.objective = replace(self.objective, together=together)
        self.own_metrics = _own_metrics(metrics)
        self.metrics: Kind = metrics if isinstance(metrics, str) else self._fitting()
        self.identity = _identity(self)

    def _weigh_rows(self) -> None:
        """Where the loss weighs rows, a device has rows of its own, with their weights as a last column."""
        first, shards = self.objective, self.shards
        c = module_checks.counted(first, self.start, self.X, self.y, "datasets")
        held = None
        if self.tested:
            try:
                held = module_checks.counted(first, self.start, self.X_test, self.y_test, "test")
            except BadInput as error:
                raise BadInput(
                    "test", f"rows that give {error.value}", "rows like those of the devices"
                ) from None
        if c is None and held is None:
            return
        self.objective = replace(first, weighted=True)
        self.X_test, self.y_test = _weighted(self.X_test, self.y_test, held, (np.arange(len(self.y_test)),))
        train = _weighted(self.X, self.y, c, shards)
        if not self.tested:
            self.X_test, self.y_test = train
        self.X, self.y = train
        ends = np.cumsum([0, *(len(shard) for shard in shards)])
        self.shards = tuple(np.arange(a, b) for a, b in pairwise(ends.tolist()))

    def _fitting(self) -> Kind:
        """The metrics that fit outputs and targets."""
        X, y = self.X_test[: module_checks.FEW], self.y_test[: module_checks.FEW]
        scores = scores_in(self.objective.outputs(self.start, X, y))
        plain = self.objective.targets is not None and self.objective.targets.single
        return kind_of(scores.detach(), self.y_test) if scores is not None and plain else "loss"

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
            own=tuple(self.own_metrics.items()),
        )

    def module(self, w: Tensor | None = None) -> nn.Module:
        """A copy of the module with the parameters w (d,); without w, with those it came with."""
        made = plain_copy(self.objective.module)
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
        return partition.picture(groups, self.shards)

    def demand(self, identity: str | None, where: str) -> None:
        """Refuse to stand in for another federation."""
        if identity is not None and identity != self.identity:
            told = ", ".join(federation_identity.changed(identity, self.identity))
            raise BadInput("federation", f"another {told}", f"the federation of {where}")

    def __repr__(self) -> str:
        name = type(self.objective.module).__name__
        return f"Federation({name}, d={self.d}, M={self.M}, {self.metrics}{self._shared})"


def _demand_arguments(loss: Any, metrics: Any, weight_decay: Any) -> None:
    if loss is not None and not callable(loss):
        raise BadInput("loss", type(loss).__name__, "a function of outputs and targets")
    if isinstance(loss, type):
        raise BadInput("loss", f"the class {loss.__name__}", f"an instance of it: {loss.__name__}()")
    if isinstance(metrics, str) and metrics not in KINDS:
        raise BadInput("metrics", metrics, "one of " + ", ".join(KINDS))
    if not isinstance(weight_decay, Real) or not 0 <= float(weight_decay) < float("inf"):
        raise BadInput("weight_decay", weight_decay, "a number, at least 0")


def _own_metrics(metrics: Any) -> dict[str, Metric]:
    if metrics is None or isinstance(metrics, str):
        return {}
    found = metrics if isinstance(metrics, dict) else {getattr(metrics, "__name__", "metric"): metrics}
    for name, f in found.items():
        if not isinstance(name, str) or not callable(f):
            raise BadInput("metrics", metrics, "a kind, or functions by name: {'perplexity': f}")
    return found


def _devices(
    datasets: Any, parts: Sequence[Sequence[int]] | None, test: Any
) -> tuple[Rows, tuple[Any, ...], Rows | None]:
    """All rows, the row numbers of each device, and the test rows."""
    held, name = ([], []) if test is None else ([test], ["test"])
    if parts is not None:
        given = listed(parts)
        rows, *tested = device_rows.read_each([datasets, *held], ["datasets", *name])
        shards = partition.checked(given, len(rows))
    else:
        if partition.is_partitioner(datasets):
            datasets = partition.of_partitioner(datasets)
        if not isinstance(datasets, (list, tuple)) or device_rows.is_batch(datasets):
            told = type(datasets).__name__
            told = f"one {told} of {len(datasets)} tensors" if isinstance(datasets, (list, tuple)) else told
            right = "a list with one data set per device, or parts="
            raise BadInput("datasets", told, f"{right} (rows without a target: TensorDataset(x))")
        if not datasets:
            raise BadInput("datasets", "no device", "a list with one data set per device")
        names = [f"datasets[{m}]" for m in range(len(datasets))]
        found = device_rows.read_each([*datasets, *held], names + name)
        each, tested = found[: len(datasets)], found[len(datasets) :]
        rows, shards = device_rows.joined(each, "datasets"), device_rows.blocks(each)
    for one in tested:
        device_rows.demand_alike(one, rows, "test", "the devices")
    return rows, shards, tested[0] if tested else None


def _packed(rows: Rows, objective: ModuleObjective, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """Inputs (n, features) and targets (n, …); a single tensor of targets keeps its shape."""
    X = objective.inputs.pack(rows.inputs, dtype)
    if objective.targets is None or rows.targets is None:
        return X, torch.zeros(len(X), 0, dtype=dtype, device=X.device)
    if objective.targets.single:
        return X, rows.targets.to(dtype if rows.targets.is_floating_point() else torch.int64)
    return X, objective.targets.pack(rows.targets, dtype)


def _weighted(X: Tensor, y: Tensor, c: Tensor | None, shards: Sequence[Any]) -> tuple[Tensor, Tensor]:
    """The rows of all devices one after the other, with a_i beside them."""
    at = [torch.from_numpy(np.asarray(shard)) for shard in shards]
    c = torch.ones(len(y), dtype=torch.float64) if c is None else c
    wide = X if X.is_floating_point() else X.double()
    a = torch.cat(of_devices(c, tuple(at)))[:, None].to(wide)
    rows = torch.cat(at)
    return torch.cat([wide[rows], a], 1), y[rows]


def _identity(federation: Federation) -> str:
    objective = federation.objective
    state = objective.module.state_dict()
    # What is as it ever was has the digest it ever had: layouts and λ are said only where they are not plain.
    layouts = [each for each in (objective.inputs, objective.targets) if each is None or not each.single]
    decay = [objective.decay] if objective.decay else []
    return federation_identity.identity(
        module=federation_identity.of_module(objective.module),
        loss=[*federation_identity.of_callable(objective.criterion), *decay],
        start=[*state, *state.values()],
        data=[federation.X, federation.y, *federation.shards, *map(str, layouts)],
        test=[federation.X_test, federation.y_test, *(federation.own_metrics or ())],
    )
