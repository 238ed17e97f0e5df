"""The ledgers of both papers, judged once per state of the sources.

Judging every entry takes minutes of processor time, and many chapters need the result. It is kept as a JSON
document under a name that holds a hash of everything it depends on: the files of `theory/` and the versions
of the provers. A changed line of theory gives a new name, so that a stale result cannot be shown.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

BOOK = Path(__file__).resolve().parent.parent
STORE = BOOK / "_build" / "ledger"
PAPERS = ("fps", "fedprox")


def sources_digest(root: Path) -> str:
    """A hash of every Python file below a folder, names included."""
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(f"{path.relative_to(root)}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def stored_name(paper: str) -> str:
    from theory.ledger import report as render

    tools = json.dumps(render.versions(), sort_keys=True)
    tools_digest = hashlib.sha256(tools.encode()).hexdigest()[:8]
    return f"{paper}-{sources_digest(BOOK.parent / 'theory')}-{tools_digest}.json"


@cache
def document(paper: str = "fps") -> dict[str, Any]:
    """The whole ledger of a paper as `fpsverify verify --json` writes it, plus the words of the summary."""
    path = STORE / stored_name(paper)
    if not path.exists():
        STORE.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".partial")
        partial.write_text(json.dumps(judge_everything(paper)), encoding="utf-8")
        partial.replace(path)
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def judge_everything(paper: str) -> dict[str, Any]:
    from theory.ledger import graph
    from theory.ledger import report as render
    from theory.ledger.paper import run

    judged = import_module(f"theory.papers.{paper}.paper").PAPER
    return render.document(judged, run(judged), graph.build(judged.entries))


def entries(paper: str = "fps") -> list[dict[str, Any]]:
    """Every entry of the ledger."""
    found: list[dict[str, Any]] = document(paper)["entries"]
    return found


def by_id(paper: str = "fps") -> dict[str, dict[str, Any]]:
    return {each["id"]: each for each in entries(paper)}


def nodes(paper: str = "fps") -> dict[str, dict[str, Any]]:
    """What reaches each line along the proof, by id."""
    return {node["id"]: node for node in document(paper)["graph"]}


if __name__ == "__main__":
    for each in PAPERS:
        summary = document(each)["summary"]
        print(f"{each}: {summary['entries']} entries, evidence checks out: {summary['ok']}")
