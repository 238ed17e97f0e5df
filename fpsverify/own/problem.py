"""The problem of a federation: a `DenseProblem` whose objective is a module, with metrics that fit.

multiclass   whole-number targets, one score per class
binary       targets 0 and 1, one score per row
regression   anything else with as many outputs as targets
loss         outputs of another shape: the test loss alone
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from fpsverify.problems import metrics
from fpsverify.problems.problem import CHUNK, DenseProblem
from fpsverify.vectors import Vector

Kind = Literal["multiclass", "binary", "regression", "loss"]
KINDS: tuple[Kind, ...] = ("multiclass", "binary", "regression", "loss")


@dataclass(frozen=True)
class ModuleProblem(DenseProblem):
    """`tested`: there are test rows; without them metrics are those of the training rows and say so."""

    kind: Kind = "loss"
    tested: bool = True

    def evaluate(self, w: Vector, tie: metrics.TieRule) -> dict[str, float]:
        assert isinstance(w, Tensor)
        loss, outputs = 0.0, []
        for X, y in zip(self.X_test.split(CHUNK), self.y_test.split(CHUNK), strict=True):
            loss += len(y) / len(self.y_test) * float(self.objective.loss(w[None], X[None], y[None])[0])
            outputs.append(self.objective.scores(w, X))
        found = {**measured(self.kind, torch.cat(outputs), self.y_test, tie), "test_loss": loss}
        if self.tested:
            return found
        return {f"train_{name.removeprefix('test_')}": value for name, value in found.items()}


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
