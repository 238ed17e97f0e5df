"""Run the suite under every processor of the matrix; one line each.

    python -m benchmarks.portable [--rows sse4-1,avx2-2] [TESTS …]

Interrupted, it goes on where it stopped: a row that has passed for this commit, and for the same changes
since, is not run again. Logs are in build/portable/. Ends with 1 if a row failed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.portable.processors import Processor, matrix
from benchmarks.provenance import all_sources, digests
from fpsverify.files import write_text

ROOT = Path(__file__).parent.parent.parent
PLACE = ROOT / "build" / "portable"


def state_of_sources(tests: list[str]) -> str:
    """All sources, and which tests are asked for."""
    state = [sys.version, tests, digests(all_sources())]
    return hashlib.sha256(json.dumps(state).encode()).hexdigest()[:12]


def run_row(processor: Processor, tests: list[str], place: Path, *options: str) -> tuple[int, str]:
    """pytest's exit code, the tests that failed and its last line; everything else goes to a log."""
    command = [sys.executable, "-m", "pytest", "-q", *options, *tests]
    place.mkdir(parents=True, exist_ok=True)
    log = place / f"{processor.name}.log"
    with log.open("w", encoding="utf-8") as out:
        environment = {**os.environ, **processor.environment}
        code = subprocess.run(command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT)
    lines = log.read_text(encoding="utf-8").splitlines()
    failed = [line for line in lines if line.startswith(("FAILED ", "ERROR "))]
    return code.returncode, "\n".join([*failed, *(line.strip("= ") for line in lines[-1:])])


def run_matrix(rows: list[Processor], tests: list[str], place: Path) -> bool:
    """True if every row passes, now or before; what it said is kept with the state of the sources."""
    state, all_pass = state_of_sources(tests), True
    for row in rows:
        kept, begin = place / f"{row.name}-{state}.passed", time.monotonic()
        if kept.exists():
            print(f"{row.name:8} {row.words:28} passed before: {kept.read_text('utf-8')}", flush=True)
            continue
        code, words = run_row(row, tests, place, "-n", "2")
        minutes = (time.monotonic() - begin) / 60
        verdict = "passed" if code == 0 else f"FAILED ({place / row.name}.log)"
        print(f"{row.name:8} {row.words:28} {verdict}: {words} ({minutes:.1f} minutes)", flush=True)
        all_pass &= code == 0
        if code == 0:
            write_text(kept, words)
    return all_pass


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    known = {row.name: row for row in matrix()}
    parser.add_argument("--rows", default=",".join(known), help=f"of {', '.join(known)}")
    parser.add_argument("tests", nargs="*", default=["property_tests"])
    args = parser.parse_args()
    return 0 if run_matrix([known[name] for name in args.rows.split(",")], args.tests, PLACE) else 1


if __name__ == "__main__":
    sys.exit(main())
