"""Run the suite under every processor of the matrix; one line each.

    python -m property_tests.portable [--rows sse4-1,avx2-2] [--jobs 2] [TESTS …]

Interrupted, it goes on where it stopped: a row that has passed for this commit, and for the same changes
since, is not run again. Logs are in build/portable/. Ends with 1 if a row failed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.provenance import all_sources, digests
from fpsverify.files import write_json
from property_tests.portable.processors import Processor, matrix

ROOT = Path(__file__).parent.parent.parent
PLACE = ROOT / "build" / "portable"
Passed = dict[str, Any]


def state_of_sources(tests: list[str]) -> str:
    """All sources, and which tests are asked for."""
    state = [sys.version, tests, digests(all_sources())]
    return hashlib.sha256(json.dumps(state).encode()).hexdigest()[:12]


def run_row(processor: Processor, tests: list[str], jobs: int, place: Path) -> tuple[int, str]:
    """pytest's exit code and its last line; everything else that it says goes to a log."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(jobs), *tests]
    place.mkdir(parents=True, exist_ok=True)
    log = place / f"{processor.name}.log"
    with log.open("w", encoding="utf-8") as out:
        environment = {**os.environ, **processor.environment}
        code = subprocess.run(command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT)
    lines = log.read_text(encoding="utf-8").splitlines()
    return code.returncode, last_words(lines)


def last_words(lines: list[str]) -> str:
    """The tests that failed, and pytest's count."""
    failed = [line for line in lines if re.match(r"(FAILED|ERROR) ", line)]
    return "\n".join([*failed, lines[-1].strip("= ") if lines else "nothing said"])


def passed_before(path: Path, state: str) -> Passed:
    stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return dict(stored["rows"]) if stored.get("state") == state else {}


def run_matrix(rows: list[Processor], tests: list[str], jobs: int, place: Path) -> bool:
    """True if every row passes, now or before."""
    path, state = place / "passed.json", state_of_sources(tests)
    passed, all_pass = passed_before(path, state), True
    for row in rows:
        if row.name in passed:
            print(f"{row.name:8} {row.words:28} passed before: {passed[row.name]}", flush=True)
            continue
        begin = time.monotonic()
        code, words = run_row(row, tests, jobs, place)
        minutes = (time.monotonic() - begin) / 60
        verdict = "passed" if code == 0 else f"FAILED ({place / row.name}.log)"
        print(f"{row.name:8} {row.words:28} {verdict}: {words} ({minutes:.1f} minutes)", flush=True)
        all_pass &= code == 0
        if code == 0:
            passed[row.name] = words
            write_json(path, {"state": state, "rows": passed})
    return all_pass


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    known = {row.name: row for row in matrix()}
    parser.add_argument("--rows", default=",".join(known), help=f"of {', '.join(known)}")
    parser.add_argument("--jobs", type=int, default=2, help="test workers")
    parser.add_argument("--place", type=Path, default=PLACE, help="where logs and passed rows are kept")
    parser.add_argument("tests", nargs="*", default=["property_tests"])
    args = parser.parse_args(arguments)
    if unknown := [name for name in args.rows.split(",") if name not in known]:
        parser.error(f"no such row: {', '.join(unknown)}; there are {', '.join(known)}")
    rows = [known[name] for name in args.rows.split(",")]
    return 0 if run_matrix(rows, args.tests, args.jobs, args.place) else 1


if __name__ == "__main__":
    sys.exit(main())
