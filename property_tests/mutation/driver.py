"""Run the tests of each target on a copy of the repository with one mutant in place.

A mutant is killed if its tests fail, crash or run out of time (five times what they take without it). Results
are stored after every mutant, so an interrupted check continues where it stopped.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import Any

from property_tests.mutation.operators import Mutant, apply, candidates
from property_tests.mutation.targets import EQUIVALENT, TARGETS

ROOT = Path(__file__).resolve().parent.parent.parent
SKIP = shutil.ignore_patterns(".git", ".venv", "runs", "_build", "__pycache__", ".hypothesis", ".*_cache")


def choose(per_target: int, seed: int) -> list[tuple[Mutant, tuple[str, ...]]]:
    """A random sample of mutants from every target module."""
    chosen = []
    for path, tests in TARGETS.items():
        pool = candidates((ROOT / path).read_text(), path)
        sample = random.Random(f"{seed}:{path}").sample(pool, min(per_target, len(pool)))
        chosen += [(mutant, tests) for mutant in sorted(sample, key=lambda m: m.number)]
    return chosen


def copy_tree(folder: Path) -> Path:
    shutil.copytree(ROOT, folder / "repo", ignore=SKIP)
    return folder / "repo"


def run_tests(repo: Path, tests: tuple[str, ...], timeout: float) -> tuple[str, float]:
    """('passed' | 'failed' | 'timeout', seconds) of the given test files in this copy."""
    env = {**os.environ, "PYTHONPATH": str(repo), "FPSVERIFY_PROFILE": "dev", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    command += [f"property_tests/{name}" for name in tests]
    start = time.monotonic()
    try:
        done = subprocess.run(command, cwd=repo, env=env, capture_output=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return "timeout", time.monotonic() - start
    return ("passed" if done.returncode == 0 else "failed"), time.monotonic() - start


def try_mutant(repo: Path, mutant: Mutant, tests: tuple[str, ...], timeout: float) -> dict[str, Any]:
    path = repo / mutant.path
    source = path.read_text()
    try:
        path.write_text(apply(source, mutant.number))
        for stale in path.parent.glob("__pycache__/*.nb*"):  # compiled code of the last mutant
            stale.unlink()
        outcome, seconds = run_tests(repo, tests, timeout)
    finally:
        path.write_text(source)
    return {
        "mutant": mutant.name,
        "file": mutant.path,
        "line": mutant.line,
        "killed": outcome != "passed",
        "outcome": outcome,
        "tests": list(tests),
        "equivalent": EQUIVALENT.get(mutant.key),
        "seconds": round(seconds, 1),
    }


def check(per_target: int, seed: int, jobs: int, out: Path, only: str = "") -> dict[str, Any]:
    """Run all chosen mutants; the result file grows with each of them."""
    chosen = choose(per_target, seed)
    results = _known(out, {m.name for m, _ in chosen})
    todo = [(m, t) for m, t in chosen if only in m.path]
    with tempfile.TemporaryDirectory() as base:
        copies: Queue[Path] = Queue()
        for j in range(jobs):
            copies.put(copy_tree(Path(base) / str(j)))
        limits: dict[tuple[str, ...], float] = {}

        def work(item: tuple[Mutant, tuple[str, ...]]) -> None:
            mutant, tests = item
            if mutant.name in results:
                return
            repo = copies.get()
            try:
                if tests not in limits:
                    limits[tests] = _baseline(repo, tests)
                results[mutant.name] = try_mutant(repo, mutant, tests, limits[tests])
            finally:
                copies.put(repo)
            print(f"{results[mutant.name]['outcome']:8} {mutant.name}", file=sys.stderr, flush=True)
            _write(out, results, seed, per_target)

        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(work, todo))
    return _write(out, results, seed, per_target)


def _known(out: Path, wanted: set[str]) -> dict[str, dict[str, Any]]:
    """Results of an interrupted check; those of mutants that no longer exist are dropped."""
    if not out.exists():
        return {}
    return {r["mutant"]: r for r in json.loads(out.read_text())["mutants"] if r["mutant"] in wanted}


def _baseline(repo: Path, tests: tuple[str, ...]) -> float:
    """Without a mutant everything must pass; how long that takes sets the time limit."""
    outcome, seconds = run_tests(repo, tests, 1800)
    if outcome != "passed":
        raise SystemExit(f"tests fail without any mutant: {' '.join(tests)}")
    return 5 * seconds + 30


def _write(out: Path, results: dict[str, dict[str, Any]], seed: int, per_target: int) -> dict[str, Any]:
    """`share` leaves out equivalent mutants; all of them are listed with their reasons."""
    from fpsverify.files import write_json
    from fpsverify.record import versions

    rows = sorted(results.copy().values(), key=lambda r: (r["file"], r["line"], r["mutant"]))
    for row in rows:
        row["equivalent"] = EQUIVALENT.get(f"{row['file']} {row['mutant'].split(' ', 1)[1]}")
    killed = sum(r["killed"] for r in rows)
    equivalent = sum(not r["killed"] and r["equivalent"] is not None for r in rows)
    document = {
        "seed": seed,
        "per_target": per_target,
        "total": len(rows),
        "killed": killed,
        "equivalent": equivalent,
        "share": killed / (len(rows) - equivalent) if len(rows) > equivalent else None,
        "versions": versions(),
        "mutants": rows,
    }
    write_json(out, document)
    return document
