"""FPS at the size of KDD12 (d = 54,686,452, ten devices, generated data): time and memory of whole runs.

Each run is a fresh process on one thread; CPU time and peak memory are those the system charged it. The
limits are those of the project's performance notes: 100 rounds with a full scan within 60 s and 1 GB.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.provenance import made
from fpsverify.methods import RUN

EXAMPLE = Path(__file__).parent.parent / "examples" / "kdd12.toml"
LIMIT_SECONDS, LIMIT_BYTES = 60.0, 1e9
MEASURE = """
import json, resource, sys
from fpsverify.cli import main
assert main(sys.argv[2:]) == 0
used = resource.getrusage(resource.RUSAGE_SELF)
report = {"cpu_seconds": used.ru_utime + used.ru_stime, "peak_bytes": used.ru_maxrss * 1024}
json.dump(report, open(sys.argv[1], "w"))
"""


def measure(scan: str, rounds: int) -> dict[str, Any]:
    """CPU seconds and peak bytes of one run, start-up and data generation included."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "used.json"
        arguments = ["run", str(EXAMPLE), "--quiet", "--out", f"{folder}/run"]
        arguments += ["--set", f"algorithm.scan={scan}", "--set", f"rounds={rounds}"]
        env = {**os.environ, "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
        subprocess.run(
            [sys.executable, "-c", MEASURE, str(report), *arguments],
            check=True,
            env=env,
            stdout=subprocess.DEVNULL,
        )
        return {"scan": scan, "rounds": rounds, **json.loads(report.read_text())}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    start = time.perf_counter()
    results = [measure(scan, args.rounds) for scan in ("full", "support")]
    seconds = time.perf_counter() - start
    met = True
    for r in results:
        ok = r["cpu_seconds"] <= LIMIT_SECONDS and r["peak_bytes"] <= LIMIT_BYTES
        met &= ok
        print(
            f"KDD12 shape, {r['rounds']} rounds, scan = {r['scan']:8} {r['cpu_seconds']:6.1f} s CPU, "
            f"{r['peak_bytes'] / 1e6:5.0f} MB peak   "
            f"limit {LIMIT_SECONDS:.0f} s, {LIMIT_BYTES / 1e6:.0f} MB: {'met' if ok else 'NOT met'}"
        )
    if args.json:
        about = made("python -m benchmarks.kdd_run --json book/results/kdd_run.json", seconds, RUN)
        args.json.write_text(json.dumps({"rows": results, "provenance": about}, indent=1) + "\n")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
