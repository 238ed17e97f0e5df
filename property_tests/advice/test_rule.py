"""The pilot rule as a function of what pilots show."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from empirical.advice.advice import Pilot
from empirical.advice.pilots import helps, lowest_at, tail
from empirical.advice.rule import DOWN, MARGIN, TRIALS, UP, choose, ladder, pilot_rounds, scored, tried

ROUNDS = tuple(range(0, 51, 2))


def falling(rate: float, floor: float = 0.0) -> tuple[float, ...]:
    return tuple(floor + (1 - floor) * math.exp(-rate * t) for t in ROUNDS)


def valley(at: float, height: float) -> tuple[float, ...]:
    """Falls until round `at`, then rises at the same speed."""
    return tuple(1 - height * (1 - abs(t - at) / at) if t < 2 * at else 1.0 for t in ROUNDS)


def pilot(gamma: float, losses: tuple[float, ...], diverged: bool = False) -> Pilot:
    return Pilot(gamma, ROUNDS[: len(losses)], losses, diverged)


losses = st.lists(st.floats(0.0, 2.0), min_size=len(ROUNDS), max_size=len(ROUNDS)).map(tuple)
pilots = st.lists(
    st.builds(pilot, st.floats(1e-4, 1e2), losses, st.booleans()), min_size=1, max_size=6, unique_by=id
).map(tuple)


@given(pilots, st.integers(1, 1000))
def test_nothing_is_recommended_beyond_what_a_pilot_has_shown_to_help(
    made: tuple[Pilot, ...], T: int
) -> None:
    """With compression neither γ nor γ times the rounds."""
    good = [p for p in made if helps(p)]
    for compresses in (False, True):
        choice = choose(made, T, compresses)
        assert (choice.gamma is None) == (not good)
        if choice.gamma is not None:
            assert choice.gamma <= max(p.gamma for p in good)
            most = max(p.gamma * lowest_at(p) for p in good)
            assert not compresses or choice.gamma * T <= most * (1 + 1e-12)


def test_a_double_that_diverges_costs_a_margin() -> None:
    good, broken = pilot(0.1, falling(0.1)), pilot(0.2, (1.0, 3.0), diverged=True)
    assert choose((good, broken), 50, False).gamma == 0.1 / MARGIN <= 0.07
    assert choose((good, pilot(0.2, falling(0.01))), 50, False).gamma == 0.1
    assert choose((good, broken), 50, False, whole=True).gamma == 0.1  # each was the run itself


@given(pilots, st.integers(1, 1000))
def test_with_compression_gamma_times_the_rounds_is_cut_to_the_most_that_helped(
    made: tuple[Pilot, ...], T: int
) -> None:
    """Which need not be that of the pilot that ended lowest."""
    free, cut = (choose(made, T, compresses) for compresses in (False, True))
    if free.gamma is not None:
        most = max(p.gamma * lowest_at(p) for p in made if helps(p))
        assert cut.gamma == min(free.gamma, most / T) and cut.spent == most
        assert cut.farthest is not None and cut.farthest.gamma * lowest_at(cut.farthest) == most


def test_the_pilot_that_went_farthest_may_not_be_the_one_that_ended_lowest() -> None:
    best, farthest = pilot(0.1, falling(0.1)), pilot(0.2, falling(0.01))
    choice = choose((best, farthest), 1000, True)
    assert (choice.best, choice.farthest) == (best, farthest) and choice.gamma == 0.2 * 50 / 1000


@given(st.integers(0, 6))
def test_the_ladder_climbs_while_it_pays(best: int) -> None:
    """Losses fall faster with γ up to 2^best, then more slowly: the ladder stops one rung later."""

    def attempt(gamma: float) -> Pilot:
        j = round(math.log2(gamma))
        return pilot(gamma, falling(0.001 * 2.0 ** (j if j <= best else 2 * best - j - 1)))

    made = ladder(attempt, attempt(1.0))
    assert [p.gamma for p in made] == [UP**j for j in range(best + 2)]
    assert choose(made, 50, False).gamma == UP**best


def test_the_ladder_goes_down_where_the_first_pilot_does_not_help() -> None:
    def attempt(gamma: float) -> Pilot:
        return pilot(gamma, falling(gamma) if gamma < 0.1 else tuple(1.0 + 0.1 * t for t in ROUNDS))

    made = ladder(attempt, attempt(1.0))
    assert [p.gamma for p in made] == [1.0, 1 / DOWN, 1 / DOWN**2]
    assert choose(made, 50, False).gamma == 1 / DOWN**2


def test_an_early_turn_asks_for_less_and_is_told() -> None:
    """The loss is a valley in γt with its bottom at 10: the pilot at 1 is over it in round 10."""

    def attempt(gamma: float) -> Pilot:
        return pilot(gamma, valley(10 / gamma, 0.5))

    made = ladder(attempt, attempt(1.0))
    choice = choose(made, 200, True)
    assert choice.turned is not None and lowest_at(choice.turned) < 50
    assert choice.gamma is not None and choice.gamma * 200 <= 15
    assert min(p.gamma for p in made) < 1


@given(losses)
def test_the_tail_and_the_lowest_round(values: tuple[float, ...]) -> None:
    made = pilot(1.0, values)
    assert tail(made) == float(np.mean(values[-5:]))
    assert 0 < lowest_at(made) <= 50
    assert tail(pilot(1.0, values, diverged=True)) == math.inf


@given(st.floats(0.0, 0.1), st.floats(0.01, 2.0), st.sampled_from([0.0, 64.0]))
def test_a_loss_turned_up_only_if_it_lost_a_share_of_what_it_gained(
    rise: float, scale: float, floor: float
) -> None:
    """Down by 1 in round 24, then up by a share of the fall; noise on a plateau is no turn. What no rate can
    lower, the floor, hides none."""
    down, up = np.linspace(1, 0, 13), np.full(13, rise)
    made = pilot(1.0, tuple(floor + scale * np.r_[down[:-1], np.zeros(6), up][: len(ROUNDS)]))
    if rise < 0.009:
        assert lowest_at(made) == made.rounds[-1]
    elif rise > 0.011:
        assert lowest_at(made) < made.rounds[-1]


@given(st.floats(0.1, 30), st.floats(0.5, 2), st.integers(51, 300))
def test_what_is_recommended_for_a_short_run_has_been_tried(turn: float, noise: float, T: int) -> None:
    """Where the loss falls up to γt = `turn`, in whole runs `noise` times as far, and then rises."""
    rounds = tuple(range(T + 1))
    choice = choose((pilot(0.2, valley(min(turn / 0.2, 50), 0.9)),), T, True)
    runs: list[Pilot] = []

    def attempt(gamma: float) -> Pilot:
        losses = tuple(abs(1 - gamma * t / (turn * noise)) for t in rounds)
        runs.append(Pilot(gamma, rounds, losses))
        return runs[-1]

    found, made = tried(choice, T, attempt)
    assert made == tuple(runs) and len(made) <= TRIALS
    if choice.gamma is None:
        assert found == choice and not made
        return
    assert found.gamma is not None and found.trial in runs and helps(found.trial)
    assert found.gamma == found.trial.gamma <= choice.gamma
    assert tail(found.trial) == min(map(tail, runs))
    assert (len(made) == 1) == (lowest_at(made[0]) == T)
    alone, once = tried(choice, T, attempt, lambda: False)
    assert len(once) == 1 and (alone.gamma is None or alone.gamma == choice.gamma)


@given(st.integers(1, 10**4))
def test_a_pilot_is_a_fourth_of_the_run_and_never_more_than_it(T: int) -> None:
    rounds = pilot_rounds(T)
    assert rounds == min(T, max(10, math.ceil(T / 4)))


def test_a_rate_that_fails_on_another_draw_is_halved_and_told() -> None:
    choice = choose((pilot(0.2, falling(0.1)),), 50, False)
    good, bad = pilot(0.2, falling(0.05)), pilot(0.2, (1.0, 2.0), diverged=True)
    assert scored(choice, (good, good)).gamma == 0.2
    failed = scored(choice, (good, bad))
    assert (failed.gamma, failed.too_much, failed.stiff) == (0.1, 0.2, "draw")
    assert failed.draws == (good, bad)


def test_where_no_whole_run_ends_below_its_start_nothing_is_recommended() -> None:
    choice = choose((pilot(0.2, falling(0.1)),), 100, True)
    found, made = tried(choice, 100, lambda gamma: Pilot(gamma, (0, 50, 100), (1.0, 2.0, 3.0)))
    assert found.gamma is None and [run.gamma for run in made] == [0.1, 0.1 / DOWN, 0.1 / DOWN**2]
