"""What the ledger says: how many lines, with which verdicts; the errors of the paper; what survives."""

from __future__ import annotations

from typing import Any

from book.bookkit.ledger_data import in_a_proof
from theory.ledger import Entry, Kind, Severity, Verdict, graph, report
from theory.papers.fps.paper import PAPER

PLURALS = {
    Kind.PRINTED: "printed lines",
    Kind.SILENT: "silent steps",
    Kind.QUESTION: "questions of ours",
    Kind.RUN: "exact runs",
    Kind.REPAIRED: "repaired results",
}


def numbers() -> dict[str, Any]:
    """Counts, errors by severity, and the fate of the paper's three statements."""
    entries = PAPER.entries
    counts, errors, nodes = report.counts(entries), report.errors(entries), graph.build(entries)
    proofs = [e for e in entries if e.kind is Kind.PRINTED and in_a_proof(e.place)]
    return {
        "entries": len(entries),
        "kinds": [
            {"kind": PLURALS[kind], "total": sum(own.values()), **{str(v): own[v] for v in Verdict}}
            for kind, own in counts.items()
        ],
        "printed": {"total": sum(counts[Kind.PRINTED].values()), **_by_verdict(counts[Kind.PRINTED])},
        "proofs": {"total": len(proofs), "valid": sum(e.verdict is Verdict.VALID for e in proofs)},
        "silent": {"total": sum(counts[Kind.SILENT].values()), **_by_verdict(counts[Kind.SILENT])},
        "errors": {str(severity): len(own) for severity, own in errors.items()} | {"all": _count(errors)},
        "fatal": [_error(entry) for entry in errors[Severity.FATAL] if "." in entry.id],
        "list": [_error(entry) for own in errors.values() for entry in own if "." in entry.id],
        "status": {name: nodes[name].status for name in ("L1", "L2", "T1")},
    }


def _by_verdict(own: Any) -> dict[str, int]:
    return {str(verdict): own[verdict] for verdict in Verdict}


def _count(errors: dict[Severity, list[Entry]]) -> int:
    return sum(len(own) for own in errors.values())


def _error(entry: Entry) -> dict[str, str]:
    return {
        "id": entry.id,
        "severity": str(entry.severity),
        "place": entry.place,
        "title": entry.title,
        "right": entry.corrected.words,
    }
