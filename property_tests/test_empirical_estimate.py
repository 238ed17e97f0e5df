"""`estimate` end to end: a recorded run, a user's own model with known constants, and bad input."""

from __future__ import annotations

import argparse
import json
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from empirical import recorded
from empirical.estimate import as_json, estimate
from empirical.protocol import Evidence, Iterate
from fpsverify import checkpoint, record
from fpsverify.cli import estimate as command
from fpsverify.errors import FpsError
from fpsverify.run import run
from property_tests.small_runs import SPARSE, small

CONSTANTS = ("P_b", "b2", "P_n", "sigma2", "B", "G2", "p", "L", "W", "R2")
FORMS = ["paper", "paper_with_conditions", "corrected", "repaired_closed", "repaired_sharp"]
LONGER = ("rounds=24", "record.checkpoint_every=6", "local.gamma=0.05")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("run") / "small"
    run(small(*LONGER), path)
    return path


def call(folder, *extra):
    parser = argparse.ArgumentParser()
    command.add_commands(parser.add_subparsers())
    args = parser.parse_args(["estimate", str(folder), "--quiet", "--replicates", "12", *extra])
    return args.func(args)


def test_json_has_every_constant_with_an_interval(folder, capsys, tmp_path):
    assert call(folder, "--json", "--plot", str(tmp_path / "figures")) == 0
    found = json.loads(capsys.readouterr().out)
    for name in CONSTANTS:
        c = found["constants"][name]
        assert c["low"] <= c["estimate"] <= c["high"], name
    assert list(found["learning_rate"]) == FORMS
    assert {a["verdict"] for a in found["assumptions"]} <= {"holds", "fails", "cannot tell"}
    assert len(found["figures"]) == 7 and all(Path(p).stat().st_size > 1000 for p in found["figures"])
    rows = record.read_rows(folder)
    x = [row["grad_norm_squared"] for row in rows]
    D2 = np.array([row["device_grad_norm_squared"] for row in rows])
    pair = found["constants"]["B"]["high"] ** 2, found["constants"]["G2"]["high"]
    assert np.all(pair[0] * np.array(x) + pair[1] >= D2 * (1 - 1e-12))
    assert np.isclose(found["bound"]["measured_average"]["estimate"], np.mean(x[:-1]))
    assert found["constants"]["W"]["estimate"] == max(row["w_norm_squared"] for row in rows)
    residuals = [0.0] + [row["residual_squared"] for row in rows[1:-1]]
    assert np.isclose(found["constants"]["R2"]["estimate"], np.mean(residuals))


def test_text_names_every_assumption_and_form(folder, capsys):
    assert call(folder) == 0
    text = capsys.readouterr().out
    for word in ("smoothness", "noise", "bias", "power law", "dissimilarity", *FORMS, "Theorem A", "γ_max"):
        assert word in text


def test_safe_noise_pair_covers_the_exact_noise(folder):
    """The truth is known row by row; the pair must cover it at every sampled broadcast and device."""
    evidence = recorded.evidence(folder)
    found = estimate(evidence, 24).constants
    for iterate in evidence.iterates:
        W = iterate.w.expand(evidence.model.M, -1)
        full = evidence.model.full_gradients(W)
        for m, shard in enumerate(evidence.model.problem.shards):
            each = torch.stack([evidence.model._gradient(W, m, np.array([i])) for i in shard])
            x = float(full[m].square().sum())
            truth = (float(each.square().sum(1).mean()) - x) / evidence.model.local.batch
            assert truth <= found.P_n.high * x + found.sigma2.high


def test_sparse_and_uncompressed_runs_are_estimated(tmp_path):
    sparse = tmp_path / "sparse"
    run(small(*LONGER, *SPARSE, "local.gamma=0.5"), sparse)
    found = as_json(estimate(recorded.evidence(sparse), 8))
    assert found["run"]["d"] == 54_686_452 and found["constants"]["L"]["estimate"] > 0
    fedavg = tmp_path / "fedavg"
    run(small(*LONGER, "algorithm.name=fedavg", "record.verify=false"), fedavg)
    found = as_json(estimate(recorded.evidence(fedavg), 8))
    assert found["constants"]["R2"]["estimate"] > 0 and found["bound"]["measured_average"] is None


def test_replay_finds_what_verification_would_have_recorded(folder, tmp_path):
    plain = tmp_path / "plain"
    run(small(*LONGER, "record.verify=false"), plain)
    assert as_json(estimate(recorded.evidence(plain), 8))["constants"]["R2"]["estimate"] is None
    replayed = recorded.evidence(plain, replay=True)
    verified = recorded.evidence(folder)
    np.testing.assert_array_equal(replayed.series["residual_squared"], verified.series["residual_squared"])


# ---- a user's own model -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Springs:
    """l_m(w) = ½‖w − c_m‖²·L with Gaussian gradient noise of energy P_n‖∇l_m‖² + σ²: all constants known."""

    centres: torch.Tensor
    L: float = 2.0
    P_n: float = 0.25
    sigma2: float = 1.5

    @property
    def d(self):
        return self.centres.shape[1]

    @property
    def M(self):
        return self.centres.shape[0]

    def loss(self, w):
        return float(0.5 * self.L * (w - self.centres).square().sum(1).mean())

    def full_gradients(self, W):
        return self.L * (W - self.centres)

    def gradients(self, W, generator):
        g = self.full_gradients(W)
        scale = ((self.P_n * g.square().sum(1) + self.sigma2) / self.d).sqrt()
        return g + scale[:, None] * torch.from_numpy(generator.standard_normal(tuple(W.shape)))


def springs_evidence(model, points=6):
    generator = torch.Generator().manual_seed(1)
    direction = torch.randn(model.d, generator=generator, dtype=torch.float64)
    iterates = tuple(Iterate(t, model.centres.mean(0) + direction * 0.8**t) for t in range(0, 5 * points, 5))
    return Evidence(model, iterates, gamma=0.01, mu=0.0, E=2, T=30, seed=4, series={})


def springs():
    generator = torch.Generator().manual_seed(2)
    return Springs(torch.randn(3, 40, generator=generator, dtype=torch.float64))


def test_known_constants_of_a_users_model_are_found():
    model = springs()
    found = estimate(springs_evidence(model), 32)
    G2 = float(model.L**2 * (model.centres - model.centres.mean(0)).square().sum(1).mean())
    c = found.constants
    assert np.isclose(c.L.estimate, 2.0, rtol=1e-5) and c.L.high >= 2.0 * (1 - 1e-6)
    assert np.isclose(c.B.high**2, 1.0, atol=1e-9) and np.isclose(c.G2.high, G2, rtol=1e-9)
    x = found.device.x
    assert np.all(0.25 * x + 1.5 <= c.P_n.high * x + c.sigma2.high)
    low_line = c.P_n.high * x + c.sigma2.low
    assert np.any(low_line <= 0.25 * x + 1.5)
    assert found.bias_measured[1].low == 0


def test_a_biased_gradient_is_seen():
    class Clipped(Springs):
        def gradients(self, W, generator):
            return 0.5 * super().gradients(W, generator)

    found = estimate(springs_evidence(Clipped(springs().centres)), 32)
    x = found.device.x
    assert found.bias_measured[1].low > 0
    c = found.constants
    assert np.all(0.25 * x <= c.P_b.high * x + c.b2.high)
    assert np.any(0.25 * x >= c.P_b.high * x + c.b2.low)


# ---- bad input --------------------------------------------------------------------------------------------


def broken(folder, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    return copy


def test_a_run_without_checkpoints_is_refused(folder, tmp_path):
    copy = broken(folder, tmp_path)
    shutil.rmtree(copy / "checkpoints")
    with pytest.raises(FpsError, match="no checkpoints"):
        recorded.evidence(copy)


def test_too_few_rounds_or_checkpoints_are_refused(folder, tmp_path):
    short = tmp_path / "short"
    run(small(), short)
    with pytest.raises(FpsError, match="6 rounds recorded"):
        recorded.evidence(short)
    copy = broken(folder, tmp_path)
    for path in checkpoint.stored(copy)[2:]:
        path.unlink()
    with pytest.raises(FpsError, match="at least 3 are needed"):
        recorded.evidence(copy)


def test_not_a_number_is_refused(folder, tmp_path):
    copy = broken(folder, tmp_path)
    path = checkpoint.stored(copy)[-1]
    tensors = load_file(path)
    tensors["u.values"][0] = float("nan")
    metadata = {"format": checkpoint.FORMAT, "t": "24", "config": small(*LONGER).digest()}
    save_file(tensors, str(path), metadata=metadata)
    with pytest.raises(FpsError, match="round 24 is not finite"):
        recorded.evidence(copy)


def test_a_folder_that_is_no_run_is_refused(tmp_path):
    with pytest.raises(FpsError, match=r"config\.toml"):
        recorded.evidence(tmp_path)


def test_zero_and_constant_gradients_are_refused():
    model = springs()
    evidence = springs_evidence(model)
    centre = model.centres.mean(0)
    still = tuple(Iterate(t, centre) for t in range(4))
    with pytest.raises(FpsError, match="gradient of f is 0"):
        estimate(replace(evidence, iterates=still, model=Springs(centre.expand(3, -1))))
    offset = centre + torch.ones_like(centre)
    same = tuple(Iterate(t, offset) for t in range(4))
    with pytest.raises(FpsError, match="same at every measured round"):
        estimate(replace(evidence, iterates=same))


def test_few_coordinates_and_few_replicates_are_refused():
    small_model = Springs(springs().centres[:, :5].contiguous())
    with pytest.raises(FpsError, match="d = 5"):
        estimate(springs_evidence(small_model))
    with pytest.raises(FpsError, match="replicates"):
        estimate(springs_evidence(springs()), replicates=4)
