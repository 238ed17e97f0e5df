"""The ledger in print: a table, a one-screen summary, and a JSON document."""

import platform
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import Any

from theory.errors import EvidenceFailed
from theory.ledger import graph
from theory.ledger.cards import condition_text, hypotheses, meaning_of
from theory.ledger.entry import Entry, Kind, Severity, Verdict
from theory.ledger.evidence import Finding
from theory.ledger.judge import Judgement
from theory.ledger.paper import Paper
from theory.ledger.printer import from_latex, in_signs
from theory.ledger.statements import Claim
from theory.proofs import manifest

WIDTH = 110
WORDS = (
    "absorbed: wrong, but a later line has room for it; cited: taken from the\n"
    "literature; silent step: used without being printed"
)
COLUMNS = "{:<27}{:<18}{:<12}{:<10}{:<12}{:<9}{:>6}  {}"
SHORT_TRUTH = {
    "true under the condition": "conditional",
    "true exactly under the condition": "conditional",
    "true (in the scope shown)": "in scope",
    "taken on trust": "cited",
}


def table(judgements: Sequence[Judgement], width: int = 150) -> str:
    """One line per entry, and its faults below it."""
    head = COLUMNS.format("id", "kind", "verdict", "severity", "true?", "evidence", "s", "title")
    return "\n".join([head, "-" * width, *(_row(judgement, width) for judgement in judgements)])


def _row(judgement: Judgement, width: int) -> str:
    entry = judgement.entry
    truth = SHORT_TRUTH.get(judgement.truth, judgement.truth)
    mark, time = "ok" if judgement.ok else "FAILED", f"{judgement.seconds:.2f}"
    start = COLUMNS.format(entry.id, entry.kind, entry.verdict, entry.severity or "", truth, mark, time, "")
    title = textwrap.shorten(entry.title, width - len(start), placeholder=" …")
    return "\n".join([start + title, *(f"      {fault}" for fault in judgement.faults)])


def summary(paper: Paper, judgements: Sequence[Judgement], nodes: Mapping[str, graph.Node]) -> str:
    """Counts per kind, what survives, and the errors by severity, on one screen."""
    lines = [*counts_text(judgements), WORDS]
    parts = (
        ("What survives of the paper's proof", graph.text(nodes, paper.milestones)),
        (f"Runs that break {paper.main[1]} as stated", runs_text(judgements)),
        ("Errors of the paper", errors_text([judgement.entry for judgement in judgements])),
    )
    for title, text in parts:
        lines += ["", title, text] if text else []
    return "\n".join(lines)


def kernel_line() -> str:
    """When Coq checked the proofs of the repaired theory."""
    try:
        found = manifest.load()
    except EvidenceFailed as error:
        return f"repaired theory: {error}"
    stale = found.stale_files()
    changed = f"; {len(stale)} files changed since: run `make prove`" if stale else ""
    return f"{found.line}{changed}"


def counts(entries: Iterable[Entry]) -> dict[Kind, Counter[Verdict]]:
    """How many of each kind have each verdict."""
    found = {kind: Counter[Verdict]() for kind in Kind}
    for entry in entries:
        found[entry.kind][entry.verdict] += 1
    return {kind: own for kind, own in found.items() if own}


def counts_text(judgements: Sequence[Judgement]) -> list[str]:
    """One line per kind; no total over kinds."""
    found = counts(judgement.entry for judgement in judgements)
    return [
        f"{sum(own.values()):4} {_plural(kind, sum(own.values())):<20} "
        + ", ".join(f"{own[verdict]} {verdict}" for verdict in Verdict if own[verdict])
        for kind, own in found.items()
    ]


def _plural(kind: Kind, number: int) -> str:
    return str(kind) if number == 1 else "questions of ours" if kind is Kind.QUESTION else f"{kind}s"


def errors(entries: Iterable[Entry]) -> dict[Severity, list[Entry]]:
    """The wrong lines and steps of the paper, by severity."""
    found = list(entries)
    return {severity: [e for e in found if e.severity is severity] for severity in Severity}


def errors_text(entries: Sequence[Entry]) -> str:
    """Fatal errors with what is right, the others by id."""
    found, lines = errors(entries), []
    for entry in found[Severity.FATAL]:
        words = f"fatal: {entry.title} ({entry.id}). Right: {entry.corrected.words}."
        lines += textwrap.wrap(in_signs(words), WIDTH, initial_indent="  ", subsequent_indent="    ")
    for severity in (Severity.FIXABLE, Severity.COSMETIC):
        if found[severity]:
            words = f"{severity}: {', '.join(entry.id for entry in found[severity])}"
            lines += textwrap.wrap(words, WIDTH, initial_indent="  ", subsequent_indent="    ")
    return "\n".join(lines)


def runs_text(judgements: Sequence[Judgement]) -> str:
    """The runs that meet every assumption as printed, then the others with what they do not meet."""
    runs = [judgement.entry for judgement in judgements if judgement.entry.kind is Kind.RUN]
    plain = [entry.id for entry in runs if not entry.scope]
    if not runs:
        return ""
    words = f"{len(plain)} with every stated assumption as printed: {', '.join(plain)}"
    lines = textwrap.wrap(words, WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
    lines += ["  with a qualification (in full: fpsverify claim ID):"]
    return "\n".join([*lines, *(f"    {e.id}: {e.scope.split('. ')[0]}" for e in runs if e.scope)])


def entry_json(paper: Paper, judgement: Judgement) -> dict[str, Any]:
    """One entry as plain data. `statement` says whether it is true; `formula` is what is stated."""
    entry, assumed = judgement.entry, paper.assumptions
    return {
        "id": entry.id,
        "kind": str(entry.kind),
        "place": entry.place,
        "title": entry.title,
        "printed_tex": entry.printed,
        "printed_text": from_latex(entry.printed),
        "formula": entry.claim.text,
        "formula_tex": entry.claim.tex,
        "hypotheses": hypotheses(entry),
        "letters": dict(entry.letters),
        "verdict": str(entry.verdict),
        "severity": str(entry.severity) if entry.severity else None,
        "statement": judgement.truth,
        "absorbed_at": entry.absorbed_at,
        "condition": condition_text(entry) or None,
        "condition_is_necessary": judgement.sharp,
        "condition_tex": _condition_tex(entry) or None,
        "corrected": entry.corrected.words or None,
        "corrected_tex": entry.corrected.tex or None,
        "scope": entry.scope or None,
        "why_one_engine": judgement.why_one_engine or None,
        "depends": [name for name in entry.depends if name not in assumed],
        "assumptions": [name for name in entry.depends if name in assumed],
        "note": entry.note or None,
        "file": entry.file,
        "model": judgement.model,
        "evidence": [_evidence_json(finding) for finding in judgement.findings],
        "engines": list(judgement.engines),
        "seconds": round(judgement.seconds, 3),
        "ok": judgement.ok,
        "faults": list(judgement.faults),
    }


def _condition_tex(entry: Entry) -> str:
    if entry.condition is None or not isinstance(entry.claim, Claim):
        return ""
    return entry.claim.letters.latex(entry.claim.letters.written_out(entry.condition))


def _evidence_json(finding: Finding) -> dict[str, Any]:
    outcome = finding.outcome
    return {
        "role": str(finding.role),
        "kind": outcome.kind,
        "means": meaning_of(finding),
        "engines": list(outcome.engines),
        "claim": finding.claim_text,
        "says": finding.says or None,
        "detail": outcome.detail,
        "certificate": outcome.certificate or None,
        "seconds": round(outcome.seconds, 3),
        "ok": outcome.ok,
    }


def document(
    paper: Paper, judgements: Sequence[Judgement], nodes: Mapping[str, graph.Node]
) -> dict[str, Any]:
    """Everything, for machines."""
    entries = [judgement.entry for judgement in judgements]
    found = counts(entries)
    return {
        "paper": {"name": paper.name, **vars(paper.source)},
        "entries": [entry_json(paper, judgement) for judgement in judgements],
        "summary": {
            "counts": {str(kind): {str(v): own[v] for v in Verdict} for kind, own in found.items()},
            "errors": {str(severity): [e.id for e in own] for severity, own in errors(entries).items()},
            "entries": len(entries),
            "ok": all(judgement.ok for judgement in judgements),
            "failed": [j.entry.id for j in judgements if not j.ok],
            "seconds": round(sum(j.seconds for j in judgements), 2),
            "kernel": kernel_line(),
        },
        "graph": graph.as_json(nodes),
        "versions": versions(),
    }


def versions() -> dict[str, str]:
    """What the verdicts were computed with."""
    names = ("fpsverify", "sympy", "z3-solver", "mpmath")
    return {"python": platform.python_version(), **{name: version(name) for name in names}}
