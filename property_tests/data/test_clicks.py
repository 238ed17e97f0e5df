"""Generated click data: full dimension in little memory, the stated frequencies, learnable labels."""

import tracemalloc
from dataclasses import replace
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fpsverify.data.generated import CLICK_SHAPES, ClickShape, clicks, field_sizes, zipf_ranks
from fpsverify.errors import BadInput
from fpsverify.objectives import SparseLogistic
from fpsverify.problems.metrics import classification
from fpsverify.rng import numpy_generator

RISK = 1e-9


def hoeffding(n: int) -> float:
    """Deviation of a mean of n independent [0, 1] variables, exceeded with probability RISK at most."""
    return sqrt(log(2 / RISK) / (2 * n))


def bernstein(n: int, rate: float) -> float:
    """The same for 0-1 variables of mean `rate`, whose variance is at most rate·(1 − rate): tighter."""
    L = log(2 / RISK)
    return sqrt(2 * rate * (1 - rate) * L / n) + 2 * L / (3 * n)


@st.composite
def shapes(draw: st.DrawFn) -> ClickShape:
    fields = draw(st.integers(1, 6))
    return ClickShape(
        "small",
        d=draw(st.integers(2 * fields, 500)),
        fields=fields,
        keep=draw(st.sampled_from([0.0, 0.5, 1.0])),
        positive_rate=draw(st.sampled_from([0.046, 0.5, 0.86])),
        zipf=draw(st.sampled_from([0.5, 1.1, 2.0])),
        head=draw(st.integers(1, 30)),
    )


@given(shapes(), st.integers(0, 2**32))
def test_rows_increase_strictly_and_hold_one_value_per_present_field(shape: ClickShape, seed: int) -> None:
    data = clicks(shape, N=20, N_test=10, seed=seed)
    starts = np.cumsum(field_sizes(shape.d, shape.fields))
    for rows in (data.train, data.test):
        for i in range(rows.n):
            index = rows.indices[rows.indptr[i] : rows.indptr[i + 1]].numpy()
            field = np.searchsorted(starts, index, side="right")
            assert len(index) >= 1
            assert (np.diff(index) > 0).all()
            assert (np.diff(field) > 0).all()
            assert index[0] >= 0 and index[-1] < shape.d and field[0] == 0
        assert shape.keep < 1 or rows.nnz == rows.n * shape.fields
        assert set(rows.labels.tolist()) <= {0, 1}
        assert (rows.values == 1).all()


@given(st.integers(2, 400), st.integers(0, 2**32))
def test_ranks_are_spread_over_a_field_by_a_bijection(size: int, seed: int) -> None:
    """With every value in the head, the truth has one entry per coordinate: all of them, each once."""
    shape = ClickShape("one field", d=size, fields=1, keep=1.0, positive_rate=0.5, head=size)
    truth = clicks(shape, N=1, N_test=1, seed=seed).truth
    assert truth is not None
    assert truth.indices.tolist() == list(range(size))


@pytest.mark.parametrize("s", [0.5, 1.1, 2.0])
@pytest.mark.parametrize("size", [2, 50, 10**7])
def test_rank_frequencies_follow_the_bounded_power_law(s: float, size: int) -> None:
    """P(rank < r) = (1 − (r+1)^{1−s})/(1 − (V+1)^{1−s}), from the integral of x^{-s}."""
    n = 40_000
    ranks = zipf_ranks(numpy_generator(1, "u").random(n), np.array(size), s)
    assert ranks.min() >= 0 and ranks.max() < size
    for r in {1, 2, min(10, size), size}:
        expected = (1 - (r + 1.0) ** (1 - s)) / (1 - (size + 1.0) ** (1 - s))
        assert abs((ranks < r).mean() - expected) <= hoeffding(n)


@pytest.mark.parametrize(("name", "nnz"), [("kdd12", 11.0), ("kdd10", 1 + 39 * 0.9)])
def test_shapes_of_the_paper(name: str, nnz: float) -> None:
    shape, data = CLICK_SHAPES[name], clicks(name, N=10_000, N_test=5_000, seed=3)
    assert data.d == {"kdd12": 54_686_452, "kdd10": 20_216_830}[name]
    assert data.provenance.startswith("generated")
    n, entries = 15_000, data.train.nnz + data.test.nnz
    assert abs(entries / n - nnz) <= shape.fields * hoeffding(n * shape.fields)
    positives = float(data.train.labels.sum() + data.test.labels.sum())
    assert abs(positives / n - shape.positive_rate) <= bernstein(n, shape.positive_rate)


@pytest.mark.parametrize("name", ["kdd12", "kdd10"])
def test_the_labels_follow_the_stored_model(name: str) -> None:
    """Were labels unrelated to scores, AUC had mean ½ and variance (n+1)/(12 n₀ n₁): demand 6 sd more."""
    data = clicks(name, N=2000, N_test=5000, seed=4)
    assert data.truth is not None
    logits = SparseLogistic(data.d).scores(data.truth, data.test) + data.intercept
    n1 = int(data.test.labels.sum())
    null_sd = sqrt(5001 / (12 * n1 * (5000 - n1)))
    assert classification(logits, data.test.labels).auc >= 0.5 + 6 * null_sd
    # Calibrated as well: the label count is a sum of independent Bernoulli variables with these means.
    assert abs(float(logits.sigmoid().mean()) - n1 / 5000) <= hoeffding(5000)


def test_memory_follows_the_nonzeros_not_d() -> None:
    """Some 30 arrays of 8 bytes per entry at most; one bit-per-coordinate mask of KDD12 would be as large."""
    tracemalloc.start()
    try:
        data = clicks("kdd12", N=1000, N_test=200)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= 30 * 8 * (data.train.nnz + data.test.nnz) < data.d / 8


def test_impossible_shapes_are_refused() -> None:
    good = CLICK_SHAPES["kdd12"]
    changes = ({"d": 21}, {"d": 2**31 - 1}, {"positive_rate": 1.0}, {"keep": 1.5}, {"zipf": 1.0}, {"head": 0})
    for change in changes:
        with pytest.raises(BadInput):
            replace(good, **change)
    with pytest.raises(BadInput, match="kdd12 or kdd10"):
        clicks("kdd13")
    with pytest.raises(BadInput):
        clicks("kdd12", N=0)
