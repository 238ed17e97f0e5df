"""FPS under Flower gives the bits of our own loop and sends a table of fixed size.

Opt-in (`make test-engines` installs the extra). These laws call the apps directly, message by message.
"""

import importlib.util

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("flwr", reason="needs Flower: make test-engines, or pip install 'fpsverify[flower]'")

from flwr.app import ArrayRecord, Message, MetricRecord

from fpsverify.engines import messages
from fpsverify.engines.flower_halves import hash_spec
from fpsverify.engines.flower_strategy import FpsStrategy
from fpsverify.sketching.sketch import CountSketch, combine
from property_tests import laws
from property_tests.engines.flower_harness import (
    OPTIONS,
    ROOT,
    Direct,
    context_of,
    flat,
    own_loop,
    own_model,
    same_bits,
    served,
    trainer,
)
from property_tests.support.small_runs import SPARSE, small

SOURCE = laws.ENGINES

# ---- equal to our loop ----------------------------------------------------------------------------------

READINGS = [
    (),
    ("dtype=float32",),
    ("algorithm.device_sketch=accum",),
    ("algorithm.initial_model=sketch", "problem.objective=mlp", "problem.hidden=4"),
    ("algorithm.initial_model=sketch", "algorithm.device_sketch=accum", "problem.objective=mlp"),
    ("algorithm.initial_model=zero", "problem.objective=mlp", "algorithm.recovery=mean"),
    ("local.unit=epochs", "local.E=2", "local.mu=0.3"),
    ("channel.kind=ideal", "channel.sigma=0"),
    ("channel.noise_on=grad", "local.batch=0"),
    ("channel.kind=rayleigh", "channel.gain_threshold=1.0"),
    ("channel.kind=rayleigh", "channel.gain_threshold=1.5", "rounds=12"),  # all silent in rounds 3, 8, …
    (*SPARSE, "algorithm.initial_model=sketch"),
    (*SPARSE, "dtype=float32", "algorithm.device_sketch=accum"),
]


@pytest.mark.parametrize("overrides", READINGS, ids=" ".join)
def test_every_served_reading_gives_the_bits_of_our_loop(overrides, tmp_path):
    """Same operations in the same order on both sides, so the tolerance is zero, in either dtype."""
    config = small(*overrides)
    assert same_bits(served(config, tmp_path), own_loop(config))


# ---- a model of one's own -------------------------------------------------------------------------------


def test_a_state_dict_moves_by_the_k_largest_of_the_averaged_sketch():
    """Against the definition: sketch each displacement, average, take the ten largest, add them."""
    result = FpsStrategy(OPTIONS, seed=4, M=3, fraction_evaluate=0.0).start(
        Direct(trainer(), 3), ArrayRecord(own_model()), num_rounds=1
    )
    start = flat(own_model())
    blank = CountSketch.zeros(hash_spec(OPTIONS, len(start), 4))
    trained = [{n: (v + (m + 1) / 8).to(v.dtype) for n, v in own_model().items()} for m in range(3)]
    steps = [flat(state) - start for state in trained]
    u = combine([blank.add(step) for step in steps], [1 / 3] * 3).unsketch(10)
    moved = result.arrays.to_torch_state_dict()
    assert {n: (v.dtype, v.shape) for n, v in moved.items()} == {
        n: (v.dtype, v.shape) for n, v in own_model().items()
    }
    assert moved["count"] == 3  # not a float: stays what it was
    # Averaging rounds three times, the last sum once, float16 once: u = 2^-24 and 2^-11, values below 8.
    assert torch.allclose(flat(moved), start + u.dense(), rtol=0, atol=8 * (4 * 2**-24 + 2**-11))
    weights = moved["a.weight"].flatten()
    assert torch.allclose(weights, (start + u.dense())[: len(weights)], rtol=0, atol=8 * 4 * 2**-24)
    assert result.train_metrics_clientapp[1]["step"] == pytest.approx(0.25)


# ---- bytes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_client_sends_rows_times_buckets_numbers_whatever_d_is(dtype):
    sizes = set()
    for d in (10, 1000, 50_000):
        grid = Direct(trainer(), 2)
        strategy = FpsStrategy(OPTIONS, seed=1, M=2, fraction_evaluate=0.0)
        result = strategy.start(grid, ArrayRecord({"w": torch.zeros(d, dtype=dtype)}), num_rounds=2)
        for reply in (reply for replies in grid.replies for reply in replies):
            (arrays,) = reply.content.array_records.values()
            sizes.add((sum(len(array.data) for array in arrays.values()), _size(reply)))
        assert result.train_metrics_clientapp[2]["table_bytes"] == 3 * 64 * dtype.itemsize
    (alone,) = {table for table, _ in sizes}
    assert alone == 3 * 64 * dtype.itemsize
    assert len(sizes) == 1  # and all else in the reply has one size, too


def _size(message: Message) -> int:
    return sum(content.count_bytes() for content in message.content.values())


# ---- messages -------------------------------------------------------------------------------------------


@given(st.lists(st.lists(st.integers(0, 3), max_size=3), min_size=1, max_size=4), st.integers(0, 99))
def test_a_model_survives_the_way(shapes, seed):
    g = torch.Generator().manual_seed(seed)
    state = {f"p{i}": torch.randn(shape, generator=g) for i, shape in enumerate(shapes)}
    arrays = ArrayRecord({**state, "steps": torch.tensor([1, 2])})
    w = messages.unpack_vector(arrays, torch.float32)
    assert messages.dimension(arrays) == len(w) == sum(v.numel() for v in state.values())
    back = messages.repack_vector(2 * w, arrays).to_torch_state_dict()
    assert all(torch.equal(back[name], 2 * v) for name, v in state.items())
    assert torch.equal(back["steps"], torch.tensor([1, 2]))


# ---- the example -------------------------------------------------------------------------------


def test_the_example_learns():
    spec = importlib.util.spec_from_file_location("flower_example", ROOT / "examples" / "flower_app.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    seen: list[float] = []
    measure = example.accuracy
    example.accuracy = lambda t, arrays: _noted(seen, measure(t, arrays))
    example.server(Direct(example.client, example.CLIENTS), context_of(0))
    assert len(seen) == example.ROUNDS + 1
    assert seen[-1] > 0.9 > 0.5 > seen[0]  # four classes: a model that guesses is right for a quarter


def _noted(seen: list[float], metrics: MetricRecord) -> MetricRecord:
    seen.append(float(metrics["accuracy"]))
    return metrics
