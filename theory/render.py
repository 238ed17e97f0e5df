"""The ledger in print: a table, a one-screen summary, one claim in full, and a JSON document."""

from __future__ import annotations

import platform
import textwrap
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import sympy as sp

from theory import graph, ledger
from theory.claim import Claim, Entry, Finding, Judgement, Test, Verdict
from theory.derivation_report import (
    basis_json,
    by_line,
    derivation_text,
    derivations,
    derivations_line,
    in_words,
    same_letters,
)
from theory.letter_kinds import kinds
from theory.letter_names import names
from theory.refutation_report import assumptions_text, refutations_json, refutations_text
from theory.symbols import in_paper_letters, latex
from theory.ultimate import conditions_text, rests_on
from theory.weights import decide as decide_units

WIDTH = 110
SHORT_TRUTH = {
    "true under the condition": "conditional",
    "true exactly under the condition": "conditional",
    "true (instance; general step in words)": "instance",
    "taken on trust": "cited",
}
SHARP = "necessary and sufficient: the claim solved for its letter, its exact range of validity"
PROOFS = ("S.", "CS.", "L1", "L2", "M.", "T1")  # ids of the paper's own lines


def table(judgements: Sequence[Judgement], width: int = 150) -> str:
    """One line per entry."""
    room = max(len(judgement.entry.id) for judgement in judgements) + 2
    head = _line("id".ljust(room), "verdict", "derivation", "true?", "evidence", "     s", "title", width)
    return "\n".join([head, "-" * width, *(_row(judgement, room, width) for judgement in judgements)])


def _line(
    start: str, verdict: str, derivation: str, truth: str, mark: str, time: str, title: str, width: int
) -> str:
    fixed = f"{start}{verdict:<12}{derivation:<12}{truth:<12}{mark:<9}{time}  "
    return fixed + textwrap.shorten(title, max(20, width - len(fixed)), placeholder=" …")


def _row(judgement: Judgement, room: int, width: int) -> str:
    entry = judgement.entry
    truth = SHORT_TRUTH.get(judgement.truth, judgement.truth)
    mark, time = "ok" if judgement.ok else "FAILED", f"{judgement.seconds:6.2f}"
    derived = judgement.derivation
    row = _line(entry.id.ljust(room), entry.verdict, derived, truth, mark, time, entry.title, width)
    return "\n".join([row, *(f"      {fault}" for fault in judgement.faults)])


def summary(judgements: Sequence[Judgement], nodes: dict[str, graph.Node]) -> str:
    """Counts, what survives, and the errors that matter most, on one screen."""
    entries = [judgement.entry for judgement in judgements]
    counts = Counter(entry.verdict for entry in entries)
    failed = [judgement for judgement in judgements if not judgement.ok]
    shown = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict)
    lines = [
        f"{len(entries)} entries: {shown}",
        f"evidence: {len(entries) - len(failed)} of {len(entries)} check out"
        + (f"; FAILED: {', '.join(j.entry.id for j in failed)}" if failed else ""),
    ]
    lines.append(derivations_line(judgements))
    survives = graph.text(nodes)
    if survives:
        lines += ["", "What survives of the paper's proof", survives]
    runs = refutations_text(judgements)
    if runs:
        lines += ["", "Runs that break Theorem 1 as stated", runs]
    worst = consequential(entries)
    if worst:
        lines += [
            "",
            "The most consequential errors",
            *(f"  {i}. {_error(e)}" for i, e in enumerate(worst, 1)),
        ]
    return "\n".join(lines)


def consequential(entries: Sequence[Entry], count: int = 5) -> tuple[Entry, ...]:
    """The paper's errors of largest declared consequence, one per row of the audit."""
    own = [e for e in entries if e.weight and e.id.startswith(PROOFS) and e.verdict is Verdict.REFUTED]
    ranked = sorted(own, key=lambda e: -e.weight)
    distinct = {entry.audit_rows: entry for entry in reversed(ranked)}
    return tuple(sorted(distinct.values(), key=ranked.index))[:count]


def _error(entry: Entry) -> str:
    words = f"{entry.title} ({entry.id}). Right: {entry.corrected}."
    return "\n     ".join(textwrap.wrap(words, WIDTH - 6))


def claim_text(judgement: Judgement, node: graph.Node) -> str:
    """One entry with all its evidence."""
    entry = judgement.entry
    rows = [
        ("place", entry.place),
        ("printed", entry.printed),
        ("statement", entry.claim.text),
        ("reduction", entry.reduction),
        ("scope", entry.scope),
        ("hypotheses", "; ".join(hypotheses(entry))),
        ("by their kind", "; ".join(by_kind(entry))),
        ("names", "; ".join(named_letters(entry))),
        ("assumes", ", ".join(entry.assumes)),
        ("verdict", str(entry.verdict)),
        ("derivation", derivation_text(judgement)),
        ("said in words", by_line(in_words(entry.id))),
        ("same letters", by_line(same_letters(entry.id))),
        ("is it true?", judgement.truth),
        ("condition", condition_text(entry) + (f" ({SHARP})" if judgement.sharp else "")),
        ("absorbed at", entry.absorbed_at or ""),
        ("corrected", entry.corrected),
        ("reading", entry.reading),
        ("assumptions", assumptions_text(entry)),
        ("one engine", judgement.why_one_engine),
        ("note", entry.note),
        ("depends on", ", ".join(entry.depends)),
        ("in the end on", conditions_text(rests_on(entry, ledger.find))),
        ("in the chain", _chain(node)),
        ("units", units_of(entry)),
        ("model", judgement.model),
        ("audit rows", ", ".join(map(str, entry.audit_rows))),
    ]
    lines = [f"{entry.id}  {entry.title}", ""]
    lines += [line for label, words in rows if words for line in _field(label, words)]
    lines += ["", "evidence", *(line for finding in judgement.findings for line in _finding(finding))]
    lines += [
        "",
        "the evidence checks out" if judgement.ok else "EVIDENCE FAILED: " + "; ".join(judgement.faults),
    ]
    return "\n".join(lines)


def _chain(node: graph.Node) -> str:
    inherited = [fault for fault in node.faults if fault != node.id]
    if not inherited:
        return "no earlier error reaches this line" if not node.faults else "the error starts here"
    return "earlier errors that reach this line: " + ", ".join(inherited)


def _field(label: str, words: str) -> list[str]:
    wrapped = textwrap.wrap(words, WIDTH - 16, break_long_words=False) or [""]
    return [f"  {label:<14}{wrapped[0]}", *(" " * 16 + line for line in wrapped[1:])]


def _finding(finding: Finding) -> list[str]:
    outcome = finding.outcome
    engines = ", ".join(outcome.engines)
    lines = [f"  {finding.role}: {outcome.kind} [{engines}] {outcome.seconds:.2f} s"]
    for words in (finding.says, finding.claim_text, outcome.detail, _shortened(outcome.certificate)):
        lines += ["      " + line for line in textwrap.wrap(words, WIDTH - 6, break_long_words=False)]
    return lines


def _shortened(certificate: str, limit: int = 1200) -> str:
    if not certificate:
        return ""
    whole = len(certificate) <= limit
    return "certificate: " + (
        certificate
        if whole
        else certificate[:limit] + f" … ({len(certificate)} characters, in full with --json)"
    )


def hypotheses(entry: Entry) -> list[str]:
    """The hypotheses in words or letters."""
    if isinstance(entry.claim, Claim):
        return [str(in_paper_letters(h)) for h in entry.claim.hypotheses]
    return [test.text for test in entry.claim.hypotheses]


def by_kind(entry: Entry) -> list[str]:
    """What the letters are by their kind, where no hypothesis says it: only derivations use that."""
    if not isinstance(entry.claim, Claim):
        return []
    said = entry.claim.hypotheses
    return [str(kind) for kind in kinds(entry.id, entry.claim.symbols) if kind not in said]


def named_letters(entry: Entry) -> list[str]:
    """What letters are the names of in this part of the ledger, where no hypothesis says it."""
    if not isinstance(entry.claim, Claim):
        return []
    said, letters = entry.claim.hypotheses, entry.claim.symbols
    found = [name for letter, name in names(entry.id).items() if letter in letters and name not in said]
    return [f"{name.lhs} = {name.rhs}" for name in found]


def condition_text(entry: Entry) -> str:
    """The condition of a conditional entry."""
    if entry.condition is None:
        return ""
    return (
        entry.condition.text if isinstance(entry.condition, Test) else str(in_paper_letters(entry.condition))
    )


def units_of(entry: Entry) -> str:
    """Is the statement homogeneous under f → s f and w → s w?"""
    if not isinstance(entry.claim, Claim):
        return "not applicable: no scalar relation"
    return str(decide_units(entry.claim.statement))


def entry_json(judgement: Judgement) -> dict[str, Any]:
    """One entry as plain data. `statement` says whether it is true; `formula` is what is stated."""
    entry = judgement.entry
    condition = entry.condition if isinstance(entry.condition, sp.Basic) else None
    return {
        "id": entry.id,
        "place": entry.place,
        "title": entry.title,
        "printed_tex": entry.printed,
        "formula": entry.claim.text,
        "formula_tex": entry.claim.tex,
        "hypotheses": hypotheses(entry),
        "by_kind": by_kind(entry),
        "names": named_letters(entry),
        "assumes": list(entry.assumes),
        "verdict": str(entry.verdict),
        "derivation": str(judgement.derivation),
        "derivation_basis": basis_json(judgement.basis),
        "said_in_words": in_words(entry.id),
        "same_letters": same_letters(entry.id),
        "statement": judgement.truth,
        "absorbed_at": entry.absorbed_at,
        "condition": condition_text(entry) or None,
        "condition_is_necessary": judgement.sharp,
        "condition_tex": latex(in_paper_letters(condition)) if condition is not None else None,
        "corrected": entry.corrected or None,
        "corrected_tex": entry.corrected_tex or None,
        "reduction": entry.reduction or None,
        "scope": entry.scope or None,
        "why_one_engine": judgement.why_one_engine or None,
        "reading": entry.reading or None,
        "as_printed": not entry.qualification if entry.reading else None,
        "qualification": entry.qualification or None,
        "depends": list(entry.depends),
        "rests_on": list(rests_on(entry, ledger.find)),
        "audit_rows": list(entry.audit_rows),
        "note": entry.note or None,
        "units": units_of(entry),
        "model": judgement.model,
        "evidence": [_evidence_json(finding) for finding in judgement.findings],
        "engines": list(judgement.engines),
        "seconds": round(judgement.seconds, 3),
        "ok": judgement.ok,
        "faults": list(judgement.faults),
    }


def _evidence_json(finding: Finding) -> dict[str, Any]:
    outcome = finding.outcome
    return {
        "role": str(finding.role),
        "kind": outcome.kind,
        "engines": list(outcome.engines),
        "claim": finding.claim_text,
        "says": finding.says or None,
        "detail": outcome.detail,
        "certificate": outcome.certificate or None,
        "seconds": round(outcome.seconds, 3),
        "ok": outcome.ok,
    }


def document(judgements: Sequence[Judgement], nodes: dict[str, graph.Node]) -> dict[str, Any]:
    """Everything, for machines."""
    entries = [judgement.entry for judgement in judgements]
    return {
        "entries": [entry_json(judgement) for judgement in judgements],
        "summary": {
            "counts": {str(v): sum(e.verdict is v for e in entries) for v in Verdict},
            "derivations": {str(v): n for v, n in derivations(judgements).items()},
            "entries": len(entries),
            "ok": all(judgement.ok for judgement in judgements),
            "failed": [j.entry.id for j in judgements if not j.ok],
            "seconds": round(sum(j.seconds for j in judgements), 2),
            "audit_rows": sorted({row for e in entries for row in e.audit_rows}),
            "most_consequential": [
                {"id": e.id, "error": e.title, "corrected": e.corrected} for e in consequential(entries)
            ],
        },
        "refutations": refutations_json(judgements),
        "graph": graph.as_json(nodes),
        "versions": versions(),
    }


def versions() -> dict[str, str]:
    """What the verdicts were computed with."""
    found = {"python": platform.python_version()}
    for name in ("fpsverify", "sympy", "z3-solver", "mpmath"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found
