"""A finished run as an object: text, HTML, table, picture, and a federation's exact gradients beside it."""

from types import SimpleNamespace

import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st
from torch import nn

import fpsverify as fps
from fpsverify.runs.shown import LABEL, LINES, _cost, _history
from property_tests.support.own_models import federation, made, per_device
from property_tests.support.small_runs import small


@pytest.fixture(scope="module")
def trained():
    half = {"participation": 0.5, "verify": True}
    return fps.train(federation(), rounds=8, gamma=0.05, sketch=(3, 40, 30), channel=0.05, **half)


def test_the_summary_has_the_final_figures_and_fits_80_columns(trained):
    words, final = trained.summary(), trained.figures["final"]
    assert max(map(len, words.splitlines())) <= 80 and words.startswith("fps, 8 rounds, 3 devices: ")
    for shown in (f"{final['accuracy']:.1%}", f"{final['test_loss']:.4g}", f"{final['loss']:.4g}"):
        assert shown in words and shown in trained._repr_html_()
    assert f"{final['averaged_test_loss']:.4g}" in words and "devices take part in a round" in words


def test_the_picture_has_the_recorded_curves(trained):
    losses, accuracy = trained.plot().axes
    lines = {line.get_label(): line.get_ydata().tolist() for line in losses.lines}
    assert lines["loss"] == [row["loss"] for row in trained.rows]
    assert {"test loss", "averaged test loss"} <= set(lines) and accuracy.get_ylabel() == "accuracy"
    _, X = made("tanh")
    numbers = per_device(X, X.sum(1, keepdim=True))
    regression = fps.Federation(nn.Linear(5, 1).double(), nn.MSELoss(), numbers)
    done = fps.train(regression, rounds=2, sketch=(3, 6, 4))
    assert len(done.plot().axes) == 1 and "training loss" in done.summary()
    assert "test_loss " in str(trained) and "train_loss " in str(done)


def test_verification_of_a_federation_records_its_exact_gradient_and_residual():
    """‖∇f‖² by autograd on all rows, and ‖v − w̃‖² = 0 where nothing is compressed."""
    f = federation()
    done = fps.train(f, rounds=3, sketch=None, verify=True, set=["devices.participation=1.0"])
    module, total = done.module(), 0.0
    for shard in f.shards:
        X, y = f.X[shard], f.y[shard]
        total = total + nn.functional.cross_entropy(module(X), y) / f.M
    gradient = torch.cat([g.flatten() for g in torch.autograd.grad(total, list(module.parameters()))])
    last, total = done.rows[-1], total.detach()
    assert last["loss"] == pytest.approx(float(total), rel=1e-12)
    assert last["grad_norm_squared"] == pytest.approx(float(gradient.square().sum()), rel=1e-10)
    assert last["residual_squared"] < 1e-24 < last["v_norm_squared"]
    sketched = fps.train(f, rounds=3, sketch=(3, 20, 10), verify=True).rows
    assert all(row["residual_squared"] > 0 for row in sketched[1:])


@given(st.lists(st.floats(0.1, 10), min_size=1, max_size=6))
@example([1001.0, 1.0, 10.0])
@example([1001.0, 1.0, 12.0])
@example([1101.0, 101.0, 111.5])
def test_a_loss_that_has_risen_again_is_said_to(losses):
    """Lowest at the end, or higher by a hundredth of the whole fall: not risen."""
    rows = [{"round": 10 * i, "test_loss": loss} for i, loss in enumerate(losses)]
    lines = _history(SimpleNamespace(rows=rows, summary={"final": rows[-1]}))
    assert lines[0].startswith(f"  Test loss {losses[0]:.4g} → {losses[-1]:.4g}")
    rise, fall = losses[-1] - min(losses), losses[0] - min(losses)
    risen = rise > 0.01 * fall
    assert ("has risen" in lines[0]) == risen == (len(lines) == 2)
    if risen:
        assert f"in round {10 * losses.index(min(losses))} " in lines[0]


@pytest.mark.parametrize("buckets", [6, 7])
def test_a_table_as_large_as_the_model_is_said_to_save_nothing(buckets):
    """Three rows: 18 and 21 numbers for 21 parameters."""
    summary = {"channel_uses_total": 9000, "d": 21}
    line = _cost(SimpleNamespace(config=small(f"algorithm.buckets={buckets}"), summary=summary))
    assert ("21 numbers for 21 parameters save nothing" in line) == (buckets == 7) and "9,000" in line


def test_a_space_follows_every_name_of_a_figure():
    assert max(len(label) for label, *_ in LINES) < LABEL


@pytest.mark.parametrize(("gamma", "above"), [(0.05, False), (1e4, True)])
def test_a_loss_that_ended_above_its_start_is_said(gamma: float, above: bool) -> None:
    trained = fps.train(federation(), rounds=3, sketch=None, gamma=gamma)
    assert ("ENDED ABOVE ITS START" in repr(trained)) == above
