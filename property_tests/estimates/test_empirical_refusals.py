"""What cannot be estimated is refused in one line or called unknown; degenerate data have defined answers."""

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
import torch

from empirical.answer.estimate import estimate
from empirical.constants import powerlaw, residual
from empirical.constants.lanczos import lanczos
from empirical.observed.protocol import Iterate
from empirical.observed.replicates import gram_energies
from empirical.observed.run_models import draw_rows, model_of
from empirical.statistics import growth, unseen
from empirical.statistics.intervals import block_length
from fpsverify.errors import BadInput, FpsError
from fpsverify.runs.loop import prepare
from property_tests.support.assertions import UNIT
from property_tests.support.small_runs import small
from property_tests.support.springs import Springs, springs, springs_evidence

EVIDENCE = springs_evidence(springs())
FIRST, SECOND, *OTHERS = EVIDENCE.iterates


@dataclass(frozen=True)
class Magnified(Springs):
    factor: float = 1.0

    def gradients(self, W, generator):
        return super().gradients(W, generator) * self.factor


class Diverged(Springs):
    def full_gradients(self, W):
        return super().full_gradients(W) * math.nan


class LocallyDiverging(Springs):
    """Finite at the iterates, where all devices are; infinite where the first local step leads to."""

    def gradients(self, W, generator):
        away = (W - W[0]).abs().sum() > 0
        return super().gradients(W, generator) * (math.inf if away else 1.0)


UNUSABLE = {
    "2 iterates: at least 3": replace(EVIDENCE, iterates=EVIDENCE.iterates[:2]),
    "the iterate of round 5 is not finite": replace(
        EVIDENCE, iterates=(FIRST, Iterate(5, SECOND.w * math.nan), *OTHERS)
    ),
    "the checkpoint of round 0 is missing": replace(EVIDENCE, iterates=EVIDENCE.iterates[1:]),
    "a gradient is not finite": replace(EVIDENCE, model=Magnified(springs().centres, factor=math.inf)),
    "squared error of a gradient is beyond the range of floats": replace(
        EVIDENCE, model=Magnified(springs().centres, factor=1e200)
    ),
    "a full gradient is not finite": replace(EVIDENCE, model=Diverged(springs().centres)),
    "the local steps from this iterate are not finite": replace(
        EVIDENCE, model=LocallyDiverging(springs().centres), E=3
    ),
}


@pytest.mark.parametrize("message", UNUSABLE)
def test_evidence_that_cannot_be_used_is_refused_in_one_line(message):
    with pytest.raises(FpsError, match=message) as caught:
        estimate(UNUSABLE[message], 8)
    assert "\n" not in str(caught.value)


def test_too_few_replicates_and_products_that_are_not_finite_are_refused():
    with pytest.raises(BadInput, match="^replicates: got 3, expected at least 4"):
        gram_energies(np.eye(3))
    with pytest.raises(FpsError, match="not finite"):
        lanczos(lambda v: v * math.inf, torch.ones(1, 5), 3)


def test_no_residual_at_all_is_zero_exactly():
    quiet = replace(EVIDENCE, series={"residual_squared": np.zeros(30)})
    found = residual.measure(quiet)
    assert found is not None and (found.R2.low, found.R2.high) == (0.0, 0.0)
    assert (found.growth.low, found.growth.high) == (0.0, 0.0)
    assert residual.measure(EVIDENCE) is None and residual.drift(EVIDENCE) is None
    assert growth.growth_of(np.ones(11)) is not None and growth.growth_of(np.ones(10)) is None
    assert growth.growth_of(np.concatenate([np.ones(10), np.zeros(10)])) is None


def test_series_and_tails_without_information():
    assert block_length(np.full(40, 3.0)) == 1
    walk = np.cumsum(np.ones(40))
    assert block_length(walk) == 10  # n/4: every lag is significant
    assert growth.tail_index(np.ones((5, 4))) is None and growth.tail_index(np.ones((50, 40))) is None
    assert powerlaw.envelope(np.array([0.0, 2.0, 0.0])) == math.inf
    assert powerlaw.vuong(np.ones(5), np.zeros(5)) == (0.0, 1.0)
    with pytest.raises(FpsError, match="nonzero coordinates"):
        powerlaw.mean_exponent([np.eye(1, 40)[0]], np.random.default_rng(0), resamples=4)


def test_the_limit_for_unseen_rounds_grows_with_its_level_without_end():
    rounds, values = np.array([0, 10, 20]), np.array([1.0, 2.0, 1.5])
    limits = [unseen.largest(rounds, values, 20, level).high for level in (0.5, 0.95, 0.999999)]
    assert limits[0] >= 2.0 and limits == sorted(set(limits))


def test_epochs_draw_rows_without_replacement_and_steps_with():
    config = small("local.unit=epochs").local
    for rows in draw_rows((30, 7, 3), config, np.random.default_rng(1)):
        assert len(rows) == len(set(rows.tolist())) and len(rows) <= 5
    steps = draw_rows((2,), small().local, np.random.default_rng(1))[0]
    assert len(steps) == 5


@pytest.mark.parametrize("M", [4, 7])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_gradient_of_all_rows_is_the_full_gradient_and_that_of_the_run(M, dtype):
    """To the last bit, or rounding would be measured as bias; that of the run sums in another order.

    A score is a sum of so many features; its error moves a probability by at most twice as much. A gradient
    is a mean over rows of (probability − label)·x.
    """
    config = small("local.batch=0", f"devices.M={M}", f"dtype={dtype}")
    problem = prepare(config)[1].problem
    model = model_of(problem, config.local)
    W = torch.randn(M, model.d, generator=torch.Generator().manual_seed(1), dtype=problem.X.dtype)
    drawn = model.gradients(W, np.random.default_rng(1))
    assert torch.equal(drawn, model.full_gradients(W))
    features, x, w = problem.X.shape[1], float(problem.X.abs().max()), float(W.abs().max())
    u = UNIT[drawn.dtype]  # n − 1 additions are off by (n − 1)u of the sum of sizes
    bound = x * u * (2 * (features + 1) * features * x * w + max(problem.sizes) + 19)
    run_gradients = problem.gradients(W, config.local, 1, 0)[0]
    assert float((drawn - run_gradients).double().abs().max()) <= 2 * bound
