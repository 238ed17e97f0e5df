"""A row that is rarely drawn and very stiff: no pilot sees it, and still no rate is advised at which it
drives the model away."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

import fpsverify as fps
from empirical.advice.advise import advice_for
from empirical.advice.case import Case, case_of
from empirical.advice.row_pilots import CHANCE, ROUNDS, _growth, diverges, draws_of_a_row, rows_of, settle
from empirical.advice.rule import MARGIN, Choice, choose
from fpsverify.own.training import run_config
from property_tests import laws
from property_tests.advice.test_held_runs import demand_safe
from property_tests.advice.test_held_runs import diverges as run_diverges

SOURCE = laws.ADVICE
FEATURES, ROWS = 4, 20


def case(h: float, rows: int = ROWS, M: int = 1, **given: Any) -> Case:
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
    subject = case(1000.0, rows=500, M=M, batch=4)
    advice = advice_for(subject)
    assert advice.recommended is not None and advice.guaranteed is None
    demand_safe(subject, advice.recommended)
    pilots_alone = choose(advice.pilots, 1500, False).gamma
    assert pilots_alone is not None and run_diverges(subject, pilots_alone)
    assert "one stiff row" in advice.labels["recommended"] and "larger batches (now 4)" in advice.change[0]


@settings(max_examples=20)
@given(st.floats(100, 1e5), st.integers(1, 4), st.integers(1, 3), st.floats(1e-3, 10))
def test_the_limit_of_a_row_drawn_once_a_round(h: float, batch: int, M: int, gamma: float) -> None:
    """It is 2bn/h: just below nothing diverges; above, the loss (1 − q)^(2t) is seen to pass 100 in time."""
    subject, limit = case(h, rows=3000, M=M, batch=batch), 2 * batch * M / h
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


def test_a_row_that_is_drawn_often_takes_several_steps_before_the_mean() -> None:
    """Four draws of two devices: 1 + ((1 − q)⁴ − 1)/2 is below −1 for no q, and above 1 for q > 2."""
    subject = case(200.0, M=2, E=4, batch=3, set=["local.unit=epochs"])
    rows = rows_of(subject)
    assert rows is not None and set(rows.draws.flat) == {4}
    assert not diverges(subject, rows, 1.99 * 3 / 200) and diverges(subject, rows, 2.1 * 3 / 200)


@settings(max_examples=30)
@given(st.integers(1, 60), st.integers(1, 40), st.integers(2, 300), st.integers(1, 5000))
def test_the_draws_of_a_row_are_those_of_rounds_that_draw_it(E: int, batch: int, size: int, T: int) -> None:
    """Binomial, given that there is one: the mean agrees up to the rarest; the first is seldom passed."""
    subject, rarest = case(1.0, E=E, batch=batch, rounds=T), CHANCE / T
    draws, law = draws_of_a_row(subject, size), binom(E * batch, 1 / size)
    assert draws[0] == draws.max() and draws.min() >= 1
    assert law.sf(draws[0]) <= rarest and (draws[0] == 1 or law.sf(draws[0] - 1) > rarest)
    mean = E * batch / size / law.sf(0)
    assert draws[1:].mean() == pytest.approx(mean, abs=draws[0] * 4 / ROUNDS)


def test_who_rests_does_not_share_in_the_mean() -> None:
    """Two of three devices: the limit is that of two."""
    subject = case(200.0, rows=3000, M=3, set=["devices.participation=2"])
    rows = rows_of(subject)
    assert rows is not None and subject.n == 2
    assert not diverges(subject, rows, 0.0399) and diverges(subject, rows, 0.0415)


def test_whole_gradients_have_no_rare_rows() -> None:
    subject = case(1e5, batch=0)
    assert rows_of(subject) is None and settle(subject, chosen(7.0)) == chosen(7.0)
    none = Choice(None, None, 0.0, None, False)
    assert settle(case(1e5), none) == none


def test_of_a_large_problem_the_sampled_rows_and_the_largest_are_tried() -> None:
    subject = case(1000.0, rows=400)
    few = tuple(np.asarray(shard[::50]) for shard in subject.setup.problem.shards)
    model = replace(subject.model, problem=replace(subject.model.problem, shards=few))
    sampled = replace(subject, model=model, sampled=True)
    rows = rows_of(sampled)
    assert rows is not None and len(rows.at) < 80
    assert diverges(sampled, rows, 0.1) and 7 not in few[0]


def test_the_gradient_of_a_row_grows_by_its_curvature() -> None:
    """Least squares, E = 1: c draws multiply the gradient of a row by 1 − γhc/b, h = 2‖x‖²."""
    subject, gamma = case(30.0), 0.25
    rows = rows_of(subject)
    assert rows is not None
    h = 2 * subject.setup.problem.X[torch.from_numpy(rows.at)].square().sum(1)
    expected = (1 - gamma / 2 * h * torch.from_numpy(rows.draws[:, 0])).abs()
    found = _growth(subject, rows, subject.in_model(subject.setup.problem.start), gamma)
    torch.testing.assert_close(found, expected, rtol=1e-9, atol=1e-12)
    assert float(expected.max()) > 1 > float(expected.min())
