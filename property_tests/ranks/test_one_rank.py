"""`--distributed` without torchrun, with one rank, told to stop, and without a store."""

import os
import signal

import pytest

from fpsverify.distributed.ranks import Job
from fpsverify.distributed.torchrun import RankLost, together
from fpsverify.runs import checkpoint
from fpsverify.runs.loop import run
from property_tests.engines.processes import free_ports
from property_tests.ranks.torchrun_jobs import ORDERED, contents
from property_tests.support.commands import refusal, said
from property_tests.support.small_runs import small


def test_without_torchrun_the_line_says_how_to_start(capsys, monkeypatch):
    monkeypatch.delenv("RANK", raising=False)
    line = refusal(capsys, "run", "--demo", "--distributed")
    assert "torchrun --nproc-per-node 2 -m fpsverify run CONFIG.toml --distributed" in line


def set_rank(monkeypatch, rank: int, world: int, port: int) -> None:
    """What torchrun tells a rank."""
    for name, value in {"RANK": rank, "WORLD_SIZE": world, "MASTER_PORT": port}.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.setenv("MASTER_ADDR", "127.0.0.1")


@pytest.fixture
def as_only_rank(monkeypatch):
    """This process as the one rank of a job, with a store of its own; its handling of SIGTERM is restored."""
    set_rank(monkeypatch, 0, 1, *free_ports(1))
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def test_a_job_of_one_rank_is_a_run(as_only_rank, tmp_path, capsys):
    (tmp_path / "c.toml").write_text(ORDERED["fps"].to_toml())
    words = ["run", tmp_path / "c.toml", "--out", tmp_path / "r", "--quiet", "--distributed"]
    assert "(1 ranks)" in said(capsys, *words)
    run(ORDERED["fps"], tmp_path / "plain")
    assert contents(tmp_path / "r") == contents(tmp_path / "plain")


def test_a_rank_that_is_told_to_stop_says_so(as_only_rank, tmp_path):
    """torchrun ends the ranks that are left by SIGTERM, which may come before they notice that one died."""

    def stopped(row):
        if row["round"] == 2:
            os.kill(os.getpid(), signal.SIGTERM)

    config = small("record.checkpoint_every=1")
    with pytest.raises(RankLost, match="told to stop.* --resume"):
        together(lambda wire: len(run(config, tmp_path / "r", progress=stopped, job=Job(wire)).rows), 30)
    found = checkpoint.latest(tmp_path / "r", config.lineage())
    assert found is not None and found.t in (1, 2)
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_IGN, "a second signal must not silence the line"


def test_a_store_that_is_not_there_is_named(capsys, monkeypatch):
    set_rank(monkeypatch, 1, 2, port=9)
    words = ["run", "--demo", "--distributed", "--rank-timeout"]
    assert "127.0.0.1:9" in refusal(capsys, *words, 1)
    assert "--rank-timeout: got nan" in refusal(capsys, *words, "nan")
