"""One entry in full, readable without the source: the claim, its letters, and what the evidence means."""

import textwrap

from theory.ledger.entry import Entry, Kind, Severity, Verdict
from theory.ledger.evidence import Finding, Role
from theory.ledger.graph import Node
from theory.ledger.judge import Judgement
from theory.ledger.paper import Paper
from theory.ledger.printer import from_latex, in_signs, letter, readable
from theory.ledger.statements import Claim
from theory.letters import Letters, real

WIDTH = 110
LONGEST = 1200  # pragma: no mutate: shapes text
KINDS = {
    Kind.PRINTED: "the paper prints this line",
    Kind.SILENT: "the paper uses this step without printing it",
    Kind.QUESTION: "a question of ours, not a line of the paper",
    Kind.RUN: "an exact run of ours",
    Kind.REPAIRED: "a result of the repaired theory",
}
VERDICTS = {
    Verdict.VALID: "the statement is true",
    Verdict.CONDITIONAL: "true under a condition that the paper does not state, and false without it",
    Verdict.ABSORBED: "wrong as it stands, but a later line has room for the corrected form",
    Verdict.REFUTED: "the statement is false",
    Verdict.CITED: "taken from the literature, not proved here",
    Verdict.UNDERIVED: "the statement is true, but the derivation does not give it",
    Verdict.UNDEFINED: "the source lacks a definition: true in one reading, false in another",
}
SEVERITIES = {
    Severity.FATAL: "the proof of the main result falls through it; "
    "it needs an assumption that the paper does not state",
    Severity.FIXABLE: "a corrected form keeps its use; what is printed may still be false",
    Severity.COSMETIC: "nothing after it changes",
}
ROLES = {
    Role.PROOF: "The statement is proved.",
    Role.PROOF_IF: "The statement is proved under the condition.",
    Role.NECESSARY: "Where the statement holds, the condition holds too.",
    Role.COUNTEREXAMPLE: "Here everything that is assumed holds, and the statement fails.",
    Role.DISPROOF: "The statement fails wherever the hypotheses hold.",
    Role.DERIVATION: "The paper's own step is wrong: the earlier lines give something else.",
    Role.CORRECTED: "The earlier lines give the corrected form.",
    Role.READING: "In another reading of the same words the statement fails.",
    Role.COVER: "With the corrected form the later line still follows.",
    Role.SUPPORT: "A further fact; it decides nothing.",
    Role.CITATION: "Taken on trust from the literature.",
}
METHODS = {
    "identity": "the difference was expanded to 0, and is 0 at a random point in exact fractions",
    "sum of squares (by": "the opposite would make a sum of terms >= 0 with one term > 0 equal to 0",
    "sum of squares": "the right side minus the left side is a sum of terms >= 0",
    "positivity": "after a change of variables onto [0, oo) no coefficient is negative",
    "z3 unsat": "the solver z3 finds no point that violates it",
    "exact counterexample": "computed in exact fractions",
    "kernel-checked": "Coq's kernel has checked the proof in theory/coq",
    "cited": "no machine checks it",
}


def claim_text(paper: Paper, judgement: Judgement, node: Node) -> str:
    """One entry with all its evidence."""
    entry, assumed = judgement.entry, paper.assumptions
    rows = [
        ("what", KINDS[entry.kind]),
        ("place", entry.place),
        ("paper", f"{paper.source.title} ({paper.source.identifier})"),
        ("file", entry.file),
        ("formula", from_latex(entry.printed)),
        ("statement", entry.claim.text),
        *(("where" if n == 0 else "", line) for n, line in enumerate(meanings(entry))),
        ("given", "; ".join(hypotheses(entry))),
        ("verdict", f"{entry.verdict}: {VERDICTS[entry.verdict]}"),
        ("severity", f"{entry.severity}: {SEVERITIES[entry.severity]}" if entry.severity else ""),
        ("condition", condition_text(entry) + (" (necessary and sufficient)" if judgement.sharp else "")),
        ("right", entry.corrected.words),
        ("", from_latex(entry.corrected.tex)),
        ("absorbed at", entry.absorbed_at or ""),
        ("scope", entry.scope),
        ("note", entry.note),
        ("fair reading", entry.reading),
        ("one engine", judgement.why_one_engine),
        ("rests on", ", ".join(name for name in entry.depends if name not in assumed)),
        ("assumptions", "; ".join(f"{name}: {assumed[name]}" for name in entry.depends if name in assumed)),
        ("earlier errors", _inherited(node)),
        ("met at", judgement.model),
    ]
    lines = [f"{entry.id}  {in_signs(entry.title)}", ""]
    lines += [line for label, words in rows if words for line in _field(label, words)]
    lines += ["", "evidence", *(line for finding in judgement.findings for line in _finding(finding, entry))]
    ending = "the evidence checks out" if judgement.ok else "EVIDENCE FAILED: " + "; ".join(judgement.faults)
    return "\n".join([*lines, "", ending])


def meanings(entry: Entry) -> list[str]:
    """What each letter of the entry's claims stands for."""
    known = entry.paper_letters
    own = [f"{letter(name, known)} = {words}" for name, words in entry.letters.items()]
    rest = sorted(entry.symbols - set(entry.letters))
    paper = [line for name in rest if name in known for line in _paper_letter(name, known)]
    return list(dict.fromkeys([*own, *paper]))


def _paper_letter(name: str, known: Letters) -> list[str]:
    (symbol,) = real(name)
    written = known.written_out(symbol)  # an abbreviation, as Λ for L + μ
    short = [] if written.is_Symbol else [f"{letter(name, known)} = {readable(written, known)}"]
    parts = sorted(written.free_symbols, key=str)
    return [*(f"{letter(s.name, known)} = {known.meaning(s.name)}" for s in parts), *short]


def hypotheses(entry: Entry) -> list[str]:
    """The hypotheses in words or letters."""
    if isinstance(entry.claim, Claim):
        return [entry.claim.shown(h) for h in entry.claim.hypotheses]
    return [test.text for test in entry.claim.hypotheses]


def condition_text(entry: Entry) -> str:
    """The condition of a conditional entry."""
    if entry.condition is None or not isinstance(entry.claim, Claim):
        return ""
    return entry.claim.shown(entry.condition)


def meaning_of(finding: Finding) -> str:
    """What a piece of evidence means, in a sentence or two."""
    how = next((words for start, words in METHODS.items() if finding.outcome.kind.startswith(start)), "")
    return f"{ROLES[finding.role]} {how[:1].upper()}{how[1:]}.".replace(" .", "")


def _inherited(node: Node) -> str:
    found = [fault for fault in node.faults if fault != node.id]
    return f"{', '.join(found)} reach this line" if found else ""


def _field(label: str, words: str) -> list[str]:
    wrapped = textwrap.wrap(in_signs(words), WIDTH - 18, break_long_words=False) or [""]
    return [f"  {label:<16}{wrapped[0]}", *(" " * 18 + line for line in wrapped[1:])]


def _finding(finding: Finding, entry: Entry) -> list[str]:
    """What was decided, by whom, and how; the entry's own statement stands above already."""
    outcome = finding.outcome
    lines = [f"  {finding.role}: {outcome.kind} [{', '.join(outcome.engines)}] {outcome.seconds:.2f} s"]
    other = finding.claim_text if finding.claim_text != entry.claim.text else ""
    shown = dict.fromkeys((finding.says, other, *outcome.detail.split("\n"), _shortened(outcome.certificate)))
    for words in (meaning_of(finding), *shown):
        wrapped = textwrap.wrap(in_signs(words), WIDTH - 8, break_long_words=False)
        lines += [("        " if n else "      ") + line for n, line in enumerate(wrapped)]
    return lines


def _shortened(certificate: str) -> str:
    if len(certificate) <= LONGEST:
        return certificate
    return f"{certificate[:LONGEST]} … ({len(certificate)} characters, in full with --json)"
