"""First use: small runs need no compiler, large ones compile once, wherever code can be kept or not.

That all backends give the same bits is what the other files say of every operation.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fpsverify.sketch import compiled_loops as loops

ROOT = Path(__file__).parents[2]


def python(program: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_small_run_loads_no_compiler() -> None:
    program = (
        "import sys\n"
        "from fpsverify.runs.loop import run_in_memory\n"
        "from fpsverify import config\n"
        "small = {'rounds': 1, 'problem': {'samples': 100, 'test_samples': 10}, 'local': {'batch': 2}}\n"
        "for name in ('fps', 'fedavg', 'fresh'):\n"
        "    run_in_memory(config.parse({**small, 'algorithm': {'name': name}}))\n"
        "print('numba' in sys.modules)"
    )
    assert python(program, FPSVERIFY_BACKEND="") == "False"


def test_code_is_kept_for_the_next_process(tmp_path: Path) -> None:
    program = (
        "import numpy as np; from fpsverify.sketch import compiled_loops as loops\n"
        "assert loops.first_outside(np.array([3, 9]), 5) == 1\n"
        "print(sum(loops.first_outside.stats.cache_hits.values()))"
    )
    assert [python(program, NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2)] == ["0", "1"]


def test_it_compiles_where_no_code_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = loops.numba.njit

    def nowhere(*function, **options):  # type: ignore[no-untyped-def]
        if options.pop("cache", False):
            raise RuntimeError("cannot cache function: no locator available")
        return plain(*function, **options)

    monkeypatch.setattr(loops.numba, "njit", nowhere)
    assert loops.compiled(abs_sum)(-1, 2) == 3


def abs_sum(a: int, b: int) -> int:
    return abs(a) + abs(b)
