"""`--distributed` without torchrun, with one rank, told to stop, and without a store."""

from __future__ import annotations

import os
import signal
import socket

import pytest

from fpsverify.cli import main
from fpsverify.distributed.ranks import Job
from fpsverify.distributed.torchrun import RankLost, together
from fpsverify.runs import checkpoint
from fpsverify.runs.loop import run
from property_tests import laws
from property_tests.ranks.torchrun_jobs import ORDERED, contents
from property_tests.support.small_runs import small

SOURCE = laws.RANKS


def test_without_torchrun_the_line_says_how_to_start(capsys, monkeypatch):
    monkeypatch.delenv("RANK", raising=False)
    assert main(["run", "--demo", "--distributed"]) == 2
    line = capsys.readouterr().err
    assert "torchrun --nproc-per-node 2 -m fpsverify run CONFIG.toml --distributed" in line
    assert len(line.splitlines()) == 1


@pytest.fixture
def as_only_rank(monkeypatch):
    """This process as the one rank of a job, with a store of its own; its handling of SIGTERM is restored."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    for name, value in {
        "RANK": "0",
        "WORLD_SIZE": "1",
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": port,
    }.items():
        monkeypatch.setenv(name, value)
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def test_a_job_of_one_rank_is_a_run(as_only_rank, tmp_path, capsys):
    (tmp_path / "c.toml").write_text(ORDERED["fps"].to_toml())
    argv = ["run", str(tmp_path / "c.toml"), "--out", str(tmp_path / "r"), "--quiet", "--distributed"]
    assert main(argv) == 0 and "(1 ranks)" in capsys.readouterr().out
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
    found = checkpoint.latest(tmp_path / "r", config.digest())
    assert found is not None and found.t in (1, 2)
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_IGN, "a second signal must not silence the line"


def test_a_store_that_is_not_there_is_named(capsys, monkeypatch):
    for name, value in {
        "RANK": "1",
        "WORLD_SIZE": "2",
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": "9",
    }.items():
        monkeypatch.setenv(name, value)
    assert main(["run", "--demo", "--distributed", "--rank-timeout", "1"]) == 2
    line = capsys.readouterr().err
    assert "127.0.0.1:9" in line and len(line.splitlines()) == 1
    assert main(["run", "--demo", "--distributed", "--rank-timeout", "nan"]) == 2
    assert "--rank-timeout: got nan" in capsys.readouterr().err
