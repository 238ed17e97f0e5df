"""Metrics against their definitions, counted out example by example and pair by pair."""

import math
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fpsverify.errors import BadInput
from fpsverify.problems.metrics import TieRule, classification, evaluate

RULES: tuple[TieRule, ...] = ("negative", "positive", "half")
E = Fraction("2.71828182845904523536028747135266249775724709369995")
ROUNDING = 1e-13  # means of at most 30 fractions: 30 additions and a division at 2^-53 each, with room

binary = st.lists(st.tuples(st.integers(-2, 2), st.integers(0, 1)), min_size=1, max_size=30)
several = st.integers(2, 4).flatmap(
    lambda C: st.lists(
        st.tuples(st.lists(st.integers(-2, 2), min_size=C, max_size=C), st.integers(0, C - 1)),
        min_size=1,
        max_size=30,
    )
)


def tensors(examples: list) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.tensor([float(z) if isinstance(z, int) else z for z, _ in examples], dtype=torch.float64), (
        torch.tensor([y for _, y in examples])
    )


def credit(scores: list[int], y: int, rule: TieRule) -> Fraction:
    tied = [c for c, z in enumerate(scores) if z == max(scores)]
    if rule == "half":
        return Fraction(int(y in tied), len(tied))
    return Fraction(int(y == (tied[0] if rule == "negative" else tied[-1])))


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def pairs_auc(scores: list[float], positive: list[bool]) -> float:
    above = [z for z, p in zip(scores, positive, strict=True) if p]
    below = [z for z, p in zip(scores, positive, strict=True) if not p]
    if not above or not below:
        return math.nan
    return float(mean([Fraction((a > b) + (a >= b), 2) for a in above for b in below]))


def check(examples: list, columns: list[list[int]], auc: float, rule: TieRule) -> None:
    """Compare with the definitions, each a few lines of exact arithmetic."""
    scores, labels = tensors(examples)
    found = classification(scores, labels, rule)
    y = [label for _, label in examples]
    credits = [credit(z, label, rule) for z, label in zip(columns, y, strict=True)]
    by_class = [mean([c for c, label in zip(credits, y, strict=True) if label == k]) for k in sorted(set(y))]
    ties = mean([Fraction(int(z.count(max(z)) > 1)) for z in columns])
    assert found.accuracy == pytest.approx(float(mean(credits)), abs=ROUNDING)
    assert found.balanced_accuracy == pytest.approx(float(mean(by_class)), abs=ROUNDING)
    assert found.majority == pytest.approx(max(y.count(k) for k in y) / len(y), abs=ROUNDING)
    assert found.ties == pytest.approx(float(ties), abs=ROUNDING)
    assert found.auc == pytest.approx(auc, abs=ROUNDING, nan_ok=True)


@given(binary, st.sampled_from(RULES))
def test_binary_metrics_are_their_definitions(examples: list[tuple[int, int]], rule: TieRule) -> None:
    auc = pairs_auc([z for z, _ in examples], [y == 1 for _, y in examples])
    check(examples, [[0, z] for z, _ in examples], auc, rule)


@given(several, st.sampled_from(RULES))
def test_multiclass_metrics_are_their_definitions(examples: list, rule: TieRule) -> None:
    y = [label for _, label in examples]
    aucs = [pairs_auc([odds(z, c) for z, _ in examples], [k == c for k in y]) for c in sorted(set(y))]
    check(examples, [z for z, _ in examples], float(np.mean(aucs)), rule)


def odds(scores: list[int], c: int) -> Fraction:
    """p_c/(1−p_c) in rational arithmetic with 50 digits of e, so that only equal sets of scores tie."""
    return 1 / sum((E ** (z - scores[c]) for k, z in enumerate(scores) if k != c), Fraction(0))


def test_saturated_logits_keep_their_order() -> None:
    """Softmax would round both to probability 1 and call them equal."""
    logits = torch.tensor([[60.0, 0.0], [50.0, 0.0], [40.0, 0.0]], dtype=torch.float64)
    assert classification(logits, torch.tensor([0, 1, 1])).auc == 1.0


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=16))
def test_regression_metrics(pairs: list[tuple[int, int]]) -> None:
    z, y = (torch.tensor([float(p[i]) for p in pairs]) for i in (0, 1))
    row = evaluate("regression", z, y).as_row()
    mse = sum((a - b) ** 2 for a, b in pairs) / len(pairs)
    assert row["mse"] == pytest.approx(mse, rel=ROUNDING)
    assert row["zero_mse"] == pytest.approx(sum(b * b for _, b in pairs) / len(pairs), rel=ROUNDING)
    assert row["test_loss"] == row["mse"] / 2
    assert row["log_test_loss"] == (pytest.approx(math.log(mse / 2), abs=ROUNDING) if mse else -math.inf)


@pytest.mark.parametrize(
    ("field", "task", "scores", "targets"),
    [
        ("task", "ranking", [1.0], [1]),
        ("scores", "binary", [math.nan], [1]),
        ("scores", "binary", [math.inf], [1]),
        ("scores", "binary", [1.0, 2.0], [1]),
        ("scores", "binary", [], []),
        ("scores", "regression", [[1.0]], [1.0]),
        ("labels", "binary", [1.0], [2]),
        ("labels", "multiclass", [[1.0, 2.0, 3.0]], [3]),
        ("labels", "binary", [1.0], [-1]),
    ],
)
def test_unusable_input_is_refused_in_one_line(field: str, task: str, scores: list, targets: list) -> None:
    with pytest.raises(BadInput) as caught:
        evaluate(task, torch.tensor(scores), torch.tensor(targets))
    assert caught.value.field == field
