"""Judge mutants: put one into a copy of the repository, and run tests there in a child of this process.

The process has imported torch, numba and the like once, and nothing of the repository: its children start at
once and see the code as it is on disk at that moment. Killed is a mutant if a test fails, ends the process,
or takes far longer than without it.
"""

from __future__ import annotations

import compileall
import contextlib
import importlib
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchmarks.mutation.operators import Mutant, apply
from benchmarks.mutation.sample import ROOT, Job
from benchmarks.provenance import PACKAGES

LIBRARIES: tuple[str, ...] = (
    "torch",
    "numba",
    "scipy.stats",
    "scipy.sparse.linalg",
    "scipy.optimize",
    "sympy",
    "mpmath",
)
LIBRARIES += ("z3", "pyarrow.parquet", "pydantic", "safetensors.torch", "hypothesis.stateful", "pytest")
QUIET = ["-x", "-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov"]
SETTINGS = {"FPSVERIFY_PROFILE": "mutants", "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"}


Row = dict[str, Any]


def copied(folder: Path, root: Path = ROOT) -> Path:
    """A copy of the code below `folder`, with byte code: children never write any."""
    repo = folder / "repo"
    for name in (*PACKAGES, "book", "examples"):
        shutil.copytree(root / name, repo / name, ignore=shutil.ignore_patterns("_build", "__pycache__"))
    for path in root.iterdir():
        if path.is_file():
            shutil.copy2(path, repo)
    compileall.compile_dir(repo, quiet=2)
    return repo


@cache
def start(folder: Path) -> None:
    """Make this process a worker with a copy of its own below `folder`, its working directory from now on."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the driver's to handle
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # on the way out a running test is ended
    os.chdir(copied(Path(tempfile.mkdtemp(dir=folder))))
    os.environ |= SETTINGS | {"PYTHONPATH": os.getcwd()}
    for name in LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


@cache
def seconds_unchanged(folder: str) -> float:
    """What the tests of a folder take without a mutant; all must pass."""
    row = run_tests([folder], 1800.0)
    if row["killed"]:
        raise RuntimeError(f"without any mutant, {row['by'] or folder} {row['outcome']}")
    return float(row["seconds"])


def judge(base: Path, job: Job) -> tuple[Job, list[Row]]:
    """The job with a row for each mutant. Tests that killed an earlier one of this module go first."""
    start(base)
    limit = 3 * sum(map(seconds_unchanged, job.folders)) + 60
    rows: list[Row] = []
    for mutant in job.mutants:
        killers = [row["by"] for row in reversed(rows) if row["outcome"] == "failed"]
        with in_place(mutant):
            row = run_tests([*dict.fromkeys(killers), *job.tests], limit)
        rows.append({"mutant": mutant.name, "file": mutant.path, "line": mutant.line, **row})
    return job, rows


@contextlib.contextmanager
def in_place(mutant: Mutant, root: Path = ROOT) -> Iterator[None]:
    """The mutant in the working directory. Its time is new, so that old byte code does not count."""
    path = Path(mutant.path)
    path.write_text(apply(path.read_text(encoding="utf-8"), mutant.number), encoding="utf-8")
    try:
        yield
    finally:
        shutil.copy2(root / mutant.path, path)


def run_tests(tests: Sequence[str], limit: float) -> Row:
    """Until the first one fails, in a process that ends with all that it has started.

    The outcome, the test that decided it ("" if all passed), and the seconds that it took.
    """
    begin, log = time.monotonic(), Path.cwd().with_name("log")
    log.write_text("", encoding="utf-8")
    child = get_context("fork").Process(target=run_pytest, args=(tests, log))
    child.start()
    try:
        child.join(limit)
        late = child.is_alive()
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid or 0, signal.SIGKILL)
    child.join()
    event, _, test = (log.read_text(encoding="utf-8").splitlines() or [""])[-1].partition(" ")
    outcome = "timeout" if late else event if event in ("passed", "failed") else "crashed"
    seconds = round(time.monotonic() - begin, 1)
    return {"killed": outcome != "passed", "outcome": outcome, "by": test, "seconds": seconds}


def run_pytest(tests: Sequence[str], log: Path) -> None:
    """In the child. The last line of `log` says how it ended, or which test it was at."""
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sys.dont_write_bytecode = True
    for name in [name for name in sys.modules if name.partition(".")[0] in PACKAGES]:
        del sys.modules[name]
    sys.path.insert(0, os.getcwd())
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    import pytest
    from joblib import parallel_config

    # Tests start processes as they do outside a worker, where joblib would take threads in their place.
    with parallel_config(backend="loky"), log.open("a", encoding="utf-8", buffering=1) as out:
        if pytest.main([*QUIET, *tests], plugins=[Reporter(out)]) == 0:
            print("passed ", file=out)
    os._exit(0)  # a usual exit waits five minutes for idle workers of joblib; the group is killed anyway


class Reporter:
    """A pytest plugin: a line for each test that starts or fails."""

    def __init__(self, out: Any) -> None:
        self.out = out

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        print("running", nodeid, file=self.out)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            print("failed", report.nodeid, file=self.out)

    pytest_collectreport = pytest_runtest_logreport
