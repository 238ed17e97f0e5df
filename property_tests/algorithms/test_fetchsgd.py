"""FetchSGD: what its error sketch holds, which buckets are cleared, and its two readings."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fpsverify.algorithms.fetchsgd import without_buckets
from fpsverify.runs.loop import prepare
from fpsverify.sketch.hash import buckets_and_signs, hash_tables
from fpsverify.sketch.sketch import CountSketch, SketchSpec, empty
from property_tests.support.quadratics import advance
from property_tests.support.small_runs import small

QUIET = ("algorithm.name=fetchsgd", "channel.sigma=0.0", "local.E=1", "local.batch=0")
CLOSE = {"rtol": 0, "atol": 1e-12}  # float64, a few dozen additions of numbers of order one


@pytest.mark.parametrize("masked", [True, False])
@pytest.mark.parametrize("feedback", ["zero", "subtract"])
def test_the_model_moves_by_what_was_read_out_of_error_plus_step_times_momentum(feedback, masked):
    """u ← 0.7u + S(∇f), e ← e + γu, Δ = U_k(e), w ← w − Δ; then Δ is subtracted from e, or its buckets are
    cleared, and with masking the same buckets of u."""
    options = (f"algorithm.error_feedback={feedback}", f"algorithm.momentum_masking={masked}".lower())
    _, setup, _ = prepare(small(*QUIET, "algorithm.momentum=0.7", *options))
    states, infos = advance(setup, 3)
    like = torch.empty(0, dtype=torch.float64)
    blank = empty(setup.config.algorithm, setup.problem.d, None, setup.seed, like)
    for before, after, info in zip(states, states[1:], infos, strict=False):
        g = setup.problem.full_gradient(before.w).gradient
        momentum = blank.with_table(before.momentum * 0.7).add(g)
        error = blank.with_table(before.error + setup.config.local.gamma * momentum.table)
        delta = error.unsketch(7)
        torch.testing.assert_close(before.w - after.w, delta.dense(), **CLOSE)
        assert info["selected"] == 7
        cleared = without_buckets(error, delta.indices)
        left = cleared if feedback == "zero" else error.add(-delta.dense()).table
        torch.testing.assert_close(after.error, left, **CLOSE)
        kept = without_buckets(momentum, delta.indices) if masked else momentum.table
        torch.testing.assert_close(after.momentum, kept, **CLOSE)


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
