"""μ that follows the loss: the rule against a plain oracle, and its place in a run."""

from itertools import accumulate, pairwise
from math import inf

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fpsverify.algorithms import adaptive_mu
from fpsverify.runs.loop import prepare
from property_tests.support.small_runs import small

stretches = st.lists(st.tuples(st.sampled_from([-1.0, 0.0, 1.0]), st.integers(1, 7)), max_size=6)


def walk(parts: list[tuple[float, int]]) -> list[float]:
    """Losses that fall, stand still or rise for a while, as long as it takes for the rule to act."""
    changes = [change for change, length in parts for _ in range(length)]
    return list(accumulate(changes, initial=100.0))


def oracle(mu: float, step: float, seen: list[float]) -> float:
    """Replays the whole history for every round: +s after a rise, −s after each fifth fall in a row."""
    signs = [(b > a) - (b < a) for a, b in pairwise(seen)]
    run = 0
    for sign in signs:
        run = run + 1 if sign < 0 else 0
        mu = mu + step if sign > 0 else max(0.0, mu - step) if run and run % 5 == 0 else mu
    return mu


@given(stretches.map(walk), st.sampled_from([0.0, 0.5, 2.0]), st.sampled_from([0.25, 1.0]))
def test_mu_rises_with_the_loss_and_falls_after_five_falls(seen, mu, step):
    memory = torch.tensor([mu, inf, 0.0], dtype=torch.float64)
    for loss in seen:
        memory = adaptive_mu.next_memory(memory, loss, step)
    assert float(memory[0]) == oracle(mu, step, seen) >= 0


@pytest.mark.parametrize("name", ["fps", "fedprox"])
def test_a_round_takes_the_step_of_its_own_mu(name):
    """Rounds of an adaptive run are rounds of a fixed run whose μ is the reported one."""
    options = ("local.mu=1.0", "local.mu_step=0.5", "local.gamma=0.4", "rounds=12")
    base = small(f"algorithm.name={name}", *options)
    algorithm, setup, _ = prepare(base)
    seen, state = set(), algorithm.init(setup)
    for t in range(1, 13):
        after, info = algorithm.step(setup, state, t)
        fixed = base.model_copy(
            update={"local": base.local.model_copy(update={"mu": info["mu"], "mu_step": None})}
        )
        _, plain, _ = prepare(fixed)
        expected, _ = algorithm.step(plain, state, t)
        assert torch.equal(torch.as_tensor(algorithm.model(setup, after)), algorithm.model(plain, expected))
        seen.add(info["mu"])
        state = after
    assert len(seen) > 1, "μ never moved: the run tests nothing"


def test_the_sampled_loss_is_the_training_loss_when_devices_are_small():
    """SMALL gives each device fewer rows than are drawn, so the sample is all of them."""
    _, setup, _ = prepare(small())
    assert max(setup.problem.sizes) <= adaptive_mu.ROWS
    w = setup.problem.start + 0.1
    exact = setup.problem.full_gradient(w).loss
    assert adaptive_mu.sampled_loss(setup, w) == pytest.approx(exact, rel=1e-12)
