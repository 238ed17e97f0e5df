"""`torchrun … -m fpsverify run CONFIG --distributed` with real processes: equal records, killed ranks, bytes.

Starting processes is what costs time here, so that each number of ranks is started once for many runs
(rank_jobs.py); the laws that need no processes are in test_ranks.py.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch

from fpsverify.cli import main
from fpsverify.config import RunConfig
from fpsverify.distributed.ranks import ALONE, Job
from fpsverify.distributed.torchrun import RankLost, together
from fpsverify.problems.build import build
from fpsverify.runs import checkpoint, record
from fpsverify.runs.folder import read_traffic
from fpsverify.runs.loop import run
from property_tests import laws
from property_tests.support.small_runs import SPARSE, small

SOURCE = laws.RANKS

ROOT = Path(__file__).parents[2]
TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node"]
LIMIT = 240  # seconds; a start takes five on an idle machine
RANK_TIMEOUT = LIMIT  # how long a rank waits for one that does not answer
WORLDS = (2, 4)
ROUNDS, ROWS, BUCKETS, M = 3, 3, 16, 5
FIVE = (f"devices.M={M}", f"rounds={ROUNDS}", "local.gamma=0.02")
LEAN = ("record.verify=false", "record.evaluate_every=9", "record.checkpoint_every=9", "dtype=float32")
ORDERED = {
    "fps": small(*FIVE),
    "fps averaged": small(*FIVE, "algorithm.simulate=averaged"),
    "fps resync fading": small(*FIVE, "algorithm.device_sketch=resync", "channel.kind=rayleigh"),
    "fps sparse": small(*FIVE, *SPARSE),
    "fetchsgd": small(*FIVE, "algorithm.name=fetchsgd"),
    "fedavg": small(*FIVE, "algorithm.name=fedavg"),
    "topk": small(*FIVE, "algorithm.name=topk"),
}
FAST = {
    "gentle": small(*FIVE, "local.E=1", "local.gamma=0.002"),
    "wire": small(*FIVE, *LEAN),
    "wire averaged": small(*FIVE, *LEAN, "algorithm.simulate=averaged"),
    "wire larger d": small(*FIVE, *LEAN, "problem.features=60"),
    "wire fedavg": small(*FIVE, *LEAN, "algorithm.name=fedavg"),
}
LAST = 60
KILLED = small(
    f"rounds={LAST}",
    "record.checkpoint_every=1",
    "record.keep_checkpoints=last",
    "record.verify=false",
    *FIVE[:1],
)
DIVERGING = small("problem.objective=mlp", "problem.hidden=4", "local.gamma=1e60", "rounds=40")
RECORDS = ("rounds.parquet", "summary.json", "config.toml")


def environment() -> dict[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}


def contents(folder: Path) -> dict[str, Any]:
    files: dict[str, Any] = {name: (folder / name).read_bytes() for name in RECORDS}
    stored = {p.name: checkpoint.load(p).tensors for p in checkpoint.stored(folder)}
    # Numbers and not bytes: the header of a safetensors file lists its entries in any order.
    files |= {(n, k): (x.shape, x.numpy().tobytes()) for n, ts in stored.items() for k, x in ts.items()}
    return files


@pytest.fixture(scope="module")
def base(tmp_path_factory) -> Path:
    """The folder of all runs. Test workers share one, and the first to come here fills it."""
    root = tmp_path_factory.getbasetemp()
    folder = (root.parent if "PYTEST_XDIST_WORKER" in os.environ else root) / "ranks"
    with open(folder.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done.json").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            write_configs_and_single_runs(folder)
            found = {"killed": kill_the_leading_rank(folder), "ran": [run_jobs(folder, n) for n in WORLDS]}
            (folder / "done.json").write_text(json.dumps(found))
    return folder


@pytest.fixture(scope="module")
def killed(base) -> dict[str, Any]:
    """How the run ended whose leading rank was killed."""
    return json.loads((base / "done.json").read_text())["killed"]


@pytest.fixture(scope="module")
def ran(base) -> dict[tuple[int, str], list[dict[str, Any]]]:
    """What came of every job: one entry per rank, by number of ranks and name."""
    found = json.loads((base / "done.json").read_text())["ran"]
    return {(n, name): ranks for n, jobs in zip(WORLDS, found, strict=True) for name, ranks in jobs.items()}


def write_configs_and_single_runs(base: Path) -> None:
    for name, config in {**ORDERED, **FAST, "killed": KILLED, "diverging": DIVERGING}.items():
        (base / f"{name}.toml").write_text(config.to_toml())
        if name != "diverging":
            run(config, base / f"{name} on 1", job=Job(ALONE, "fast" if name in FAST else "ordered"))


def start(base: Path, name: str, folder: Path, *options: Any) -> list[Any]:
    """Arguments of one distributed run."""
    argv = ["run", str(base / f"{name}.toml"), "--out", str(folder), "--distributed", "--quiet"]
    return [*argv, "--rank-timeout", str(RANK_TIMEOUT), *options]


def refused_jobs(base: Path, world: int) -> dict[str, list[Any]]:
    """Requests that must end in one line; the value of a list goes to one rank each."""
    seeds = ["seed=3"] * (world - 1) + ["seed=9"]
    new = base / f"refused {world}"
    return {
        "different configs": start(base, "fps", new / "a", "--set", seeds),
        "too many ranks": start(base, "fps", new / "b", "--set", "devices.M=1"),
        "bad on all ranks": start(base, "fps", new / "c", "--set", "algorithm.k=9999"),
        "occupied folder": start(base, "fps", base / "fps on 1"),
        "diverging": start(base, "diverging", base / f"diverged {world}"),
        "different reductions": start(
            base, "fps", new / "d", "--reduction", ["fast"] + ["ordered"] * (world - 1)
        ),
    }


def jobs_for(base: Path, world: int) -> dict[str, list[Any]]:
    jobs = {
        name: start(base, name, base / f"{name} on {world}", "--reduction", "ordered") for name in ORDERED
    }
    jobs |= {name: start(base, name, base / f"{name} on {world}") for name in FAST}
    resume = ["run", "--resume", "--out", str(base / f"killed on {world}"), "--distributed", "--quiet"]
    jobs["resume"] = [*resume, "--reduction", "ordered"]
    return jobs | refused_jobs(base, world)


def kill_the_leading_rank(base: Path) -> dict[str, Any]:
    """Three ranks; rank 0 is killed without warning once a few checkpoints are there."""
    folder = base / "killed"
    command = [*TORCHRUN, "3", "-m", "fpsverify", *start(base, "killed", folder, "--reduction", "ordered")]
    process = subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE, text=True, cwd=base)
    wait_for_round(folder, 3, process)
    os.kill(worker(process.pid, rank=0), signal.SIGKILL)
    begin = time.monotonic()
    _, err = process.communicate(timeout=LIMIT)
    for world in WORLDS:
        shutil.copytree(folder, base / f"killed on {world}")
    return {"code": process.returncode, "err": err, "seconds": time.monotonic() - begin}


def wait_for_round(folder: Path, t: int, process: subprocess.Popen) -> None:
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline and process.poll() is None:
        if any(int(p.stem.split("-")[1]) >= t for p in checkpoint.stored(folder)):
            return
        time.sleep(0.01)
    process.kill()
    raise AssertionError(f"no checkpoint of round {t}: {process.communicate()[1]}")


def worker(parent: int, rank: int) -> int:
    """The process of a rank: the child of torchrun that has it in its environment."""
    for path in Path("/proc").glob("[0-9]*"):
        try:
            fields = (path / "stat").read_text().rpartition(")")[2].split()
            variables = (path / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if int(fields[1]) == parent and f"RANK={rank}".encode() in variables:
            return int(path.name)
    raise AssertionError(f"torchrun has no rank {rank}")


def run_jobs(base: Path, world: int) -> dict[str, list[dict[str, Any]]]:
    jobs, path = jobs_for(base, world), base / f"jobs{world}.json"
    path.write_text(json.dumps(list(jobs.values())))
    command = [*TORCHRUN, str(world), "-m", "property_tests.support.rank_jobs", str(path)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, cwd=ROOT, timeout=LIMIT)
    assert done.returncode == 0, done.stderr
    ranks = [json.loads(path.with_suffix(f".{rank}.json").read_text()) for rank in range(world)]
    return {name: [r[i] for r in ranks] for i, name in enumerate(jobs)}


each_world = pytest.mark.parametrize("world", WORLDS)


@each_world
@pytest.mark.parametrize("name", ORDERED)
def test_ordered_records_are_those_of_one_process_bit_for_bit(name, world, base, ran):
    assert [rank["code"] for rank in ran[world, name]] == [0] * world, ran[world, name]
    assert contents(base / f"{name} on {world}") == contents(base / f"{name} on 1")


def test_ordered_records_are_those_of_a_plain_run(base, tmp_path):
    """These shapes do not depend on the batch (test_ranks.py), so the plain run has the same bits too."""
    for name, config in ORDERED.items():
        run(config, tmp_path / name)
        assert contents(tmp_path / name) == contents(base / f"{name} on 1")


def sensitivity(config: RunConfig) -> tuple[np.ndarray, float]:
    """e_t ≥ ‖w_t − w'_t‖₂ for two orders of every sum over devices, and the smoothness L.

    An update is γ times a gradient, L-Lipschitz in w with L ≤ (1 + max‖x‖²)/2 (softmax), and rounded.
    The sketches add updates up, and a bucket holds at most ‖·‖₁ ≤ √d‖·‖₂: s_{t+1} = s_t + √d(γ L e_t + r).
    Reading out k of the coordinates by medians, plus one sum in two orders: e_{t+1} ≤ √k(s_{t+1} + 2(M+t)u S)
    with S the largest bucket of any device's table, noise of 6σ included. Numbers in a gradient are at most
    G = √2 max‖(x, 1)‖; r = γ c u G, c = 2(features + batch + classes + 8) operations on the way to an entry.
    """
    problem, u = build(config).problem, np.finfo(np.float64).eps / 2
    gamma, c = config.local.gamma, 2 * (config.problem.features + config.local.batch + 3 + 8)
    X2 = float(problem.X.square().sum(dim=1).max()) + 1
    L, G = X2 / 2, np.sqrt(2 * X2)
    d, k, e, s = problem.d, config.algorithm.k, [0.0], 0.0
    for t in range(1, config.rounds + 1):
        s += np.sqrt(d) * (gamma * L * e[-1] + gamma * c * u * G)
        S = t * gamma * np.sqrt(d) * G + 6 * config.channel.sigma
        e.append(np.sqrt(k) * (s + 2 * (problem.M + t) * u * S))
    return np.array(e), L


@each_world
def test_fast_records_are_those_of_one_process_up_to_the_order_of_sums(world, base, ran):
    config = FAST["gentle"]
    one, many = (record.read_rows(base / f"gentle on {n}") for n in (1, world))
    e, L = sensitivity(config)
    u = np.finfo(np.float64).eps / 2
    assert e[-1] < 1e-10, "the bound must be of the size of rounding to say anything"
    assert [row.get("noise_energy") for row in one] == [row.get("noise_energy") for row in many]
    assert [row.get("selected") for row in one] == [row.get("selected") for row in many]
    for a, b, err in zip(one, many, e, strict=True):
        w, g = np.sqrt(a["w_norm_squared"]), np.sqrt(a["grad_norm_squared"])
        slack = 200 * u  # of the 120 rows and 21 coordinates that these columns sum over
        assert abs(a["w_norm_squared"] - b["w_norm_squared"]) <= 2 * w * err + err**2 + slack * w**2
        assert abs(a["loss"] - b["loss"]) <= g * err + L * err**2 + slack * a["loss"]
        assert (
            abs(a["grad_norm_squared"] - b["grad_norm_squared"]) <= 2 * g * L * err + (L * err) ** 2 + slack
        )


def test_a_killed_rank_ends_the_run_with_one_line(killed, ran, base):
    """torchrun reports on its own; of ours, two survivors, there is one line. They notice the closed
    connection: waiting for an answer would have taken RANK_TIMEOUT, however busy the machine is."""
    ours = [line for line in killed["err"].splitlines() if line.startswith("fpsverify: ")]
    assert len(ours) == 1 and "--resume" in ours[0] and "checkpoint" in ours[0], killed["err"]
    assert killed["code"] != 0 and killed["seconds"] < RANK_TIMEOUT / 2
    assert "fpsverify/" not in killed["err"], "no traceback into our files"
    assert checkpoint.latest(base / "killed", KILLED.digest()) is not None
    assert not (base / "killed" / "summary.json").exists()


@each_world
def test_a_killed_run_continues_on_another_number_of_ranks(world, base, killed, ran):
    assert [rank["code"] for rank in ran[world, "resume"]] == [0] * world, ran[world, "resume"]
    assert contents(base / f"killed on {world}") == contents(base / "killed on 1")
    ranks = {row["round"]: row["ranks"] for row in read_traffic(base / f"killed on {world}")}
    assert ranks[0] == 3 and ranks[LAST] == world and sorted(ranks) == list(range(LAST + 1))


def test_a_killed_run_continues_in_a_single_process(base, killed, tmp_path):
    shutil.copytree(base / "killed", tmp_path / "killed")
    code = main(["run", "--resume", "--out", str(tmp_path / "killed"), "--quiet", "--reduction", "ordered"])
    assert code == 0 and contents(tmp_path / "killed") == contents(base / "killed on 1")


@each_world
@pytest.mark.parametrize("name", ["wire", "wire averaged", "wire larger d"])
def test_a_rank_hands_over_one_table_per_round_whatever_d(name, world, base, ran):
    """Counted at torch's collectives: float32 tables of rows x buckets and nothing else is all-reduced."""
    table = 4 * ROWS * BUCKETS
    for rank in ran[world, name]:
        assert rank["all_reduce"] == [table] * ROUNDS
    rows = read_traffic(base / f"{name} on {world}")
    assert [row["table_bytes_sent"] for row in rows] == [0] + [table] * ROUNDS
    assert [row["table_bytes_received"] for row in rows] == [0] + [table] * ROUNDS
    assert f"{table} bytes sent" in ran[world, name][0]["out"]


@each_world
def test_dense_updates_cost_d_numbers_per_round(world, base, ran):
    d = build(FAST["wire fedavg"]).problem.d
    assert ran[world, "wire fedavg"][0]["all_reduce"] == [4 * d] * ROUNDS


@each_world
def test_the_ordered_reduction_moves_the_tables_of_all_devices(world, base, ran):
    """⌈M/R⌉ float64 tables handed over, R times as much received."""
    devices = -(-M // world)
    table = 8 * ROWS * BUCKETS
    assert ran[world, "fps"][0]["all_gather"].count(devices * table) >= ROUNDS
    assert ran[world, "fps"][0]["all_reduce"] == []
    for row in read_traffic(base / f"fps on {world}")[1:]:
        assert row["table_bytes_sent"] == devices * table
        assert row["table_bytes_received"] == world * devices * table


@each_world
@pytest.mark.parametrize("name, stored", [("wire averaged", 0), ("wire", 2)])
def test_the_books_hold_every_byte_that_was_handed_over(name, stored, world, base, ran):
    """`stored` checkpoints gather the sketches of the devices and belong to no round."""
    rank = ran[world, name][0]
    rows = read_traffic(base / f"{name} on {world}")
    booked = sum(row["table_bytes_sent"] + row["other_bytes_sent"] for row in rows)
    checkpoints = stored * 4 * ROWS * BUCKETS * -(-M // world)
    assert booked + checkpoints == sum(rank["all_reduce"]) + sum(rank["all_gather"])


REFUSED = {
    "different configs": "config: got 'seed = 9 (was 3)', expected that of rank 0, on rank",
    "too many ranks": "expected at most devices.M = 1 ranks in total",
    "bad on all ranks": "algorithm.k: got 9999",
    "occupied folder": "expected a new or empty folder, or add --resume",
    "different reductions": "--reduction: got 'ordered', expected fast on rank",
    "diverging": "use a smaller local.gamma",
}


@each_world
@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_run_ends_in_one_line_over_all_ranks(name, world, base, ran):
    ranks = ran[world, name]
    lines = [line for rank in ranks for line in rank["err"].splitlines()]
    assert len(lines) == 1 and lines[0].startswith("fpsverify: ") and REFUSED[name] in lines[0], lines
    assert all(rank["code"] != 0 and rank["out"] == "" for rank in ranks)
    assert not (base / f"refused {world}").exists() or not list(
        (base / f"refused {world}").rglob("*.parquet")
    )


@each_world
def test_a_run_that_diverges_keeps_its_last_good_checkpoint(world, base, ran):
    folder = base / f"diverged {world}"
    good = checkpoint.stored(folder)
    assert good and all(torch.isfinite(x).all() for x in checkpoint.load(good[-1]).tensors.values())


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


def test_the_books_are_a_parquet_file_beside_the_record(base, ran):
    columns = pq.read_table(base / "wire on 2" / "wire.parquet").column_names
    assert columns[:2] == ["round", "ranks"] and "table_bytes_sent" in columns
    assert not (base / "wire on 1" / "wire.parquet").exists()
