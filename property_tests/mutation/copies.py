"""A copy of the repository with a server that runs tests in it, and the place where mutants are put."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from property_tests.mutation.operators import Mutant, apply

ROOT = Path(__file__).resolve().parent.parent.parent
SERVER = Path(__file__).with_name("fork_server.py")
EVERYWHERE = shutil.ignore_patterns(".git", ".venv*", "_build", "__pycache__", ".hypothesis", ".*_cache")
# What commands leave behind; folders of these names that hold code are further down.
AT_THE_TOP = ("runs", "build", "reproduced")


def skipped(folder: str, names: list[str]) -> set[str]:
    """What a copy does without, of the files and folders in `folder`."""
    left = set(AT_THE_TOP) if Path(folder) == ROOT else set()
    return EVERYWHERE(folder, names) | left.intersection(names)


@dataclass(frozen=True)
class Verdict:
    """How a list of tests went: the outcome, the test that decided it, and the seconds of each test."""

    outcome: str
    by: str
    seconds: float
    tests: dict[str, float]

    @property
    def killed(self) -> bool:
        return self.outcome != "passed"


class Copy:
    """One copy; at most one mutant is in it at any time."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.repo = folder, folder / "repo"
        shutil.copytree(ROOT, self.repo, ignore=skipped)
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.repo),
            "FPSVERIFY_PROFILE": "mutants",
            "PYTHONHASHSEED": "0",
            "OMP_NUM_THREADS": "1",
        }
        self.server = subprocess.Popen(
            # -P: the server's own folder must not shadow anything
            [sys.executable, "-P", str(SERVER)],
            cwd=self.repo, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self._answer()

    def run(
        self,
        tests: tuple[str, ...],
        limits: dict[str, float],
        grace: float = 0.0,
        compiled: Path | None = None,
    ) -> Verdict:
        """`tests` are files or tests of `property_tests/`."""
        assert self.server.stdin is not None
        request = {
            "tests": [f"property_tests/{name}" for name in tests],
            "limits": limits,
            "grace": grace,
            "compiled": None if compiled is None else str(compiled),
        }
        self.server.stdin.write(json.dumps(request) + "\n")
        self.server.stdin.flush()
        return Verdict(**self._answer())

    def _answer(self) -> Any:
        assert self.server.stdout is not None
        line = self.server.stdout.readline()
        if not line:
            raise SystemExit("the process that runs the tests has ended; see its message above")
        return json.loads(line)

    @contextlib.contextmanager
    def mutated(self, mutant: Mutant) -> Iterator[Path | None]:
        """The mutant in place; yields a fresh folder for machine code if the module is compiled.

        Python trusts byte code and numba machine code by a file's time and size. So every mutant gets a
        time of its own, and the original gets its old one back.
        """
        path = self.repo / mutant.path
        source, stat = path.read_text(encoding="utf-8"), path.stat()
        with tempfile.TemporaryDirectory(dir=self.folder) as fresh:
            try:
                path.write_text(apply(source, mutant.number), encoding="utf-8")
                moment = stat.st_mtime + 10 * (mutant.number + 1)
                os.utime(path, (moment, moment))
                yield Path(fresh) if is_compiled(source) else None
            finally:
                path.write_text(source, encoding="utf-8")
                os.utime(path, (stat.st_atime, stat.st_mtime))

    def close(self) -> None:
        self.server.terminate()
        self.server.wait()


def is_compiled(source: str) -> bool:
    """Whether numba turns a module into machine code, which it keeps on disk."""
    return "import compiled" in source or "import numba" in source


@contextlib.contextmanager
def copies(count: int) -> Iterator[list[Copy]]:
    with tempfile.TemporaryDirectory() as base:
        made: list[Copy] = []
        try:
            for number in range(count):
                made.append(Copy(Path(base) / str(number)))
            yield made
        finally:
            for copy in made:
                copy.close()
