"""What Coq has checked: how many results, where, with which axioms, and which results rest on them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from theory.ledger import Entry, Kind
from theory.papers.fps.paper import PAPER
from theory.proofs import manifest
from theory.provers.kernel import KernelChecked

SENTENCES = 2  # of what an entry says about its scope
PURE = "lebesgue"  # needs a library with axioms of its own


def numbers() -> dict[str, Any]:
    """The committed record of the last complete build."""
    found = manifest.load()
    folders = Counter(result.file.split("/")[0] for result in found.results)
    core = {name for result in found.results if not result.file.startswith(PURE) for name in result.axioms}
    return {
        "results": len(found.results),
        "date": found.date,
        "coq": found.coq,
        "stale": len(found.stale_files()),
        "files": len(found.files),
        "folders": [{"name": name, "results": number} for name, number in sorted(folders.items())],
        "axioms": [name.split(".")[-1] for name in sorted(core)],
        "axiom_count": len(core),
        "outside": len([result for result in found.results if set(result.axioms) - core]),
        "repaired": [_row(entry) for entry in PAPER.entries if entry.kind is Kind.REPAIRED],
    }


def _row(entry: Entry) -> dict[str, Any]:
    """A repaired result, what it does not say, and its first theorem in Coq."""
    names = [
        name
        for each in entry.evidence
        if isinstance(each.method, KernelChecked)
        for name in each.method.names
    ]
    return {
        "title": entry.title,
        "scope": ". ".join(entry.scope.split(". ")[:SENTENCES]).removesuffix("."),
        "theorem": names[0],
        "theorems": len(names),
    }
