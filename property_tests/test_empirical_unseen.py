"""Laws of the largest value over rounds that were not all looked at."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from empirical import dissimilarity, generated, recorded, residual, unseen
from empirical.estimate import estimate
from empirical.frontier import Pair
from empirical.smoothness import spectral_norms
from fpsverify.run import run
from property_tests.small_runs import small
from property_tests.springs import springs, springs_evidence

VALUES = st.lists(st.floats(0.1, 100), min_size=3, max_size=12)


@given(VALUES, st.integers(1, 5))
def test_limits_bracket_what_was_seen(values, gap):
    y = np.array(values)
    rounds = gap * np.arange(len(y))
    found = unseen.largest(rounds, y, int(rounds[-1]))
    assert found.low == found.estimate == y.max() <= found.high
    if gap == 1:
        assert found.high == y.max() and found.method.startswith("exact")
    else:
        assert f"{len(y)} of {rounds[-1] + 1} rounds" in found.method and "exact" not in found.method


@given(VALUES, st.floats(0.01, 100))
@settings(max_examples=20)
def test_limits_scale_with_the_values(values, unit):
    y, rounds = np.array(values), 4 * np.arange(len(values))
    one, scaled = (unseen.largest(rounds, c * y, int(rounds[-1])).high for c in (1.0, unit))
    # Bisected to 2⁻⁴⁰ of the first bracket, which a heavy mixture makes a few thousand times the answer.
    assert np.isclose(scaled, unit * one, rtol=1e-6)


def test_bridge_maximum_has_its_known_distribution():
    """One gap of 400 rounds, v known: the simulated share above m is that of `exceeding` within 5 errors."""
    rng, gap, trials = np.random.default_rng(6), 400, 4000
    steps = rng.standard_normal((trials, gap))
    path = steps.cumsum(1)
    bridge = path - np.arange(1, gap + 1) / gap * path[:, -1:]
    for m in (10.0, 20.0):
        share = float(np.mean(bridge.max(1) > m))
        exact = unseen.exceeding(m, np.array([0, gap]), np.zeros(2), gap, np.ones(1))
        assert abs(share - exact) < 5 * np.sqrt(exact / trials)


def test_rounds_before_the_first_and_after_the_last_count():
    y = np.array([1.0, 1.5, 1.2, 1.4, 1.1])
    rounds = np.array([10, 12, 14, 16, 18])
    assert unseen.bridge_limit(rounds, y, 40, 0.95) > unseen.bridge_limit(rounds, y, 18, 0.95)
    assert unseen.bridge_limit(rounds - 10, y, 8, 0.95) < unseen.bridge_limit(rounds, y, 18, 0.95)


@pytest.mark.parametrize("series", [generated.walk, generated.wandering(0.5), generated.energies_of_rounds])
def test_upper_end_covers(series):
    """100 trials: fewer than 86 would have probability 1e-3 at a coverage of 95 %."""
    trial = generated.unseen_trial(series, 100, 10)
    found = [trial(np.random.default_rng([9, i])) for i in range(100)]
    assert stats.binom.cdf(sum(truth <= each.high for each, truth in found), 100, 0.95) > 1e-3


def test_maxima_over_sampled_rounds_are_not_called_exact():
    evidence = springs_evidence(springs())
    spread = dissimilarity.measure(evidence)
    B, G2 = spread.intervals(Pair(1.0, float(np.max(spread.D2 - spread.x))))
    W = residual.largest_norm(evidence)
    for each in (G2, W):
        assert "6 of 31 rounds" in each.method and "exact" not in each.method
    assert "exact" not in B.method and W.low == W.estimate < W.high


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """A run that recorded no gradients, with few checkpoints."""
    path = tmp_path_factory.mktemp("run") / "plain"
    options = ("rounds=40", "record.checkpoint_every=10", "record.verify=false", "local.gamma=0.05")
    run(small(*options), path)
    return path


def test_intervals_of_sampled_rounds_hold_for_all_rounds(plain):
    """Every round is known from a replay: G² goes with the chosen B, L covers broadcasts of every round."""
    few = estimate(recorded.evidence(plain), 12).constants
    every = recorded.evidence(plain, most_iterates=41, replay=True)
    spread = dissimilarity.measure(every)
    assert len(spread.x) == 41 and few.G2.low < few.G2.high
    assert np.all(spread.D2 <= few.G2.high + few.B.high**2 * spread.x)
    for it in every.iterates:
        low, _ = spectral_norms(every.model, it.w.expand(every.model.M, -1), 24, 1e-3, (1, it.t, ""))
        assert low.max() <= few.L.high


def test_rounds_between_checkpoints_are_the_runs_own(plain):
    """States between checkpoints are run again; the record knows the norm of every round."""
    evidence = recorded.evidence(plain)
    norms = evidence.series["w_norm_squared"]
    assert len(evidence.between) >= recorded.LOOKED_AT - len(evidence.iterates)
    assert not {it.t for it in evidence.between} & {it.t for it in evidence.iterates}
    for it in evidence.between:
        assert np.isclose(float(it.w.double().square().sum()), norms[it.t], rtol=1e-12)


def test_rounds_out_of_reach_are_left_out(plain, monkeypatch):
    monkeypatch.setattr(recorded, "MOST_STEPS", 10)  # two rounds beyond each of five checkpoints
    assert all(it.t % 10 in (1, 2) for it in recorded.evidence(plain).between)


def test_several_values_of_a_round_count_as_their_largest():
    found = unseen.largest(np.array([0, 0, 1, 2]), np.array([1.0, 3.0, 2.0, 1.0]), 2)
    assert found.estimate == 3.0 and found.method.startswith("exact")


def test_a_single_round_has_no_upper_end():
    evidence = springs_evidence(springs())
    one = replace(evidence, iterates=evidence.iterates[:1])
    assert residual.largest_norm(one).high == np.inf
    assert torch.isfinite(one.iterates[0].w).all()


@given(VALUES, st.floats(-50, 200), st.integers(2, 5))
def test_the_probability_of_exceeding_is_defined_at_every_level(values, m, gap):
    """Also at and below what was seen, where it is 1; without a floating point error, and falling in m."""
    y, rounds = np.array(values), gap * np.arange(len(values)) + 1
    v = np.array([0.5, 2.0])
    with np.errstate(divide="raise", invalid="raise"):
        here, higher = (unseen.exceeding(level, rounds, y, int(rounds[-1]) + 3, v) for level in (m, m + 10))
    assert 0 <= higher <= here <= 1
    if m < y.max() - unseen.DISCRETE * np.sqrt(2.0):
        assert here > 1 - 1e-6
