"""Only some devices take part in a round: who, what the model then does, and what stays as it was."""

import dataclasses
from fractions import Fraction
from itertools import combinations, pairwise
from math import log, sqrt

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fpsverify import config
from fpsverify.algorithms import ALGORITHMS
from fpsverify.algorithms.base import participants, sampling_noise
from fpsverify.errors import BadInput
from fpsverify.local import local_updates
from fpsverify.problems.problem import DenseProblem
from fpsverify.runs.loop import check_participation, prepare
from property_tests.algorithms.test_algorithm_conformance import HALF, same
from property_tests.algorithms.test_reductions import EXACT
from property_tests.support.small_runs import small

ROUNDING = 1e-12  # float64, six rounds of numbers of order one
SEVERAL = sorted(set(ALGORITHMS) - {"mission"})


@given(st.integers(0, 2**32), st.integers(1, 10**6), st.integers(1, 40), st.data())
def test_a_round_has_as_many_devices_as_asked_each_once(seed, t, M, data):
    n = data.draw(st.integers(1, M))
    plan = config.RunConfig(seed=seed, devices=config.DevicesConfig(M=M, participation=n / M))
    drawn = participants(plan, t)
    if n == M:
        assert drawn is None
        return
    assert drawn == tuple(sorted(set(drawn))) and len(drawn) == n == plan.devices.per_round
    assert set(drawn) <= set(range(M)) and drawn == participants(plan, t)


def test_every_set_of_devices_is_equally_likely_whatever_the_round_before_had():
    """Hoeffding over all six sets and the repetitions: a fair draw misses these limits with probability 1e-9.

    Whether a fair draw repeats the one before it is independent from round to round.
    """
    plan, T = small(HALF), 4000
    drawn = [participants(plan, t) for t in range(1, T + 1)]
    limit = sqrt(log(2 * 7 / 1e-9) / (2 * (T - 1)))
    for pair in combinations(range(4), 2):
        assert abs(drawn.count(pair) / T - 1 / 6) <= limit
    repeated = sum(a == b for a, b in pairwise(drawn))
    assert abs(repeated / (T - 1) - 1 / 6) <= limit
    other = plan.model_copy(update={"seed": plan.seed + 1})
    assert drawn[:20] != [participants(other, t) for t in range(1, 21)]


@pytest.mark.parametrize("name", SEVERAL)
def test_absent_devices_compute_nothing(name):
    """Their rows may as well not be numbers."""
    chosen = small(f"algorithm.name={name}", HALF, "record.verify=false")
    algorithm, setup, _ = prepare(chosen)
    problem, X = setup.problem, setup.problem.X.clone()
    assert isinstance(problem, DenseProblem)
    absent = set(range(4)) - set(participants(chosen, 1))
    for m in absent:
        X[problem.shards[m]] = torch.nan
    broken = dataclasses.replace(setup, problem=dataclasses.replace(problem, X=X))
    clean, broken = (algorithm.step(s, algorithm.init(s), 1)[0] for s in (setup, broken))
    assert same(clean, broken)


@pytest.mark.parametrize("name", ["fps", "fedavg", "fetchsgd"])
def test_the_model_moves_by_the_mean_update_of_those_who_take_part(name):
    chosen = small(f"algorithm.name={name}", *EXACT, HALF, "algorithm.momentum=0.0")
    algorithm, setup, _ = prepare(chosen)
    before, state = algorithm.init(setup), None
    for t in (1, 2):
        w = algorithm.model(setup, before)
        state, info = algorithm.step(setup, before, t)
        updates = local_updates(setup.problem, w, chosen.local, t).values[list(participants(chosen, t))]
        moved = algorithm.model(setup, state) - w
        torch.testing.assert_close(moved, updates.mean(0), rtol=0, atol=ROUNDING)
        sent = 1.0 if name in ("fps", "fedavg") else chosen.local.gamma**-2
        energy = sent * float(updates.square().sum(1).mean())
        assert info["update_norm_squared"] == pytest.approx(energy, rel=1e-12)
        before = state


def test_absent_devices_keep_their_sketch_and_send_it():
    chosen = small(HALF)
    algorithm, setup, _ = prepare(chosen)
    first, _ = algorithm.step(setup, algorithm.init(setup), 1)
    second, info = algorithm.step(setup, first, 2)
    there = set(participants(chosen, 2))
    for m in range(4):
        assert torch.equal(first.devices[m], second.devices[m]) == (m not in there)
    assert info["active_devices"] == 4  # persist: all send, two have moved
    silent = small(HALF, "algorithm.device_sketch=accum")
    algorithm, setup, _ = prepare(silent)
    assert algorithm.step(setup, algorithm.init(setup), 1)[1]["active_devices"] == 2


@given(st.integers(2, 6), st.data())
def test_the_variance_that_drawing_devices_adds_is_exact(M, data):
    """Over all sets of n: mean ‖mean over the set − mean‖² = φ · variance between devices, in fractions."""
    n = data.draw(st.integers(1, M))
    x = [Fraction(v) for v in data.draw(st.lists(st.integers(-9, 9), min_size=M, max_size=M))]
    mean = sum(x) / M
    sets = list(combinations(x, n))
    assert sum(sum(s) / n for s in sets) / len(sets) == mean
    spread = sum((v - mean) ** 2 for v in x) / M
    drawn = sum((sum(s) / n - mean) ** 2 for s in sets) / len(sets)
    assert float(drawn) == pytest.approx(sampling_noise(M, n) * float(spread), rel=1e-12)


@pytest.mark.parametrize(
    "simulate,ranks,fits", [("averaged", 2, True), ("averaged", 3, False), ("batched", 2, False)]
)
def test_ranks_share_participants_only_where_no_device_has_a_state(simulate, ranks, fits):
    chosen = small(HALF, f"algorithm.simulate={simulate}")
    state = bool(ALGORITHMS["fps"].per_device(chosen))
    if fits:
        check_participation(chosen, ranks, state)
        return
    with pytest.raises(BadInput, match=r"^devices\.participation: got 0\.5"):
        check_participation(chosen, ranks, state)
