"""How a stored result was made: command, time, versions, commit, and the code that it depends on.

A result depends on the modules of this repository that were loaded when it was made. Each is stored with a
digest of its syntax tree, so that a changed comment, docstring or line break does not make a result old.
"""

from __future__ import annotations

import ast
import hashlib
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("benchmarks", "empirical", "fpsverify", "property_tests", "theory")
# Lists of names, and what parses and prints: a config that is changed there has another digest of its own.
BESIDE = re.compile(r"(^|/)__init__\.py$|^fpsverify/cli/|^benchmarks/provenance\.py$")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def made(command: str, seconds: float | None, files: Iterable[str] | None = None) -> dict[str, Any]:
    """The provenance of a result: of what this process has loaded to compute it, or of the named files."""
    code = digests(loaded_files() if files is None else files)
    from fpsverify.runs.record import versions  # not earlier: it is not code of the result

    return {
        "command": command,
        "seconds": seconds if seconds is None else round(seconds, 1),
        "versions": versions(),
        "commit": commit(),
        "code": code,
    }


def commit(root: Path = ROOT) -> str:
    """The commit that the files come from, marked if they differ from it; "unknown" without git."""
    return git("describe", "--always", "--dirty", "--abbrev=12", "--exclude=*", root=root) or "unknown"


def git(*words: str, root: Path = ROOT) -> str:
    """What git says about a repository; nothing where there is none."""
    try:
        done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def loaded_files() -> list[str]:
    """The files of this repository's modules that are loaded, by their paths below its root."""
    loaded = list(sys.modules.values())
    files = [Path(found).resolve() for module in loaded if (found := getattr(module, "__file__", None))]
    inside = [path.relative_to(ROOT) for path in files if path.is_relative_to(ROOT)]
    return sorted({path.as_posix() for path in inside if path.parts[0] in PACKAGES})


def all_sources(root: Path = ROOT) -> list[str]:
    """Every module of this repository, by its path below the root."""
    return [p.relative_to(root).as_posix() for name in PACKAGES for p in sorted((root / name).rglob("*.py"))]


def digests(files: Iterable[str], root: Path = ROOT) -> dict[str, str]:
    """Each file with the digest of its code."""
    return {name: code_digest((root / name).read_text(encoding="utf-8")) for name in files}


def code_digest(text: str) -> str:
    """A digest of a module without its comments, docstrings and layout."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:]
    return hashlib.sha256(_shape(tree).encode()).hexdigest()[:12]


def _shape(part: Any) -> str:
    """A syntax tree as text. Empty fields are left out: newer Pythons have more of them."""
    if isinstance(part, list):
        return f"[{','.join(map(_shape, part))}]"
    if not isinstance(part, ast.AST):
        return repr(part)
    fields = (f"{name}={_shape(each)}" for name, each in ast.iter_fields(part) if each not in (None, []))
    return f"{type(part).__name__}({','.join(fields)})"


def why_old(result: Any) -> str:
    """Why a stored result may not fit the code of today; empty if it is current."""
    files = changed(result.get("provenance", {}) if isinstance(result, dict) else {})
    if files is None:
        return "does not name the code that made it"
    if differ := [run["task"] for run in (result.get("replayed") or ()) if not run["agrees"]]:
        return f"is not what the code gives when it is run again ({', '.join(differ)})"
    more = f" and {len(files) - 3} more" if len(files) > 3 else ""
    return f"is older than {', '.join(files[:3])}{more}" if files else ""


def changed(provenance: Mapping[str, Any], root: Path = ROOT) -> list[str] | None:
    """The files that a result depends on and that are different now; None if it does not name its code."""
    recorded: Mapping[str, str] | None = provenance.get("code")
    if recorded is None:
        return None
    counted = {name: digest for name, digest in recorded.items() if not BESIDE.search(name)}
    now = digests((name for name in counted if (root / name).is_file()), root)
    return [name for name, digest in counted.items() if now.get(name) != digest]
