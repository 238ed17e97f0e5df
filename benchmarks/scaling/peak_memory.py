"""Peak memory of a full scan at the size of KDD12, measured in a fresh process.

`python -m benchmarks.scaling.peak_memory [numba|torch]` prints one JSON line, which `measure` reads.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

D_KDD12 = 54_686_452


def measure(backend: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.scaling.peak_memory", backend]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def peak_bytes() -> int:
    """Largest resident size of this program so far.

    Linux: VmHWM, because ru_maxrss still counts the process that started this one.
    """
    if sys.platform == "linux":
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def main(backend: str) -> None:
    import torch

    from fpsverify.sketching.sketch import CountSketch, SketchSpec

    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(1)
    keys = torch.randint(0, D_KDD12, (100_000,), generator=generator)
    sketch = CountSketch.zeros(SketchSpec(5, 4000, D_KDD12, 1)).add_sparse(
        keys, torch.randn(100_000, generator=generator), backend=backend
    )
    before, start = peak_bytes(), time.process_time()
    found = sketch.unsketch(1000, backend=backend)
    seconds = time.process_time() - start
    report = {
        "found": found.indices.numel(),
        "seconds": seconds,
        "peak_before_scan": before,
        "peak": peak_bytes(),
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "numba")
