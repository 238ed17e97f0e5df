"""What every registered algorithm must do. A new algorithm is covered by being in the registry."""

from __future__ import annotations

import dataclasses

import pytest
import torch

from fpsverify import config
from fpsverify.algorithms import ALGORITHMS
from fpsverify.errors import FpsError
from fpsverify.runs import checkpoint
from fpsverify.runs.loop import prepare, rounds, run_in_memory
from fpsverify.vectors import SparseVector
from property_tests import laws
from property_tests.support.small_runs import SMALL, small, small_for

SOURCE = laws.ALGORITHM

every_algorithm = pytest.mark.parametrize("name", sorted(ALGORITHMS))
every_reading = pytest.mark.parametrize(
    "reading",
    [
        "device_sketch=persist",
        "device_sketch=accum",
        "device_sketch=resync",
        "initial_model=sketch",
        "initial_model=zero",
        "local_iterate=mission",
        "recovery=mean",
        "simulate=averaged",
        "compressor=identity",
    ],
)


def bits(state) -> list[tuple[str, torch.Tensor]]:
    return sorted(checkpoint.pack(state).items())


def same(a, b) -> bool:
    left, right = bits(a), bits(b)
    return [n for n, _ in left] == [n for n, _ in right] and all(
        torch.equal(x, y) for (_, x), (_, y) in zip(left, right, strict=True)
    )


@every_algorithm
def test_states_are_frozen_and_models_have_d_finite_coordinates(name):
    algorithm, setup, _ = prepare(small_for(name))
    state = algorithm.init(setup)
    assert dataclasses.is_dataclass(state) and type(state).__dataclass_params__.frozen
    state, info = algorithm.step(setup, state, 1)
    w = algorithm.model(setup, state)
    assert (w.d if isinstance(w, SparseVector) else w.shape[0]) == setup.problem.d
    assert w.dtype == torch.float64 and bool(torch.isfinite(w).all())
    assert all(isinstance(value, float) for value in info.values())


@every_algorithm
def test_a_step_leaves_its_input_alone_and_repeats_bit_for_bit(name):
    algorithm, setup, _ = prepare(small_for(name))
    state, _ = algorithm.step(setup, algorithm.init(setup), 1)
    before = {key: tensor.clone() for key, tensor in bits(state)}
    first, info = algorithm.step(setup, state, 2)
    again, info_again = algorithm.step(setup, state, 2)
    assert all(torch.equal(before[key], tensor) for key, tensor in bits(state))
    assert same(first, again) and info == info_again


@every_algorithm
def test_states_survive_the_disk(name, tmp_path):
    algorithm, setup, _ = prepare(small_for(name))
    state, _ = algorithm.step(setup, algorithm.init(setup), 1)
    stored = checkpoint.load(checkpoint.save(tmp_path, 1, "digest", state))
    back = checkpoint.unpack(algorithm.state_type, stored.tensors, setup.problem.d, setup.device)
    assert same(state, back) and stored.t == 1
    assert same(algorithm.step(setup, state, 2)[0], algorithm.step(setup, back, 2)[0])


@every_algorithm
def test_it_learns(name):
    """Six small rounds without noise must lower the training loss; a sign error raises it."""
    base = small_for(name)
    quiet = base.model_copy(update={"channel": config.ChannelConfig(kind="ideal"), "rounds": 20})
    losses = [row["loss"] for row in run_in_memory(quiet).rows]
    assert losses[-1] < 0.9 * losses[0]


@every_reading
def test_every_reading_of_fps_is_deterministic_and_resumable(reading):
    base = small(f"algorithm.{reading}", "rounds=3", "local.gamma=0.02")
    algorithm, setup, _ = prepare(base)
    states = [state for _, state, _ in rounds(algorithm, setup, algorithm.init(setup), 0)]
    *_, (_, resumed, _) = rounds(algorithm, setup, states[1], 2)
    assert same(states[-1], resumed)


REFUSED = [
    (["algorithm.k=22"], "algorithm.k"),
    (["algorithm.name=mission"], "devices.M"),
    (["algorithm.simulate=averaged", "algorithm.device_sketch=accum"], "algorithm.simulate"),
    (["algorithm.scan=support"], "algorithm.scan"),
    (["channel.kind=rayleigh", "channel.noise_on=avg"], "channel.noise_on"),
    (["channel.kind=ideal"], "channel.sigma"),
    (["channel.kind=rayleigh", "algorithm.simulate=averaged"], "algorithm.simulate"),
    (["problem.objective=least_squares"], "problem.objective"),
    (["problem.data=synthetic"], "problem.objective"),
    (["problem.objective=logistic"], "problem.classes"),
    (["device=nowhere"], "device"),
    (["devices.M=121"], "M"),
]


@pytest.mark.parametrize("overrides,field", REFUSED)
def test_combinations_that_make_no_sense_are_refused(overrides, field):
    with pytest.raises(FpsError, match=f"^{field}: got ") as caught:
        prepare(config.parse(config.apply_overrides(SMALL, overrides)))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("every", [1, 2, 4, 9])
def test_models_are_evaluated_as_often_as_asked_and_at_the_end(every):
    rows = run_in_memory(small("rounds=6", f"record.evaluate_every={every}")).rows
    assert [row["round"] for row in rows if "test_loss" in row] == sorted({*range(0, 7, every), 6})
