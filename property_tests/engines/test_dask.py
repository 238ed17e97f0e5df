"""A grid on a Dask cluster of separate processes: the same files, nothing lost, nothing twice.

Opt-in (`make test-engines` installs the extra). Workers are real processes, and so is the scheduler wherever
it is killed.
"""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

pytest.importorskip("distributed")

import dask
from distributed import LocalCluster

from fpsverify.errors import FpsError
from fpsverify.grids import executors
from fpsverify.reproduce import grid
from property_tests.engines.processes import PATIENCE, answers, free_ports, wait_until
from property_tests.grids.paper_results import files_of
from property_tests.support.commands import refusal
from property_tests.support.small_runs import tiny_cell

ROOT = Path(__file__).parents[2]


# ---- clusters -------------------------------------------------------------------------------------------


@pytest.fixture
def local():
    """Two workers in processes of their own; a nanny starts a killed one again."""
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster:
        yield cluster.scheduler_address


@pytest.fixture
def scheduler():
    """The address and the process of a scheduler."""
    (port,) = free_ports(1)
    with started("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard") as process:
        wait_until(lambda: answers(port))
        yield f"tcp://127.0.0.1:{port}", process


@contextlib.contextmanager
def started(*words: str):
    command = [sys.executable, "-m", "dask", *words]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, env=environment, cwd=ROOT, **quiet)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def worker(address: str):
    """Without a nanny: killed means gone."""
    return started("worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny")


@contextlib.contextmanager
def connected(address: str, workers: int = 2):
    with executors.executor(scheduler=address) as where:
        where.client.wait_for_workers(workers, timeout=PATIENCE)
        yield where


@pytest.fixture
def patient(monkeypatch):
    """Workers are started by the test itself and may be slow to come up."""
    monkeypatch.setattr(executors, "CONNECT_SECONDS", PATIENCE)


def all_finished(client) -> bool:
    return all(future.status == "finished" for future in client.futures.values())


def long_cells():
    """Twelve runs of half a second: time enough to kill a worker in the middle of one."""
    long = ("rounds=150", "record.evaluate_every=50")
    return [tiny_cell("FPS", *long, trials=5), tiny_cell("BLCD", *long, trials=5)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> dict[str, bytes]:
    """The files of the long cells when nothing is killed."""
    folder = tmp_path_factory.mktemp("whole")
    grid.run_grid(long_cells(), folder)
    return files_of(folder)


# ---- the same results -----------------------------------------------------------------------------------


def test_a_cluster_leaves_the_same_files_as_one_process(local, tmp_path):
    cells, seen = [tiny_cell(), tiny_cell("BLCD")], []
    grid.run_grid(cells, tmp_path / "here")
    grid.run_grid(cells, tmp_path / "processes", executors.Processes(2))
    with connected(local) as where:
        outcome = grid.run_grid(cells, tmp_path / "cluster", where, progress=seen.append)
        again = grid.run_grid(cells, tmp_path / "cluster", where, resume=True)
    assert files_of(tmp_path / "cluster") == files_of(tmp_path / "here") == files_of(tmp_path / "processes")
    assert len(seen) == grid.count_tasks(cells) and (outcome.reused, again.reused) == (0, 6)


@pytest.mark.parametrize("moment", ["busy", "holding results"])
def test_a_worker_killed_midway_loses_nothing_and_nothing_is_there_twice(local, whole, tmp_path, moment):
    cells, seen = long_cells(), []
    with connected(local) as where:
        victim = next(iter(where.client.run(os.getpid).values()))

        def kill_one(result) -> None:
            seen.append(result["task"])
            if len(seen) == 4:  # the fourth of twelve: the workers are at the next ones
                if moment == "holding results":
                    wait_until(lambda: all_finished(where.client))
                os.kill(victim, signal.SIGKILL)

        outcome = grid.run_grid(cells, tmp_path / "killed", where, progress=kill_one)
        assert victim not in where.client.run(os.getpid).values()
    assert set(Counter(seen).values()) == {1} and len(seen) == grid.count_tasks(cells)
    rows = pq.read_table(tmp_path / "killed/results.parquet").to_pylist()
    assert sorted((r["cell"], r["trial"]) for r in rows if r["kind"] == "trial") == sorted(
        (c.name, i) for c in cells for i in range(c.trials)
    )
    assert files_of(tmp_path / "killed") == whole and outcome.reused == 0


def test_a_scheduler_killed_midway_is_one_line_and_resume_completes(scheduler, patient, whole, tmp_path):
    (address, process), cells, seen = scheduler, long_cells(), []

    def kill_scheduler(result) -> None:
        seen.append(result["task"])
        if len(seen) == 3:
            process.send_signal(signal.SIGKILL)

    with (
        worker(address),
        dask.config.set({"distributed.comm.timeouts.connect": 3}),
        connected(address, 1) as where,
        pytest.raises(FpsError, match="continue with --resume$"),
    ):
        grid.run_grid(cells, tmp_path / "killed", where, progress=kill_scheduler)
    kept = len(list((tmp_path / "killed/cells").glob("*.json")))
    assert kept >= len(seen) >= 3
    assert grid.run_grid(cells, tmp_path / "killed", resume=True).reused == kept
    assert files_of(tmp_path / "killed") == whole


# ---- workers and tasks that do not fit ------------------------------------------------------------------


def test_bad_input_on_a_worker_ends_the_grid_in_one_line(local, tmp_path):
    words = "fps--trial0: algorithm.k: got 22"
    with connected(local) as where, pytest.raises(FpsError, match=words) as caught:
        grid.run_grid([tiny_cell("FPS", "algorithm.k=22", trials=1, mus=())], tmp_path, where)
    assert "\n" not in str(caught.value) and not list((tmp_path / "cells").glob("*.json"))


def test_a_task_that_kills_its_workers_is_named(tmp_path, monkeypatch):
    def die(task):
        os._exit(1)

    monkeypatch.setattr(executors, "measured", die)
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster,
        connected(cluster.scheduler_address, 1) as where,
        pytest.raises(FpsError, match="fps--trial0: failed on a worker: KilledWorker"),
    ):
        grid.run_grid([tiny_cell(trials=1, mus=())], tmp_path, where)
    assert not list((tmp_path / "cells").glob("*.json"))


# ---- schedulers that cannot be used ---------------------------------------------------------------------


def test_a_scheduler_that_is_not_there_is_one_line(tmp_path, capsys):
    with socket.socket() as taken:  # bound and not listening: nobody can answer there
        taken.bind(("127.0.0.1", 0))
        line = said(capsys, f"tcp://127.0.0.1:{taken.getsockname()[1]}", tmp_path / "out")
    assert "no Dask scheduler answers there" in line and "start one with `dask scheduler`" in line


def test_a_scheduler_without_workers_is_one_line(scheduler, tmp_path, capsys):
    line = said(capsys, scheduler[0], tmp_path / "out")
    assert "it has no worker" in line and f"`dask worker {scheduler[0]} --nthreads 1`" in line


def said(capsys, address: str, out: Path) -> str:
    """What the command says: one line, exit code 2, and no folder."""
    line = refusal(capsys, "reproduce", "synthetic", "--only", "S1", "--out", out, "--scheduler", address)
    assert not out.exists()
    return line
