"""Statistics over seeds: summaries, paired comparisons, and which cell is best."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fpsverify.grids.statistics import compare, summarise
from property_tests import laws

SOURCE = laws.EXPERIMENTS
KILLS = ("fpsverify/grids/statistics.py",)


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
