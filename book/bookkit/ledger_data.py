"""The ledger, judged once per state of the sources.

Judging every entry takes minutes of processor time, and many chapters need the result. It is kept as a JSON
document under a name that holds a hash of everything it depends on: the files of `theory/` and the versions
of the provers. A changed line of theory gives a new name, so that a stale result cannot be shown.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

BOOK = Path(__file__).resolve().parent.parent
STORE = BOOK / "_build" / "ledger"


def sources_digest(root: Path) -> str:
    """A hash of every Python file below a folder, names included."""
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(f"{path.relative_to(root)}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def stored_name() -> str:
    from theory.ledger import report as render

    tools = json.dumps(render.versions(), sort_keys=True)
    tools_digest = hashlib.sha256(tools.encode()).hexdigest()[:8]
    return f"ledger-{sources_digest(BOOK.parent / 'theory')}-{tools_digest}.json"


@cache
def document() -> dict[str, Any]:
    """The whole ledger as `fpsverify verify --json` writes it, plus the words of the summary."""
    path = STORE / stored_name()
    if not path.exists():
        STORE.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".partial")
        partial.write_text(json.dumps(judge_everything()), encoding="utf-8")
        partial.replace(path)
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def judge_everything() -> dict[str, Any]:
    from theory.ledger import graph
    from theory.ledger import report as render
    from theory.ledger.paper import run
    from theory.papers.fps.paper import PAPER

    return render.document(PAPER, run(PAPER), graph.build(PAPER.entries))


def entries(*prefixes: str) -> list[dict[str, Any]]:
    """The entries whose id is a prefix or starts with `prefix.`; all without one."""
    found: list[dict[str, Any]] = document()["entries"]
    return [entry for entry in found if not prefixes or family(entry["id"]) in prefixes]


def family(identifier: str) -> str:
    """The part of the ledger an id belongs to: L2 of L2.7a, T1 of T1."""
    return identifier.split(".")[0]


def in_a_proof(place: str) -> bool:
    """Does a printed line stand in the proofs, or in the paper's statements and prose before them?"""
    return place.startswith("Appendix C")


def by_id() -> dict[str, dict[str, Any]]:
    return {each["id"]: each for each in entries()}


def entry(identifier: str) -> dict[str, Any]:
    return next(each for each in entries() if each["id"] == identifier)


def nodes() -> dict[str, dict[str, Any]]:
    """What reaches each line along the proof, by id."""
    return {node["id"]: node for node in document()["graph"]}


if __name__ == "__main__":
    summary = document()["summary"]
    print(f"ledger: {summary['entries']} entries, evidence checks out: {summary['ok']}")
