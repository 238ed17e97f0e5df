"""The compressors of fresh hashes: exact moments by enumeration, linearity, exact draws, named streams."""

import dataclasses
import hashlib
from fractions import Fraction
from itertools import product
from math import log, prod, sqrt

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fpsverify.algorithms.compressor import Compressor, Folded, Scattered, affine, permuted, prime_from
from fpsverify.rng import derive_seed, named, stream
from fpsverify.sketch.hash import SketchSpec, uniform_words
from fpsverify.vectors import DenseUpdates, SparseUpdates, SparseVector

F64 = torch.float64
KINDS = ("fold", "balanced", "count_sketch", "identity")
every_kind = pytest.mark.parametrize("kind", KINDS)


def matrix(draw, d: int) -> torch.Tensor:
    """A = SᵀS/J."""
    return draw.decode(draw.encode(DenseUpdates(torch.eye(d, dtype=F64)))).T


def sign_vectors(*shape: int) -> list[torch.Tensor]:
    """All of them."""
    return [torch.tensor(s, dtype=F64).reshape(shape) for s in product((1, -1), repeat=prod(shape))]


def all_folds(d: int, b: int, rows: int = 1) -> list[torch.Tensor]:
    """A for all signs."""
    fold = Compressor("fold", rows, b, d, 3, dtype=F64)
    return [matrix(Folded(fold, signs), d) for signs in sign_vectors(rows, d)]


def all_balanced(d: int, b: int) -> list[torch.Tensor]:
    """A for all affine maps and all signs; one row."""
    P, at = prime_from(d), torch.arange(d)
    kind = Compressor("balanced", 1, b, d, 3, dtype=F64)
    places = [((u * at + v) % P % b)[None] for u in range(1, P) for v in range(P)]
    return [matrix(Scattered(kind, p, s), d) for p in places for s in sign_vectors(1, d)]


def all_functions(d: int, b: int) -> list[torch.Tensor]:
    """A for all functions to (bucket, sign), which is what 5-wise independent keys see; one row."""
    kind = Compressor("count_sketch", 1, b, d, 3, dtype=F64)
    places = [torch.tensor(p)[None] for p in product(range(b), repeat=d)]
    return [matrix(Scattered(kind, p, s), d) for p in places for s in sign_vectors(1, d)]


def symmetric(d: int) -> torch.Tensor:
    K = torch.arange(d * d, dtype=F64).reshape(d, d).remainder(7) - 3
    return K + K.T


ENUMERATED = {
    "fold": (all_folds, 6, 2),
    "fold, uneven": (all_folds, 5, 2),
    "balanced": (all_balanced, 5, 2),
    "balanced, d < P": (all_balanced, 4, 3),
    "count_sketch": (all_functions, 4, 2),
}


@pytest.mark.parametrize("way", ENUMERATED)
def test_the_mean_of_A_is_I_and_its_second_moment_is_that_of_the_theory(way):
    """E(A - I)K(A - I) = p[K + tr(K)I - 2 diag K], p the probability that two coordinates meet.

    For the fold p_il is 0 or 1, and the same holds for K without the entries between classes.
    """
    make, d, b = ENUMERATED[way]
    found, eye, K = make(d, b), torch.eye(d, dtype=F64), symmetric(d)
    kind = Compressor(way.split(",")[0], 1, b, d, 3, dtype=F64)
    assert torch.equal(sum(found), len(found) * eye)
    if kind.kind == "fold":
        classes = torch.from_numpy(permuted(np.arange(d), d, 3, 0) % b)
        pairs = (classes[:, None] == classes).double()
    else:
        p = Fraction(sum(int(A[0, 1] != 0) for A in found), len(found))
        assert kind.collision == pytest.approx(float(p), rel=1e-12)
        pairs = torch.full((d, d), float(p), dtype=F64).fill_diagonal_(1)
    off = pairs - eye
    expected = off * K + torch.diag(off @ K.diagonal())
    second = sum((A - eye) @ K @ (A - eye) for A in found) / len(found)
    torch.testing.assert_close(second, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("way", ENUMERATED)
def test_omega_is_the_largest_growth_of_a_square(way):
    make, d, b = ENUMERATED[way]
    found = make(d, b)
    largest = float(torch.linalg.eigvalsh(sum(A @ A for A in found) / len(found)).max())
    kind = Compressor(way.split(",")[0], 1, b, d, 3)
    assert largest == pytest.approx(1 + kind.omega, rel=1e-12)


def test_rows_divide_omega():
    found, eye = all_folds(4, 2, rows=2), torch.eye(4, dtype=F64)
    assert torch.equal(sum(found), len(found) * eye)
    largest = float(torch.linalg.eigvalsh(sum(A @ A for A in found) / len(found)).max())
    assert largest <= 1 + Compressor("fold", 2, 2, 4, 3).omega + 1e-12
    assert Compressor("fold", 2, 2, 4, 3).omega == Compressor("fold", 1, 2, 4, 3).omega / 2


@given(st.sampled_from([1, 2, 3, 5, 400, 4000, 65_537, 999_983, 2**30]))
def test_the_count_sketch_collides_as_often_as_its_integer_map(b):
    r = 2**30 % b
    exact = Fraction(1, b) + Fraction(r * (b - r), b * 4**30)
    assert Compressor("count_sketch", 1, b, 10, 1).collision == pytest.approx(float(exact), rel=1e-15)


shapes = st.tuples(
    st.sampled_from(KINDS), st.integers(1, 3), st.integers(1, 40), st.integers(1, 60), st.integers(0, 99)
)
whole = st.integers(-50, 50)


def numbers(data: st.DataObject, *shape: int) -> torch.Tensor:
    n = prod(shape)
    return torch.tensor(data.draw(st.lists(whole, min_size=n, max_size=n)), dtype=F64).reshape(shape)


@given(shapes, st.integers(0, 9), st.data())
def test_decode_is_the_transpose_of_encode_by_the_number_of_rows_and_both_are_linear(shape, t, data):
    """On whole numbers, exactly."""
    kind = Compressor(*shape, dtype=F64)
    draw, d, rows = kind.draw(t), kind.d, 1 if kind.kind == "identity" else kind.rows
    x = numbers(data, 2, d)
    tables = draw.encode(DenseUpdates(x))
    assert tables.shape == (2, rows, kind.uses // rows)
    back = numbers(data, *tables.shape[1:])
    inner = float((draw.decode(back) * x[0]).sum()) * rows
    assert inner == pytest.approx(float((tables[0] * back).sum()), rel=1e-12, abs=1e-9)
    total = draw.encode(DenseUpdates((3 * x[0] - 2 * x[1])[None]))[0]
    assert torch.equal(total, 3 * tables[0] - 2 * tables[1])
    both = draw.decode(tables)
    assert torch.equal(both[0], draw.decode(tables[0])) and torch.equal(both[1], draw.decode(tables[1]))


@given(shapes, st.integers(0, 9), st.data())
def test_on_sparse_vectors_it_is_the_same_map_at_the_coordinates_that_are_kept(shape, t, data):
    kind = Compressor(*shape, dtype=F64)
    d = kind.d
    chosen = sorted(data.draw(st.sets(st.integers(0, d - 1), min_size=1)))
    kept = torch.tensor(sorted(data.draw(st.sets(st.integers(0, d - 1))) | set(chosen)))
    part = SparseVector(d, torch.tensor(chosen), numbers(data, len(chosen)))
    few = dataclasses.replace(kind, kept=kept).draw(t)
    tables = kind.draw(t).encode(DenseUpdates(part.dense()[None]))
    if kind.kind == "identity":
        tables = tables[..., kept]
    assert torch.equal(few.encode(SparseUpdates((part,))), tables)
    everywhere = part.dense()[None, None] if kind.kind == "identity" else tables
    assert torch.equal(few.decode(tables[0]), kind.draw(t).decode(everywhere[0])[kept])


@given(st.integers(1, 40), st.integers(0, 30), st.integers(0, 9), st.sampled_from([torch.float32, F64]))
def test_a_fold_as_wide_as_the_model_or_wider_loses_nothing_bit_for_bit(d, more, t, dtype):
    x = torch.randn(3, d, generator=torch.Generator().manual_seed(d), dtype=dtype)
    kind = Compressor("fold", 1, d + more, d, 5, dtype=dtype)
    assert torch.equal(kind.draw(t).decode(kind.draw(t).encode(DenseUpdates(x))), x) and kind.omega == 0


@given(st.integers(1, 3000), st.integers(0, 2**63), st.integers(0, 3))
def test_the_fold_has_a_permutation(d, seed, row):
    assert sorted(permuted(np.arange(d), d, seed, row).tolist()) == list(range(d))


def test_the_permutation_puts_each_pair_into_a_class_as_often_as_a_uniform_one():
    """Neighbours and distant coordinates over 4,000 seeds; Hoeffding at 1e-9 for all pairs together."""
    d, b, n = 784, 8, 4000
    pairs = [(0, 1), (0, 784 // 2), (3, 3 + b), (100, 228), (0, 783), (17, 18), (256, 512)]
    classes = np.stack([permuted(np.ravel(pairs), d, seed, 0).reshape(-1, 2) % b for seed in range(n)])
    met = (classes[..., 0] == classes[..., 1]).sum(0)
    epsilon = sqrt(log(2 * len(pairs) / 1e-9) / (2 * n))
    assert np.abs(met / n - (d // b - 1) / (d - 1)).max() <= epsilon


def test_every_affine_map_is_drawn_as_often_as_every_other():
    """Over seeds, rounds and rows; Hoeffding at 1e-9 for all P(P - 1) maps together."""
    P, n = 5, 8000
    drawn = [affine(P, i % 7, i // 14, i % 14 // 7) for i in range(n)]
    shares = [drawn.count(one) / n for one in product(range(1, P), range(P))]
    epsilon = sqrt(log(2 * len(shares) / 1e-9) / (2 * n))
    assert sum(shares) == pytest.approx(1) and max(abs(x - 1 / len(shares)) for x in shares) <= epsilon


def test_signs_are_fair_and_pairs_of_them_too():
    """Over rounds, for a handful of coordinates; Hoeffding at 1e-9."""
    n, kind = 4000, Compressor("fold", 1, 4, 100, 1)
    s = torch.stack([kind.signs(t, 0)[[0, 1, 7, 8, 50, 99]] for t in range(n)])
    means = torch.cat([s.mean(0), (s.T @ s / n).triu(1).flatten()])
    assert float(means.abs().max()) <= 2 * sqrt(log(2 * len(means) / 1e-9) / (2 * n))


# ---- names of draws ---------------------------------------------------------------------------------------


def test_no_two_draws_of_a_run_have_one_name(monkeypatch):
    """All bytes that SHAKE and SHA-256 are asked for, over seeds, rounds, rows and kinds."""
    asked: list[bytes] = []
    for name in ("shake_128", "sha256"):
        plain = getattr(hashlib, name)

        def spied(text: bytes, plain=plain, name=name):
            asked.append(name.encode() + text)
            return plain(text)

        monkeypatch.setattr(hashlib, name, spied)
    seeds, rows = (1, 11), range(2)
    for seed, t, row in product(seeds, (1, 2, 11), rows):
        Compressor("fold", 2, 4, 30, seed).signs(t, row)
        affine(31, seed, t, row)
        for table in range(3):
            uniform_words(SketchSpec(2, 4, 30, seed, t).name, row, table, 4)
    for seed, row in product(seeds, rows):
        permuted(np.arange(30), 30, seed, row)
        for path in (("channel", row), ("fading", row), ("batch", row, 0), ("participation", row)):
            derive_seed(seed, *path)
    uniform_words(SketchSpec(2, 4, 30, derive_seed(1, "hash")).name, 0, 0, 4)
    assert len(asked) == len(set(asked)) > 80


paths = st.lists(st.one_of(st.integers(), st.text(alphabet="ab/:1", max_size=4)), max_size=4)


@given(st.integers(0, 2**64), st.integers(0, 2**64), paths, paths)
def test_round_and_seed_stand_in_the_name_unshortened(seed, other, path, another):
    texts = [p for p in (*path, *another) if isinstance(p, str)]
    if (seed, path) != (other, another) and not any("/" in p for p in texts):
        assert named(seed, *path) != named(other, *another)
    assert str(seed) in named(seed, *path)


@every_kind
def test_rounds_and_seeds_draw_differently_and_the_same_name_the_same(kind):
    x = DenseUpdates(torch.randn(1, 500, generator=torch.Generator().manual_seed(1), dtype=F64))

    def table(seed: int, t: int) -> torch.Tensor:
        return Compressor(kind, 2, 10, 500, seed, dtype=F64).draw(t).encode(x)

    assert torch.equal(table(1, 1), table(1, 1))
    assert kind == "identity" or not torch.equal(table(1, 1), table(1, 2))
    assert kind == "identity" or not torch.equal(table(1, 1), table(2, 1))


def test_a_stream_is_read_as_far_as_asked():
    assert stream(100, 1, "a")[:10] == stream(10, 1, "a") != stream(10, 1, "b")


@every_kind
def test_backends_give_the_same_bits(kind, monkeypatch):
    x = torch.randn(3, 3000, generator=torch.Generator().manual_seed(2))
    found = []
    for backend in ("numba", "torch"):
        monkeypatch.setenv("FPSVERIFY_BACKEND", backend)
        draw = Compressor(kind, 3, 70, 3000, 9).draw(4)
        tables = draw.encode(DenseUpdates(x))
        found.append((tables, draw.decode(tables)))
    assert all(torch.equal(a, b) for a, b in zip(*found, strict=True))
