"""Laws of the largest value over rounds that were not all looked at."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from empirical.observed import recorded
from empirical.statistics import kriging, unseen
from property_tests.support.small_runs import finished_and_copy, small

VALUES = st.lists(st.floats(0.1, 100), min_size=3, max_size=12)


@given(VALUES, st.integers(1, 5))
def test_limits_bracket_what_was_seen(values, gap):
    """Several values of a round count as their largest."""
    y = np.array(values)
    rounds = gap * np.arange(len(y))
    found = unseen.largest(rounds, y, int(rounds[-1]))
    assert found.low == found.estimate == y.max() <= found.high
    if gap == 1:
        assert found.high == y.max() and found.method.startswith("exact")
    else:
        assert f"{len(y)} of {rounds[-1] + 1} rounds" in found.method and "exact" not in found.method
    twice = unseen.largest(np.array([0, *rounds]), np.array([2 * y.max(), *y]), int(rounds[-1]))
    assert twice.estimate == 2 * y.max() and twice.method.startswith("exact") == (gap == 1)


@pytest.mark.parametrize("copies", [2, 3])
def test_the_shares_of_models_add_up_to_one(copies, monkeypatch):
    """A model that is there twice has half the share each time: the mixture, and its limit, stay the same."""
    monkeypatch.setattr(unseen, "NEGLIGIBLE", 0.0)  # else copies have a smaller share, and may be left out
    y, rounds = np.array([1.0, 1.5, 0.7, 1.4, 1.1, 0.9, 1.3, 0.8]), 5 * np.arange(8)
    view = unseen.View(y[:, None], 0.0, ((np.ones(1), lambda m: m),))
    once, often = (unseen.upper_limit(rounds, [view] * n, 35, 0.95, y) for n in (1, copies))
    assert np.isclose(often - y.max(), once - y.max(), rtol=2e-3)  # solved to 0.1 % of its distance


def test_rounds_before_the_first_and_after_the_last_count():
    y = np.array([1.0, 1.5, 1.2, 1.4, 1.1])
    rounds = np.array([10, 12, 14, 16, 18])
    limit = lambda at, T: unseen.largest(at, y, T).high  # noqa: E731
    assert limit(rounds, 40) > limit(rounds, 18) > limit(rounds - 10, 8)


def test_a_walk_without_fluctuations_is_a_bridge():
    """Between two looks: the straight line, with variance (t − a)(b − t)/(b − a) per round of the walk."""
    at, y = np.array([0.0, 10.0, 30.0]), np.array([[1.0], [3.0], [-1.0]])
    found = kriging.forecast(at, y, np.array([4.0, 20.0]), 1.0)
    assert np.allclose(found.mean, [[1.8, 1.0]])
    assert np.allclose(found.factor, np.array([2.4, 5.0]) / 15)  # in units of the mean gap
    # Increments over √gap are independent with the walk's variance.
    assert np.isclose(found.S[0, 0], 15 * (4 / 10 + 16 / 20) / 2)


@given(st.lists(st.floats(-5, 5), min_size=3, max_size=9))
def test_fluctuations_without_a_walk_are_draws_about_one_mean(values):
    y = np.array(values)[:, None]
    found = kriging.forecast(np.arange(len(y)) * 2.0, y, np.array([1.0, 3.0]), 0.0)
    assert np.allclose(found.mean, y.mean()) and np.allclose(found.factor, 1 + 1 / len(y))
    assert np.isclose(found.S[0, 0], y.var(ddof=1), atol=1e-12) and found.dof == len(y) - 1


@given(st.floats(0.01, 50), st.floats(0.01, 50), st.floats(0.01, 5), st.floats(0.01, 50))
def test_a_point_above_the_line_is_in_every_half_plane(x, above, P, m):
    """D² = m + P x + more: no direction may miss it; where x is the tangent's own, it is tight."""
    D2 = m + P * x + above
    view = unseen.excess_views(np.array([D2, 1.0, 2.0]), np.array([x, 1.0, 2.0]), P)[-1]
    assert all(c @ view.Z[0] >= threshold(m) for c, threshold in view.directions)
    for angle in unseen.ANGLES[1:]:
        tangent_x = angle * m / ((1 - angle) * P)
        edge = np.log(m + P * tangent_x) - angle * np.log(tangent_x)
        assert np.isclose(unseen._tangent(angle, P)(m), edge, atol=1e-9)


@given(st.floats(0.01, 100), st.floats(0.01, 100))
@settings(max_examples=10)
def test_limits_of_an_excess_have_its_units(energy, gradient):
    """D² in units of `energy` and x in units of `gradient`: P and the limit follow."""
    rng, at = np.random.default_rng(4), 5 * np.arange(9)
    x, noise = rng.chisquare(4, 9), rng.chisquare(9, 9) / 9
    D2 = 1 + 2 * x * noise
    one = unseen.largest_excess(at, D2, x, 1.5, 40).high
    other = unseen.largest_excess(at, energy * D2, gradient * x, 1.5 * energy / gradient, 40).high
    assert np.isclose(other, energy * one, rtol=5e-3)  # solved to 0.1 % of its distance


def test_an_excess_that_is_constant_has_no_margin_and_one_without_slope_is_that_of_its_own_values():
    """Springs: D² = x + G² at every round, seen or not. Where a gradient is zero its logarithm is not there:
    the excess itself is forecast.
    """
    x = np.array([9.0, 4.0, 2.0, 1.0, 0.5])
    assert np.isclose(unseen.largest_excess(4 * np.arange(5), x + 3.0, x, 1.0, 16).high, 3.0)
    rounds, D2, x = np.array([0, 5, 10, 15]), np.array([1.0, 2.0, 1.5, 1.2]), np.array([1.0, 0.5, 0.0, 0.2])
    assert unseen.largest_excess(rounds, D2, x, 0.5, 15) == unseen.largest(rounds, D2 - 0.5 * x, 15)


# A run that recorded no gradients, with few checkpoints.
plain, _ = finished_and_copy(
    small("rounds=40", "record.checkpoint_every=10", "record.verify=false", "local.gamma=0.05")
)


def test_rounds_between_checkpoints_are_the_runs_own(plain):
    """States between checkpoints, and w̃_{t+1}, are run again; the record knows the norm of every round."""
    evidence = recorded.evidence(plain)
    norms = evidence.series["w_norm_squared"]
    assert [it.t for it in evidence.iterates] == recorded.evenly(41, recorded.LOOKS)
    for it in evidence.iterates:
        assert np.isclose(float(it.w.double().square().sum()), norms[it.t], rtol=1e-12)
        after = 0.0 if it.after is None else float(it.after.double().square().sum())
        assert it.t == evidence.T if it.after is None else np.isclose(after, norms[it.t + 1], rtol=1e-12)
    assert not any("differ from the record" in note for note in evidence.notes)


def test_rounds_that_come_out_otherwise_are_told(plain, monkeypatch):
    """As on another machine: a step that is off by 1e-6 of its size."""
    prepare = recorded.prepare

    def off(*given, **options):
        algorithm, setup, data = prepare(*given, **options)

        def one_round(setup, state, t):
            after, info = algorithm.one_round(setup, state, t)
            return replace(after, u=replace(after.u, values=after.u.values * (1 + 1e-6))), info

        return replace(algorithm, one_round=one_round), setup, data

    monkeypatch.setattr(recorded, "prepare", off)
    assert any("differ from the record" in note for note in recorded.evidence(plain).notes)


@given(
    st.integers(10, 3000), st.sets(st.integers(0, 3000), max_size=40), st.integers(3, 40), st.integers(0, 400)
)
def test_looks_are_evenly_spaced_where_they_can_be_reached(T, at, most, steps):
    at = sorted(t for t in at if t <= T)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recorded, "MOST_STEPS", steps)
        found = recorded.reachable(T, at, most)
    starts = sorted({0, *at})
    cost = [t - max(s for s in starts if s <= t) for t in found]
    assert 1 <= len(found) <= most and found == sorted(set(found)) and found[0] == 0 and found[-1] <= T
    assert max(cost) * len(starts) <= steps  # so that all of them together stay within the budget
    if steps >= T * len(starts):
        assert found == recorded.evenly(T + 1, most)


@pytest.mark.parametrize("n", [3, 8])
def test_scales_count_the_derivative_of_all_values_but_one(n):
    """log dz/dy at n equal values c: −log(2√c) on the scale √y, and −log c on the scale log y."""
    _, (_, root, _), (_, log, _) = unseen.scales(np.full(n, 5.0))
    assert np.isclose(root, -(n - 1) * np.log(2 * np.sqrt(5))) and np.isclose(log, -(n - 1) * np.log(5))
