"""The problem of a federation: a `DenseProblem` whose objective is a module, with metrics that fit.

multiclass   whole-number targets, one score per class
binary       targets 0 and 1, one score per row
regression   anything else with as many outputs as targets
loss         outputs of another shape: the test loss alone
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import torch
from torch import Tensor

from fpsverify.errors import BadInput
from fpsverify.own.objective import ModuleObjective, scores_in
from fpsverify.own.weights import block_rows
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
