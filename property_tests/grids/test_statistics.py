"""Statistics over seeds: summaries, paired comparisons, and which cell is best."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fpsverify.grids.statistics import Best, best, compare, interval, seeds_needed, summarise
from property_tests import laws

SOURCE = laws.EXPERIMENTS


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=10))
def test_comparisons_are_the_paired_t_test(pairs):
    a, b = ({i: p[j] for i, p in enumerate(pairs)} for j in (0, 1))
    found = compare(a, b, "accuracy")
    differences = [x - y for x, y in pairs]
    if max(differences) - min(differences) < 1e-9:
        return
    known = stats.ttest_rel(list(a.values()), list(b.values()), alternative="greater")
    interval = stats.ttest_rel(list(a.values()), list(b.values())).confidence_interval(0.95)
    assert found.p == pytest.approx(known.pvalue, rel=1e-6, abs=1e-12)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), rel=1e-6, abs=1e-9)
    assert (found.outcome == "better") == (found.low > 0)


def test_lower_losses_are_better_and_constant_differences_decide():
    a, b = {0: 1.0, 1: 2.0}, {0: 2.0, 1: 3.0}
    assert compare(a, b, "log_test_loss").outcome == "better" and compare(a, b, "accuracy").outcome == "worse"
    assert compare({0: 1.0}, {0: 0.0}, "accuracy") is None
    assert compare(a, a, "accuracy").outcome == "undecided"


def test_summaries():
    assert summarise([]) is None
    found = summarise([0.1, 0.2, 0.3])
    assert (found.mean, found.std, found.n) == (pytest.approx(0.2), pytest.approx(0.1), 3)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=8))
def test_the_interval_is_students(values):
    found = interval(values)
    if max(values) - min(values) < 1e-9:
        return
    low, high = stats.t.interval(0.95, len(values) - 1, np.mean(values), stats.sem(values))
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9, abs=1e-12)
    assert interval([]) is None and interval([0.5]).low is None


def test_the_best_cell_and_its_equals_contain_the_truly_best_one():
    """In 95 % of all experiments at least, here of five cells that hardly differ: the hardest case."""
    means, seeds, experiments = np.array([0.0, 0.0, 0.0, 0.0, 1e-9]), 4, 800
    rng = np.random.default_rng(5)
    lost = 0
    for noise in rng.normal(size=(experiments, seeds, 5)):
        drawn = means + noise + rng.normal(size=(seeds, 1))
        found = best({i: dict(enumerate(drawn[:, i])) for i in range(5)}, "accuracy")
        lost += 4 not in (found.name, *found.tied)
    assert stats.binomtest(lost, experiments, 0.05, "greater").pvalue > 1e-9


def test_a_clear_winner_beats_all_and_a_draw_nobody():
    clear = {"a": {0: 1.0, 1: 1.1, 2: 0.9}, "b": {0: 0.1, 1: 0.2, 2: 0.05}}
    assert best(clear, "accuracy") == Best("a", (), ("b",), None)
    assert best(clear, "test_loss") == Best("b", (), ("a",), None)
    draw = {"a": {0: 1.0, 1: 0.0, 2: 0.5}, "b": {0: 0.0, 1: 1.0, 2: 0.5}}
    assert best(draw, "accuracy").tied and best({"a": {}}, "accuracy") is None
    apart = {"a": {0: 1.0, 1: 1.1}, "b": {2: 0.1, 3: 0.2}}  # no seed in common: no pairs
    assert best(apart, "accuracy") == Best("a", ("b",), (), None)


@given(st.floats(0.01, 1), st.floats(0.01, 3), st.integers(2, 8))
def test_the_advised_number_of_seeds_would_decide_and_one_less_would_not(mean, spread, n):
    sample = np.linspace(-1, 1, n)
    differences = list(mean + spread * sample / np.std(sample, ddof=1))
    needed = seeds_needed(differences, 0.95)
    if needed is None:
        return
    for seeds in (needed, needed - 1):
        if seeds >= 2:
            bound = mean - stats.t.ppf(0.95, seeds - 1) * spread / np.sqrt(seeds)
            if abs(bound) > 1e-9:
                assert (bound > 0) == (seeds == needed)


def test_equal_differences_need_as_many_seeds_as_the_sign_test_asks() -> None:
    """Two cells, 0.025 allowed: 2^−n falls below it at n = 6. Accuracies on few rows often have no spread."""
    for n, decided in ((2, False), (5, False), (6, True)):
        cells = {"a": dict.fromkeys(range(n), 0.9), "b": dict.fromkeys(range(n), 0.8)}
        found = best(cells, "accuracy")
        assert found is not None and (found.beaten == ("b",)) == decided
        assert decided or found.seeds_needed == 6


def test_equal_cells_are_called_different_in_five_percent_of_cases_at_most() -> None:
    """The winner is chosen by the data. 2000 trials: 5 % and four standard errors are 6.95 %."""
    rng = np.random.default_rng(3)
    draws = rng.standard_normal((2000, 2, 5))
    alarms = sum(
        bool(found.beaten)
        for one in draws
        if (found := best({i: dict(enumerate(map(float, row))) for i, row in enumerate(one)}, "accuracy"))
    )
    assert alarms / 2000 < 0.0695
