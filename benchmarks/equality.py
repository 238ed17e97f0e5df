"""The same run on every engine, compared bit by bit: `python -m benchmarks.equality --out FILE`.

Needs Flower and Dask (the environment of `make test-engines`). Processes are real: torchrun with 1, 2 and 4
ranks, Flower's simulation with a client per device, a Dask cluster of two workers. One rank and one worker
are killed on the way.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor

from benchmarks.provenance import made
from fpsverify.cli.run import DEMO
from fpsverify.config import RunConfig, apply_overrides, parse
from fpsverify.distributed.ranks import Job
from fpsverify.files import write_json
from fpsverify.methods import RUN
from fpsverify.runs import checkpoint
from fpsverify.runs.loop import prepare, run_in_memory

PYTHON = [sys.executable, "-m"]
TORCHRUN = [*PYTHON, "torch.distributed.run", "--standalone", "--nproc-per-node"]
PATIENCE = 300.0
WORLDS = (1, 2, 4)
ROUNDS = 20
OVERRIDES = (f"rounds={ROUNDS}", "record.checkpoint_every=1", "record.evaluate_every=20")


@dataclass(frozen=True)
class Row:
    """How far the model of one way lies from that of the plain run, and whether the bits agree with it."""

    way: str
    dtype: str
    largest_difference: float
    largest_weight: float
    same_bits: bool


def config(dtype: str, *more: str) -> RunConfig:
    return parse(apply_overrides(DEMO, [*OVERRIDES, f"dtype={dtype}", *more]))


def environment() -> dict[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.getcwd()}


def own_model(chosen: RunConfig, job: Job | None = None) -> Tensor:
    algorithm, setup, _ = prepare(chosen, job or Job())
    w = algorithm.model(setup, run_in_memory(chosen, job=job or Job()).state)
    assert isinstance(w, Tensor)
    return w


def row(way: str, dtype: str, w: Tensor, plain: Tensor) -> Row:
    apart = float((w.double() - plain.double()).abs().max())
    return Row(way, dtype, apart, float(plain.abs().max()), torch.equal(w, plain))


# ---- torchrun -------------------------------------------------------------------------------------------


def torchrun(world: int, toml: Path, out: Path, *options: str) -> list[str]:
    job = ["-m", "fpsverify", "run", str(toml), "--out", str(out), "--distributed", "--quiet", *options]
    return [*TORCHRUN, str(world), *job]


def stored_model(out: Path, chosen: RunConfig) -> Tensor:
    """The model in the last checkpoint of a run directory."""
    last = checkpoint.latest(out, chosen.digest())
    assert last is not None and last.t == chosen.rounds
    algorithm, setup, _ = prepare(chosen)
    w = algorithm.model(
        setup, checkpoint.unpack(algorithm.state_type, last.tensors, setup.problem.d, setup.device)
    )
    assert isinstance(w, Tensor)
    return w


def ranks(base: Path, dtype: str) -> list[Row]:
    chosen, toml = config(dtype), base / f"{dtype}.toml"
    toml.write_text(chosen.to_toml())
    plain, rows = own_model(chosen), []
    for reduction in ("fast", "ordered"):
        for world in WORLDS:
            out = base / f"{dtype}-{reduction}-{world}"
            command = torchrun(world, toml, out, "--reduction", reduction)
            subprocess.run(command, env=environment(), check=True, capture_output=True, timeout=PATIENCE)
            name = f"torchrun, {world} rank{'s' * (world > 1)}, {reduction}"
            rows.append(row(name, dtype, stored_model(out, chosen), plain))
    ordered = own_model(chosen, Job(reduction="ordered"))
    return [row("1 process, ordered", dtype, ordered, plain), *rows]


def killed_rank(base: Path) -> dict[str, Any]:
    """Two ranks, one of them killed after a few rounds; then --resume on four."""
    chosen, toml, out = config("float64", "rounds=200"), base / "killed.toml", base / "killed"
    toml.write_text(chosen.to_toml())
    command = torchrun(2, toml, out, "--reduction", "ordered")
    process = subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + PATIENCE
    while not any(int(p.stem.split("-")[1]) >= 5 for p in checkpoint.stored(out)):
        if time.monotonic() > end or process.poll() is not None:
            raise SystemExit("the run to be killed did not come up")
        time.sleep(0.01)
    os.kill(child_of(process.pid, "RANK=1"), signal.SIGKILL)
    _, err = process.communicate(timeout=PATIENCE)
    said = [line for line in err.splitlines() if line.startswith("fpsverify: ")]
    last = checkpoint.latest(out, chosen.digest())
    resume = [*TORCHRUN, "4", "-m", "fpsverify", "run", "--resume", "--out", str(out), "--distributed"]
    resume += ["--quiet", "--reduction", "ordered"]
    subprocess.run(resume, env=environment(), check=True, capture_output=True, timeout=PATIENCE)
    whole = own_model(chosen, Job(reduction="ordered"))
    return {
        "exit_code": process.returncode,
        "said": said,
        "kept_round": None if last is None else last.t,
        "rounds": chosen.rounds,
        "resumed_same_bits": torch.equal(stored_model(out, chosen), whole),
    }


def child_of(parent: int, variable: str) -> int:
    """The process that torchrun started with this variable in its environment."""
    for path in Path("/proc").glob("[0-9]*"):
        try:
            mother = (path / "stat").read_text().rpartition(")")[2].split()[1]
            if int(mother) == parent and variable.encode() in (path / "environ").read_bytes().split(b"\0"):
                return int(path.name)
        except OSError:
            continue
    raise SystemExit(f"no process with {variable}")


# ---- Flower and Dask ------------------------------------------------------------------------------------


def flower(base: Path, dtype: str) -> Row:
    chosen, toml, out = config(dtype), base / f"flower-{dtype}.toml", base / f"flower-{dtype}"
    toml.write_text(chosen.to_toml())
    command = [*PYTHON, "fpsverify.engines.flower_app", str(toml), "--out", str(out)]
    subprocess.run(command, env=environment(), cwd=base, check=True, capture_output=True, timeout=PATIENCE)
    name = f"Flower, simulation, {chosen.devices.M} clients"
    return row(name, dtype, load_file(out / "model.safetensors")["w"], own_model(chosen))


def killed_worker(base: Path) -> dict[str, Any]:
    """A grid on two Dask workers, one of them killed in the middle, against the grid in this process."""
    from distributed import LocalCluster

    from fpsverify.grids import executors
    from fpsverify.reproduce import tuned
    from property_tests.support.small_runs import tiny_cell

    long = ("rounds=150", "record.evaluate_every=50")
    cells = [tiny_cell("FPS", *long, trials=5), tiny_cell("BLCD", *long, trials=5)]
    tuned.run_grid(cells, base / "here")
    seen: list[str] = []
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        executors.executor(scheduler=cluster.scheduler_address) as where,
    ):
        client = where.client  # type: ignore[attr-defined]
        client.wait_for_workers(2, timeout=PATIENCE)
        victim = next(iter(client.run(os.getpid).values()))

        def kill_one(result: Any) -> None:
            seen.append(result["task"])
            if len(seen) == 4:
                os.kill(victim, signal.SIGKILL)

        tuned.run_grid(cells, base / "cluster", where, progress=kill_one)
        gone = victim not in client.run(os.getpid).values()
    here, there = (files_of(base / name) for name in ("here", "cluster"))
    return {
        "runs": len(seen),
        "planned": tuned.count_tasks(cells),
        "twice": len(seen) - len(set(seen)),
        "worker_gone": gone,
        "same_files": here == there,
        "files": len(here),
    }


def files_of(folder: Path) -> dict[str, bytes]:
    found = (p for p in folder.rglob("*.*") if p.is_file() and p.name != ".lock")
    return {str(p.relative_to(folder)): p.read_bytes() for p in found}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    options = parser.parse_args()
    torch.set_num_threads(1)
    start = time.perf_counter()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        for dtype in ("float64", "float32"):
            rows += [*ranks(base, dtype), flower(base, dtype)]
        for r in rows:
            print(f"{r.way:<34} {r.dtype}  apart {r.largest_difference:.2e}  same bits: {r.same_bits}")
        rank, worker = killed_rank(base), killed_worker(base)
    print(rank, worker, sep="\n")
    found = {
        "rounds": ROUNDS,
        "rows": [asdict(r) for r in rows],
        "killed_rank": rank,
        "killed_worker": worker,
        "provenance": made(
            "python -m benchmarks.equality --out book/results/engines.json", time.perf_counter() - start, RUN
        ),
    }
    write_json(options.out, found)


if __name__ == "__main__":
    main()
