"""The cost of a round: monotone, exact where it crosses, and as an event-by-event simulation says."""

import json
import math
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from benchmarks.round_cost import LEVEL, fit
from fpsverify.errors import BadInput
from fpsverify.runs import round_cost
from fpsverify.runs.round_cost import Affine, Line, Link, Machine, Round, in_devices, ofdm, round_time
from fpsverify.runs.round_events import simulate
from property_tests import laws

SOURCE = laws.COST

SCHEMES = [("sketch", "air"), ("sketch", "digital"), ("dense", "air"), ("dense", "digital")]
FALSE_ALARM = 1e-6
STORED = Path(__file__).parents[2] / "book" / "results" / "round_cost.json"

positive = st.fractions(Fraction(1, 1000), 10, max_denominator=1000)
lines = st.builds(Line, positive, positive)
machines = st.builds(Machine, st.integers(1, 9), lines, lines, lines, lines)
links = st.builds(Link, positive, st.integers(1, 50), st.integers(1, 500), st.integers(1, 500))
sizes = st.builds(
    Round,
    M=st.integers(1, 60),
    d=st.integers(1, 400),
    buckets=st.integers(1, 40),
    k=st.integers(1, 40),
    nnz=st.none() | st.integers(1, 400),
    spread=st.floats(0, 5),
    slowdown=positive,
)
schemes = st.sampled_from(SCHEMES)


@given(sizes, machines, links, st.integers(1, 10**6), st.integers(1, 10**9))
def test_the_air_time_of_fps_depends_neither_on_the_devices_nor_on_the_dimension(size, machine, link, M, d):
    seen, other = (round_time(s, machine, link, "sketch", "air") for s in (size, replace(size, M=M, d=d)))
    assert seen.uplink == other.uplink and seen.broadcast == other.broadcast
    assert seen.uplink == math.ceil(Fraction(machine.rows * size.buckets, link.numbers)) * link.slot_seconds


@given(sizes, machines, links, schemes)
def test_a_round_without_its_waiting_is_affine_in_the_devices(size, machine, link, scheme):
    parts = asdict(round_time(size, machine, link, *scheme))
    del parts["waiting"]
    assert sum(parts.values()) == in_devices(size, machine, link, *scheme).at(size.M)


@given(st.integers(1, 2000))
def test_harmonic_numbers(M):
    assert round_cost.harmonic(M) == pytest.approx(math.fsum(1 / i for i in range(1, M + 1)), rel=1e-13)


@pytest.mark.parametrize("change", [{"M": 0}, {"d": 0}, {"buckets": 0}, {"k": -1}, {"spread": -0.1}])
def test_sizes_that_make_no_sense_are_refused(change):
    with pytest.raises(BadInput, match=f"^{next(iter(change))}: got "):
        Round(**{"M": 2, "d": 3, **change})


MOST = 700
costs = st.fractions(0, 20, max_denominator=6)


@given(st.builds(Affine, costs, costs), st.builds(Affine, costs, costs))
@example(Affine(Fraction(20), Fraction(1, 6)), Affine(Fraction(0), Fraction(1, 5)))
def test_schemes_cross_where_a_search_finds_it(one, other):
    found = round_cost.devices_where_cheaper(one, other)
    cheaper = [one.at(M) <= other.at(M) for M in range(1, MOST)]
    if found is None:
        assert not cheaper[-1]
    else:  # 20 / (1/5 - 1/6) = 600 is the largest ratio of such costs, below MOST
        assert cheaper.index(True) + 1 == found and all(cheaper[found - 1 :])


@given(sizes, machines, links)
def test_unsketching_leads_from_where_a_search_finds_it(size, machine, link):
    size = replace(size, spread=0)  # what is left is rational, so that the search is exact
    found = round_cost.dimension_where_unsketch_leads(size, machine, link)

    def leads(d: int) -> bool:
        parts = round_time(replace(size, d=d), machine, link, "sketch", "air")
        return machine.unsketch.at(d) >= max(parts.waiting, parts.uplink, parts.broadcast)

    assert leads(found) and (found == 1 or not leads(found - 1))


MACHINE = Machine(5, Line(1e-4, 5e-9), Line(1e-4, 2e-8), Line(5e-4, 8e-9), Line(1e-5, 1e-9))
SIMULATED = [Round(M, d, buckets=500, spread=0.1) for M, d in ((1, 300), (10, 20_000), (300, 5_000))]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIMULATED, ids=lambda s: f"M={s.M}")
def test_devices_of_equal_speed_take_exactly_the_time_of_the_formula(size, scheme):
    """The simulation adds slot by slot: at most (number of slots + 9) roundings of the total."""
    size = replace(size, spread=0.0)
    expected = round_time(size, MACHINE, ofdm(), *scheme).total
    seen = simulate(size, MACHINE, ofdm(), *scheme, np.random.default_rng(0))
    slots = expected / ofdm().slot_seconds
    assert abs(seen - expected) <= (slots + 9) * 2**-52 * expected


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIMULATED[:2], ids=lambda s: f"M={s.M}")
def test_rounds_are_distributed_as_the_slowest_device(size, scheme):
    """Beyond its fixed parts a round takes the maximum of M exponential variables: (1 - exp(-x/τ))^M."""
    generator = np.random.default_rng(5)
    fixed = in_devices(size, MACHINE, ofdm(), *scheme).at(size.M)
    times = [simulate(size, MACHINE, ofdm(), *scheme, generator) for _ in range(200)]
    waited = np.maximum(np.array(times) - fixed, 0) / size.spread
    assert stats.kstest((1 - np.exp(-waited)) ** size.M, "uniform").pvalue > FALSE_ALARM


@given(st.integers(1, 12), st.integers(1, 3000), st.integers(0, 10**6), st.sampled_from(["sketch", "dense"]))
def test_sending_early_saves_at_most_the_waiting_or_all_turns_but_one(M, d, seed, what):
    """early + (M-1) turns ≥ synchronous, early + waiting ≥ synchronous, and early is never later."""
    size = Round(M, d, buckets=20)
    late, early = (
        simulate(size, MACHINE, ofdm(), what, "digital", np.random.default_rng(seed), early=early)
        for early in (False, True)
    )
    waiting = float(np.random.default_rng(seed).exponential(size.spread, M).max())
    turns = round_time(size, MACHINE, ofdm(), what, "digital").uplink * (M - 1) / M
    rounding = 1e-9  # of a few seconds, added up slot by slot: far above their 10^4 roundings
    assert late - min(waiting, turns) - rounding <= early <= late + rounding


def test_intervals_cover_as_often_as_they_say():
    """Relative normal errors of 5 %, a line through five sizes: Clopper-Pearson over 600 fits."""
    generator, n = np.random.default_rng(2), np.array([1e5, 3e5, 1e6, 3e6, 1e7])
    truth = 1e-4 + 5e-9 * n
    fits = [fit(n.tolist(), (truth * np.exp(0.05 * generator.normal(size=5))).tolist()) for _ in range(600)]
    covered = sum(f.slope_low <= 5e-9 <= f.slope_high for f in fits)
    interval = stats.binomtest(covered, len(fits)).proportion_ci(1 - FALSE_ALARM, method="exact")
    assert interval.low <= LEVEL <= interval.high


def test_the_stored_measurements_are_of_lines():
    """What the chapter extrapolates: every point within a factor 2 of its line, slopes above zero."""
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    for fits in stored["tables"].values():
        machine = Machine.of(fits, stored["rows"])
        assert machine.unsketch.slope > 0 and round_cost.broadcast_slots(Round(1, 10), ofdm(), "sketch") == 18
        for name, line in fits.items():
            assert line["slope"] > 0 and line["worst"] < 0.5, name
            again = fit(line["sizes"], line["seconds"])
            assert asdict(again) == pytest.approx({key: line[key] for key in asdict(again)}, rel=1e-9)
