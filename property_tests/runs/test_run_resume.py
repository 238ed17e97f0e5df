"""A run that is killed and resumed leaves the same record, bit for bit, as one that was not.

Real processes are killed at random moments in `commands/test_robustness.py`; checkpoints are damaged in
`test_checkpoint.py`.
"""

import json
from pathlib import Path

import pytest
import torch

from fpsverify.algorithms import ALGORITHMS
from fpsverify.errors import BadInput, FpsError, RunFailed
from fpsverify.files import only_one
from fpsverify.runs import checkpoint, record
from fpsverify.runs.loop import run
from property_tests.support.assertions import with_each_number_of_threads
from property_tests.support.small_runs import SPARSE, Stop, record_of, small, small_for, stop_at

CONFIGS = {name: small_for(name) for name in sorted(ALGORITHMS)} | {"sparse": small(*SPARSE, "rounds=4")}
CONFIGS |= {f"mean {kind}": small(f"record.average={kind}") for kind in ("last_half", "exponential")}


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("t", [0, 3, 4])
def test_resume_equals_an_uninterrupted_run(name, t, tmp_path):
    config = CONFIGS[name]
    run(config, tmp_path / "whole")
    with pytest.raises(Stop):
        run(config, tmp_path / "cut", progress=stop_at(t))
    resumed = run(None if t else config, tmp_path / "cut", resume=True)
    assert record_of(tmp_path / "whole") == record_of(tmp_path / "cut")
    if config.record.average:
        end = checkpoint.load(checkpoint.path_of(tmp_path / "whole", config.rounds))
        assert torch.equal(end.tensors["averaged"], resumed.averaged)


@pytest.mark.parametrize("t", [1, 3, 5])
def test_an_interrupt_keeps_the_round_that_is_done(t, tmp_path):
    """Checkpoints are due every second round; Ctrl-C after round t keeps t all the same."""
    with pytest.raises(KeyboardInterrupt):
        run(small(), tmp_path / "cut", progress=stop_at(t, KeyboardInterrupt))
    kept = checkpoint.latest(tmp_path / "cut", small().lineage())
    assert kept is not None and kept.t == t


def test_records_do_not_depend_on_the_number_of_threads(tmp_path):
    """A network whose products torch would split over threads; afterwards the caller has his own again."""
    network = ("problem.objective=mlp", "problem.hidden=64", "problem.features=64", "local.batch=32")
    rows = ("problem.samples=2000", "devices.M=1", "devices.scenario=1")
    config = small("dtype=float32", "rounds=2", *rows, *network)

    def record_and_threads() -> tuple[dict[str, bytes], int]:
        before, folder = torch.get_num_threads(), tmp_path / str(torch.get_num_threads())
        run(config, folder)
        return record_of(folder), torch.get_num_threads() - before

    (one, kept), (two, also) = with_each_number_of_threads((1, 2), record_and_threads)
    assert one == two and kept == also == 0


def test_every_round_has_a_row_and_the_summary_says_where_it_comes_from(tmp_path):
    result = run(small(), tmp_path / "r")
    rows = record.read_rows(tmp_path / "r")
    assert [row["round"] for row in rows] == list(range(7))
    assert {"residual_squared", "grad_norm_squared", "noise_energy", "w_norm_squared"} <= set(rows[-1])
    summary = json.loads((tmp_path / "r" / "summary.json").read_text())
    assert summary["seed"] == 3 and summary["config_digest"] == small().digest()
    assert summary["versions"]["torch"] == torch.__version__
    assert summary["channel_uses_total"] == 6 * 3 * 16
    gradients = [row["grad_norm_squared"] for row in rows[:-1]]
    assert result.summary["mean_grad_norm_squared"] == pytest.approx(sum(gradients) / 6)


def test_divergence_stops_the_run_and_keeps_the_last_good_checkpoint(tmp_path):
    config = small("problem.objective=mlp", "problem.hidden=4", "local.gamma=1e60", "rounds=40")
    with pytest.raises(RunFailed, match=r"^round \d+"):
        run(config, tmp_path / "r")
    good = checkpoint.latest(tmp_path / "r", config.lineage())
    assert good is not None and all(bool(torch.isfinite(x).all()) for x in good.tensors.values())
    rows = record.read_rows(tmp_path / "r")
    assert rows[-1]["round"] >= good.t


@pytest.mark.parametrize(
    "bad", ["algorithm.k=999", "algorithm.buckets=10000000000000", "devices.M=100000000"]
)
def test_a_config_that_cannot_run_leaves_no_folder(bad, tmp_path):
    with pytest.raises(FpsError):
        run(small(bad), tmp_path / "r")
    assert not (tmp_path / "r").exists()


def without_good_checkpoints(folder: Path) -> None:
    for path in checkpoint.stored(folder):
        path.write_bytes(b"damaged")


def without_rows(folder: Path) -> None:
    record.write_rows(folder, record.read_rows(folder)[:2], {})


@pytest.mark.parametrize(
    ("damage", "options", "words"),
    [
        (without_good_checkpoints, {"resume": True}, "no file is readable"),
        (without_rows, {"resume": True}, "rows 0 to 6 expected"),
        (None, {"resume": True, "config": small("local.gamma=0.2")}, r"local.gamma = 0.2 \(was 0.1\)"),
        (None, {"config": small()}, "--out"),
    ],
)
def test_what_cannot_go_on_is_refused_and_kept(damage, options, words, tmp_path):
    run(small(), tmp_path)
    if damage:
        damage(tmp_path)
    before = record_of(tmp_path)
    with pytest.raises(FpsError, match=words):
        run(**{"config": None, **options}, folder=tmp_path)
    assert record_of(tmp_path) == before
    with pytest.raises(BadInput, match="to resume"):
        run(None, tmp_path / "absent", resume=True)
    with only_one(tmp_path), pytest.raises(FpsError, match="another process"), only_one(tmp_path):
        pass
