"""Devices shared out over ranks give the run of a single process; ranks are threads here.

Ordered reduction: equal bits, by construction. Fast reduction: equal up to the order of the sums.
"""

import threading

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fpsverify.channel import superpose
from fpsverify.config import ChannelConfig, RunConfig
from fpsverify.distributed.ranks import ALONE, Job, Ordered, Ranks, alone
from fpsverify.errors import BadInput, RunFailed
from fpsverify.local import check_finite, local_updates
from fpsverify.problems.build import build
from fpsverify.runs import checkpoint
from fpsverify.runs.loop import run, run_in_memory
from fpsverify.vectors import DenseUpdates, SparseVector
from property_tests.ranks.thread_ranks import Meeting, ThreadWire, on_threads
from property_tests.support.small_runs import SPARSE, Stop, record_of, small, stop_at

FIVE = ("devices.M=5", "rounds=3", "local.gamma=0.02")
DENSE_RUNS = {
    "persist": [],
    "accum": ["algorithm.device_sketch=accum"],
    "resync": ["algorithm.device_sketch=resync"],
    "sketched start": ["algorithm.initial_model=sketch", "problem.objective=mlp", "problem.hidden=3"],
    "mission steps": ["algorithm.local_iterate=mission"],
    "averaged": ["algorithm.simulate=averaged"],
    "identity": ["algorithm.compressor=identity"],
    "fading": ["channel.kind=rayleigh"],
    "epochs": ["local.unit=epochs", "local.E=2", "devices.scenario=3"],
    "full gradients": ["local.batch=0", "devices.scenario=3"],
    "logistic": ["problem.objective=logistic", "problem.classes=2", "algorithm.k=5"],
    "least squares": [
        "problem.data=synthetic",
        "problem.objective=least_squares",
        "problem.features=64",
        "local.batch=8",
    ],
    "fedavg": ["algorithm.name=fedavg"],
    "fetchsgd": ["algorithm.name=fetchsgd"],
    "fetchsgd averaged": ["algorithm.name=fetchsgd", "algorithm.simulate=averaged"],
    "fresh": ["algorithm.name=fresh"],
    "fresh averaged": ["algorithm.name=fresh", "algorithm.simulate=averaged"],
    "fresh memory": ["algorithm.name=fresh", "algorithm.memory_share=0.8"],
    "fresh memory, fading": ["algorithm.name=fresh", "algorithm.memory_share=0.8", "channel.kind=rayleigh"],
    "blcd": ["algorithm.name=blcd"],
    "topk": ["algorithm.name=topk"],
}
SPARSE_RUNS = {
    "sparse": [*SPARSE],
    "sparse averaged": [*SPARSE, "algorithm.simulate=averaged"],
    "sparse epochs": [*SPARSE, "local.unit=epochs", "local.E=1"],
    "sparse fresh": [*SPARSE[:3], "algorithm.scan=full", "algorithm.name=fresh"],
    "sparse topk": [*SPARSE, "algorithm.name=topk"],
}
RUNS = {name: small(*FIVE, *extra) for name, extra in (DENSE_RUNS | SPARSE_RUNS).items()}


def shared_out(config: RunConfig, world: int, reduction: str) -> list:
    found = on_threads(world, lambda wire: run_in_memory(config, job=Job(wire, reduction)))
    for result in found:
        if isinstance(result, Exception):
            raise result
    return found


def tensors(result) -> dict[str, torch.Tensor]:
    return checkpoint.pack(result.state)


@pytest.mark.parametrize(
    "name, dtype", [*((name, "float64") for name in RUNS), ("persist", "float32"), ("sparse", "float32")]
)
def test_ordered_gives_the_same_bits_for_any_number_of_ranks(name, dtype):
    config = RUNS[name].model_copy(update={"dtype": dtype})
    expected = run_in_memory(config, job=Job(ALONE, "ordered"))
    for world in (2, 4):
        found = shared_out(config, world, "ordered")
        assert found[0].rows == expected.rows and found[0].summary == expected.summary
        for key, tensor in tensors(expected).items():
            parts = [tensors(result)[key] for result in found]
            split = sum(map(len, parts)) == len(tensor) and key in ("devices", "memory")
            assert (
                torch.equal(torch.cat(parts), tensor) if split else all(torch.equal(p, tensor) for p in parts)
            )


@pytest.mark.parametrize("name", sorted(set(RUNS) - {"logistic", "least squares"}))
def test_ordered_equals_the_plain_run_where_products_do_not_depend_on_their_batch(name):
    """Matrix products below 400 multiply-adds are computed element by element, and softmax row by row.

    Left out are larger products, and the logistic function: torch computes the end of a tensor by another
    formula than the rest.
    """
    plain, ordered = run_in_memory(RUNS[name]), run_in_memory(RUNS[name], job=Job(ALONE, "ordered"))
    assert plain.rows == ordered.rows


def test_ordered_computes_devices_one_by_one():
    """On some machines a device's gradient has other bits in another batch, so no batch may be formed."""
    seen: list[tuple[int, ...]] = []

    def double(x, y):
        seen.append((*x.shape, y is None))
        return 2 * x

    x = torch.arange(6.0).reshape(3, 2)
    assert torch.equal(Ordered(ALONE, 3).per_device(double, x, None), 2 * x)
    assert seen == [(1, 2, True)] * 3
    seen.clear()
    assert torch.equal(alone(3).per_device(double, x, None), 2 * x) and seen == [(3, 2, True)]


@pytest.mark.parametrize("world", [2, 3, 5])
@pytest.mark.parametrize("name", RUNS)
def test_fast_equals_the_plain_run_up_to_the_order_of_the_sums(name, world):
    """One round from the same model, so that only the order of sums over devices can differ.

    Two orders of M additions differ by at most 2(M−1)u Σ_m|x_m|, in a bucket at most 2(M−1)u M max_m ‖Δ^m‖₁
    before the division by M; the last local step, reading out and adding to w_0 round a few times more.
    """
    config = RUNS[name].model_copy(update={"rounds": 1})
    plain, *found = run_in_memory(config), *shared_out(config, world, "fast")
    problem = build(config).problem
    updates = local_updates(problem, problem.start, config.local, 1)
    largest = max(float(v.abs().sum()) for v in each(updates))
    u = torch.finfo(torch.float64).eps / 2
    scale = largest + float(max(abs(x) for x in values(plain)))
    for result in found:
        got = values(result)
        assert len(got) == len(values(plain))
        assert max(abs(got - values(plain))) <= 2 * (problem.M + 8) * u * scale


def each(updates) -> list[torch.Tensor]:
    return list(updates.values) if isinstance(updates, DenseUpdates) else [p.values for p in updates.parts]


def values(result) -> torch.Tensor:
    state = result.state
    model = state.u if hasattr(state, "u") else state.w
    return model.values if isinstance(model, SparseVector) else model


@given(M=st.integers(1, 60), world=st.integers(1, 60))
def test_every_device_has_one_rank_and_ranks_differ_by_at_most_one_device(M, world):
    if world > M:
        with pytest.raises(
            BadInput, match=f"--nproc-per-node: got {world}, expected at most devices.M = {M}"
        ):
            Job(ThreadWire(Meeting(1), 0, world)).over(M)
        return
    shares = [Job(ThreadWire(Meeting(1), r, world)).over(M).mine for r in range(world)]
    assert [m for share in shares for m in share] == list(range(M))
    lengths = [len(share) for share in shares]
    assert max(lengths) - min(lengths) <= 1 and lengths == sorted(lengths, reverse=True)


def test_a_device_that_diverges_is_named_by_its_number_in_the_whole_run():
    """Devices 2 and 3 of four are on rank 1; the second of these has the bad number."""
    ranks = Ranks(ThreadWire(Meeting(1), 1, 2), 4)
    bad = torch.tensor([[1.0, 2.0], [1.0, float("nan")]])
    with pytest.raises(RunFailed, match="^round 5, device 3: the local update"):
        check_finite(DenseUpdates(bad), 5, ranks)
    with pytest.raises(RunFailed, match="^round 5, device 3: what it transmits"):
        superpose(ChannelConfig(kind="ideal"), bad, gamma=1.0, seed=1, t=5, ranks=ranks)


@given(M=st.integers(1, 6), world=st.integers(1, 6), data=st.data())
def test_means_of_integers_are_exact_in_both_reductions(M, world, data):
    """Integers add up without rounding, so every order gives the same value and `==` is the test."""
    three = st.lists(st.integers(-99, 99), min_size=3, max_size=3)
    whole = torch.tensor(data.draw(st.lists(three, min_size=M, max_size=M)), dtype=torch.float64)

    def mean(wire, kind):
        ranks = kind(wire, M)
        return ranks.mean(DenseUpdates(whole[ranks.place]))

    for kind in (Ranks, Ordered):
        for found in on_threads(min(world, M), lambda wire: mean(wire, kind)):  # noqa: B023
            assert torch.equal(found, whole.sum(dim=0) / M)


@pytest.mark.parametrize("first, then", [(1, 2), (4, 1), (2, 3)])
@pytest.mark.parametrize("name", ["persist", "averaged", "sparse", "fetchsgd"])
def test_a_stopped_run_continues_on_another_number_of_ranks(name, first, then, tmp_path):
    config = RUNS[name]

    def start(wire):
        return run(config, tmp_path / "cut", progress=stop_at(2), job=Job(wire, "ordered"))

    def finish(wire):
        given = None if wire.rank == 0 else config
        return run(given, tmp_path / "cut", resume=True, job=Job(wire, "ordered"))

    assert all(isinstance(e, Stop | threading.BrokenBarrierError) for e in on_threads(first, start))
    assert not (tmp_path / "cut" / "summary.json").exists()
    found = on_threads(then, finish)
    run(config, tmp_path / "whole", job=Job(ALONE, "ordered"))
    assert not any(isinstance(result, Exception) for result in found), found
    assert record_of(tmp_path / "cut") == record_of(tmp_path / "whole")


def test_each_rank_takes_its_own_accelerator_unless_the_config_names_one():
    """torch's `meta` device stands for a kind of accelerator that comes in several."""
    config = small("problem.objective=least_squares", "problem.data=synthetic", "algorithm.k=3")
    kind = config.model_copy(update={"device": "meta"})
    assert str(build(kind, accelerator=1).device) == "meta:1"
    assert str(build(kind).device) == "meta"
    assert str(build(config, accelerator=1).device) == "cpu"
