"""A run that is killed and resumed leaves the same record, bit for bit, as one that was not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from fpsverify.algorithms import ALGORITHMS
from fpsverify.errors import BadInput, FpsError, RunFailed
from fpsverify.runs import checkpoint, record
from fpsverify.runs.loop import run
from property_tests import laws
from property_tests.support.small_runs import SPARSE, small, small_for

SOURCE = laws.FILES
KILLS = (
    "fpsverify/problems/problem.py",
    "fpsverify/vectors.py",
    "fpsverify/sketching/compressor.py",
    "fpsverify/algorithms/fps.py",
    "fpsverify/algorithms/mission_steps.py",
    "fpsverify/algorithms/fedavg.py",
    "fpsverify/algorithms/fetchsgd.py",
    "fpsverify/runs/loop.py",
    "fpsverify/runs/record.py",
    "fpsverify/runs/checkpoint.py",
    "fpsverify/rng.py",
)

RECORDS = ("rounds.parquet", "summary.json", "config.toml")


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in RECORDS}


class Stop(Exception):
    """Stands for any sudden end inside a round."""


def stop_at(t: int):
    def progress(row):
        if row["round"] == t:
            raise Stop

    return progress


@pytest.mark.parametrize("name", sorted(ALGORITHMS))
@pytest.mark.parametrize("t", [0, 3, 4])
def test_resume_equals_an_uninterrupted_run(name, t, tmp_path):
    config = small_for(name)
    run(config, tmp_path / "whole")
    with pytest.raises(Stop):
        run(config, tmp_path / "cut", progress=stop_at(t))
    run(None if t else config, tmp_path / "cut", resume=True)
    assert contents(tmp_path / "whole") == contents(tmp_path / "cut")


def test_sparse_runs_resume_too(tmp_path):
    config = small(*SPARSE, "rounds=4")
    run(config, tmp_path / "whole")
    with pytest.raises(Stop):
        run(config, tmp_path / "cut", progress=stop_at(3))
    run(None, tmp_path / "cut", resume=True)
    assert contents(tmp_path / "whole") == contents(tmp_path / "cut")


def test_keep_last_leaves_one_checkpoint_and_the_same_record(tmp_path):
    run(small("record.keep_checkpoints=last"), tmp_path / "last")
    run(small(), tmp_path / "all")
    assert [p.name for p in checkpoint.stored(tmp_path / "last")] == ["round-00000006.safetensors"]
    assert len(checkpoint.stored(tmp_path / "all")) == 4
    assert record.read_rows(tmp_path / "last") == record.read_rows(tmp_path / "all")


def test_records_do_not_depend_on_the_number_of_threads(tmp_path):
    """A network whose products torch would split over threads; afterwards the caller has his own again."""
    network = ("problem.objective=mlp", "problem.hidden=64", "problem.features=64", "local.batch=32")
    rows = ("problem.samples=2000", "devices.M=1", "devices.scenario=1")
    config = small("dtype=float32", "rounds=2", *rows, *network)
    threads = torch.get_num_threads()
    try:
        for n in (1, 2):
            torch.set_num_threads(n)
            run(config, tmp_path / str(n))
            assert torch.get_num_threads() == n
    finally:
        torch.set_num_threads(threads)
    assert contents(tmp_path / "1") == contents(tmp_path / "2")


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


class KilledRuns(RuleBasedStateMachine):
    """Any sequence of starts, sudden ends and damaged newest checkpoints, against the uninterrupted run."""

    def __init__(self) -> None:
        super().__init__()
        import tempfile

        self.base = Path(tempfile.mkdtemp())
        self.config = small("rounds=5", "record.checkpoint_every=2")
        self.expected = run(self.config, self.base / "whole").rows
        self.finished = False

    @precondition(lambda self: not self.finished)
    @rule(t=st.integers(0, 5))
    def run_until(self, t):
        try:
            run(self.config, self.base / "cut", resume=True, progress=stop_at(t))
            self.finished = True
        except Stop:
            pass

    @precondition(lambda self: not self.finished)
    @rule(keep=st.integers(0, 500))
    def damage_newest_checkpoint(self, keep):
        """The oldest stays whole: a run without any good checkpoint is refused (tested below)."""
        for path in checkpoint.stored(self.base / "cut")[1:][-1:]:
            path.write_bytes(path.read_bytes()[:keep])

    @rule()
    def finish(self):
        rows = run(self.config, self.base / "cut", resume=True).rows
        assert rows == self.expected
        assert contents(self.base / "cut") == contents(self.base / "whole")

    def teardown(self):
        import shutil

        shutil.rmtree(self.base)


KilledRuns.TestCase.settings = settings(max_examples=8, stateful_step_count=6, deadline=None)
TestKilledRuns = KilledRuns.TestCase


def killed_after(rounds_seen: int, toml: Path, folder: Path) -> bool:
    """Start a run and kill it once it has a checkpoint of that round; False if it ended first."""
    command = [sys.executable, "-m", "fpsverify", "run", str(toml), "--out", str(folder), "--quiet"]
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 240
        while time.monotonic() < deadline and process.poll() is None:
            done = [int(p.stem.split("-")[1]) for p in (folder / "checkpoints").glob("round-*.safetensors")]
            if max(done, default=0) >= rounds_seen:
                break
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
    return not (folder / "summary.json").exists()


@pytest.mark.parametrize("rounds_seen", [3, 40])
def test_sigkill_at_any_moment(rounds_seen, tmp_path):
    """A real process; nothing half-written remains. On a busy machine it may end before it can be killed."""
    config = small("rounds=120", "record.checkpoint_every=1", "record.keep_checkpoints=last")
    toml = tmp_path / "c.toml"
    toml.write_text(config.to_toml())
    folders = (tmp_path / f"killed {i}" for i in range(5))
    folder = next((f for f in folders if killed_after(rounds_seen, toml, f)), None)
    assert folder is not None, "five runs ended before they could be killed"
    run(None, folder, resume=True)
    run(config, tmp_path / "whole")
    assert contents(folder) == contents(tmp_path / "whole")


def test_resuming_with_another_config_names_the_difference(tmp_path):
    run(small(), tmp_path / "r")
    with pytest.raises(BadInput, match=r"local.gamma = 0.2 \(was 0.1\)"):
        run(small("local.gamma=0.2"), tmp_path / "r", resume=True)


def test_an_occupied_folder_is_not_overwritten(tmp_path):
    (tmp_path / "precious.txt").write_text("data")
    with pytest.raises(BadInput, match="--out"):
        run(small(), tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["precious.txt"]


def test_resuming_nothing_is_refused(tmp_path):
    with pytest.raises(BadInput, match="to resume"):
        run(None, tmp_path / "absent", resume=True)


def test_divergence_stops_the_run_and_keeps_the_last_good_checkpoint(tmp_path):
    config = small("problem.objective=mlp", "problem.hidden=4", "local.gamma=1e60", "rounds=40")
    with pytest.raises(RunFailed, match=r"^round \d+"):
        run(config, tmp_path / "r")
    good = checkpoint.latest(tmp_path / "r", config.digest())
    assert good is not None and all(bool(torch.isfinite(x).all()) for x in good.tensors.values())
    rows = record.read_rows(tmp_path / "r")
    assert rows[-1]["round"] >= good.t


def test_a_second_process_is_kept_out(tmp_path):
    from fpsverify.files import only_one

    with only_one(tmp_path), pytest.raises(FpsError, match="another process"), only_one(tmp_path):
        pass


def test_missing_rows_are_noticed(tmp_path):
    run(small(), tmp_path / "r")
    rows = record.read_rows(tmp_path / "r")
    record.write_rows(tmp_path / "r", rows[:2], {})
    with pytest.raises(FpsError, match="rows 0 to 6 expected"):
        run(None, tmp_path / "r", resume=True)


def test_a_run_without_any_good_checkpoint_is_refused_and_kept(tmp_path):
    run(small(), tmp_path / "r")
    for path in checkpoint.stored(tmp_path / "r"):
        path.write_bytes(b"damaged")
    before = contents(tmp_path / "r")
    with pytest.raises(FpsError, match="no file is readable"):
        run(None, tmp_path / "r", resume=True)
    assert contents(tmp_path / "r") == before


@pytest.mark.parametrize(
    "bad", ["algorithm.k=999", "algorithm.buckets=10000000000000", "devices.M=100000000"]
)
def test_a_config_that_cannot_run_leaves_no_folder(bad, tmp_path):
    with pytest.raises(FpsError):
        run(small(bad), tmp_path / "r")
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize("t", [1, 3, 5])
def test_an_interrupt_keeps_the_round_that_is_done(t, tmp_path):
    """Checkpoints are due every second round; Ctrl-C after round t keeps t all the same."""

    def interrupt(row):
        if row["round"] == t:
            raise KeyboardInterrupt

    config = small()
    run(config, tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        run(config, tmp_path / "cut", progress=interrupt)
    kept = checkpoint.latest(tmp_path / "cut", config.digest())
    assert kept is not None and kept.t == t
    run(config, tmp_path / "cut", resume=True)
    assert contents(tmp_path / "cut") == contents(tmp_path / "whole")
