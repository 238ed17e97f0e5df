"""Statistics over seeds: summaries, paired comparisons, and which cell is best."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fpsverify.grids.statistics import Best, best, compare, seeds_needed


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


@pytest.mark.parametrize("n", range(2, 9))
def test_lower_losses_are_better_and_constant_differences_decide_by_their_signs(n):
    """n equal signs have probability 2^−n: six are beyond 2.5 %."""
    a, b = ({i: float(i + more) for i in range(n)} for more in (0, 1))
    loss, accuracy = compare(a, b, "log_test_loss"), compare(a, b, "accuracy")
    found = ("better", "worse") if n >= 6 else ("undecided", "undecided")
    assert (loss.outcome, accuracy.outcome) == found and (loss.p, accuracy.p) == (0.5**n, 1.0)
    assert compare({0: 1.0}, {0: 0.0}, "accuracy") is None
    assert compare(a, a, "accuracy").outcome == "undecided"


@pytest.mark.parametrize("cells,experiments", [(2, 2000), (5, 800)])
def test_the_best_cell_and_its_equals_contain_the_truly_best_one(cells, experiments):
    """In 97.5 % of all experiments at least, here of cells that do not differ: the hardest case."""
    lost = 0
    for drawn in np.random.default_rng(5).normal(size=(experiments, cells, 4)):
        found = best({i: dict(enumerate(row)) for i, row in enumerate(drawn)}, "accuracy")
        lost += 0 in found.beaten
    assert stats.binomtest(lost, experiments, 0.025, "greater").pvalue > 1e-6


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
