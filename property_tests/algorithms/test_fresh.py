"""Fresh hashes: FedAvg where nothing is compressed, the recursion written out, power, sparse problems."""

import tomllib

import pytest
import torch

from fpsverify import config as configs
from fpsverify.algorithms import Setup, fresh
from fpsverify.algorithms.base import participants
from fpsverify.channel import rayleigh_gains
from fpsverify.config import RunConfig
from fpsverify.errors import BadInput
from fpsverify.local import local_updates
from fpsverify.objectives import Logistic
from fpsverify.runs.checkpoint import pack
from fpsverify.runs.loop import prepare, run_in_memory
from fpsverify.vectors import DenseUpdates
from property_tests.algorithms.test_algorithm_conformance import HALF
from property_tests.algorithms.test_local import sparse_problem
from property_tests.support.quadratics import advance
from property_tests.support.small_runs import SPARSE, densified, small

FRESH = ("algorithm.name=fresh", "algorithm.rows=1")
QUIET = "channel.sigma=0.0"
KINDS = ("fold", "balanced", "count_sketch")
every_kind = pytest.mark.parametrize("kind", KINDS)
ROUNDING = 1e-12  # float64, six rounds of numbers of order one


def final(*overrides: str) -> torch.Tensor:
    return run_in_memory(small(*overrides)).state.w


WHOLE = {"fold, m = d": "buckets=21", "fold, m > d": "buckets=40", "identity": "compressor=identity"}


@pytest.mark.parametrize("way", WHOLE)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("more", [(), (HALF,), ("local.mu=0.5",), ("algorithm.transmit=gradient",)])
def test_what_compresses_nothing_is_fedavg(way, dtype, more):
    """Bit for bit where updates are sent as they are; divided by γ and multiplied again, up to rounding."""
    both = QUIET, f"dtype={dtype}", *more
    one, other = final(*FRESH, f"algorithm.{WHOLE[way]}", *both), final("algorithm.name=fedavg", *both)
    if "algorithm.transmit=gradient" in more:
        unit = torch.finfo(one.dtype).eps
        torch.testing.assert_close(one, other, rtol=0, atol=100 * unit * float(other.abs().max()))
    else:
        assert torch.equal(one, other)


@every_kind
@pytest.mark.parametrize("more", [(), (HALF,)])
def test_one_sketch_of_the_mean_is_the_mean_of_the_sketches(kind, more):
    base = *FRESH, f"algorithm.compressor={kind}", "algorithm.buckets=5", *more
    one, other = final(*base), final(*base, "algorithm.simulate=averaged")
    torch.testing.assert_close(one, other, rtol=0, atol=ROUNDING)


def matrix(setup: Setup, t: int) -> tuple[torch.Tensor, float]:
    """A of round t, and c."""
    kind = fresh.compressor(setup, setup.problem.start)
    draw = kind.draw(t)
    eye = DenseUpdates(torch.eye(setup.problem.d, dtype=torch.float64))
    return draw.decode(draw.encode(eye)).T, 1 / (1 + kind.omega)


CHANNELS = {"all": (QUIET,), "half": (QUIET, HALF), "fading": ("channel.kind=rayleigh", QUIET)}


@every_kind
@pytest.mark.parametrize("rho", [0.0, 0.8])
@pytest.mark.parametrize("scale", ["update", "gradient", "full_power"])
@pytest.mark.parametrize("heard", CHANNELS)
def test_rounds_are_the_recursion_written_out_with_matrices(kind, rho, scale, heard):
    """Also: silent devices keep their memory, and so do those that no one hears."""
    chosen = small(
        *(*FRESH, f"algorithm.compressor={kind}", "algorithm.rows=2", "algorithm.buckets=3"),
        *(f"algorithm.memory_share={rho}", f"algorithm.transmit={scale}"),
        *(*CHANNELS[heard], "channel.gain_threshold=0.7"),
    )
    algorithm, setup, _ = prepare(chosen)
    state, e = algorithm.init(setup), torch.zeros(4, setup.problem.d, dtype=torch.float64)
    w, silent = setup.problem.start.clone(), 0
    for t in range(1, 6):
        there = list(participants(chosen, t) or range(4))
        if heard == "fading":
            there = [m for m in there if rayleigh_gains(4, chosen.seed, t)[m] >= 0.7]
        silent += 4 - len(there)
        A, c = matrix(setup, t)
        p = local_updates(setup.problem, w, chosen.local, t).values[there] + e[there]
        state, info = algorithm.step(setup, state, t)
        if there:
            w = w + (1 - rho * (1 - c)) * A @ p.mean(0)
            e[there] = rho * (p - c * p @ A.T)
        torch.testing.assert_close(state.w, w, rtol=0, atol=ROUNDING)
        if rho:
            torch.testing.assert_close(state.memory, e, rtol=0, atol=ROUNDING)
        assert ("sent_norm_squared" in info) == bool(rho) == (state.memory is not None)
    assert bool(silent) == (heard != "all") and float(w.norm()) > 0.01


def test_an_outage_changes_nothing():
    deaf = "channel.kind=rayleigh", "channel.gain_threshold=9e9"
    chosen = small(*FRESH, "algorithm.memory_share=0.5", *deaf)
    algorithm, setup, _ = prepare(chosen)
    state = algorithm.init(setup)
    after, info = algorithm.step(setup, state, 1)
    assert info["active_devices"] == 0 and torch.equal(after.w, state.w)
    assert torch.equal(after.memory, state.memory)


@pytest.mark.parametrize("rho", [0.3, 0.8, 0.95])
def test_what_is_sent_stays_within_the_bound_of_the_memory(rho):
    """‖p^m‖ ≤ max ‖y^m‖/(1 − ρ) for the fold with b a divisor of d, where I − cA is a projection."""
    chosen = small(*FRESH, "algorithm.buckets=3", f"algorithm.memory_share={rho}", QUIET, "rounds=40")
    algorithm, setup, _ = prepare(chosen)
    state, most, largest = algorithm.init(setup), 0.0, 0.0
    for t in range(1, 41):
        y = local_updates(setup.problem, state.w, chosen.local, t).values
        p = y + state.memory
        most, largest = max(most, float(y.norm(dim=1).max())), max(largest, float(p.norm(dim=1).max()))
        state, info = algorithm.step(setup, state, t)
        assert info["sent_norm_squared"] == pytest.approx(float(p.square().sum(1).mean()), rel=1e-12)
    assert most < largest <= most / (1 - rho) * (1 + ROUNDING)


@pytest.mark.parametrize("name", ["fps", "fresh", "fedavg", "fetchsgd"])
@pytest.mark.parametrize("noise_on", ["sum", "avg"])
def test_at_full_power_every_round_sends_the_power_that_is_allowed(name, noise_on):
    loud = "algorithm.transmit=full_power", "channel.power=3.0", f"channel.noise_on={noise_on}"
    powers = [row["max_power"] for row in run_in_memory(small(f"algorithm.name={name}", *loud)).rows[1:]]
    assert powers == pytest.approx([3.0] * 6, rel=1e-12) and max(powers) <= 3.0


# ---- sparse problems --------------------------------------------------------------------------------------


@every_kind
@pytest.mark.parametrize("rows", [1, 2])
def test_sparse_and_dense_forms_are_the_same_algorithm(kind, rows):
    shape = f"algorithm.rows={rows}", f"algorithm.compressor={kind}", "algorithm.buckets=7"
    config = small(*without_k(SPARSE), *FRESH, *shape, "local.mu=0.5", "algorithm.scan=full")
    sparse = sparse_problem()
    dense = densified(sparse, Logistic(sparse.d, bias=False))
    states, infos = advance(Setup(config, sparse, torch.float64), 5)
    expected, dense_infos = advance(Setup(config, dense, torch.float64), 5)
    torch.testing.assert_close(states[-1].w.dense(), expected[-1].w, rtol=0, atol=ROUNDING)
    assert float(expected[-1].w.norm()) > 0.01
    assert [i["channel_uses"] for i in infos] == [i["channel_uses"] for i in dense_infos] == [7.0 * rows] * 5


@every_kind
def test_at_full_dimension_nothing_that_stays_has_length_d(kind):
    chosen = *FRESH, f"algorithm.compressor={kind}", "rounds=2", "record.verify=false"
    result = run_in_memory(small(*without_k(SPARSE), *chosen))
    assert all(tensor.numel() < 20_000 for tensor in pack(result.state).values())
    assert result.summary["channel_uses_total"] == 2 * 64


def without_k(overrides: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(one for one in overrides if not one.startswith("algorithm.k="))


# ---- its config -------------------------------------------------------------------------------------------


def test_it_has_defaults_of_its_own_and_comes_back_from_toml_as_it_went():
    chosen = RunConfig(algorithm={"name": "fresh"})
    assert (chosen.algorithm.rows, chosen.algorithm.compressor, chosen.algorithm.memory_share) == (
        1,
        "fold",
        0,
    )
    again = configs.parse(tomllib.loads(chosen.to_toml()))
    assert again == chosen and again.digest() == chosen.digest() and "\nk = " not in chosen.to_toml()
    assert RunConfig(algorithm={"name": "fresh", "memory_share": 0.5}).digest() != chosen.digest()
    plain = configs.parse(tomllib.loads(RunConfig().to_toml()))
    assert plain == RunConfig() and plain.algorithm.rows == 5 and "memory_share" not in plain.to_toml()


SHARED = "algorithm.memory_share=0.5"
REFUSED = {
    "a given k": ((*FRESH, "algorithm.k=7"), "algorithm.k"),
    "a fold elsewhere": (("algorithm.compressor=fold",), "algorithm.compressor"),
    "balanced elsewhere": (("algorithm.name=topk", "algorithm.compressor=balanced"), "algorithm.compressor"),
    "memory elsewhere": (("algorithm.name=fedavg", SHARED), "algorithm.memory_share"),
    "all of it": ((*FRESH, "algorithm.memory_share=1.0"), "algorithm.memory_share"),
    "less than none": ((*FRESH, "algorithm.memory_share=-0.1"), "algorithm.memory_share"),
    "sparse memory": ((*SPARSE[:2], *FRESH, SHARED), "algorithm.memory_share"),
    "one for all": ((*FRESH, SHARED, "algorithm.simulate=averaged"), "algorithm.simulate"),
    "an unknown kind": ((*FRESH, "algorithm.compressor=top"), "algorithm.compressor"),
    "no such power": (("algorithm.transmit=loud",), "algorithm.transmit"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_makes_no_sense_is_refused_in_one_line(case):
    overrides, field = REFUSED[case]
    with pytest.raises(BadInput, match=f"^{field}: got ") as caught:
        prepare(small(*overrides))
    assert "\n" not in str(caught.value)
