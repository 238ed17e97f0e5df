"""What a sketch gives back: estimates, the median's failure rate, the norm, the top k.

That a row is unbiased, and its variance, follow from the definition (below) and from the independence of the
hash, which `test_hashing.py` enumerates.
"""

from fractions import Fraction
from itertools import product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fpsverify.sketch.order import (
    MERGE_FROM,
    RunningTopK,
    largest,
    median_steps,
    middle,
    sorting_network,
)
from fpsverify.sketch.sketch import CountSketch, SketchSpec
from property_tests.support.assertions import UNIT
from property_tests.support.oracles import oracle_estimate, oracle_top_k
from property_tests.support.strategies import backends, dtypes, rules, specs_with_vectors


@given(st.integers(1, 12))
def test_median_network_by_the_zero_one_principle(w: int) -> None:
    """A network of min/max steps is right on all inputs if it is right on all inputs of zeros and ones."""
    lower, upper = middle(w)
    for bits in product((0, 1), repeat=w):
        x, y = list(bits), list(bits)
        for i, j in sorting_network(w):
            y[i], y[j] = min(y[i], y[j]), max(y[i], y[j])
        assert y == sorted(bits)
        for i, j in median_steps(w):
            x[i], x[j] = min(x[i], x[j]), max(x[i], x[j])
        assert (x[lower], x[upper]) == (sorted(bits)[lower], sorted(bits)[upper])


@given(specs_with_vectors(whole=False), dtypes, rules)
def test_estimates_are_the_definition_with_the_same_bits_from_both_backends(case, dtype, rule) -> None:
    """Median exact for odd w. Otherwise: at most w operations, each rounding by u relative to Σ|rows|."""
    spec, (x,) = case
    sketch, keys = CountSketch.zeros(spec, dtype=dtype).add(x), torch.arange(spec.d)
    seen = sketch.estimate(keys, rule, backend="numba")
    assert torch.equal(seen, sketch.estimate(keys, rule, backend="torch"))
    reach = float(sketch.table.abs().double().amax(dim=1).sum())
    slack = 0.0 if rule == "median" and spec.rows % 2 else spec.rows * UNIT[dtype] * reach
    for key in range(spec.d):
        assert abs(float(seen[key]) - float(oracle_estimate(spec, sketch.table, key, rule))) <= slack


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
@pytest.mark.parametrize("order", ["rising", "falling", "equal", "mixed"])
@pytest.mark.parametrize("step", [1000, MERGE_FROM + 1])
def test_a_running_top_k_is_exact_and_its_memory_does_not_grow(k: int, order: str, step: int) -> None:
    """However many values are offered, at most k and one batch of candidates wait; rising values all do."""
    values = torch.arange(1.0, 20_001.0)
    mixed = values[torch.arange(20_000) * 7919 % 20_000]
    values = {"rising": values, "falling": values.flip(0), "equal": torch.ones(20_000), "mixed": mixed}[order]
    running = RunningTopK(k, values)
    for start in range(0, len(values), step):
        running.offer(start, values[start : start + step])
        held = sum(part.numel() for part in running.values)
        assert held <= k + max(k, MERGE_FROM)
    indices, found = running.result()
    expected = largest(torch.arange(len(values)), values, k)
    assert torch.equal(indices, expected[0]) and torch.equal(found, expected[1])


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
    for m in range(2):
        assert torch.equal(batch.estimate(keys)[m], batch.member(m).estimate(keys))
