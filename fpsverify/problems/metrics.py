"""What a test set says about a model. Accuracy never stands alone: on skewed data a model that says nothing
scores as high as the majority class is frequent, and one that outputs exactly 0 scores whatever the tie rule
says. So every row also carries the majority baseline, balanced accuracy, AUC and the share of ties.

Binary: scores (n,), class 1 is predicted where the score is > 0; a tie is a score of exactly 0.
Multi-class: scores (n, classes), the largest wins; a tie is more than one largest score.

Tie rule, for both: `negative` predicts the lowest of the tied classes (0 in the binary case), `positive` the
highest, `half` counts the chance of being right when one of the tied classes is drawn at random.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import log, nan
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from fpsverify.errors import BadInput

TieRule = Literal["negative", "positive", "half"]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Classification:
    """Shares in [0, 1]. `auc` is NaN where the test set holds a single class: it is then undefined."""

    accuracy: float
    majority: float
    balanced_accuracy: float
    auc: float
    ties: float

    def as_row(self) -> dict[str, float]:
        return asdict(self)


@dataclass(frozen=True)
class Regression:
    """`test_loss` is ½·mse, the objective's own scale; its natural log is what Appendix D.1 plots.

    `zero_mse` is the error of the model w = 0, the baseline.
    """

    mse: float
    zero_mse: float
    test_loss: float
    log_test_loss: float

    def as_row(self) -> dict[str, float]:
        return asdict(self)


Metrics = Classification | Regression


def evaluate(task: str, scores: Tensor, targets: Tensor, tie: TieRule = "negative") -> Metrics:
    """The metrics of a task: `regression`, `binary` or `multiclass`."""
    if task == "regression":
        return regression(scores, targets)
    if task in ("binary", "multiclass"):
        return classification(scores, targets, tie)
    raise BadInput("task", task, "regression, binary or multiclass")


def regression(scores: Tensor, targets: Tensor) -> Regression:
    z, y = _float64(scores, "scores"), _float64(targets, "targets")
    _check_lengths(z, y, 1)
    mse = float(np.mean((z - y) ** 2))
    return Regression(mse, float(np.mean(y**2)), mse / 2, log(mse / 2) if mse > 0 else -np.inf)


def classification(scores: Tensor, labels: Tensor, tie: TieRule = "negative") -> Classification:
    """Binary from scores (n,), multi-class from scores (n, classes)."""
    if tie not in ("negative", "positive", "half"):
        raise BadInput("tie", tie, "negative, positive or half")
    z, y = _float64(scores, "scores"), labels.detach().cpu().numpy().astype(np.int64)
    binary = z.ndim == 1
    _check_lengths(z, y, 1 if binary else 2)
    columns = np.stack([np.zeros_like(z), z], axis=1) if binary else z
    _check_labels(y, columns.shape[1])
    best = columns == columns.max(axis=1, keepdims=True)
    credit = _credit(best, y, tie)
    per_class = [float(credit[y == c].mean()) for c in np.unique(y)]
    return Classification(
        accuracy=float(credit.mean()),
        majority=float(np.bincount(y).max() / len(y)),
        balanced_accuracy=float(np.mean(per_class)),
        auc=binary_auc(z, y == 1) if binary else macro_auc(z, y),
        ties=float(np.mean(best.sum(axis=1) > 1)),
    )


def _credit(best: NDArray[np.bool_], y: Ints, tie: TieRule) -> Floats:
    """How right each prediction is, 0 or 1 (a fraction for ties counted `half`)."""
    if tie == "half":
        return best[np.arange(len(y)), y] / best.sum(axis=1)
    lowest = best.argmax(axis=1)
    highest = best.shape[1] - 1 - best[:, ::-1].argmax(axis=1)
    return ((lowest if tie == "negative" else highest) == y).astype(np.float64)


def binary_auc(scores: Floats, positive: NDArray[np.bool_]) -> float:
    """P(positive scores above negative) + ½ P(equal), by ranks (Mann-Whitney); NaN if one class is absent."""
    n1 = int(positive.sum())
    n0 = len(positive) - n1
    if n1 == 0 or n0 == 0:
        return nan
    _, place, count = np.unique(scores, return_inverse=True, return_counts=True)
    middle_rank = np.cumsum(count) - (count - 1) / 2  # mean rank, from 1, of each distinct score
    return float((middle_rank[place][positive].sum() - n1 * (n1 + 1) / 2) / (n1 * n0))


def macro_auc(scores: Floats, y: Ints) -> float:
    """Mean over the classes present of one-against-the-rest AUC, ranked by the class's log-odds."""
    if len(np.unique(y)) < 2:
        return nan
    return float(np.mean([binary_auc(_log_odds(scores, int(c)), y == c) for c in np.unique(y)]))


def _log_odds(logits: Floats, c: int) -> Floats:
    """log p_c/(1 − p_c) of softmax probabilities, without their rounding to 0 or 1.

    The other logits are summed in sorted order, so that the same set of them gives the same bits: a tie.
    """
    rest = np.sort(np.delete(logits, c, axis=1), axis=1)
    top = rest[:, -1]
    return logits[:, c] - top - np.log(np.exp(rest - top[:, None]).sum(axis=1))


def _float64(values: Tensor, field: str) -> Floats:
    array = values.detach().cpu().numpy().astype(np.float64)
    if not np.isfinite(array).all():
        raise BadInput(field, "a value that is not finite", "finite numbers")
    return array


def _check_lengths(z: Floats, y: Floats | Ints, dimensions: int) -> None:
    if z.ndim != dimensions or len(z) != len(y) or len(y) == 0:
        raise BadInput("scores", z.shape, f"one row for each of the {len(y)} (at least 1) targets")


def _check_labels(y: Ints, classes: int) -> None:
    if y.min() < 0 or y.max() >= classes:
        raise BadInput("labels", f"{y.min()} to {y.max()}", f"0 to {classes - 1}")
