"""Which mutants are tried, and which tests must notice them.

A folder of tests names in its `__init__.py` the code that it watches: `WATCHES = ("fpsverify/data",)`. A
mutant must make one of its tests fail. Files that import the mutated module go first: most mutants die there.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Container
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.mutation.operators import Mutant, candidates

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Job:
    """The mutants of one module, and the test files that watch it; `total`: how many it could have."""

    path: str
    tests: tuple[str, ...]
    mutants: tuple[Mutant, ...]
    total: int

    def without(self, names: Container[str]) -> Job:
        """What is left of it if the mutants with these names are known."""
        return replace(self, mutants=tuple(mutant for mutant in self.mutants if mutant.name not in names))

    @property
    def folders(self) -> tuple[str, ...]:
        return tuple(sorted({name.rpartition("/")[0] for name in self.tests}))


def jobs(per_module: int, seed: int, only: str = "", root: Path = ROOT) -> list[Job]:
    """A random sample of the mutants of every watched module whose path contains `only`."""
    watching = {name: watched(root / name / "__init__.py") for name in test_folders(root)}
    paths = {path for names in watching.values() for name in names for path in modules(root, name)}
    found = []
    for path in sorted(path for path in paths if only in path):
        folders = [name for name, names in watching.items() if any(is_below(path, each) for each in names)]
        pool = candidates((root / path).read_text(encoding="utf-8"), path)
        chosen = random.Random(f"{seed}:{path}").sample(pool, min(per_module, len(pool)))
        if chosen:
            found.append(Job(path, tests_of(root, path, folders), tuple(chosen), len(pool)))
    return found


def test_folders(root: Path) -> list[str]:
    return sorted(f"property_tests/{p.parent.name}" for p in root.glob("property_tests/*/__init__.py"))


def watched(path: Path) -> tuple[str, ...]:
    """`WATCHES` of a folder of tests; read, not imported."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "WATCHES":
            return tuple(ast.literal_eval(node.value))
    return ()


def is_below(path: str, name: str) -> bool:
    return path == name or path.startswith(name + "/")


def modules(root: Path, name: str) -> list[str]:
    """A module, or those of a folder."""
    place = root / name
    files = [place] if place.is_file() else sorted(place.rglob("*.py"))
    if not files:
        raise SystemExit(f"WATCHES: there is no {name}")
    return [path.relative_to(root).as_posix() for path in files if path.name != "__init__.py"]


def tests_of(root: Path, path: str, folders: list[str]) -> tuple[str, ...]:
    """All test files of the folders, those that import the module first."""
    package, _, name = path.removesuffix(".py").replace("/", ".").rpartition(".")
    imports = re.compile(rf"{re.escape(package)}(\.| import (\(\s*)?(.*?, )*?){name}\b")
    files = sorted(file for folder in folders for file in (root / folder).glob("test_*.py"))
    first = sorted(files, key=lambda file: imports.search(file.read_text(encoding="utf-8")) is None)
    return tuple(file.relative_to(root).as_posix() for file in first)
