"""FetchSGD: what its error sketch holds, which buckets are cleared, and its two readings."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fpsverify.algorithms.fetchsgd import without_buckets
from fpsverify.runs.loop import prepare
from fpsverify.sketching.hashing import buckets_and_signs, hash_tables
from fpsverify.sketching.sketch import CountSketch, SketchSpec
from property_tests import laws
from property_tests.support.quadratics import advance
from property_tests.support.small_runs import small

SOURCE = laws.BASELINES
CORE = True

QUIET = ("algorithm.name=fetchsgd", "channel.sigma=0.0", "local.E=1", "local.batch=0")
CLOSE = {"rtol": 0, "atol": 1e-12}  # float64, a few dozen additions of numbers of order one


def blank(setup) -> CountSketch:
    state = advance(setup, 0)[0][0]
    from fpsverify.sketching import compressor

    like = torch.empty(0, dtype=torch.float64)
    sketch = compressor.empty(setup.config.algorithm, setup.problem.d, None, setup.seed, like)
    assert isinstance(sketch, CountSketch) and sketch.table.shape == state.error.shape
    return sketch


@pytest.mark.parametrize("masked", ["true", "false"])
def test_subtracting_keeps_every_gradient_either_in_the_model_or_in_the_error(masked):
    """e_t − S(w_t − w_0) = γ Σ_s u_s for any sketch; without momentum u_s = S(∇f(w_s))."""
    options = ("algorithm.momentum=0.0", "algorithm.error_feedback=subtract")
    _, setup, _ = prepare(small(*QUIET, *options, f"algorithm.momentum_masking={masked}"))
    states, _ = advance(setup, 5)
    w0, gamma = setup.problem.start, setup.config.local.gamma
    total = sum(setup.problem.full_gradient(s.w).gradient for s in states[:-1])
    expected = blank(setup).add(gamma * total + (states[-1].w - w0)).table
    torch.testing.assert_close(states[-1].error, expected, **CLOSE)
    assert float(expected.norm()) > 1e-3


def test_the_model_moves_by_what_was_read_out_of_error_plus_step_times_momentum():
    _, setup, _ = prepare(small(*QUIET))
    states, infos = advance(setup, 3)
    before, after = states[-2], states[-1]
    g = setup.problem.full_gradient(before.w).gradient
    sketch = blank(setup).with_table(before.momentum * 0.9).add(g)
    error = sketch.with_table(before.error + setup.config.local.gamma * sketch.table)
    delta = error.unsketch(7)
    torch.testing.assert_close(before.w - after.w, delta.dense(), **CLOSE)
    assert infos[-1]["selected"] == 7
    torch.testing.assert_close(after.error, without_buckets(error, delta.indices), **CLOSE)
    torch.testing.assert_close(after.momentum, without_buckets(sketch, delta.indices), **CLOSE)


@given(
    rows=st.integers(1, 5),
    buckets=st.integers(1, 12),
    seed=st.integers(0, 99),
    indices=st.lists(st.integers(0, 39), max_size=15, unique=True),
)
def test_cleared_buckets_are_exactly_those_of_the_extracted_coordinates(rows, buckets, seed, indices):
    """Also where two coordinates share a bucket with opposite signs: their sketch may be 0 there."""
    spec = SketchSpec(rows, buckets, 40, seed)
    sketch = CountSketch(spec, torch.ones(rows, buckets, dtype=torch.float64))
    chosen = torch.tensor(sorted(indices), dtype=torch.int64)
    table = without_buckets(sketch, chosen)
    h, _ = buckets_and_signs(hash_tables(spec, torch.device("cpu")), chosen)
    for r in range(rows):
        hit = set(h[r].tolist())
        assert [float(x) for x in table[r]] == [0.0 if b in hit else 1.0 for b in range(buckets)]
    assert bool((sketch.table == 1).all())
