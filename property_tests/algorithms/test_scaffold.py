"""SCAFFOLD against its own pseudo-code written out device by device, and what control variates are for."""

import numpy as np
import pytest
import torch

from fpsverify.algorithms.base import participants
from fpsverify.runs.loop import prepare
from property_tests.support.quadratics import advance, exact, hessians
from property_tests.support.small_runs import small

NAME = "algorithm.name=scaffold"
T, ROUNDING = 12, 1e-11  # T rounds of some 100 d² operations on numbers of order one, in float64


def oracle(config, problem, rounds: int) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Algorithm 1 of Karimireddy et al. with option II and a server step of 1, on ∇l_m(w) = H_m w − c_m."""
    H, b = hessians(problem)
    gamma, E = config.local.gamma, config.local.E
    x, c, ci = problem.start.numpy().copy(), np.zeros(len(b[0])), [np.zeros(len(b[0])) for _ in H]
    for t in range(1, rounds + 1):
        there = participants(config, t) or range(len(H))
        dy, dc = [], []
        for i in there:
            y = x.copy()
            for _ in range(E):
                y = y - gamma * (H[i] @ y - b[i] - ci[i] + c)
            plus = ci[i] - c + (x - y) / (E * gamma)
            dy.append(y - x)
            dc.append(plus - ci[i])
            ci[i] = plus
        x = x + sum(dy) / len(dy)
        c = c + sum(dc) / len(H)
    return x, c, ci


@pytest.mark.parametrize("E", [1, 4])
@pytest.mark.parametrize("share", ["1.0", "0.5", "0.25"])
@pytest.mark.parametrize("scale", ["update", "gradient"])
def test_it_is_its_pseudo_code(E, share, scale):
    config = exact(
        NAME,
        f"local.E={E}",
        f"devices.participation={share}",
        f"algorithm.transmit={scale}",
        "devices.scenario=2",
        "local.gamma=0.1",
    )
    _, setup, _ = prepare(config)
    state = advance(setup, T)[0][-1]
    x, c, ci = oracle(config, setup.problem, T)
    np.testing.assert_allclose(state.w.numpy(), x, atol=ROUNDING)
    np.testing.assert_allclose(state.control.numpy(), c, atol=ROUNDING)
    np.testing.assert_allclose(state.devices.numpy(), np.stack(ci), atol=ROUNDING)
    np.testing.assert_allclose(c, np.mean(ci, axis=0), atol=ROUNDING)  # c is the mean of the c_m, always
    assert np.abs(c).max() > 1e-3


def test_two_vectors_are_two_vectors_on_the_channel():
    config = small(NAME)
    algorithm, setup, _ = prepare(config)
    state, info = algorithm.step(setup, algorithm.init(setup), 1)
    assert info["channel_uses"] == 2 * setup.problem.d
    quiet, _ = algorithm.step(prepare(small(NAME, "channel.sigma=0.0"))[1], algorithm.init(setup), 1)
    for noisy, clean in ((state.w, quiet.w), (state.control, quiet.control)):
        assert 0 < float((noisy - clean).abs().min())  # noise reaches every number that is sent
    assert info["noise_energy"] == pytest.approx(
        float((state.w - quiet.w).square().sum() + (state.control - quiet.control).square().sum()), rel=1e-9
    )


def test_devices_with_more_epochs_steps_divide_by_their_own_number():
    config = small(NAME, "local.unit=epochs", "local.E=1", "channel.sigma=0.0", "devices.scenario=3")
    algorithm, setup, _ = prepare(config)
    state, _ = algorithm.step(setup, algorithm.init(setup), 1)
    from fpsverify.local import local_updates
    from fpsverify.problems.problem import steps_in_round

    steps = steps_in_round(setup.problem.sizes, config.local)
    assert len(set(steps)) > 1
    updates = local_updates(setup.problem, setup.problem.start, config.local, 1).values
    expected = -updates / (config.local.gamma * torch.tensor(steps, dtype=torch.float64)[:, None])
    torch.testing.assert_close(state.devices, expected, rtol=0, atol=1e-12)
