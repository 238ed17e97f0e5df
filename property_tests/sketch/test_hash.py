"""The hash: exact, stable, 5-wise independent (Thorup and Zhang), uniform, and free of tables of length d."""

from itertools import combinations, product

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fpsverify.errors import BadInput
from fpsverify.sketch import compiled_loops as loops
from fpsverify.sketch import numba_kernels
from fpsverify.sketch.hash import (
    MAX_D,
    HashTables,
    SketchSpec,
    buckets_and_signs,
    hash_tables,
    hash_words,
    pack,
    packed_indices,
    rotated,
    split_shift,
)
from fpsverify.sketch.numba_kernels import NO_KEYS
from property_tests.support.oracles import oracle_bucket_sign, oracle_split
from property_tests.support.strategies import large_specs, specs

CPU = torch.device("cpu")


def all_tables(K: int, A: int, bits: int) -> HashTables:
    """Every possible filling of the three tables with words of `bits` bits, one filling per row."""
    sizes = (K, A, K + A - 1)
    fillings = np.array(list(product(range(2**bits), repeat=sum(sizes))), dtype=np.int32)
    T0, T1, T2 = (torch.from_numpy(part.copy()) for part in np.split(fillings, np.cumsum(sizes)[:-1], axis=1))
    return HashTables(SketchSpec(1, 1, K * A, 0), K.bit_length() - 1, T0, T1, T2)


def jointly_uniform(words: np.ndarray, keys: tuple[int, ...], bits: int) -> bool:
    """Over all fillings, the words of `keys` take every combination equally often."""
    code = sum(words[:, key].astype(np.int64) << (bits * place) for place, key in enumerate(keys))
    counts = np.bincount(code, minlength=2 ** (bits * len(keys)))
    return bool((counts == len(words) / counts.size).all())


@pytest.mark.parametrize(("K", "A", "bits", "order"), [(2, 2, 2, 4), (2, 3, 1, 5), (4, 4, 1, 5)])
def test_every_few_distinct_keys_are_jointly_uniform(K: int, A: int, bits: int, order: int) -> None:
    words = hash_words(all_tables(K, A, bits), torch.arange(K * A)).numpy()
    for keys in combinations(range(K * A), order):
        assert jointly_uniform(words, keys, bits), f"keys {keys} are not jointly uniform"


@given(specs(max_d=5000), st.data())
def test_hash_equals_whole_number_arithmetic(spec: SketchSpec, data: st.DataObject) -> None:
    """Also beyond 1024 coordinates, where the second table has more than one word."""
    row, key = data.draw(st.integers(0, spec.rows - 1)), data.draw(st.integers(0, spec.d - 1))
    h, s = buckets_and_signs(hash_tables(spec, CPU), torch.tensor([key]))
    assert (int(h[row, 0]), int(s[row, 0])) == oracle_bucket_sign(spec, row, key)


@given(st.integers(0, 2**31 - 1), st.integers(1, 2**30))
def test_the_sign_is_the_lowest_bit_and_the_bucket_the_rest(v: int, buckets: int) -> None:
    word = int(rotated(np.array([v], np.int32))[0])
    exact = ((v >> 1) * buckets >> 30) + buckets * (v & 1)
    assert pack(torch.tensor([word]), buckets).item() == exact < 2 * buckets
    assert loops.pack_wide(np.uint32(word), 2 * buckets) == exact
    if buckets <= 2**15:
        assert loops.pack(np.uint32(word), np.uint32(2 * buckets)) == exact


@given(st.integers(1, 12), st.integers(1, 40))
def test_signs_are_fair_in_every_bucket_and_rows_collide_as_often_as_said(bits: int, b: int) -> None:
    """All words of 1 + `bits` bits: signs share a bucket equally, and Σ P(h)² = 1/b + r(b - r)/(b·4^bits).

    With 30 bits it is the rule that kernels follow; the count of words is all that a number of bits enters.
    """
    v = np.arange(2 ** (bits + 1))
    slots = np.bincount(((v >> 1) * b >> bits) + b * (v & 1), minlength=2 * b)
    assert (slots[:b] == slots[b:]).all()
    n, r = 2**bits, 2**bits % b
    assert b * int((slots[:b] ** 2).sum()) == n * n + r * (b - r)


@given(large_specs(), st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_compiled_hash_equals_torch_hash(spec: SketchSpec, places: list[float]) -> None:
    keys = torch.tensor([round(p * (spec.d - 1)) for p in places])
    tables = hash_tables(spec, CPU)
    expected = packed_indices(tables, keys)
    words, n = numba_kernels._words(tables), min(3000, spec.d - int(keys[0]))
    run = packed_indices(tables, torch.arange(int(keys[0]), int(keys[0]) + n))
    for r in range(spec.rows):
        for listed, start, wanted in ((keys.numpy(), 0, expected[r]), (NO_KEYS, int(keys[0]), run[r])):
            p = np.empty(len(wanted), np.uint32)
            loops.hashed(p, listed, start, len(p), *words[:3], r, tables.shift, 2 * spec.buckets)
            assert p.tolist() == wanted.tolist()


@pytest.mark.parametrize(
    ("field", "value"),
    [("rows", 0), ("rows", True), ("buckets", 0), ("buckets", 2**30 + 1), ("d", 0), ("d", 2**31 - 1),
     ("d", 10.0), ("seed", "1"), ("seed", 2**64)],
)  # fmt: skip
def test_bad_specs_are_refused_by_name(field: str, value: object) -> None:
    good = {"rows": 5, "buckets": 20, "d": 100, "seed": 1}
    with pytest.raises(BadInput, match=f"^{field}: "):
        SketchSpec(**{**good, field: value})


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 1023, 1024, 1025, 2**20, 2**20 + 1, 2**22, 2**22 + 1, MAX_D])
def test_the_hash_has_the_shortest_tables_that_do_and_none_of_length_d(d: int) -> None:
    """K is the least power of two with K ≥ d up to 2^10, K² ≥ d from 2^20 on; 2K + 2A - 1 words per row."""
    K = 1 << split_shift(d)
    assert K == oracle_split(d)
    tables, A = hash_tables(SketchSpec(1, 10, d, 1), CPU), -(-d // K)
    assert [t.numel() for t in (tables.T0, tables.T1, tables.T2)] == [K, A, K + A - 1]
