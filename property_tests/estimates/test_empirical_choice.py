"""Laws of the choice among pairs and of received gradients."""

import math
from itertools import product

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.estimates import generated
from empirical.answer.compare import Measured, box
from empirical.constants import pairs
from empirical.observed.recorded import received_gradients
from empirical.statistics.frontier import Pair
from empirical.statistics.intervals import Interval
from fpsverify.runs.loop import prepare
from property_tests.support.small_runs import small

PAIRS = st.lists(st.builds(Pair, st.floats(0, 0.5), st.floats(0, 3)), min_size=1, max_size=3)


@given(PAIRS, PAIRS, st.floats(0.001, 0.3), st.integers(1, 3))
@settings(max_examples=15)
def test_no_single_change_improves_the_choice(bias, noise, gamma, E):
    spread = [Pair(1.0, 2.0), Pair(2.0, 0.0)]
    scale = pairs.Scale(L=2.0, mu=0.1, E=E, M=4, gamma=gamma, T=50, Delta=1.0, R2=0.1)
    chosen = pairs.choose(bias, noise, spread, scale)
    price = pairs.cost(chosen, scale)
    for name, options in (("bias", bias), ("noise", noise), ("dissimilarity", spread)):
        for option in options:
            assert price <= pairs.cost(pairs.replace(chosen, **{name: option}), scale)
    assert chosen in [pairs.Choice(*each) for each in product(bias, noise, spread)]


def test_limits_of_a_corner_are_the_corner_and_gain_a_margin_for_all_rounds():
    """A corner rests on two upper limits; its own limits must use the same share of the error.

    Nothing changes where every round was sampled, except that both points of a round count.
    """
    energies, _ = generated.generated_energies(np.random.default_rng(6), "two", False)
    cloud = pairs.noise_cloud(energies)
    corners = [pair for pair in cloud.frontier() if pair.P > 0 and pair.s2 > 0]
    assert corners
    for pair in corners:
        P, s2 = seen = pairs.pair_intervals(cloud, pair)
        assert np.isclose(s2.high, pair.s2, rtol=1e-9) and P.high == pair.P
        assert P.low <= P.estimate <= P.high and s2.low <= s2.estimate <= s2.high
        P, s2 = pairs.for_all_rounds(cloud, energies.t, seen, 23)
        assert P.high == seen[0].high and np.isclose(s2.high, seen[1].high, rtol=1e-9)
        P, s2 = pairs.for_all_rounds(cloud, 4 * energies.t, seen, 92)
        assert P.high == seen[0].high and s2.high > seen[1].high and s2.low == seen[1].low
        assert "24 of 93 rounds" in s2.method and "all rounds" in s2.method


def test_ends_of_the_frontier_rest_on_one_point():
    energies, y = generated.generated_energies(np.random.default_rng(7), "one", False)
    cloud = pairs.noise_cloud(energies)
    P, s2 = pairs.pair_intervals(cloud, Pair(0.0, 1.0))
    assert P.high == 0 and s2.low < y.max() < s2.high < cloud.upper().max()
    P, s2 = pairs.pair_intervals(cloud, cloud.frontier()[-1])
    assert s2.high == 0 and P.high < cloud.frontier()[-1].P


def test_box_reaches_the_unsafe_end_of_every_interval():
    middle = Interval(0.2, 0.1, 0.4, "")
    B, L = Interval(1.5, 1.2, 2.0, ""), Interval(3.0, 2.0, 5.0, "")
    found = box(Measured(middle, middle, middle, middle, B, middle, L, None), mu=0.1, E=2, M=4)
    assert (found.high.L, found.high.B, found.high.P_b, found.high.P_n) == (5.0, 2.0, 0.4, 0.4)
    assert (found.low.L, found.low.B, found.low.P_b, found.low.P_n) == (2.0, 1.2, 0.1, 0.1)


@pytest.mark.parametrize("algorithm", ["fedavg", "fps"])
def test_received_gradient_is_the_gradient_where_nothing_disturbs_it(algorithm):
    """Full batches, one local step, ideal channel, exact sketch of all d coordinates: both stages are ∇f."""
    config = small(
        f"algorithm.name={algorithm}",
        "local.E=1",
        "local.batch=0",
        "channel.sigma=0",
        "algorithm.compressor=identity",
        "algorithm.k=21",
    )
    method, setup, _ = prepare(config)
    state, _ = method.step(setup, method.init(setup), 1)
    for stage, (draws, gradient) in received_gradients(method, setup, state, 1, 4).items():
        # A difference of models divided by γ: rounding of size 2⁻⁵³·|w|/γ.
        torch.testing.assert_close(draws, gradient.expand(4, -1), rtol=1e-9, atol=1e-12, msg=stage)


def test_replicates_of_a_round_differ_from_each_other_and_not_between_calls():
    method, setup, _ = prepare(small())
    state, _ = method.step(setup, method.init(setup), 1)
    first, second = (received_gradients(method, setup, state, 1, 5) for _ in range(2))
    for stage, (draws, _) in first.items():
        assert torch.equal(draws, second[stage][0])
        assert len({tuple(row) for row in draws.tolist()}) == 5


def test_beyond_the_range_of_theorem_a_a_choice_costs_its_smallest_rate():
    """γμ > 1 with several local steps: no bound is asked for, the largest γ decides."""
    scale = pairs.Scale(L=0.5, mu=1.5, E=2, M=1, gamma=1.0, T=10, Delta=1.0, R2=1.0)
    none = Pair(0.0, 0.0)
    bound, less = pairs.cost(pairs.Choice(none, none, Pair(1.0, 0.0)), scale)
    assert bound == math.inf and -1 / 1.5 <= less < 0
