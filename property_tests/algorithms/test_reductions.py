"""FPS becomes simpler algorithms when parts of it are switched off (issue: reductions that must hold)."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fpsverify.algorithms import find
from fpsverify.runs.loop import prepare, run_in_memory
from fpsverify.sketching.compressor import IdentitySketch
from fpsverify.vectors import DenseUpdates, SparseUpdates, SparseVector
from property_tests import laws
from property_tests.support.small_runs import SPARSE, small

SOURCE = laws.ALGORITHM

ROUNDING = 1e-12  # float64, six rounds of numbers of order one


def final_model(*overrides: str) -> torch.Tensor:
    config = small(*overrides)
    result = run_in_memory(config)
    algorithm, setup, _ = prepare(config)
    w = algorithm.model(setup, result.state)
    return w.dense() if isinstance(w, SparseVector) else w


NO_COMPRESSION = ("algorithm.compressor=identity", "algorithm.k=21", "channel.sigma=0.0")


@pytest.mark.parametrize("reading", ["persist", "accum", "resync"])
def test_without_compression_and_noise_fps_is_fedavg(reading):
    fps = final_model(*NO_COMPRESSION, f"algorithm.device_sketch={reading}")
    fedavg = final_model("algorithm.name=fedavg", "channel.sigma=0.0")
    torch.testing.assert_close(fps, fedavg, rtol=0, atol=ROUNDING)
    assert float(fedavg.norm()) > 0.1


def test_with_mu_it_is_fedprox():
    fps = final_model(*NO_COMPRESSION, "local.mu=0.5")
    fedprox = final_model("algorithm.name=fedavg", "channel.sigma=0.0", "local.mu=0.5")
    torch.testing.assert_close(fps, fedprox, rtol=0, atol=ROUNDING)
    assert not torch.allclose(fps, final_model(*NO_COMPRESSION), atol=1e-6)


def test_a_large_count_sketch_is_an_exact_sketch():
    """The same reduction through the real sketch: with b ≫ d² no two of 21 coordinates meet in most rows."""
    fps = final_model("algorithm.buckets=100000", "algorithm.rows=5", "algorithm.k=21", "channel.sigma=0.0")
    fedavg = final_model("algorithm.name=fedavg", "channel.sigma=0.0")
    torch.testing.assert_close(fps, fedavg, rtol=0, atol=ROUNDING)


ONE_DEVICE = ("devices.M=1", "devices.scenario=1", "local.E=1", "channel.sigma=0.0")


@pytest.mark.parametrize("local_iterate", ["dense", "mission"])
def test_one_device_one_step_no_noise_is_mission(local_iterate):
    fps = final_model(*ONE_DEVICE, f"algorithm.local_iterate={local_iterate}")
    mission = final_model(*ONE_DEVICE, "algorithm.name=mission")
    torch.testing.assert_close(fps, mission, rtol=0, atol=ROUNDING)


def test_all_coordinates_of_an_exact_sketch_leave_no_residual():
    """Exactly 0 on one device; on M devices the mean of sums and the sum of means differ by rounding."""
    one = run_in_memory(small(*NO_COMPRESSION, "devices.M=1", "devices.scenario=1")).rows
    assert [row["residual_squared"] for row in one[1:]] == [0.0] * 6
    assert one[-1]["v_norm_squared"] > 0
    four = run_in_memory(small(*NO_COMPRESSION)).rows
    unit = torch.finfo(torch.float64).eps * (4 + 6)  # M + T additions of a coordinate
    largest = max(row["v_norm_squared"] for row in four[1:])
    assert all(row["residual_squared"] <= unit**2 * 4 * largest for row in four[1:])


def test_residual_of_an_exact_sketch_is_the_tail_beyond_k():
    config = small("algorithm.compressor=identity", "algorithm.k=4", "channel.sigma=0.0")
    result = run_in_memory(config)
    v = result.state.v
    tail = torch.sort(v.abs(), descending=True).values[4:].square().sum()
    assert result.rows[-1]["residual_squared"] == pytest.approx(float(tail), rel=1e-12)


def test_averaged_simulation_equals_the_batch_of_sketches():
    """Linearity: one sketch of the mean update is the mean of M sketches."""
    batched = final_model("algorithm.simulate=batched")
    averaged = final_model("algorithm.simulate=averaged")
    torch.testing.assert_close(averaged, batched, rtol=0, atol=ROUNDING)


def test_accumulating_at_the_server_equals_persisting_on_devices_without_noise():
    persist = final_model("channel.sigma=0.0")
    accum = final_model("channel.sigma=0.0", "algorithm.device_sketch=accum")
    torch.testing.assert_close(accum, persist, rtol=0, atol=ROUNDING)


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


@given(st.integers(0, 2**32 - 1))
def test_the_identity_in_place_of_a_sketch_adds_in_every_form(seed):
    """One vector, one per device, dense or sparse: the same table (whole numbers: exact)."""
    g = torch.Generator().manual_seed(seed)
    values = torch.randint(-9, 10, (3, 7), generator=g).double()
    parts = tuple(SparseVector(7, torch.arange(7), row) for row in values)
    start = IdentitySketch(torch.ones(3, 7, dtype=torch.float64))
    for updates in (DenseUpdates(values), SparseUpdates(parts), values):
        assert torch.equal(start.add(updates).table, 1 + values)
    for one in (parts[0], values[0]):
        assert torch.equal(start.add(one).table, (1 + values[0]).expand(3, -1))
