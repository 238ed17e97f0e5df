"""Laws of the count sketch: S is linear, exactly so on whole numbers, in every form of update and backend;
and of the vectors that it takes.
"""

import contextlib
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from fpsverify.errors import BadInput, FpsError, SketchMismatch
from fpsverify.sketch.sketch import CountSketch, IdentitySketch, SketchSpec
from fpsverify.vectors import DenseUpdates, SparseUpdates, SparseVector, add
from property_tests.support.strategies import backends, dtypes, pairs, specs, specs_with_vectors

SPEC = SketchSpec(3, 7, 50, 9)


def sketch_of(
    spec: SketchSpec, x: Tensor, dtype: torch.dtype = torch.float64, backend: str = "numba"
) -> CountSketch:
    return CountSketch.zeros(spec, dtype=dtype).add(x, backend=backend)


@given(specs_with_vectors(count=2), st.integers(-8, 8), st.integers(-8, 8), dtypes, backends)
def test_linear_on_whole_numbers(case, a, c, dtype, backend) -> None:
    """S(a·x + c·y) = a·S(x) + c·S(y), with ==."""
    spec, (x, y) = case
    left = sketch_of(spec, a * x + c * y, dtype, backend)
    S_x, S_y = sketch_of(spec, x, dtype, backend), sketch_of(spec, y, dtype, backend)
    assert torch.equal(left.table, S_x.scaled(a).merge(S_y.scaled(c)).table)
    assert torch.equal(S_x.add(y, backend=backend).table, S_x.merge(S_y).table)


@given(specs(), st.data(), dtypes, backends)
def test_sparse_update_equals_dense_update(spec, data, dtype, backend) -> None:
    indices, values = data.draw(pairs(spec.d))
    x = torch.zeros(spec.d, dtype=torch.float64).index_add_(0, indices, values)
    dense = sketch_of(spec, x, dtype, backend)
    zero = CountSketch.zeros(spec, dtype=dtype)
    assert torch.equal(zero.add_sparse(indices, values, backend=backend).table, dense.table)
    vector = SparseVector.from_pairs(spec.d, indices, values)
    assert torch.equal(zero.add(vector, backend=backend).table, dense.table)


@given(specs_with_vectors(count=3, whole=False), dtypes, backends)
def test_batch_equals_loop(case, dtype, backend) -> None:
    """A batch of M sketches is M sketches, bit for bit, in every form of update."""
    spec, vectors = case
    zero = CountSketch.zeros(spec, batch=3, dtype=dtype)
    singles = [sketch_of(spec, x, dtype, backend) for x in vectors]
    stacked = torch.stack([s.table for s in singles])
    rows = torch.stack(vectors)
    assert torch.equal(zero.add(rows, backend=backend).table, stacked)
    assert torch.equal(zero.add(DenseUpdates(rows), backend=backend).table, stacked)
    same = zero.add(vectors[0], backend=backend)
    assert all(torch.equal(same.member(m).table, singles[0].table) for m in range(3))
    parts = SparseUpdates(tuple(SparseVector(spec.d, torch.arange(spec.d), x) for x in vectors))
    sparse = zero.add(parts, backend=backend)
    for m, part in enumerate(parts.parts):
        single = CountSketch.zeros(spec, dtype=dtype).add(part, backend=backend)
        assert torch.equal(sparse.member(m).table, single.table)
        everywhere = zero.add_sparse(part.indices, part.values, backend=backend)
        assert torch.equal(everywhere.table, single.table.expand(3, -1, -1))


@given(st.integers(0, 2**32 - 1))
def test_the_identity_in_place_of_a_sketch_adds_in_every_form(seed) -> None:
    """One vector, one per device, dense or sparse: the same table (whole numbers: exact)."""
    g = torch.Generator().manual_seed(seed)
    values = torch.randint(-9, 10, (3, 7), generator=g).double()
    parts = tuple(SparseVector(7, torch.arange(7), row) for row in values)
    start = IdentitySketch(torch.ones(3, 7, dtype=torch.float64))
    for updates in (DenseUpdates(values), SparseUpdates(parts), values):
        assert torch.equal(start.add(updates).table, 1 + values)
    for one in (parts[0], values[0]):
        assert torch.equal(start.add(one).table, (1 + values[0]).expand(3, -1))


@given(pairs(20), pairs(20), st.integers(-4, 4))
def test_sparse_vectors_add_and_scale_like_dense_ones(a, b, scale) -> None:
    """Integer values: exact equality in all four mixtures of forms."""
    x, y = SparseVector.from_pairs(20, *a), SparseVector.from_pairs(20, *b)
    assert torch.equal(y.scaled(scale).dense(), scale * y.dense())
    expected = x.dense() + scale * y.dense()
    for left in (x, x.dense()):
        for right in (y, y.dense()):
            got = add(left, right, float(scale))
            assert torch.equal(got.dense() if isinstance(got, SparseVector) else got, expected)
    assert torch.equal(x.gather(torch.arange(20)), x.dense())
    assert bool((x.indices.diff() > 0).all())


@pytest.mark.parametrize("backend", ["numba", "torch"])
def test_views_and_strides_do_not_matter(backend: str) -> None:
    wide = torch.arange(200, dtype=torch.float64).view(2, 100)
    x = wide.T[:50, 1]
    sketch = CountSketch(SPEC, torch.ones(7, 3, dtype=torch.float64).T)
    plain = CountSketch(SPEC, torch.ones(3, 7, dtype=torch.float64))
    assert torch.equal(sketch.add(x, backend=backend).table, plain.add(x.contiguous(), backend=backend).table)
    keys = torch.arange(100)[::2]
    assert torch.equal(
        sketch.estimate(keys[:25], backend=backend), plain.estimate(keys[:25].contiguous(), backend=backend)
    )


@pytest.mark.parametrize(
    ("other", "word"),
    [
        (CountSketch.zeros(SketchSpec(3, 7, 50, 8)), "seed: 9 and 8"),
        (CountSketch.zeros(SketchSpec(4, 7, 50, 9)), "rows: 3 and 4"),
        (CountSketch.zeros(SketchSpec(3, 8, 50, 9)), "buckets: 7 and 8"),
        (CountSketch.zeros(SketchSpec(3, 7, 51, 9)), "d: 50 and 51"),
        (CountSketch.zeros(SPEC, batch=2), "batch: None and 2"),
        (CountSketch.zeros(SPEC, dtype=torch.float64), "dtype: torch.float32 and torch.float64"),
    ],
)
def test_sketches_that_do_not_match_are_refused(other: CountSketch, word: str) -> None:
    with pytest.raises(SketchMismatch, match=f"different {word}$"):
        CountSketch.zeros(SPEC).merge(other)


@pytest.mark.parametrize("backend", ["numba", "torch"])
def test_bad_updates_and_queries_are_refused_in_one_line(backend: str) -> None:
    zero, batch = CountSketch.zeros(SPEC), CountSketch.zeros(SPEC, batch=2)
    nan = zero.with_table(torch.full((3, 7), float("nan")))
    one, key = torch.ones(1), torch.tensor([3])
    for call in (
        lambda: zero.add(torch.ones(49), backend=backend),
        lambda: batch.add(torch.ones(3, 50), backend=backend),
        lambda: zero.add(torch.ones(1, 1, 50), backend=backend),
        lambda: zero.add(SparseVector.zero(49), backend=backend),
        lambda: batch.add(SparseUpdates((SparseVector.zero(50),)), backend=backend),
        lambda: zero.add_sparse(torch.tensor([50]), one, backend=backend),
        lambda: zero.add_sparse(torch.tensor([-1]), one, backend=backend),
        lambda: zero.add_sparse(key, torch.ones(2), backend=backend),
        lambda: zero.add_sparse(key.int(), one, backend=backend),
        lambda: batch.member(2),
        lambda: zero.add(torch.ones(50), backend="fortran"),
        lambda: zero.add(torch.ones(50, dtype=torch.complex64), backend=backend),
        lambda: zero.mean(),
        lambda: CountSketch.zeros(SPEC, batch=0),
        lambda: CountSketch.zeros(SPEC, dtype=torch.float16),
        lambda: zero.with_table(torch.zeros(3, 8)),
        lambda: zero.with_table(torch.zeros(3, 7, dtype=torch.int64)),
        *(lambda k=k: zero.unsketch(k, backend=backend) for k in (0, 51, 2.0, True)),
        lambda: zero.unsketch(2, rule="mode", backend=backend),
        lambda: zero.unsketch(2, support=torch.tensor([50]), backend=backend),
        lambda: zero.estimate(torch.tensor([-1]), backend=backend),
        lambda: zero.estimate(key, rule="max", backend=backend),
        lambda: nan.unsketch(1, backend=backend),
        lambda: nan.estimate(key, backend=backend),
        lambda: batch.unsketch(1, backend=backend),
    ):
        with pytest.raises(BadInput) as caught:
            call()
        assert "\n" not in str(caught.value)


@given(specs_with_vectors(whole=False), dtypes, st.sampled_from([None, 2]))
def test_a_stored_sketch_comes_back(tmp_path_factory, case, dtype, batch) -> None:
    spec, (x,) = case
    sketch = CountSketch.zeros(spec, batch=batch, dtype=dtype).add(x)
    path = tmp_path_factory.mktemp("sketch") / "s.safetensors"
    sketch.save(path)
    back = CountSketch.load(path)
    assert back.spec == spec and torch.equal(back.table, sketch.table) and back.table.dtype == dtype


@given(st.integers(8, 240), st.integers(1, 255))
def test_a_changed_byte_is_refused_or_does_not_matter(tmp_path_factory, place, change) -> None:
    path = tmp_path_factory.mktemp("sketch") / "s.safetensors"
    CountSketch.zeros(SPEC).save(path)
    content = bytearray(path.read_bytes())
    content[place] ^= change
    path.write_bytes(content)
    with contextlib.suppress(FpsError):
        CountSketch.load(path)


def test_missing_and_foreign_files_are_refused(tmp_path: Path) -> None:
    from safetensors.torch import save_file

    foreign = tmp_path / "other.safetensors"
    save_file({"table": torch.zeros(3, 7)}, foreign)
    for path in (tmp_path / "absent", tmp_path, foreign):
        with pytest.raises(FpsError) as caught:
            CountSketch.load(path)
        assert "\n" not in str(caught.value)
    with pytest.raises(FpsError, match="a writable place"):
        CountSketch.zeros(SPEC).save(tmp_path / "no" / "such" / "folder")
