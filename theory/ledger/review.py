"""One report per paper: a page, and a table for a review in Markdown or LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from theory.errors import InvalidParameter
from theory.ledger.cards import SEVERITIES, VERDICTS, condition_text
from theory.ledger.entry import Severity, Verdict
from theory.ledger.judge import Judgement
from theory.ledger.paper import Paper
from theory.ledger.printer import in_signs

HEAD = ("line", "place", "what is claimed", "verdict", "evidence", "right in its place", "charitable reading")
INVITATION = (
    "Each criticism stands beside its most charitable reading. The authors' answer is welcome; none was "
    "asked for "
    "before this report."
)


@dataclass(frozen=True)
class Row:
    """One entry of a report, in words with their signs; `formula` is LaTeX."""

    id: str
    place: str
    title: str
    formula: str
    verdict: Verdict
    severity: Severity | None
    evidence: str
    right: str
    reading: str
    ok: bool

    @property
    def cells(self) -> tuple[str, ...]:
        graded = f"{self.verdict} ({self.severity})" if self.severity else str(self.verdict)
        return (self.id, self.place, self.title, graded, self.evidence, self.right, self.reading)


def row(judgement: Judgement) -> Row:
    """An entry as a row: what is right is its correction, or the condition under which it holds."""
    entry = judgement.entry
    right = entry.corrected.words or condition_text(entry)
    return Row(
        entry.id,
        entry.place,
        in_signs(entry.title),
        entry.printed,
        entry.verdict,
        entry.severity,
        ("" if judgement.ok else "FAILED: ") + (", ".join(judgement.engines) or "cited"),
        in_signs(right),
        in_signs(entry.reading or entry.scope),
        judgement.ok,
    )


def rows(judgements: Sequence[Judgement]) -> tuple[Row, ...]:
    """What is not valid first, by severity; then the others in the order of the paper."""
    order = [*Severity, None]
    found = [row(judgement) for judgement in judgements]
    return tuple(sorted(found, key=lambda each: order.index(each.severity)))


def maker(target: Path) -> Callable[[Paper, Sequence[Row], Sequence[str]], str]:
    """What writes the format that the ending of a file names: .html, .md or .tex."""
    makers = {".html": page, ".md": markdown, ".tex": latex}
    if target.suffix not in makers:
        raise InvalidParameter("report", target, "a file that ends in .html, .md or .tex")
    return makers[target.suffix]


def write(target: Path, paper: Paper, judgements: Sequence[Judgement], lead: Sequence[str]) -> str:
    """The report of a paper; `lead` are the sentences that it begins with."""
    return maker(target)(paper, rows(judgements), lead)


def markdown(paper: Paper, found: Sequence[Row], lead: Sequence[str]) -> str:
    """A table for a review."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", r"\|").replace("\n", " ") for cell in cells) + " |"

    table = [line(HEAD), line(["---"] * len(HEAD)), *(line(each.cells) for each in found)]
    return "\n".join([f"# {_named(paper)}", "", *lead, "", INVITATION, "", *table, ""])


LATEX = {"\\": r"\textbackslash{}", **{sign: rf"\{sign}" for sign in "&%$#_{}"}, "^": r"\^{}", "~": r"\~{}"}


def latex(paper: Paper, found: Sequence[Row], lead: Sequence[str]) -> str:
    """A longtable for a review; for XeLaTeX or LuaLaTeX, because signs are typed as they are."""

    def plain(text: str) -> str:
        return "".join(LATEX.get(sign, sign) for sign in text)

    widths = "p{.09\\linewidth}p{.13\\linewidth}p{.2\\linewidth}p{.09\\linewidth}p{.08\\linewidth}" + (
        "p{.15\\linewidth}p{.15\\linewidth}"
    )
    body = [" & ".join(map(plain, each.cells)) + r" \\" for each in found]
    start = [r"\begin{longtable}{" + widths + "}", " & ".join(HEAD) + r" \\ \hline \endhead"]
    words = [plain(" ".join([_named(paper) + ".", *lead, INVITATION])), ""]
    return "\n".join([*words, *start, *body, r"\end{longtable}", ""])


def page(paper: Paper, found: Sequence[Row], lead: Sequence[str]) -> str:
    """One page that needs nothing else: formulas stay LaTeX, in a monospaced line."""
    counts = {v: sum(each.verdict is v for each in found) for v in Verdict}
    legend = "".join(f"<li><b>{counts[v]} {v}</b>: {escape(VERDICTS[v])}</li>" for v in Verdict if counts[v])
    graded = "".join(f"<li><b>{s}</b>: {escape(words)}</li>" for s, words in SEVERITIES.items())
    lines = "".join(f"<p>{escape(words.strip())}</p>" for words in lead)
    source = f'<a href="{escape(paper.source.where)}">{escape(paper.source.identifier)}</a>'
    body = f"<h1>{escape(paper.source.title)}</h1><p>{source}, {escape(paper.source.version)}. Text read: "
    body += f"{escape(paper.source.read)}</p>{lines}<p>{INVITATION}</p><ul>{legend}</ul><ul>{graded}</ul>"
    cards = "".join(_card(each) for each in found)
    title = f"<title>{escape(paper.source.title)}, line by line</title>"
    head = f'<!doctype html><html lang="en"><meta charset="utf-8">{title}<style>{STYLE}</style>'
    return f"{head}{body}{cards}</html>\n"


STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:52rem;margin:2rem auto;padding:0 "
    "1rem;color:#222;background:#fff}"
    "details{border-left:4px solid #999;margin:.5rem 0;padding:.2rem "
    ".8rem}code{display:block;overflow-x:auto}"
    ".refuted,.undefined{border-color:#b3261e}.conditional,.absorbed,.underived{border-color:#b26a00}"
    ".valid{border-color:#1b7a3d}dt{font-weight:bold}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#161616}a{color:#8ab4f8}}"
)


def _card(each: Row) -> str:
    names = (
        ("place", each.place),
        ("evidence", each.evidence),
        ("right", each.right),
        ("fair reading", each.reading),
    )
    shown = "".join(f"<dt>{name}</dt><dd>{escape(words)}</dd>" for name, words in names if words)
    formula = f"<code>{escape(' '.join(each.formula.split()))}</code>" if each.formula else ""
    head = f"<summary>{escape(each.id)} <b>{escape(each.cells[3])}</b> {escape(each.title)}</summary>"
    unfolded = " open" if each.severity is Severity.FATAL else ""
    opened = f'<details id="{escape(each.id)}" class="{each.verdict}"{unfolded}>'
    return f"{opened}{head}{formula}<dl>{shown}</dl></details>"


def _named(paper: Paper) -> str:
    return f"{paper.source.title} ({paper.source.identifier})"
