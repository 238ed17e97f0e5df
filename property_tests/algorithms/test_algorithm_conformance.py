"""What every registered algorithm must do. A new algorithm is covered by being in the registry."""

import dataclasses

import pytest
import torch

from fpsverify import config
from fpsverify.algorithms import ALGORITHMS
from fpsverify.errors import FpsError
from fpsverify.runs import checkpoint
from fpsverify.runs.loop import prepare, rounds, run_in_memory
from fpsverify.vectors import SparseVector
from property_tests.support.small_runs import SPARSE, small, small_for

every_algorithm = pytest.mark.parametrize("name", sorted(ALGORITHMS))


HALF = "devices.participation=0.5"  # two of four devices
READINGS = [
    "algorithm.device_sketch=persist",
    "algorithm.device_sketch=accum",
    "algorithm.device_sketch=resync",
    "algorithm.initial_model=sketch",
    "algorithm.initial_model=zero",
    "algorithm.local_iterate=mission",
    "algorithm.recovery=mean",
    "algorithm.simulate=averaged",
    "algorithm.compressor=identity",
    "local.mu_step=0.5",
]
FRESH = [
    "algorithm.compressor=balanced",
    "algorithm.compressor=count_sketch",
    "algorithm.compressor=identity",
    "algorithm.simulate=averaged",
    "algorithm.memory_share=0.8",
    f"algorithm.memory_share=0.8 {HALF}",
    "algorithm.memory_share=0.8 channel.kind=rayleigh",
]
RUNS = {
    **{name: small_for(name) for name in ALGORITHMS},
    **{reading: small(reading, "rounds=4", "local.gamma=0.02") for reading in READINGS},
    **{f"fresh, {more}": small("algorithm.name=fresh", *more.split()) for more in FRESH},
    **{f"{name}, {HALF}": small(f"algorithm.name={name}", HALF) for name in set(ALGORITHMS) - {"mission"}},
}


def same(a, b) -> bool:
    left, right = checkpoint.pack(a), checkpoint.pack(b)
    return left.keys() == right.keys() and all(torch.equal(left[name], right[name]) for name in left)


@every_algorithm
def test_a_step_leaves_its_frozen_input_alone_and_repeats_bit_for_bit(name):
    """The model has d finite coordinates, and all that is reported is a float."""
    algorithm, setup, _ = prepare(small_for(name))
    state, _ = algorithm.step(setup, algorithm.init(setup), 1)
    assert dataclasses.is_dataclass(state) and type(state).__dataclass_params__.frozen
    w = algorithm.model(setup, state)
    assert (w.d if isinstance(w, SparseVector) else w.shape[0]) == setup.problem.d
    assert w.dtype == torch.float64 and bool(torch.isfinite(w).all())
    before = {key: tensor.clone() for key, tensor in checkpoint.pack(state).items()}
    first, info = algorithm.step(setup, state, 2)
    again, info_again = algorithm.step(setup, state, 2)
    assert all(torch.equal(before[key], tensor) for key, tensor in checkpoint.pack(state).items())
    assert same(first, again) and info == info_again
    assert all(isinstance(value, float) for value in info.values())


@pytest.mark.parametrize("name", sorted(RUNS))
def test_a_run_goes_on_from_a_stored_state_bit_for_bit(name, tmp_path):
    algorithm, setup, _ = prepare(RUNS[name])
    found = list(rounds(algorithm, setup, algorithm.init(setup), 0))
    stored = checkpoint.load(checkpoint.save(tmp_path, 2, "digest", found[2][1]))
    state = checkpoint.unpack(algorithm.state_type, stored.tensors, setup.problem.d, setup.device)
    *_, (_, resumed, row) = rounds(algorithm, setup, state, 3)
    assert same(found[-1][1], resumed) and row == found[-1][2] and stored.t == 2
    assert row.get("participants") == (2.0 if HALF in name else None)


@every_algorithm
def test_it_learns(name):
    """Six small rounds without noise must lower the training loss; a sign error raises it."""
    base = small_for(name)
    quiet = base.model_copy(update={"channel": config.ChannelConfig(kind="ideal"), "rounds": 20})
    losses = [row["loss"] for row in run_in_memory(quiet).rows]
    assert losses[-1] < 0.9 * losses[0]


SCAFFOLD = "algorithm.name=scaffold"
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
    ([SCAFFOLD, "local.mu=0.1"], "local.mu"),
    ([SCAFFOLD, "channel.kind=rayleigh"], "channel.kind"),
    ([SCAFFOLD, "channel.noise_on=grad"], "channel.noise_on"),
    ([SCAFFOLD, *SPARSE, "algorithm.scan=full"], "algorithm.name"),
    ([*SPARSE, "algorithm.name=topk", "algorithm.scan=full", HALF], "algorithm.memory"),
    (["algorithm.name=topk", "channel.kind=rayleigh"], "algorithm.memory"),
    (["algorithm.name=blcd", "channel.kind=rayleigh"], "algorithm.memory"),
    *(([f"algorithm.name={name}", "local.mu_step=1"], "local.mu_step") for name in ("fetchsgd", "topk")),
    *(([f"devices.participation={x}"], "devices.participation") for x in ("0", "2.5", "nan", '"half"')),
]


@pytest.mark.parametrize("overrides,field", REFUSED)
def test_combinations_that_make_no_sense_are_refused(overrides, field):
    with pytest.raises(FpsError, match=f"^{field}: got ") as caught:
        prepare(small(*overrides))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("every", [1, 2, 4, 9])
def test_models_are_evaluated_as_often_as_asked_and_at_the_end(every):
    rows = run_in_memory(small("rounds=6", f"record.evaluate_every={every}")).rows
    assert [row["round"] for row in rows if "test_loss" in row] == sorted({*range(0, 7, every), 6})
