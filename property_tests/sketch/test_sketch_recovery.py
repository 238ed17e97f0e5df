"""What a sketch gives back: unbiased rows, their variance, the median's failure rate, the norm, the top k."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from torch import Tensor

from fpsverify.errors import BadInput
from fpsverify.kernels import compiled_loops as loops
from fpsverify.kernels.median_network import median_steps, middle, sorting_network
from fpsverify.kernels.topk import MERGE_FROM, RunningTopK, largest
from fpsverify.sketching.hashing import buckets_and_signs, hash_tables
from fpsverify.sketching.sketch import CountSketch, SketchSpec
from property_tests import laws
from property_tests.support.assertions import UNIT, assert_mean, assert_rate_at_most, assert_rate_is
from property_tests.support.oracles import oracle_estimate, oracle_top_k
from property_tests.support.strategies import backends, dtypes, rules, specs_with_vectors

SOURCE = laws.GUARANTEE

# Rows are independent draws of the hash, so a sketch with many rows is a sample of that size.
ROWS, B, D = 3000, 8, 1 << 20
KEYS = {
    "contiguous": torch.arange(5000, 5024),
    "strided": torch.arange(24) * 4096 + 17,
    "grid": (torch.arange(4)[:, None] * 1024 * 37 + torch.arange(6)[None, :] * 129 + 3)
    .flatten()
    .sort()
    .values,
}


def row_estimates(sketch: CountSketch, key: int) -> Tensor:
    """s_r(i)·S[r, h_r(i)] for every row r."""
    h, s = buckets_and_signs(hash_tables(sketch.spec, sketch.table.device), torch.tensor([key]))
    return sketch.table.gather(1, h)[:, 0] * s[:, 0]


def sample(keys: Tensor, values: Tensor, buckets: int = B, seed: int = 1) -> CountSketch:
    spec = SketchSpec(ROWS, buckets, D, seed)
    return CountSketch.zeros(spec, dtype=torch.float64).add_sparse(keys, values)


@pytest.mark.parametrize("layout", KEYS)
def test_point_query_is_unbiased_with_the_stated_variance(layout: str) -> None:
    """E = v_i and Var = ‖v_{-i}‖²/b per row, for keys in any layout.

    The error is Σ_j ±v_j·1[h_j = h_i] over j ≠ i, at most ‖v_{-i}‖₁. Its fourth moment needs five keys only:
    E err⁴ = Σ v_j⁴/b + 3·Σ_{j≠l} v_j² v_l²/b², so Bernstein applies to err² as well.
    """
    keys, values = KEYS[layout], torch.linspace(1, 2, 24, dtype=torch.float64)
    errors = row_estimates(sample(keys, values), int(keys[0])) - values[0]
    others = values[1:]
    F2, F4, reach = float(others.square().sum()), float((others**4).sum()), float(others.sum())
    assert_mean(errors, 0.0, F2 / B, reach, f"point query is unbiased, {layout} keys")
    fourth = F4 / B + 3 * (F2**2 - F4) / B**2
    spread = max(reach**2 - F2 / B, F2 / B)
    assert_mean(errors**2, F2 / B, fourth - (F2 / B) ** 2, spread, f"variance ‖v_-i‖²/b, {layout} keys")


RECTANGLES = {
    "contiguous": torch.arange(4),
    "strided": torch.arange(4) * 1024,
    "rectangle": torch.tensor([0, 1, 1024, 1025]),
    "wide rectangle": torch.tensor([7, 500, 7 + 99 * 1024, 500 + 99 * 1024]),
}


@pytest.mark.parametrize("layout", RECTANGLES)
def test_norm_estimate_is_unbiased_with_the_stated_variance(layout: str) -> None:
    """Per row E = ‖v‖² and Var = 2(‖v‖₂⁴ - ‖v‖₄⁴)/b, which needs 4-wise independence.

    Four keys with v = 1: F = 4 + 2·Σ_pairs ±1[collide] lies in [0, 16], so (F - 4)² ≤ 144 =: top, and
    Var (F - 4)² ≤ top·E(F - 4)². A weaker hash gets rectangles wrong: without T2 the variance doubles.
    """
    buckets = 2
    table = sample(RECTANGLES[layout], torch.ones(4, dtype=torch.float64), buckets).table
    F = table.square().sum(dim=1)
    variance, top = 2 * (16 - 4) / buckets, 144.0
    assert_mean(F, 4.0, variance, 12.0, f"row norm is unbiased, {layout} keys")
    assert_mean((F - 4) ** 2, variance, top * variance, top, f"variance of the row norm, {layout} keys")


def exact_failure_rate(w: int, b: int) -> Fraction:
    """P(x̂_i ≠ v_i) for v = e_i + A·e_j: each row errs by +A, -A (probability 1/2b each) or not at all."""
    p = {-1: Fraction(1, 2 * b), 0: 1 - Fraction(1, b), 1: Fraction(1, 2 * b)}
    total = Fraction(0)
    for errors in product(p, repeat=w):
        ordered = sorted(errors)
        if ordered[(w - 1) // 2] + ordered[w // 2] != 0:
            total += prod((p[e] for e in errors), start=Fraction(1))
    return total


@pytest.mark.parametrize(("w", "b"), [(1, 4), (3, 4), (4, 4), (5, 3), (6, 2)])
def test_median_fails_exactly_as_often_as_the_binomial_says(w: int, b: int) -> None:
    """Count of failures over independent seeds, two-sided Clopper-Pearson. For odd w the rate is that of at
    least (w+1)/2 rows colliding on one side; for even w the two middle values are averaged."""
    keys, values = torch.tensor([3, 900]), torch.tensor([1.0, 64.0])
    failures, trials = 0, 1500
    for seed in range(trials):
        sketch = CountSketch.zeros(SketchSpec(w, b, 1000, seed)).add_sparse(keys, values)
        failures += sketch.estimate(keys[:1]).item() != 1.0
    assert_rate_is(failures, trials, float(exact_failure_rate(w, b)), f"failure rate of the median, w = {w}")


@pytest.mark.parametrize("w", [3, 4, 5, 8])
def test_point_query_bound(w: int) -> None:
    """|v̂_i - v_i| > ε‖v_-i‖ needs ceil(w/2) failing rows (for even w too: the upper middle value must
    exceed). Chebyshev: a row fails with q ≤ 1/(bε²), so the rate is at most P(Bin(w, q) ≥ ceil(w/2))."""
    b, epsilon, d, trials = 40, 0.4, 400, 600
    v = torch.linspace(-1, 1, d, dtype=torch.float64)
    reach = epsilon * float((v.square().sum() - v[7] ** 2).sqrt())
    failures = 0
    for seed in range(trials):
        sketch = CountSketch.zeros(SketchSpec(w, b, d, seed), dtype=torch.float64).add(v)
        failures += abs(float(sketch.estimate(torch.tensor([7]))[0]) - float(v[7])) > reach
    bound = float(stats.binom.sf((w + 1) // 2 - 1, w, 1 / (b * epsilon**2)))
    assert_rate_at_most(failures, trials, bound, f"point-query bound, w = {w}")


@given(st.integers(1, 12))
def test_median_network_by_the_zero_one_principle(w: int) -> None:
    """A network of min/max steps is right on all inputs if it is right on all inputs of zeros and ones."""
    lower, upper = middle(w)
    for bits in product((0, 1), repeat=w):
        x, y = list(bits), list(bits)
        for i, j in sorting_network(w):
            y[i], y[j] = min(y[i], y[j]), max(y[i], y[j])
        assert y == sorted(bits)
        for s in median_steps(w):
            low, high = x[s.i], x[s.j]
            x[s.i] = min(low, high) if s.keep_min else None
            x[s.j] = max(low, high) if s.keep_max else None
        assert (x[lower], x[upper]) == (sorted(bits)[lower], sorted(bits)[upper])


@given(specs_with_vectors(), dtypes, backends, rules)
def test_estimates_equal_the_definition(case, dtype, backend, rule) -> None:
    """Median exact for odd w. Otherwise: at most w operations, each rounding by u relative to Σ|rows|."""
    spec, (x,) = case
    sketch = CountSketch.zeros(spec, dtype=dtype).add(x)
    seen = sketch.estimate(torch.arange(spec.d), rule, backend=backend)
    reach = float(sketch.table.abs().double().amax(dim=1).sum())
    slack = 0.0 if rule == "median" and spec.rows % 2 else spec.rows * UNIT[dtype] * reach
    for key in range(spec.d):
        assert abs(float(seen[key]) - float(oracle_estimate(spec, sketch.table, key, rule))) <= slack


@given(specs_with_vectors(whole=False), dtypes, rules)
def test_backends_estimate_the_same_bits(case, dtype, rule) -> None:
    spec, (x,) = case
    sketch, keys = CountSketch.zeros(spec, dtype=dtype).add(x), torch.arange(spec.d)
    fast = sketch.estimate(keys, rule, backend="numba")
    assert torch.equal(fast, sketch.estimate(keys, rule, backend="torch"))


@given(specs_with_vectors(), st.data(), dtypes, backends, rules)
def test_unsketch_is_the_sorted_top_k_of_all_estimates(case, data, dtype, backend, rule) -> None:
    """Largest magnitude first, lowest index among equals (small whole numbers tie often), zeros never."""
    spec, (x,) = case
    sketch = CountSketch.zeros(spec, dtype=dtype).add(torch.round(x / 2**13))
    k = data.draw(st.integers(1, spec.d))
    estimates = sketch.estimate(torch.arange(spec.d), rule)
    expected = oracle_top_k(estimates.tolist(), k)
    found = sketch.unsketch(k, rule=rule, backend=backend)
    assert found.indices.tolist() == expected
    assert torch.equal(found.values, estimates[expected])
    support = torch.tensor(data.draw(st.lists(st.integers(0, spec.d - 1))), dtype=torch.int64)
    inside = set(support.tolist())
    masked = [v if i in inside else 0.0 for i, v in enumerate(estimates.tolist())]
    restricted = sketch.unsketch(k, support=support, rule=rule, backend=backend)
    assert restricted.indices.tolist() == oracle_top_k(masked, k)
    assert torch.equal(restricted.values, estimates[restricted.indices])


@pytest.mark.parametrize("k", [1, 50, MERGE_FROM + 1])
@pytest.mark.parametrize("order", ["rising", "falling", "equal"])
@pytest.mark.parametrize("step", [1000, MERGE_FROM + 1])
def test_a_running_top_k_is_exact_and_its_memory_does_not_grow(k: int, order: str, step: int) -> None:
    """However many values are offered, at most k and one batch of candidates wait; rising values all do."""
    values = torch.arange(1.0, 20_001.0)
    values = {"rising": values, "falling": values.flip(0), "equal": torch.ones(20_000)}[order]
    running = RunningTopK(k, values)
    for start in range(0, len(values), step):
        running.offer(start, values[start : start + step])
        held = sum(part.numel() for part in running.values)
        assert held <= k + max(k, MERGE_FROM)
    indices, found = running.result()
    expected = largest(torch.arange(len(values)), values, k)
    assert torch.equal(indices, expected[0]) and torch.equal(found, expected[1])


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=40), st.integers(1, 40))
def test_both_selections_keep_exactly_the_k_largest(values: list[int], k: int) -> None:
    """On few distinct values, so that ties decide; the compiled form is given nonzero values only."""
    expected = oracle_top_k([float(v) for v in values], k)
    x = torch.tensor(values, dtype=torch.float32)
    assert largest(torch.arange(len(values)), x, k)[0].tolist() == expected
    places = np.flatnonzero(x.numpy())
    kept = places.copy()
    values = x.numpy()[places]
    count = loops.keep_largest(kept, values, values.view(np.int32), len(places), k)
    assert kept[:count].tolist() == expected


@pytest.mark.parametrize("backend", ["numba", "torch"])
@pytest.mark.parametrize("k", [1, 500, 1500, 20_000])
def test_long_scans_keep_the_rules(backend: str, k: int) -> None:
    """Several chunks and full buffers; b = 3 gives few distinct magnitudes, so ties decide nearly all."""
    d = 150_000
    spec = SketchSpec(2, 3, d, 4)
    sketch = CountSketch.zeros(spec).add(torch.arange(d).remainder(7).float())
    estimates = sketch.estimate(torch.arange(d))
    found = sketch.unsketch(k, backend=backend)
    assert found.indices.tolist() == oracle_top_k(estimates.tolist(), k)
    assert torch.equal(found.values, estimates[found.indices])


@given(specs_with_vectors())
def test_norm_is_the_median_of_row_norms(case) -> None:
    spec, (x,) = case
    sketch = CountSketch.zeros(spec, dtype=torch.float64).add(x)
    rows = sorted(sum(Fraction(v) ** 2 for v in row) for row in sketch.table.tolist())
    w = spec.rows
    assert sketch.l2_squared().item() == float((rows[(w - 1) // 2] + rows[w // 2]) / 2)
    batch = CountSketch.zeros(spec, batch=2, dtype=torch.float64).add(x)
    assert batch.l2_squared().tolist() == [sketch.l2_squared().item()] * 2


def test_batches_answer_like_their_members() -> None:
    spec, keys = SketchSpec(4, 11, 90, 3), torch.tensor([5, 80, 5])
    x = torch.arange(180, dtype=torch.float32).view(2, 90)
    batch = CountSketch.zeros(spec, batch=2).add(x)
    for m, found in enumerate(batch.unsketch_each(6)):
        single = batch.member(m).unsketch(6)
        assert torch.equal(found.indices, single.indices)
        assert torch.equal(found.values, single.values)
        assert torch.equal(batch.estimate(keys)[m], batch.member(m).estimate(keys))


@pytest.mark.parametrize("backend", ["numba", "torch"])
def test_bad_queries_are_refused(backend: str) -> None:
    sketch = CountSketch.zeros(SketchSpec(3, 4, 10, 0))
    nan = sketch.with_table(torch.full((3, 4), float("nan")))
    batch = CountSketch.zeros(sketch.spec, batch=2)
    key = torch.tensor([1])
    for call in (
        lambda: sketch.unsketch(0, backend=backend),
        lambda: sketch.unsketch(11, backend=backend),
        lambda: sketch.unsketch(2.0, backend=backend),
        lambda: sketch.unsketch(True, backend=backend),
        lambda: sketch.unsketch(2, rule="mode", backend=backend),
        lambda: sketch.unsketch(2, support=torch.tensor([10]), backend=backend),
        lambda: sketch.estimate(torch.tensor([-1]), backend=backend),
        lambda: sketch.estimate(key.int(), backend=backend),
        lambda: sketch.estimate(key, rule="max", backend=backend),
        lambda: nan.unsketch(1, backend=backend),
        lambda: nan.estimate(key, backend=backend),
        lambda: batch.unsketch(1, backend=backend),
        lambda: sketch.unsketch_each(1, backend=backend),
        lambda: sketch.member(0),
    ):
        with pytest.raises(BadInput) as caught:
            call()
        assert "\n" not in str(caught.value)
