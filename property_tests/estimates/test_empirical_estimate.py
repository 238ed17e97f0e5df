"""`estimate` end to end: a recorded run, a user's own model with known constants, and bad input."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from empirical.answer.estimate import STAGES, estimate
from empirical.answer.findings import values
from empirical.constants.lanczos import ROUNDING
from empirical.observed import recorded
from fpsverify.cli import main
from fpsverify.runs import checkpoint, record
from fpsverify.runs.averaged import Average
from fpsverify.runs.loop import prepare, run, run_in_memory
from property_tests.support.assertions import with_each_number_of_threads
from property_tests.support.commands import refusal
from property_tests.support.small_runs import SPARSE, finished_and_copy, small
from property_tests.support.springs import springs, springs_evidence

CONSTANTS = ("P_b", "b2", "P_n", "sigma2", "B", "G2", "p", "L", "W", "R2")
FORMS = ["paper", "paper_with_conditions", "corrected", "repaired_closed", "repaired_sharp"]
LONGER = ("rounds=24", "record.checkpoint_every=6", "local.gamma=0.05")


whole, copy = finished_and_copy(small(*LONGER))


def test_json_has_every_constant_with_an_interval_and_progress_counts_every_stage(whole, capsys, tmp_path):
    """Progress goes to standard error; standard output is JSON and nothing else."""
    figures = ["--plot", str(tmp_path / "figures")]
    assert main(["estimate", str(whole), "--json", "--replicates", "12", *figures]) == 0
    out, err = capsys.readouterr()
    n = len(STAGES) + 2
    shown = [int(i) for i in re.findall(rf"stage (\d+) of {n}: ", err)]
    assert shown == sorted(shown) and set(shown) == set(range(1, n + 1))
    assert all(f"of {n}: {name}" in err for name in STAGES)
    found = json.loads(out)
    for name in CONSTANTS:
        c = found["constants"][name]
        assert c["low"] <= c["estimate"] <= c["high"], name
    assert list(found["learning_rate"]) == FORMS
    assert {a["verdict"] for a in found["assumptions"]} <= {"holds", "fails", "cannot tell"}
    assert len(found["figures"]) == 7 and all(Path(p).stat().st_size > 1000 for p in found["figures"])
    rows = record.read_rows(whole)
    x = [row["grad_norm_squared"] for row in rows]
    D2 = np.array([row["device_grad_norm_squared"] for row in rows])
    pair = found["constants"]["B"]["high"] ** 2, found["constants"]["G2"]["high"]
    assert np.all(pair[0] * np.array(x) + pair[1] >= D2 * (1 - 1e-12))
    assert np.isclose(found["bound"]["measured_average"]["estimate"], np.mean(x[:-1]))
    assert found["constants"]["W"]["estimate"] == max(row["w_norm_squared"] for row in rows)
    residuals = [0.0] + [row["residual_squared"] for row in rows[1:-1]]
    assert np.isclose(found["constants"]["R2"]["estimate"], np.mean(residuals))


def test_sparse_and_uncompressed_runs_are_estimated(tmp_path):
    sparse = tmp_path / "sparse"
    run(small(*LONGER, *SPARSE, "local.gamma=0.5"), sparse)
    found = values(estimate(recorded.evidence(sparse), 8))
    assert found["run"]["d"] == 54_686_452 and found["constants"]["L"]["estimate"] > 0
    fedavg = tmp_path / "fedavg"
    run(small(*LONGER, "algorithm.name=fedavg", "record.verify=false"), fedavg)
    found = values(estimate(recorded.evidence(fedavg), 8))
    assert found["constants"]["R2"]["estimate"] > 0 and found["bound"]["measured_average"] is None


def test_replay_finds_what_verification_would_have_recorded(whole, tmp_path):
    """Residuals of every round, v_t at the sampled rounds, and no need for checkpoints."""
    plain = tmp_path / "plain"
    run(small(*LONGER, "record.verify=false"), plain)
    assert values(estimate(recorded.evidence(plain), 8))["constants"]["R2"]["estimate"] is None
    shutil.rmtree(plain / "checkpoints")
    replayed = recorded.evidence(plain, most_iterates=5, replay=True)
    verified = recorded.evidence(whole, most_iterates=5)
    np.testing.assert_array_equal(replayed.series["residual_squared"], verified.series["residual_squared"])
    assert [it.t for it in replayed.iterates] == [it.t for it in verified.iterates] == [0, 6, 12, 18, 24]
    for a, b in zip(replayed.iterates, verified.iterates, strict=True):
        assert torch.equal(a.w, b.w) and torch.equal(a.exact, b.exact) and torch.equal(a.stored, b.stored)
    assert "replayed: ‖w̃_t‖² equals the record in every round, bit for bit" in replayed.notes
    found = values(estimate(replayed, 8))
    assert found["details"]["implied_c"] and found["details"]["power_law"]["stored"]["tail"]["p"] > 0


def test_a_replay_has_the_bits_of_the_run_for_any_number_of_threads():
    """A network whose products torch would split over threads."""
    network = ("problem.objective=mlp", "problem.hidden=64", "problem.features=64", "problem.samples=2000")
    config = small(
        "dtype=float32", "rounds=2", "devices.M=1", "devices.scenario=1", "local.batch=0", *network
    )
    replay = lambda: recorded.replayed_states(*prepare(config)[:2], config.rounds, 3)[-1]  # noqa: E731
    assert with_each_number_of_threads((1, 2), replay) == [run_in_memory(config).rows] * 2


def test_smoothness_is_looked_at_along_the_whole_run(whole):
    evidence = recorded.evidence(whole)
    found = values(estimate(evidence, 8))
    by_round = found["details"]["L_by_round"]
    assert found["run"]["sampled_rounds"] == recorded.evenly(25, 16) == [t for t, *_ in by_round]
    L = found["constants"]["L"]
    assert L["low"] >= max(low for _, low, _ in by_round) * (1 - ROUNDING) and L["high"] >= max(
        high for *_, high in by_round
    )
    assert f"{len(by_round)} of 25 rounds (broadcast, local, v_t)" in L["method"]
    # Six of each kind: to the next look, to w̃_{t+1}, local paths, to v_t; w_0 = w̃_1 is possible.
    assert 21 <= found["details"]["L_pairs"] <= 24 and 0 < found["details"]["L_from_pairs"] <= L["estimate"]
    mu = found["run"]["mu"]
    assert found["details"]["L_plus_mu"]["high"] == L["high"] + mu


def test_known_constants_of_a_users_model_are_found():
    model = springs()
    found = estimate(springs_evidence(model), 32)
    G2 = float(model.L**2 * (model.centres - model.centres.mean(0)).square().sum(1).mean())
    c = found.constants
    assert np.isclose(c.L.estimate, 2.0, rtol=1e-5) and c.L.high >= 2.0 * (1 - 1e-6)
    assert np.isclose(c.B.high**2, 1.0, atol=1e-9) and np.isclose(c.G2.high, G2, rtol=1e-9)
    x = found.device.x
    assert np.all(0.25 * x + 1.5 <= c.P_n.high * x + c.sigma2.high)
    low_line = c.P_n.low * x + c.sigma2.low
    assert np.any(low_line <= 0.25 * x + 1.5)
    assert found.bias_measured[1].low == 0


def refused(folder, capsys, *extra):
    return refusal(capsys, "estimate", folder, "--quiet", *extra)


def test_a_checkpoint_that_is_not_a_number_is_refused(copy, capsys):
    last = checkpoint.load(checkpoint.stored(copy)[-1])
    last.tensors["u.values"][0] = float("nan")
    checkpoint.save(copy, last.t, last.digest, Average(), last.tensors)
    assert "round 24 is not finite" in refused(copy, capsys)


NOT_A_RUN_TO_ESTIMATE = {
    "loss is not finite in round 0: the run diverged": {"loss": float("nan")},
    "loss is not finite in round 0: ": {"loss": float("inf")},
    "the gradient of f is 0 at every measured round": {"grad_norm_squared": 0.0},
}


@pytest.mark.parametrize("says", NOT_A_RUN_TO_ESTIMATE)
def test_records_that_say_nothing_are_refused(copy, capsys, says):
    record.write_rows(copy, [row | NOT_A_RUN_TO_ESTIMATE[says] for row in record.read_rows(copy)], {})
    assert says in refused(copy, capsys)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("local.gamma=1e-300", "channel.sigma=0"), "gradient norm is the same at every measured round"),
        (("rounds=6",), "6 rounds recorded; at least 10"),
    ],
)
def test_runs_that_do_not_move_or_are_too_short_are_refused(tmp_path, capsys, options, says):
    run(small(*LONGER, *options), tmp_path / "run")
    assert says in refused(tmp_path / "run", capsys)


def test_useless_options_are_refused(whole, capsys):
    assert "--replicates: got 4, expected at least 8" in refused(whole, capsys, "--replicates", "4")
    assert "--rounds: got 2, expected at least 3" in refused(whole, capsys, "--rounds", "2")
