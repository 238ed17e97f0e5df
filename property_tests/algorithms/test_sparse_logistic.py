"""Sparse rows and the sparse logistic loss against their dense, obvious counterparts."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from torch import Tensor

from fpsverify.data.labelled import CsrRows
from fpsverify.errors import BadInput
from fpsverify.objectives import Logistic, SparseLogistic
from fpsverify.rng import torch_generator
from fpsverify.vectors import SparseVector
from property_tests.support.assertions import with_each_number_of_threads

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
    parts = (rows.values.numpy(), rows.indices.numpy(), rows.indptr.numpy())
    return torch.from_numpy(csr_matrix(parts, shape=(rows.n, rows.d)).toarray())


@given(row_lists(), st.data())
def test_chosen_rows_a_span_and_compact_rows_are_the_rows_they_name(rows: Rows, data: st.DataObject) -> None:
    """Compacting keeps every entry and only the touched coordinates."""
    whole, n = csr(rows), len(rows)
    X = dense(whole)
    ids = torch.tensor(data.draw(st.lists(st.integers(0, n - 1), max_size=10)), dtype=torch.int64)
    assert torch.equal(dense(whole.rows(ids)), X[ids])
    assert torch.equal(whole.rows(ids).labels, whole.labels[ids])
    start, stop = sorted(data.draw(st.integers(0, n)) for _ in range(2))
    assert torch.equal(dense(whole.span(start, stop)), X[start:stop])
    touched, local = whole.compact(ids)
    assert touched.tolist() == sorted({i for k in ids.tolist() for i in rows[k]})
    assert torch.equal(dense(local), X[ids][:, touched])
    assert torch.equal(dense(whole.compact_on(ids[:1], touched)), X[ids[:1]][:, touched])


@given(row_lists(), st.sets(st.integers(0, 11)), st.integers(0, 2**32))
def test_sparse_scores_loss_and_gradient_equal_the_dense_ones(
    rows: Rows, support: set[int], seed: int
) -> None:
    """At a w with any stored coordinates, which is 0 at the others."""
    batch, at = csr(rows), torch.tensor(sorted(support), dtype=torch.int64)
    values = torch.randn(len(at), generator=torch_generator(seed, "w"), dtype=torch.float64)
    stored = SparseVector(batch.d, at, values)
    w, objective = stored.dense(), SparseLogistic(batch.d)
    reference, X, y = Logistic(batch.d, bias=False), dense(batch)[None], batch.labels[None]
    # Sums of at most K = d + n terms, each at most |x| ≤ 3 times a residual that moves with the score Σ|x w|.
    bound = 8 * (batch.d + batch.n) * 2.0**-53 * 4 * (1 + 3 * float(w.abs().sum()))
    assert (objective.scores(stored, batch) - X[0] @ w).abs().max() <= bound
    expected = float(reference.loss(w[None], X, y)), reference.gradient(w[None], X, y)[0]
    sparse = objective.loss(stored, batch), objective.gradient(stored, batch).dense()
    for loss, gradient in (objective.loss_gradient(w, batch), sparse):
        assert abs(float(loss) - expected[0]) <= bound
        assert (gradient - expected[1]).abs().max() <= bound


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
