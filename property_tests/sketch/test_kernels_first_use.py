"""First use: torch until the compiled kernels are there, and a lasting cache.

That both give the same bits is what the other files say of every operation.
"""

import io
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from fpsverify.kernels import background, code_cache, compile_ahead, jit
from fpsverify.kernels.background import Compiler
from property_tests import laws

SOURCE = laws.COST

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


class Child:
    """A process that compiles: how it has ended, or None."""

    def __init__(self, code: int | None) -> None:
        self.code = code

    def poll(self) -> int | None:
        return self.code


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty cache; looks are never too early."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(background, "LOOK_EVERY", 0.0)
    return tmp_path


@pytest.mark.parametrize("terminal", [True, False])
def test_first_use_starts_one_compiler_says_so_on_a_terminal_only_and_does_not_wait(
    monkeypatch: pytest.MonkeyPatch, fresh: Path, terminal: bool
) -> None:
    started, screen = [], io.StringIO()
    screen.isatty = lambda: terminal  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(
        subprocess, "Popen", lambda command, **options: started.append(command) or Child(None)
    )
    compiler = Compiler()
    assert [compiler.ready() for _ in range(3)] == [False] * 3
    assert len(started) == 1 and started[0][-1] == "fpsverify.kernels.compile_ahead"
    said = screen.getvalue()
    assert said.count("\n") == terminal and (str(fresh) in said) is terminal
    (code_cache.folder() / code_cache.COMPLETE).touch()
    assert compiler.ready() and compiler.ready()
    warm = Compiler()
    assert warm.ready() and warm.child is None
    assert len(started) == 1


@pytest.mark.parametrize(
    ("code", "ready"), [(None, False), (code_cache.EXIT_ANOTHER, False), (1, True), (0, True)]
)
def test_a_compiler_that_failed_is_not_waited_for(fresh: Path, code: int | None, ready: bool) -> None:
    """Then numba compiles in this process, as where no code can be kept. Another's work is waited for."""
    compiler = Compiler()
    compiler.child = Child(code)  # type: ignore[assignment]
    assert compiler.ready() is ready


def test_cache_folder_is_the_users_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Named by the environment; one folder for each processor and text of the kernels."""
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", *code_cache.PROCESSOR):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    plain = code_cache.folder()
    assert plain.parent == tmp_path / ".cache" / "fpsverify"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert code_cache.folder() == tmp_path / "xdg" / "fpsverify" / plain.name
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "own"))
    assert code_cache.folder() == tmp_path / "own" / plain.name
    names, (cpu, features) = {plain.name}, code_cache.PROCESSOR
    for name, value in ((cpu, "nehalem"), (features, "+sse2"), (features, "+avx")):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            names.add(code_cache.folder().name)
    assert len(names) == 4
    for source in code_cache.SOURCES:
        other = tmp_path / "kernels"
        other.mkdir(exist_ok=True)
        for name in code_cache.SOURCES:
            text = (ROOT / "fpsverify" / "kernels" / name).read_text()
            (other / name).write_text(text + ("# changed" if name == source else ""))
        monkeypatch.setattr(code_cache, "__file__", str(other / "code_cache.py"))
        code_cache._name.cache_clear()
        assert code_cache.folder().name != plain.name
    code_cache._name.cache_clear()


def test_everything_that_compiled_code_depends_on_names_the_folder() -> None:
    """What the compiled file imports from this package is hashed with it: nothing stale can be found."""
    program = (
        "import sys, fpsverify.kernels.compiled_loops\n"
        "print(*(n for n in sys.modules if n.startswith('fpsverify.kernels.')))"
    )
    loaded = {name.rsplit(".", 1)[1] + ".py" for name in python(program).split()}
    assert loaded - {"background.py", "code_cache.py"} == set(code_cache.SOURCES)


def test_a_fresh_clone_finds_the_code_of_the_old_one(tmp_path: Path) -> None:
    """Another folder and new times of files: the second process compiles nothing."""
    program = (
        "import numpy as np; from fpsverify.kernels import compiled_loops as loops\n"
        "assert loops.first_outside(np.array([3, 9]), 5) == 1\n"
        "print(sum(loops.first_outside.stats.cache_hits.values()), loops.__file__)"
    )
    hits = []
    for name in ("one", "two"):
        kernels = tmp_path / name / "fpsverify" / "kernels"
        kernels.mkdir(parents=True)
        for path in (ROOT / "fpsverify" / "kernels").glob("*.py"):
            (kernels / path.name).write_text(path.read_text())
        (kernels.parent / "__init__.py").touch()
        (kernels.parent / "errors.py").write_text((ROOT / "fpsverify" / "errors.py").read_text())
        clone = str(tmp_path / name)
        found = python(program, PYTHONPATH=clone, NUMBA_CACHE_DIR=str(tmp_path / "cache")).split()
        assert found[1].startswith(clone)
        hits.append(int(found[0]))
    assert hits == [0, 1]


@pytest.mark.parametrize("place", ["/dev/null/x", "/proc/x"])
def test_compiles_without_a_writable_cache(place: str) -> None:
    """A home that may not be written to: numba cannot keep its code, and works all the same."""
    program = (
        "import numpy as np\n"
        "from fpsverify.kernels import compiled_loops as loops, COMPILER\n"
        "assert COMPILER.ready()\n"
        "assert loops.first_outside(np.array([3, 9]), 5) == 1\n"
        "print(type(loops.first_outside._cache).__name__)\n"
    )
    assert python(program, XDG_CACHE_HOME=place, NUMBA_CACHE_DIR="") == "NullCache"


def test_all_that_is_used_is_compiled_ahead() -> None:
    """After `compile_all`, no operation of the compiled kernels meets types that are new to it."""
    program = (
        "import torch\n"
        "from fpsverify.kernels import compile_ahead, compiled_loops as loops\n"
        "from fpsverify.sketching.sketch import CountSketch, SketchSpec\n"
        "compile_ahead.compile_all()\n"
        "known = lambda: {n: len(f.signatures) for n, f in vars(loops).items() if hasattr(f, 'signatures')}\n"
        "before = known()\n"
        "torch.set_num_threads(2)\n"
        "for dtype in (torch.float32, torch.float64):\n"
        "    for shape in ((3, 50, 5000, 1), (5, 2000, 5000, 1), (2, 9, 1200000, 1)):\n"
        "        spec = SketchSpec(*shape)\n"
        "        for keep in (False, True):\n"
        "            zero = CountSketch.zeros(spec, batch=2, dtype=dtype, keep_indices=keep)\n"
        "            batch = zero.add(torch.randn(2, spec.d, dtype=dtype), backend='numba')\n"
        "            one = batch.member(0).add(torch.randn(2 * spec.d, dtype=dtype)[::2], backend='numba')\n"
        "            keys = torch.arange(50)\n"
        "            one = one.add_sparse(keys, torch.ones(50, dtype=dtype), backend='numba')\n"
        "            one.estimate(keys[::2], backend='numba'), one.estimate(keys, 'mean', backend='numba')\n"
        "            one.unsketch(5, backend='numba')\n"
        "print([n for n, count in known().items() if count != before[n]])\n"
    )
    assert python(program) == "[]"


def test_only_one_process_compiles(fresh: Path) -> None:
    with compile_ahead.alone(fresh) as mine, compile_ahead.alone(fresh) as other:
        assert mine and not other
        code_cache.folder().mkdir(parents=True)
    with compile_ahead.alone(code_cache.folder()):
        assert compile_ahead.main() == code_cache.EXIT_ANOTHER
    assert not code_cache.is_complete()


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
