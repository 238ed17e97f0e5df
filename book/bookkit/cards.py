"""Entries of the ledger as Markdown: the claim, its verdict, and behind a click the evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from .palette import SEVERITIES, SIGNS_OF_SEVERITY, VERDICTS
from .words import escape, literal, markdown, numbered

Entry = Mapping[str, Any]
RUNS, EVIDENCE = "why.html", "evidence.html"
LONGEST_CERTIFICATE = 700
LONGEST_LINE = 230  # characters of TeX that can be read on one line
PART_OF_AN_APPENDIX = re.compile(r"Appendix (?=[A-Z]\.\d)")  # C.2 says enough
CHECKS, BETWEEN = ". Checks: [", "]; ["  # of an exact run, as `theory.counterexamples.runs` joins them
PARTS = re.compile(r"\.+ (?=left |Falls with: |the appendix's |Reading: |Qualification: |Every stated )")
LABELLED = re.compile(r"^(Falls with|Reading|Qualification): ")
CODED = re.compile(r"\b[A-Z]\w*\.\w+\b")
TAGS = re.compile(r"(<a .*?</a>|<code>.*?</code>|`[^`]*`|<[^>]*>)")
SIDES = re.compile(r"\s*((?:\\wedge|\\vee|\\leq?|\\geq?)(?![a-z])|=)\s*")


def anchor(identifier: str) -> str:
    """The place of an entry on its page."""
    return "entry-" + "".join(c if c.isalnum() else "-" for c in identifier.lower())


def page_of(entry: Entry) -> str:
    """The runs that break the theorem are played on its page; everything else is evidence."""
    return RUNS if entry["id"].startswith("R.") else EVIDENCE


def link(entry: Entry) -> str:
    """An HTML link to an entry."""
    return f'<a href="{page_of(entry)}#{anchor(entry["id"])}">{escape(entry["id"])}</a>'


def links(identifiers: Iterable[str], known: Mapping[str, Entry]) -> str:
    return ", ".join(link(known[i]) if i in known else escape(i) for i in identifiers)


def coded(text: str, known: Mapping[str, Entry]) -> str:
    """HTML or Markdown in which each code of an entry, such as T1.22c, is a link to it."""
    parts = TAGS.split(text)
    linked = partial(_linked, known)
    return "".join(part if i % 2 else CODED.sub(linked, part) for i, part in enumerate(parts))


def _linked(known: Mapping[str, Entry], code: re.Match[str]) -> str:
    return link(known[code[0]]) if code[0] in known else code[0]


def badge(verdict: str) -> str:
    role, sign, meaning = VERDICTS[verdict]
    return f'<span class="fps-badge fps-{role}" title="{escape(meaning)}">{sign} {verdict}</span>'


def severity_badge(severity: str | None) -> str:
    if severity is None:
        return ""
    role, meaning = SEVERITIES[severity]
    sign = SIGNS_OF_SEVERITY[severity]
    return f'<span class="fps-badge fps-{role}" title="{escape(meaning)}">{sign} {severity}</span>'


def formula(tex: str) -> str:
    """A displayed formula; alignment marks and line ends of the source become an aligned block."""
    body = broken(" ".join(tex.split()))
    if ("&" in body or r"\\" in body) and r"\begin" not in body:
        body = rf"\begin{{aligned}}{body}\end{{aligned}}"
    return f"$$\n{body}\n$$"


def broken(tex: str) -> str:
    """A formula too long for one line: one line for each side of each of its relations."""
    if len(tex) <= LONGEST_LINE or "&" in tex:
        return tex
    first, *rest = SIDES.split(tex)
    lines = [first]
    for sign, side in zip(rest[::2], rest[1::2], strict=True):
        inside = lines[-1].count("{") > lines[-1].count("}")
        lines[len(lines) - inside :] = [f"{lines[-1]} {sign} {side}" if inside else f"{sign} {side}"]
    return "&" + r" \\ &".join(lines)


def stated(entry: Entry) -> str:
    """What an entry states as a formula: as printed, or as it was encoded, or its words."""
    tex = entry["printed_tex"] or entry["formula_tex"]
    return formula(tex) if tex else f'<p class="fps-claim">{markdown(entry["title"])}.</p>'


def place(entry: Entry) -> str:
    return f'<span class="fps-place">{markdown(PART_OF_AN_APPENDIX.sub("", entry["place"]))}</span>'


def _scope(entry: Entry) -> list[str]:
    found = entry["scope"]
    return [f'<span class="fps-label">Scope:</span> {markdown(found)}'] if found else []


def _words(entry: Entry, known: Mapping[str, Entry]) -> list[tuple[str, str]]:
    found = []
    if entry["condition_tex"]:
        found += _condition(entry["condition_tex"])
    elif entry["condition"]:
        found.append(("Holds if", coded(markdown(entry["condition"]), known) + "."))
    if entry["corrected"]:
        found.append(("Right:", coded(markdown(entry["corrected"]), known) + "."))
    if entry["absorbed_at"]:
        found.append(("Covered by the slack of", _cover(known[entry["absorbed_at"]], known)))
    if entry["note"]:
        found.append(("Note:", coded(markdown(entry["note"]), known)))
    return found


def _cover(later: Entry, known: Mapping[str, Entry]) -> str:
    """The later line, and the refuted lines that it rests on itself: the cover takes them as given."""
    false = [name for name in later["depends"] if known[name]["verdict"] == "refuted"]
    return link(later) + (f", given {links(false, known)}, which is false." if false else ".")


def _condition(tex: str) -> list[tuple[str, str]]:
    """One formula for each alternative; a condition on words that only the evidence defines stays there."""
    tex = re.sub(r"\beps\b", r"\\epsilon", tex)
    if re.search(r"(?<![\\A-Za-z])[a-z]{3,}", tex):
        return []
    return [("Holds if", " or ".join(f"${part.strip()}$" for part in tex.split(r"\vee")) + ".")]


def evidence(entry: Entry, node: Mapping[str, Any], known: Mapping[str, Entry]) -> str:
    """What an entry states, its verdict, what is right, and everything that was run for it; folded."""
    title = f"{entry['id']} {entry['title']}: {VERDICTS[entry['verdict']][1]} {entry['verdict']}"
    parts = [f'<a id="proof-{anchor(entry["id"])}"></a>']
    parts += [f'<a id="{anchor(entry["id"])}"></a>'] if page_of(entry) == EVIDENCE else []
    parts += [
        f":::::{{dropdown}} {markdown(title)}",
        f"{place(entry)} {severity_badge(entry['severity'])}",
        stated(entry) if page_of(entry) == EVIDENCE else link(entry),
        *(f'<span class="fps-label">{label}</span> {text}' for label, text in _words(entry, known)),
        *([formula(entry["corrected_tex"])] if entry["corrected_tex"] else []),
    ]
    if entry["letters"]:
        parts.append(
            _code("Letters", "; ".join(f"{name}: {words}" for name, words in entry["letters"].items()))
        )
    parts += _scope(entry)
    if entry["hypotheses"]:
        parts.append(_code("Hypotheses", "; ".join(entry["hypotheses"])))
    if entry["model"]:
        parts.append(_code("They hold, for example, at", entry["model"]))
    for check in entry["evidence"]:
        parts += _check(check, entry)
    inherited = [fault for fault in node["faults"] if fault != entry["id"]]
    if entry["depends"]:
        parts.append(f'<span class="fps-label">Rests on:</span> {links(entry["depends"], known)}.')
    if inherited:
        parts.append(f'<span class="fps-label">Errors that reach it:</span> {links(inherited, known)}.')
    return "\n\n".join([*parts, ":::::"])


def _check(check: Mapping[str, Any], entry: Entry) -> list[str]:
    outcome = "checks out" if check["ok"] else "FAILED"
    what = f"**{markdown(check['role'])}**: {markdown(check['kind'])}"
    lines = [f"{what} by {', '.join(check['engines'])}; {outcome} ({check['seconds']} s)"]
    lines += [markdown(check["says"])] if check["says"] else []
    lines += [_code("Claim", check["claim"])] if check["claim"] else []
    lines += _found(check["detail"], entry) if check["detail"] else []
    certificate = check["certificate"] or ""
    if certificate and certificate != check["detail"]:
        lines.append(_code("Certificate", _shortened(certificate)))
    return lines


def _found(detail: str, entry: Entry) -> list[str]:
    """What a check found; of an exact run a paragraph for each of its parts, as the paper's letters."""
    said, run, checks = detail.partition(CHECKS)
    if not run:
        return [_code("Found", detail)]
    shown = said.partition(":")[0]  # such as NAME, or NAME, sketches kept
    name = shown.partition(",")[0]
    said = said.removesuffix(f". Qualification: {entry['scope']}").replace(f" {name}: left ", ". left ")
    parts = [part[0].upper() + part[1:].rstrip(".") for part in PARTS.split(said)]
    table = f'<a href="{RUNS}#{anchor(f"R.{name}")}">page 3</a>'
    count = checks.count(BETWEEN) + 1
    return [
        f'<span class="fps-label">Found on {literal(shown)}:</span> {markdown(parts[0].partition(": ")[2])}.',
        *(LABELLED.sub(r'<span class="fps-label">\1:</span> ', markdown(part)) + "." for part in parts[1:]),
        f"Of the assumptions there are {count} checks; {table} lists them for {literal(name)}.",
    ]


def _shortened(certificate: str) -> str:
    if len(certificate) <= LONGEST_CERTIFICATE:
        return certificate
    rest = f" … ({len(certificate)} characters; in full: fpsverify verify --json FILE)"
    return certificate[:LONGEST_CERTIFICATE] + rest


def _code(label: str, text: str) -> str:
    """Text of a machine, wrapped, not highlighted."""
    shown = literal(numbered(" ".join(text.split())))
    return f'<span class="fps-label">{label}:</span> <code class="fps-machine">{shown}</code>'


def all_evidence(entries: Sequence[Entry], nodes: Mapping[str, Any], known: Mapping[str, Entry]) -> str:
    return "\n\n".join(evidence(entry, nodes[entry["id"]], known) for entry in entries)
