"""Entries of the ledger as Markdown cards: printed line, verdict, corrected line, evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .palette import VERDICT_SIGN
from .words import escape, literal, markdown

PAGES = {
    "S": "ledger_setup",
    "V": "ledger_setup",
    "CS": "ledger_setup",
    "L1": "ledger_lemma1",
    "L2": "ledger_lemma2",
    "M": "ledger_moments",
    "T1": "ledger_theorem1",
    "U": "ledger_units",
    "R": "counterexamples",
}
LONGEST_CERTIFICATE = 700
RIGHT = "Right:"


def anchor(identifier: str) -> str:
    """The place of an entry on its page."""
    return "entry-" + "".join(c if c.isalnum() else "-" for c in identifier.lower())


def page_of(identifier: str) -> str:
    """The page of an entry; every other family is a part of the repaired theory."""
    return PAGES.get(identifier.split(".")[0], "repaired") + ".html"


def is_repaired(identifier: str) -> bool:
    """TheoremA, RX.name and so on; R.name is a run that breaks Theorem 1."""
    return identifier.split(".")[0] not in PAGES


def link(identifier: str) -> str:
    """An HTML link to an entry."""
    return f'<a href="{page_of(identifier)}#{anchor(identifier)}">{escape(identifier)}</a>'


def badge(verdict: str) -> str:
    return f'<span class="fps-badge fps-{verdict}">{VERDICT_SIGN[verdict]} {verdict}</span>'


def cards(entries: Sequence[dict[str, Any]], nodes: dict[str, dict[str, Any]]) -> str:
    """Markdown for a list of entries."""
    return "\n\n".join(card(entry, nodes[entry["id"]]) for entry in entries)


def card(entry: dict[str, Any], node: dict[str, Any]) -> str:
    head = (
        f'<a id="{anchor(entry["id"])}"></a><strong class="fps-id">{escape(entry["id"])}</strong> '
        f"{badge(entry['verdict'])} **{markdown(entry['title'])}**"
    )
    place = f'<span class="fps-place">{literal(entry["place"])}</span>'
    shown = entry["printed_tex"] or entry["formula_tex"]
    parts = [
        f":::::{{div}} fps-card fps-card-{entry['verdict']}",
        head,
        place,
        *([formula(shown)] if shown else []),
    ]
    for label, text in _verdict_words(entry, node):
        parts.append(f'<span class="fps-label">{label}</span> {text}')
        if label == RIGHT and entry["corrected_tex"]:
            parts.append(formula(entry["corrected_tex"]))
    parts += [_evidence(entry), ":::::"]
    return "\n\n".join(parts)


def formula(tex: str) -> str:
    """A displayed formula; alignment marks and line ends of the source become an aligned block."""
    body = " ".join(tex.split())
    if ("&" in body or r"\\" in body) and r"\begin" not in body:
        body = rf"\begin{{aligned}}{body}\end{{aligned}}"
    return f"$$\n{body}\n$$"


def _verdict_words(entry: dict[str, Any], node: dict[str, Any]) -> list[tuple[str, str]]:
    graded = f"; {entry['severity']} error" if entry["severity"] else ""
    found = [("Statement:", f"{markdown(entry['kind'])}, {markdown(entry['statement'])}{graded}.")]
    if entry["condition_tex"]:
        found.append(("Condition:", f"${entry['condition_tex']}$."))
    elif entry["condition"]:
        found.append(("Condition:", markdown(entry["condition"]) + "."))
    if entry["corrected"]:
        found.append((RIGHT, markdown(entry["corrected"]) + "."))
    if entry["absorbed_at"]:
        found.append(("Absorbed at:", link(entry["absorbed_at"]) + "."))
    if entry["note"]:
        found.append(("Note:", markdown(entry["note"])))
    inherited = [fault for fault in node["faults"] if fault != entry["id"]]
    if inherited:
        found.append(("Earlier errors that reach this line:", ", ".join(map(link, inherited)) + "."))
    if entry["depends"]:
        found.append(("Rests on:", ", ".join(map(link, entry["depends"])) + "."))
    return found


def _evidence(entry: dict[str, Any]) -> str:
    """A closed box with what was run."""
    checks = entry["evidence"]
    title = f"Evidence: {', '.join(dict.fromkeys(check['kind'] for check in checks))}"
    lines = [f"::::{{dropdown}} {markdown(title)}"]
    if entry["letters"]:
        lines.append(
            _code("Letters", "; ".join(f"{name}: {words}" for name, words in entry["letters"].items()))
        )
    if entry["scope"]:
        lines.append(f'<span class="fps-label">Scope:</span> {markdown(entry["scope"])}')
    if entry["hypotheses"]:
        lines.append(_code("Hypotheses", "; ".join(entry["hypotheses"])))
    if entry["model"]:
        lines.append(_code("They hold, for example, at", entry["model"]))
    for check in checks:
        lines += _check(check)
    return "\n\n".join([*lines, "::::"])


def _check(check: dict[str, Any]) -> list[str]:
    engines = ", ".join(check["engines"])
    outcome = "checks out" if check["ok"] else "FAILED"
    what = f"**{markdown(check['role'])}**: {markdown(check['kind'])}"
    lines = [f"{what} by {engines}; {outcome} ({check['seconds']} s)"]
    lines += [markdown(check["says"])] if check["says"] else []
    lines += [_code("Claim", check["claim"])] if check["claim"] else []
    if check["detail"]:
        lines.append(_code("Found", check["detail"]))
    certificate = check["certificate"] or ""
    if certificate and certificate != check["detail"]:
        lines.append(_code("Certificate", _shortened(certificate)))
    return lines


def _shortened(certificate: str) -> str:
    if len(certificate) <= LONGEST_CERTIFICATE:
        return certificate
    return (
        certificate[:LONGEST_CERTIFICATE]
        + f" … ({len(certificate)} characters; in full: fpsverify verify --json FILE)"
    )


def _code(label: str, text: str) -> str:
    """Text of a machine, wrapped, not highlighted."""
    shown = literal(" ".join(text.split()))
    return f'<span class="fps-label">{label}:</span> <code class="fps-machine">{shown}</code>'
