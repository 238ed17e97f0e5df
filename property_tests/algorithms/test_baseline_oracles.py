"""Closed forms of the baselines on least squares with full gradients: linear recursions, solved exactly."""

import numpy as np
import pytest
import torch

from fpsverify.config import ChannelConfig
from fpsverify.runs.loop import prepare
from fpsverify.vectors import SparseVector
from property_tests.support.quadratics import advance, exact, hessians

T = 12
# T rounds of about 10 d² operations on numbers of order one, in float64: far below this.
ROUNDING = 1e-11


def final(config, rounds: int = T) -> tuple[np.ndarray, object]:
    _, setup, _ = prepare(config)
    states, _ = advance(setup, rounds)
    w = states[-1].w
    return (w.dense() if isinstance(w, SparseVector) else w).numpy(), setup


def fedprox_oracle(setup, rounds: int = T) -> np.ndarray:
    """E local steps are Δ^m = −γ φ_m(H_m)(H_m w − c_m) with φ(λ) = Σ_{j<E} (1 − γ(λ + μ))^j."""
    local = setup.config.local
    H, c = hessians(setup.problem)
    phis = []
    for Hm in H:
        eigenvalues, Q = np.linalg.eigh(Hm)
        decay = local.gamma * (eigenvalues + local.mu)
        phi = np.where(decay > 0, (1 - (1 - decay) ** local.E) / np.where(decay > 0, decay, 1), local.E)
        phis.append((Q * phi) @ Q.T)
    A = np.mean([p @ Hm for p, Hm in zip(phis, H, strict=True)], axis=0)
    best = np.linalg.solve(A, np.mean([p @ cm for p, cm in zip(phis, c, strict=True)], axis=0))
    power = np.linalg.matrix_power(np.eye(len(best)) - local.gamma * A, rounds)
    return best + power @ (setup.problem.start.numpy() - best)


@pytest.mark.parametrize("E,mu", [(1, 0.0), (5, 0.0), (5, 0.4), (3, 1.0)])
@pytest.mark.parametrize("name", ["fedavg", "fedprox"])
@pytest.mark.parametrize("scale", ["gradient", "update"])
def test_fedavg_and_fedprox_follow_their_closed_form(name, E, mu, scale):
    w, setup = final(
        exact(
            f"algorithm.name={name}",
            f"local.E={E}",
            f"local.mu={mu}",
            f"algorithm.transmit={scale}",
            "devices.scenario=2",
        )
    )
    np.testing.assert_allclose(w, fedprox_oracle(setup), atol=ROUNDING)
    assert np.abs(w - setup.problem.start.numpy()).max() > 0.1


def noise_in_the_model(name: str, noise_on: str, scale: str) -> torch.Tensor:
    """w_1 with noise minus w_1 without; k = d, so the same coordinates are sent."""
    base = exact(
        f"algorithm.name={name}",
        f"algorithm.transmit={scale}",
        f"channel.noise_on={noise_on}",
        "channel.sigma=0.5",
        "algorithm.compressor=identity",
    )
    models = []
    for channel in (base.channel, ChannelConfig(kind="ideal")):
        _, setup, _ = prepare(base.model_copy(update={"channel": channel}))
        models.append(advance(setup, 1)[0][-1].w)
    return models[0] - models[1]


@pytest.mark.parametrize("name", ["fedavg", "topk", "blcd", "fetchsgd"])
def test_noise_on_gradients_is_multiplied_by_the_step_and_noise_on_updates_is_not(name):
    """The same draw of noise: γ apart for `sum` and `avg`, M apart between these, and equal for `grad`."""
    noise = {
        (on, s): noise_in_the_model(name, on, s)
        for on in ("sum", "avg", "grad")
        for s in ("gradient", "update")
    }
    gamma, M = 0.3, 4
    close = {"rtol": 0, "atol": 1e-12}
    assert float(noise["avg", "update"].abs().min()) > 0
    for on in ("sum", "avg"):
        torch.testing.assert_close(noise[on, "gradient"], gamma * noise[on, "update"], **close)
    torch.testing.assert_close(noise["sum", "update"] * M, noise["avg", "update"], **close)
    torch.testing.assert_close(noise["grad", "gradient"], noise["grad", "update"], **close)
    torch.testing.assert_close(noise["grad", "update"], gamma * noise["avg", "update"], **close)
