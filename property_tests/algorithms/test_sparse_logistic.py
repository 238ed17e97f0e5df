"""Sparse rows and the sparse logistic loss against their dense, obvious counterparts."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from fpsverify.data.csr import CsrRows
from fpsverify.errors import BadInput
from fpsverify.objectives import Logistic, SparseLogistic
from fpsverify.rng import torch_generator
from fpsverify.vectors import SparseVector
from property_tests import laws
from property_tests.support.assertions import with_each_number_of_threads

SOURCE = laws.CLICKS
CORE = True

Rows = list[dict[int, int]]


@st.composite
def row_lists(draw: st.DrawFn, d: int = 12) -> Rows:
    """At least one row; rows may be empty; small integer values, so that sums are exact."""
    return draw(
        st.lists(
            st.dictionaries(st.integers(0, d - 1), st.integers(-3, 3), max_size=5), min_size=1, max_size=8
        )
    )


def csr(rows: Rows, d: int = 12) -> CsrRows:
    entries = [(i, v) for row in rows for i, v in sorted(row.items())]
    indptr = torch.tensor([0, *[len(r) for r in rows]]).cumsum(0)
    indices = torch.tensor([i for i, _ in entries], dtype=torch.int64)
    values = torch.tensor([float(v) for _, v in entries], dtype=torch.float64)
    labels = torch.tensor([k % 2 for k in range(len(rows))])
    return CsrRows(d, indptr, indices, values, labels)


def dense(rows: CsrRows) -> Tensor:
    out = torch.zeros(rows.n, rows.d, dtype=torch.float64)
    for i in range(rows.n):
        for e in range(int(rows.indptr[i]), int(rows.indptr[i + 1])):
            out[i, rows.indices[e]] += rows.values[e]
    return out


@given(row_lists(), st.data())
def test_chosen_rows_a_span_and_compact_rows_are_the_rows_they_name(rows: Rows, data: st.DataObject) -> None:
    """Compacting keeps every entry and only the touched coordinates."""
    whole, n = csr(rows), len(rows)
    ids = torch.tensor(data.draw(st.lists(st.integers(0, n - 1), max_size=10)), dtype=torch.int64)
    assert torch.equal(dense(whole.rows(ids)), dense(whole)[ids])
    assert torch.equal(whole.rows(ids).labels, whole.labels[ids])
    start, stop = sorted(data.draw(st.integers(0, n)) for _ in range(2))
    assert torch.equal(dense(whole.span(start, stop)), dense(whole)[start:stop])
    touched, local = whole.compact(ids)
    assert touched.tolist() == sorted({i for k in ids.tolist() for i in rows[k]})
    assert torch.equal(dense(local), dense(whole)[ids][:, touched])
    assert torch.equal(dense(whole.compact_on(ids[:1], touched)), dense(whole)[ids[:1]][:, touched])


@given(row_lists(), st.integers(0, 2**32))
def test_sparse_loss_and_gradient_equal_the_dense_ones(rows: Rows, seed: int) -> None:
    batch = csr(rows)
    w = torch.randn(batch.d, generator=torch_generator(seed, "w"), dtype=torch.float64)
    loss, gradient = SparseLogistic(batch.d).loss_gradient(w, batch)
    reference, X, y = Logistic(batch.d, bias=False), dense(batch)[None], batch.labels[None]
    # Sums of at most K = d + n terms, each at most |x| ≤ 3 times a residual that moves with the score Σ|x w|.
    bound = 8 * (batch.d + batch.n) * 2.0**-53 * 4 * (1 + 3 * float(w.abs().sum()))
    assert abs(float(loss) - float(reference.loss(w[None], X, y))) <= bound
    assert (gradient - reference.gradient(w[None], X, y)[0]).abs().max() <= bound
    everywhere = SparseVector(batch.d, torch.arange(batch.d), w)
    assert (SparseLogistic(batch.d).scores(everywhere, batch) - X[0] @ w).abs().max() <= bound
    full = SparseLogistic(batch.d).gradient(everywhere, batch)
    assert (full.dense() - gradient).abs().max() <= bound
    assert abs(float(SparseLogistic(batch.d).loss(everywhere, batch)) - float(loss)) <= bound


@given(row_lists(), st.sets(st.integers(0, 11)))
def test_scores_are_exact_on_integers_and_zero_off_the_support(rows: Rows, support: set[int]) -> None:
    batch, at = csr(rows), torch.tensor(sorted(support), dtype=torch.int64)
    w = SparseVector(batch.d, at, (at + 1).double())
    expected = [float(sum(v * (i + 1) for i, v in row.items() if i in support)) for row in rows]
    assert SparseLogistic(batch.d).scores(w, batch).tolist() == expected


def test_nothing_of_length_d_is_allocated() -> None:
    """At d = 2^31 − 2 a single vector would take 8 GB."""
    d = 2**31 - 2
    batch = csr([{0: 1, d - 1: 2}, {d // 2: 1}], d)
    objective = SparseLogistic(d)
    gradient = objective.gradient(objective.initial(torch.float64), batch)
    assert gradient.indices.tolist() == [0, d // 2, d - 1]
    # At w = 0 every residual is ½ − y, and the labels of the two rows are 0 and 1.
    assert gradient.values.tolist() == [0.25, -0.25, 0.5]


def test_the_same_bits_for_any_number_of_threads() -> None:
    g = torch_generator(5, "threads")
    n, d = 4096, 300
    indices = torch.randint(0, d, (n * 11,), generator=g)
    batch = CsrRows(
        d,
        torch.arange(0, n * 11 + 1, 11),
        indices,
        torch.ones(n * 11),
        torch.randint(0, 2, (n,), generator=g),
    )
    w = torch.randn(d, generator=g)
    one, two = with_each_number_of_threads((1, 2), lambda: SparseLogistic(d).loss_gradient(w, batch)[1])
    assert torch.equal(one, two)


def test_wrong_shapes_and_missing_coordinates_are_refused_in_one_line() -> None:
    rows = csr([{0: 1}, {3: 1}])
    with pytest.raises(BadInput, match="indptr"):
        CsrRows(12, rows.indptr[:-1], rows.indices, rows.values, rows.labels)
    with pytest.raises(BadInput, match="values"):
        CsrRows(12, rows.indptr, rows.indices, rows.values[:-1], rows.labels)
    for touched in ([0], [4], [0, 2], []):
        with pytest.raises(BadInput, match="touched"):
            rows.compact_on(torch.tensor([0, 1]), torch.tensor(touched, dtype=torch.int64))
