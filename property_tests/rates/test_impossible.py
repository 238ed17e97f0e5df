"""What is called impossible fails within the user's own assumptions: never below what is proved."""

from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from property_tests.rates.asked import printed, record
from theory.rates.descent.certified import certified_range
from theory.rates.descent.round import Setting
from theory.rates.limits.cycle_check import GramCycle
from theory.rates.limits.impossible import TwoCurvatures, impossible_from
from theory.rates.parameters import Parameters
from theory.rates.ranges import supremum

# Theorem A's end is a float: exact at E = 1 but for its last digit, found by bisection at E > 1. There its
# condition is some hundred operations on numbers of size 1 whose slope in log γ is at least 0.1.
ROUNDING = {True: 0.0, False: 1e-12}


@st.composite
def small_shares(draw: st.DrawFn) -> Parameters:
    """P_b and P_n over fifty orders of magnitude, with P_b B² below 0.9."""
    B = 10.0 ** draw(st.floats(0, 8))
    P_b, P_n = (draw(st.one_of(st.just(0.0), st.floats(-50, -1).map(lambda x: 10.0**x))) for _ in range(2))
    mu = draw(st.one_of(st.just(0.0), st.floats(-6, 1).map(lambda x: 10.0**x)))
    return Parameters(L=1, mu=mu, E=draw(st.integers(1, 5)), B=B, P_b=min(P_b, 0.9 / B**2), P_n=P_n)


@given(small_shares())
@example(Parameters(L=1, B=1e5, P_b=1e-20))
@example(Parameters(L=1, E=2, B=100, P_b=1e-14))
@example(Parameters(L=1, E=2, B=1e6, P_n=1e-14))
@settings(max_examples=25)  # each asks the solver
def test_nothing_is_called_impossible_below_what_is_proved(q: Parameters) -> None:
    """The run that shows it keeps within the given P_b and P_n, however small."""
    found = impossible_from(q, most_nodes=4)
    if found.gamma is None:
        return
    run = found.evidence
    assert run is not None and run.proves_impossible()
    assert run.setting.P_b <= Fraction(q.P_b) and run.setting.P_n <= Fraction(q.P_n)
    assert found.gamma_from >= supremum("repaired_sharp", q) * (1 - ROUNDING[q.E == 1])
    certified = certified_range(q).gamma
    assert certified is not None and certified <= found.gamma


def test_a_share_that_was_raised_to_the_smallest_size_shows_nothing() -> None:
    """P_b = 1e-60 becomes 1e-50, to the safe side of every bound; the run has no bias then."""
    q = Parameters(L=1, E=2, B=1e6, P_b=1e-60, P_n=1e-60)
    run = impossible_from(q, most_nodes=0).evidence
    assert q.P_b == 1e-50
    assert isinstance(run, TwoCurvatures) and run.setting.P_b == run.setting.P_n == 0


@pytest.mark.parametrize(("excess", "proved"), [(Fraction(1, 2), True), (Fraction(3), False)])
def test_a_cycle_keeps_a3_at_each_of_its_broadcasts(excess: Fraction, proved: bool) -> None:
    """x_0 → x_0 − 3g → x_0 with gradients g, −g; the deviations are orthogonal, of squares 1/2 and `excess`.

    All pairs hold with room (5/4 against (1/2 + excess)/4), and A3 allows B² − 1 = 5/4 at both broadcasts.
    """
    half, none = Fraction(1, 2), Fraction(0)
    cycle = GramCycle(
        setting=Setting(E=1, B=Fraction(3, 2)),
        step=Fraction(3),
        rounds=2,
        means=((Fraction(1),),),
        deviations=((half, none), (none, excess)),
        values=(none, none),
    )
    assert cycle.proves_impossible() == proved


def test_for_one_device_nothing_is_impossible_that_is_certified_without_spread() -> None:
    """One device is its own mean: A3 holds with B = 1, whatever B is given."""
    one, same = record("lr --L 1 --E 2 --B 2 --M 1"), record("lr --L 1 --E 2 --B 1")
    assert one["certified"]["gamma_max"] == same["certified"]["gamma_max"] > 1.9
    assert one["certified"]["impossible"] == same["certified"]["impossible"]
    assert "One device: B = 1 (in place of 2)." in printed("lr --L 1 --E 2 --B 2 --M 1")
    assert "One device" not in printed("lr --L 1 --E 2 --B 1 --M 1")
    bound = "bound --L 1 --E 2 --gamma 0.4 --T 10 --Delta 1 --G2 1"
    assert record(f"{bound} --B 2 --M 1")["sdp"] == record(f"{bound} --B 1")["sdp"]
    assert "One device: B = 1" in printed(f"{bound} --B 2 --M 1")


def test_without_a_number_of_devices_none_is_assumed() -> None:
    """Two devices fail from 1 on; so B counts when M is not given, or may be above 1."""
    for line in ("lr --L 1 --E 2 --B 2", "lr --L 1 --E 2 --B 2 --M 1:3", "lr --L 1 --E 2 --B 2 --M 2"):
        limit = record(line)["certified"]["impossible"]["gamma_from"]
        assert limit == 1
    said = printed("lr --L 1 --E 2 --B 2")
    assert "any number of devices (nu = 1)" in said and "M = 1" not in said and "M=1" not in said
