"""FPS becomes simpler algorithms when parts of it are switched off; what must not change a run does not."""

import pytest
import torch

from fpsverify.algorithms import find
from fpsverify.runs.loop import prepare, run_in_memory
from fpsverify.vectors import SparseVector
from property_tests.algorithms.test_algorithm_conformance import HALF
from property_tests.support.small_runs import SPARSE, small

ROUNDING = 1e-12  # float64, six rounds of numbers of order one


def final_model(overrides: tuple[str, ...]) -> torch.Tensor:
    config = small(*overrides)
    algorithm, setup, _ = prepare(config)
    w = algorithm.model(setup, run_in_memory(config).state)
    return w.dense() if isinstance(w, SparseVector) else w


QUIET = "channel.sigma=0.0"
EXACT = ("algorithm.compressor=identity", "algorithm.k=21", QUIET)
FEDAVG = ("algorithm.name=fedavg", QUIET)
ONE_STEP = ("devices.M=1", "devices.scenario=1", "local.E=1", QUIET)
MISSION = (*ONE_STEP, "algorithm.name=mission")
FETCH = ("algorithm.name=fetchsgd", QUIET, "local.E=1", "local.batch=0", "algorithm.k=3", "local.gamma=0.02")
ZEROED, SUBTRACTED = ((*FETCH, f"algorithm.error_feedback={how}") for how in ("zero", "subtract"))
AVERAGED, MU = "algorithm.simulate=averaged", "local.mu=0.5"
EQUAL = {
    **{
        f"without compression, {reading} is FedAvg {more}": (
            (*EXACT, f"algorithm.device_sketch={reading}", *more),
            (*FEDAVG, *more),
        )
        for reading in ("persist", "accum", "resync")
        for more in ((), (HALF,), (MU,))
    },
    **{
        f"without compression, MISSION's steps are those of FedAvg {more}": (
            (*EXACT, "algorithm.local_iterate=mission", "algorithm.device_sketch=resync", *more),
            (*FEDAVG, *more),
        )
        for more in ((), (MU,))
    },
    "averaged, some devices": ((*EXACT, HALF, AVERAGED), (*FEDAVG, HALF)),
    # With b ≫ d² no two of 21 coordinates meet in most rows.
    "large sketch": (("algorithm.buckets=100000", "algorithm.rows=5", *EXACT[1:]), FEDAVG),
    "MISSION": (ONE_STEP, (*ONE_STEP, "algorithm.name=mission")),
    "MISSION's steps": (
        (*ONE_STEP, "algorithm.local_iterate=mission"),
        (*ONE_STEP, "algorithm.name=mission"),
    ),
    "one sketch of the mean": ((AVERAGED,), ()),
    "one sketch of the mean, FetchSGD": ((*FETCH[:1], AVERAGED), FETCH[:1]),
    "accumulated at the server": ((QUIET, "algorithm.device_sketch=accum"), (QUIET,)),
    "without collisions": ((*ZEROED, EXACT[0]), (*SUBTRACTED, EXACT[0])),
}


@pytest.mark.parametrize("one,other", EQUAL.values(), ids=EQUAL)
def test_these_runs_give_the_same_model(one, other):
    expected = final_model(other)
    torch.testing.assert_close(final_model(one), expected, rtol=0, atol=ROUNDING)
    assert float(expected.norm()) > 0.01


@pytest.mark.parametrize("k", [4, 21])
def test_residual_of_an_exact_sketch_is_the_tail_beyond_k(k):
    """Nothing is left of d = 21 coordinates: the mean of M sums and the sum of T means differ by rounding."""
    result = run_in_memory(small("algorithm.compressor=identity", f"algorithm.k={k}", "channel.sigma=0.0"))
    v = result.state.v
    tail = torch.sort(v.abs(), descending=True).values[k:].square().sum()
    unit = torch.finfo(torch.float64).eps * (4 + 6)  # M + T additions of a coordinate
    rounding = unit**2 * 4 * float(v.square().sum())
    assert result.rows[-1]["residual_squared"] == pytest.approx(float(tail), rel=1e-12, abs=rounding)


@pytest.mark.parametrize("initial", ["beside", "sketch", "zero"])
def test_readings_of_the_initial_model(initial):
    """All start from their own w_0; `beside` keeps w_0 outside of the sketch."""
    config = small("problem.objective=mlp", "problem.hidden=4", f"algorithm.initial_model={initial}")
    algorithm, setup, _ = prepare(config)
    state = algorithm.init(setup)
    w = algorithm.model(setup, state)
    expected = setup.problem.zero() if initial == "zero" else setup.problem.start
    assert torch.equal(w, expected)
    assert bool(state.devices.any()) == (initial == "sketch")


def test_candidate_scan_selects_only_coordinates_of_the_data():
    rows = run_in_memory(small(*SPARSE, "rounds=2")).rows
    assert rows[-1]["selected_in_data"] == rows[-1]["selected"] == 9


def test_an_outage_keeps_the_last_broadcast():
    config = small("channel.kind=rayleigh", "channel.gain_threshold=1e9")
    algorithm, setup, _ = prepare(config)
    state = algorithm.init(setup)
    after, info = find("fps").step(setup, state, 1)
    assert info["active_devices"] == 0
    assert torch.equal(algorithm.model(setup, after), algorithm.model(setup, state))
    assert bool(after.devices.any())
