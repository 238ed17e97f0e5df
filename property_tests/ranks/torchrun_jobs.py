"""Runs under torchrun, made once for many tests: records, exit codes and bytes of jobs of several ranks."""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from fpsverify.distributed.ranks import ALONE, Job
from fpsverify.runs import checkpoint
from fpsverify.runs.loop import run
from property_tests.support.small_runs import SPARSE, record_of, small

ROOT = Path(__file__).parents[2]
TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node"]
LIMIT = 240  # seconds; a start takes five on an idle machine
RANK_TIMEOUT = LIMIT  # how long a rank waits for one that does not answer
WORLDS = (2, 4)
ROUNDS, ROWS, BUCKETS, M = 3, 3, 16, 5
FIVE = (f"devices.M={M}", f"rounds={ROUNDS}", "local.gamma=0.02")
LEAN = ("record.verify=false", "record.evaluate_every=9", "record.checkpoint_every=9", "dtype=float32")
# Which algorithms share devices out rightly is tested with ranks that are threads (test_ranks.py).
ORDERED = {
    "fps": small(*FIVE),
    "fps sparse": small(*FIVE, *SPARSE),
    "fetchsgd": small(*FIVE, "algorithm.name=fetchsgd"),
}
FAST = {
    "wire": small(*FIVE, *LEAN),
    "wire averaged": small(*FIVE, *LEAN, "algorithm.simulate=averaged"),
    "wire larger d": small(*FIVE, *LEAN, "problem.features=60"),
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


def environment() -> dict[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}


def contents(folder: Path) -> dict[str, Any]:
    files: dict[Any, Any] = dict(record_of(folder))
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
    command = [*TORCHRUN, str(world), "-m", "property_tests.ranks.rank_jobs", str(path)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, cwd=ROOT, timeout=LIMIT)
    assert done.returncode == 0, done.stderr
    ranks = [json.loads(path.with_suffix(f".{rank}.json").read_text()) for rank in range(world)]
    return {name: [r[i] for r in ranks] for i, name in enumerate(jobs)}


each_world = pytest.mark.parametrize("world", WORLDS)
