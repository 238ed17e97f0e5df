"""How a stored result was made: the command, the time, the versions, and the code that it depends on.

A result depends on the modules of this repository that were loaded when it was made. Each is stored with a
digest of its syntax tree, so that a changed comment, docstring or line break does not make a result old.
"""

from __future__ import annotations

import ast
import hashlib
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("benchmarks", "empirical", "fpsverify", "property_tests", "theory")
# Lists of names, and what parses and prints: a config that is changed there has another digest of its own.
BESIDE = re.compile(r"(^|/)__init__\.py$|^fpsverify/cli/|^benchmarks/provenance\.py$")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def made(command: str, seconds: float) -> dict[str, Any]:
    """The provenance of a result that this process has just computed."""
    from fpsverify.runs.record import versions

    return {
        "command": command,
        "seconds": round(seconds, 1),
        "versions": versions(),
        "code": digests(loaded_files()),
    }


def loaded_files() -> list[str]:
    """The files of this repository's modules that are loaded, by their paths below its root."""
    loaded = list(sys.modules.values())
    files = [Path(found).resolve() for module in loaded if (found := getattr(module, "__file__", None))]
    inside = [path.relative_to(ROOT) for path in files if path.is_relative_to(ROOT)]
    return sorted({path.as_posix() for path in inside if path.parts[0] in PACKAGES})


def digests(files: Iterable[str], root: Path = ROOT) -> dict[str, str]:
    """Each file with the digest of its code."""
    return {name: code_digest((root / name).read_text(encoding="utf-8")) for name in files}


def code_digest(text: str) -> str:
    """A digest of a module without its comments, docstrings and layout."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()[:12]


def changed(provenance: Mapping[str, Any], root: Path = ROOT) -> list[str] | None:
    """The files that a result depends on and that are different now; None if it does not name its code."""
    recorded: Mapping[str, str] | None = provenance.get("code")
    if recorded is None:
        return None
    counted = {name: digest for name, digest in recorded.items() if not BESIDE.search(name)}
    now = digests((name for name in counted if (root / name).is_file()), root)
    return [name for name, digest in counted.items() if now.get(name) != digest]
