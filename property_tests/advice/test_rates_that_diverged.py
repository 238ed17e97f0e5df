"""Problems on which a rate was once called guaranteed or recommended, and diverged.

A row that is rarely drawn and very stiff: no pilot sees it, and still no rate is advised at which it drives
the model away.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

import fpsverify as fps
from empirical.advice import device_pilots
from empirical.advice.advice import Advice, Pilot
from empirical.advice.advise import advice_for
from empirical.advice.case import Case, case_of
from empirical.advice.device_pilots import MOST_DEVICES, devices_of
from empirical.advice.from_run import from_run
from empirical.advice.row_pilots import CHANCE, ROUNDS, _growth, diverges, draws_of_a_row, rows_of, settle
from empirical.advice.rule import MARGIN, Choice, choose
from empirical.observed.recorded import evidence_in_memory
from empirical.observed.run_models import DenseModel
from fpsverify.own.training import run_config
from fpsverify.runs.loop import prepare
from property_tests.advice.test_advise import small
from property_tests.advice.test_from_run import constants
from property_tests.advice.test_held_runs import demand_safe
from property_tests.advice.test_held_runs import diverges as run_diverges

UNLIKE = {"seed": 3, "rounds": 300, "problem.samples": 200, "algorithm.name": "fedavg"}
UNLIKE |= {"devices.M": 4, "devices.scenario": 3, "local.E": 4}


def short(advice: Advice) -> tuple[Pilot, ...]:
    """The pilots, without the runs of all rounds."""
    whole = max(each.rounds[-1] for each in advice.pilots)
    return tuple(each for each in advice.pilots if each.rounds[-1] < whole)


def unlike(**changes: object) -> Case:
    """Least squares with unlike devices, whole vectors, full gradients."""
    return case_of(small(**(UNLIKE | changes)))


def test_a_proximal_weight_that_follows_the_loss_is_covered_by_no_theorem() -> None:
    """It rises when the loss does, also by rounding, until γμ is large: 0.648 was guaranteed; it diverges."""
    case = unlike(**{"local.mu_step": 1.0, "problem.power_law": 1.0})
    advice = advice_for(case)
    assert advice.guaranteed is None and "mu changes" in advice.labels["guaranteed"]
    assert run_diverges(case, 0.648)
    assert advice.recommended is not None and advice.pilots[0].rounds[-1] == case.config.rounds
    demand_safe(case, advice.recommended)


def test_with_fading_some_devices_are_silent() -> None:
    """The mean of those that are heard is steeper than the mean of all: 3.296 was guaranteed; it diverges."""
    fading = {"channel.kind": "rayleigh", "channel.sigma": 0.001}
    case = unlike(**fading, **{"channel.gain_threshold": 2.0, "local.E": 1, "rounds": 600})
    advice = advice_for(case)
    assert advice.guaranteed is None and "part of the devices" in advice.labels["guaranteed"]
    assert not case.all_take_part and case.n == 1
    assert advice.recommended is not None
    demand_safe(case, advice.recommended)
    noisy = unlike(**fading, **{"channel.gain_threshold": 0.0})
    assert noisy.all_take_part and advice_for(noisy).guaranteed is None


def few_of_many(h: float, M: int = 100, **given: Any) -> Case:
    """One device is h times as steep as the others; one in a hundred takes part."""
    draw = torch.Generator().manual_seed(0)
    X = [torch.randn(8, 3, generator=draw, dtype=torch.float64) for _ in range(M)]
    X[7 % M] = X[7 % M] * h**0.5
    setting = {"batch": 0, "rounds": 800, "set": ["devices.participation=0.01"]}
    return least_squares(X, **(setting | given))


def test_a_stiff_device_that_no_pilot_draws_lowers_the_rate() -> None:
    """The pilots alone allow 96 times as much, at which the device throws the model off whenever it comes."""
    case = few_of_many(1000.0)
    advice = advice_for(case, 50)
    alone = choose(short(advice), case.config.rounds, False).gamma
    assert advice.recommended is not None and alone is not None and alone > 50 * advice.recommended
    assert "one stiff device" in advice.labels["recommended"]
    assert advice.change[0].startswith("more devices in a round (now 1 of 100)")
    demand_safe(case, advice.recommended)


@settings(max_examples=10)
@given(st.floats(2, 1e4), st.sampled_from([1, 2, 5]))
def test_the_limit_of_a_single_device(h: float, n: int) -> None:
    """E = 1: it is 2n/h; above, the loss (1 − q)^(2t) of the steepest direction passes 100 in time."""
    case = few_of_many(h, M=10, set=[f"devices.participation={n / 10}"])
    devices = devices_of(case)
    assert devices is not None and case.n == n
    limit = 2 * n / float(devices.curvature.max())
    assert not device_pilots.diverges(case, devices, limit * (1 - 1e-6))
    assert device_pilots.diverges(case, devices, limit * 1.5)
    found = settle(case, chosen(limit * 1.5))
    assert found.gamma is not None and found.gamma < limit and found.stiff == "device"


@given(st.floats(0.0, 5.0), st.floats(0.01, 1.0), st.integers(1, 2))
def test_a_device_alone_takes_its_proximal_steps(mu: float, gamma: float, n: int) -> None:
    """Two steps by hand: the second is drawn back to where the round began."""
    case = few_of_many(4.0, M=4, E=2, mu=mu, set=[f"devices.participation={n / 4}"])
    assert isinstance(case.model, DenseModel)
    W = torch.linspace(-1, 1, 12, dtype=torch.float64).reshape(4, 3)
    first = W - gamma * case.model.full_gradients(W)
    second = first - gamma * (case.model.full_gradients(first) + mu * (first - W))
    torch.testing.assert_close(device_pilots._round(case, case.model, W, gamma), W + (second - W) / n)


def test_of_many_devices_the_stiffest_are_tried() -> None:
    case = few_of_many(300.0)
    devices = devices_of(case)
    assert devices is not None and len(devices.curvature) > MOST_DEVICES
    assert int(devices.curvature.argmax()) == 7
    assert devices_of(few_of_many(300.0, set=[])) is None


class Wall(torch.nn.Module):
    """A gentle slope that ends at a steep wall: softplus(20(w − 1))² − w/10. The data say nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.w = torch.nn.Parameter(torch.full((12,), -5.0, dtype=torch.float64))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rise = torch.nn.functional.softplus(20 * (self.w - 1)) ** 2 - 0.1 * self.w
        return x[:, :1] * 0 + rise.sum()


def test_a_run_that_has_not_gone_far_does_not_raise_its_rate() -> None:
    """Flat where the run went: half of the range of what it saw was recommended, far beyond the wall's."""
    data = [(torch.ones(4, 1, dtype=torch.float64), torch.zeros(4, 1, dtype=torch.float64))] * 2
    federation = fps.Federation(Wall(), lambda out, y: (out - y).mean(), data)
    case = case_of(run_config(federation, E=1, batch=0, sketch=None, rounds=200), federation)
    config = case.at(0.01).config.model_copy(update={"rounds": 30})
    algorithm, setup, _ = prepare(config, federation=federation)
    seen = evidence_in_memory(algorithm, setup, most_iterates=4)
    found = from_run(constants(1e-3), seen)
    assert found.at_estimates.certified is not None and found.at_estimates.certified > 1000
    assert found.recommended == 0.01 and found.labels["recommended"].startswith("as used")
    assert run_diverges(case, found.at_estimates.certified / 2)


class Product(torch.nn.Module):
    """x times the product of four weights: a plateau at small ones, with steep ground behind it."""

    def __init__(self, start: float) -> None:
        super().__init__()
        self.w = torch.nn.Parameter(torch.full((4,), start))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.w.prod()


def plateau(start: float = 0.05, T: int = 300) -> Case:
    one = torch.ones(10, 1)
    federation = fps.Federation(Product(start), torch.nn.MSELoss(), [(one, one)] * 4)
    return case_of(run_config(federation, E=1, sketch=None, rounds=T), federation)


@pytest.mark.parametrize(("start", "T"), [(0.05, 300), (0.1, 200)])
def test_a_pilot_that_stays_on_a_plateau_is_no_proof_for_the_rounds_after_it(start: float, T: int) -> None:
    """All larger steps diverge, this one gains 0.004 %; its rounds 51 to 300 diverge too."""
    case = plateau(start, T)
    found = advice_for(case)
    assert found.recommended is not None
    assert any(p.gamma == found.recommended and p.rounds[-1] == T for p in found.pilots)
    assert any(p.diverged for p in found.pilots)
    demand_safe(case, found.recommended)


FEATURES, ROWS = 4, 20


def with_a_stiff_row(h: float, rows: int = ROWS, M: int = 1, **given: Any) -> Case:
    """Least squares. One row of the first device curves by h in a direction that no other row touches."""
    draw = torch.Generator().manual_seed(0)
    X = [torch.randn(rows, FEATURES, generator=draw, dtype=torch.float64) for _ in range(M)]
    for x in X:
        x[:, 0] = 0
    X[0][7] = torch.tensor([(h / 2) ** 0.5] + [0.0] * (FEATURES - 1))
    return least_squares(X, **({"batch": 2, "rounds": 1500} | given))


def least_squares(X: list[torch.Tensor], **given: Any) -> Case:
    """Devices with these inputs, and targets near their sums, from 0 on."""
    module = torch.nn.Linear(X[0].shape[1], 1, bias=False).double()
    torch.nn.init.zeros_(module.weight)
    data = [(x, x.sum(1, keepdim=True) + 0.1) for x in X]
    federation = fps.Federation(module, torch.nn.functional.mse_loss, data)
    return case_of(run_config(federation, **({"E": 1, "sketch": None} | given)), federation)


def chosen(gamma: float) -> Choice:
    return Choice(gamma, None, 0.0, None, False)


@pytest.mark.parametrize("M", [1, 2])
def test_a_long_run_with_a_rare_stiff_row_is_safe(M: int) -> None:
    """The pilots alone allow a rate at which the run of 1500 rounds diverges."""
    subject = with_a_stiff_row(1000.0, rows=500, M=M, batch=4)
    advice = advice_for(subject, 50)
    assert advice.recommended is not None and advice.guaranteed is None
    demand_safe(subject, advice.recommended)
    pilots_alone = choose(short(advice), 1500, False).gamma
    assert pilots_alone is not None and run_diverges(subject, pilots_alone)
    assert "one stiff row" in advice.labels["recommended"] and "larger batches (now 4)" in advice.change[0]


@settings(max_examples=20)
@given(st.floats(100, 1e5), st.integers(1, 4), st.integers(1, 3), st.floats(1e-3, 10))
def test_the_limit_of_a_row_drawn_once_a_round(h: float, batch: int, M: int, gamma: float) -> None:
    """It is 2bn/h: just below nothing diverges; above, the loss (1 − q)^(2t) is seen to pass 100 in time."""
    subject, limit = with_a_stiff_row(h, rows=3000, M=M, batch=batch), 2 * batch * M / h
    rows = rows_of(subject)
    assert rows is not None and set(rows.draws.flat) == {1}
    seen = 1 + 100 ** (1 / (2 * ROUNDS))
    assert not diverges(subject, rows, limit * (1 - 1e-9))
    assert diverges(subject, rows, limit * seen / 2 * (1 + 1e-6))
    found = settle(subject, chosen(gamma)).gamma
    assert found is not None and found <= limit * seen / 2
    if gamma < limit * (1 - 1e-9) / MARGIN:
        assert found == gamma
    elif gamma > limit * seen / 2 * (1 + 1e-6) / MARGIN:
        assert limit / MARGIN**2 * (1 - 1e-9) < found <= limit * seen / 2 / MARGIN * (1 + 1e-6)


def test_a_row_that_is_drawn_often_takes_several_steps_and_who_rests_does_not_share_in_the_mean() -> None:
    """Four draws of two devices: 1 + ((1 − q)⁴ − 1)/2 is below −1 for no q, and above 1 for q > 2. Two of
    three devices: the limit is that of two."""
    often = with_a_stiff_row(200.0, M=2, E=4, batch=3, set=["local.unit=epochs"])
    rows = rows_of(often)
    assert rows is not None and set(rows.draws.flat) == {4}
    assert not diverges(often, rows, 1.99 * 3 / 200) and diverges(often, rows, 2.1 * 3 / 200)
    some = with_a_stiff_row(200.0, rows=3000, M=3, set=["devices.participation=2"])
    rows = rows_of(some)
    assert rows is not None and some.n == 2
    assert not diverges(some, rows, 0.0399) and diverges(some, rows, 0.0415)


@settings(max_examples=30)
@given(st.integers(1, 60), st.integers(1, 20), st.integers(2, 300), st.integers(1, 5000))
def test_the_draws_of_a_row_are_those_of_rounds_that_draw_it(E: int, batch: int, size: int, T: int) -> None:
    """Binomial, given that there is one: the mean agrees up to the rarest; the first is seldom passed."""
    subject, rarest = with_a_stiff_row(1.0, E=E, batch=batch, rounds=T), CHANCE / T
    draws, law = draws_of_a_row(subject, size), binom(E * batch, 1 / size)
    assert draws[0] == draws.max() and draws.min() >= 1
    assert law.sf(draws[0]) <= rarest and (draws[0] == 1 or law.sf(draws[0] - 1) > rarest)
    mean = E * batch / size / law.sf(0)
    assert draws[1:].mean() == pytest.approx(mean, abs=draws[0] * 4 / ROUNDS)


def test_whole_gradients_have_no_rare_rows() -> None:
    subject = with_a_stiff_row(1e5, batch=0)
    assert rows_of(subject) is None and settle(subject, chosen(7.0)) == chosen(7.0)
    none = Choice(None, None, 0.0, None, False)
    assert settle(with_a_stiff_row(1e5), none) == none


def test_of_a_large_problem_the_sampled_rows_and_the_largest_are_tried() -> None:
    subject = with_a_stiff_row(1000.0, rows=400)
    few = tuple(np.asarray(shard[::50]) for shard in subject.setup.problem.shards)
    model = replace(subject.model, problem=replace(subject.model.problem, shards=few))
    sampled = replace(subject, model=model, sampled=True)
    rows = rows_of(sampled)
    assert rows is not None and len(rows.at) < 80
    assert diverges(sampled, rows, 0.1) and 7 not in few[0]


def test_the_gradient_of_a_row_grows_by_its_curvature() -> None:
    """Least squares, E = 1: c draws multiply the gradient of a row by 1 − γhc/b, h = 2‖x‖²."""
    subject, gamma = with_a_stiff_row(30.0), 0.25
    rows = rows_of(subject)
    assert rows is not None
    h = 2 * subject.setup.problem.X[torch.from_numpy(rows.at)].square().sum(1)
    expected = (1 - gamma / 2 * h * torch.from_numpy(rows.draws[:, 0])).abs()
    found = _growth(subject, rows, subject.in_model(subject.setup.problem.start), gamma)
    torch.testing.assert_close(found, expected, rtol=1e-9, atol=1e-12)
    assert float(expected.max()) > 1 > float(expected.min())
