"""First use: small runs need no compiler, large ones compile once, wherever code can be kept or not.

That all backends give the same bits is what the other files say of every operation.
"""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from fpsverify.kernels import MANY, choose, jit

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


def test_work_decides_unless_a_backend_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FPSVERIFY_BACKEND", raising=False)
    cpu = torch.device("cpu")
    found = [choose(cpu, backend, n) for backend in (None, "torch", "numba") for n in (MANY - 1, MANY)]
    names = [kernels.__name__.rpartition(".")[2].removesuffix("_kernels") for kernels in found]  # type: ignore[attr-defined]
    assert names == ["torch", "numba", "torch", "torch", "numba", "numba"]


def test_code_is_kept_for_the_next_process(tmp_path: Path) -> None:
    program = (
        "import numpy as np; from fpsverify.kernels import compiled_loops as loops\n"
        "assert loops.first_outside(np.array([3, 9]), 5) == 1\n"
        "print(sum(loops.first_outside.stats.cache_hits.values()))"
    )
    assert [python(program, NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2)] == ["0", "1"]


def test_it_compiles_where_no_code_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = jit.numba.njit

    def nowhere(*function, **options):  # type: ignore[no-untyped-def]
        if options.pop("cache", False):
            raise RuntimeError("cannot cache function: no locator available")
        return plain(*function, **options)

    monkeypatch.setattr(jit.numba, "njit", nowhere)
    assert jit.compiled(abs_sum)(-1, 2) == 3


def abs_sum(a: int, b: int) -> int:
    return abs(a) + abs(b)


def test_only_the_first_kernel_of_ours_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(jit, "say", said.append)
    notice = jit.Notice()
    for module, lines in (
        ("numpy.core", 0),
        ("fpsverify.kernels", 1),
        ("fpsverify.kernels", 1),
        ("numpy", 1),
    ):
        function = SimpleNamespace(__module__=module)
        notice.on_start(SimpleNamespace(data={"dispatcher": SimpleNamespace(py_func=function)}))
        assert len(said) == lines
