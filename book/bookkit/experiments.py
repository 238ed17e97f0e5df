"""The paper's experiments: stored grids → tables and verdicts. What is absent is said to be."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from urllib.parse import quote

from fpsverify.grids.store import read_columns
from fpsverify.grids.task import Result
from fpsverify.reproduce.claims import Claim, Verdict, verdicts
from fpsverify.reproduce.tables import Results, table

from . import results as stored
from .show import table as html_table
from .show import typeset

FOLDER = stored.FOLDER / "reproduced"
TABLE_GRIDS = ("mnist", "synthetic", "kdd12", "kdd10")
SIGN = {
    "reproduced": "✓",
    "not reproduced": "✗",
    "depends on the reading": "±",
    "undecided": "?",
    "not measured": "–",
}
SHOWN = {"depends on the reading": "depends on interpretation"}
COUNTED = {
    "reproduced": "reproduced",
    "not reproduced": "did not",
    "depends on the reading": "depend on interpretation",
    "undecided": "stayed undecided",
    "not measured": "were not measured",
}
DATA = {
    "mnist": "MNIST (real data)",
    "synthetic": "Regression (generated, as in the paper)",
    "kdd12": "KDD12 (generated data in place of the original)",
    "kdd10": "KDD10 (generated data in place of the original)",
}
Judged = list[tuple[Claim, Verdict]]
LONGEST = 90  # characters of numbers that stand open
OUTCOMES = {"better": "▲", "undecided": "?", "worse": "▽"}
BUDGETS = {"steps": "equal gradient steps", "uses": "equal channel uses"}


def runs(grid: str) -> list[Result]:
    """All committed runs of a grid, tuning included."""
    return read_columns(FOLDER / f"{grid}-full")


def trials(grid: str) -> Results:
    return Results.of([r for r in runs(grid) if r["kind"] == "trial"])


def cells(results: Results, dataset: str) -> list[list[str]]:
    """`fpsverify reproduce`'s own table, paper beside measurement: its header and its rows."""
    lines = [line for line in table(results, dataset).splitlines() if line.startswith("|")]
    header, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [header, *rows]


def download(grids: Mapping[str, Results]) -> str:
    """One link for each data set: all its cells as a file, which the page holds."""
    links = []
    for name, results in grids.items():
        text = io.StringIO()
        csv.writer(text).writerows(cells(results, name))
        address = f"data:text/csv;charset=utf-8,{quote(text.getvalue())}"
        links.append(f'<a download="{name}.csv" href="{address}">{name}.csv</a>')
    return f"<p>{', '.join(links)}</p>"


def claims_list(judged: Judged) -> str:
    """Each claim with its verdict and the numbers behind it; a list, because the numbers need width."""
    parts = []
    for grid, words in DATA.items():
        items = "".join(_claim(claim, v) for claim, v in judged if claim.dataset == grid)
        parts += [f"<p><b>{words}</b></p><ul>{items}</ul>"] if items else []
    return "".join(parts)


def _claim(claim: Claim, v: Verdict) -> str:
    verdict = SHOWN.get(v.status, v.status)
    asked = "a question of ours: " if claim.ours else ""
    head = f"<b>{SIGN[v.status]} {verdict}</b>: {asked}{escape(claim.text)} ({escape(claim.where)})"
    readings = v.by_reading.items()
    behind = "".join(f"<p>{escape(words)}: {escape(_in_words(o))}{_behind(o)}</p>" for words, o in readings)
    shown = (
        f"<details><summary><small>The readings</small></summary>{behind}</details>" if behind else _behind(v)
    )
    return f"<li>{head}{shown}</li>"


def _in_words(v: Verdict) -> str:
    """The status, or what it is at either budget: the first sentence of the reason."""
    return v.reason.split(". ")[0] if v.status == "depends on the reading" else v.status


def in_per_cent(reason: str) -> str:
    """An AUC as the tables have it."""
    return re.sub(r"\bAUC (0\.\d\d|1\.00)", lambda found: f"AUC {100 * float(found[1]):.0f} %", reason)


def _behind(v: Verdict) -> str:
    """What the verdict rests on: numbers in words, or one sign for each comparison."""
    if v.status == "not measured":
        return ""
    if not v.cases:
        lines = typeset(escape(in_per_cent(v.reason))).replace(" | ", "<br>")
        if len(v.reason) <= LONGEST:
            return f"<br><small>{lines}</small>"
        return f"<details><summary><small>The numbers</small></summary><small>{lines}</small></details>"
    scenarios = sorted({c.scenario for c in v.cases})
    rows = []
    for budget, rival in dict.fromkeys((c.budget, c.rival) for c in v.cases):
        found = {c.scenario: c.outcome for c in v.cases if (c.budget, c.rival) == (budget, rival)}
        rows.append([BUDGETS[budget], rival, *(f"{OUTCOMES[found[s]]} {found[s]}" for s in scenarios)])
    counts = Counter(c.outcome for c in v.cases)
    summary = ", ".join(f"{counts[o]} {o}" for o in OUTCOMES if counts[o])
    columns = ["budget", "FPS against", *(f"Scenario {s}" for s in scenarios)]
    head = f"<summary><small>FPS in {len(v.cases)} comparisons: {summary}</small></summary>"
    return f"<details>{head}{html_table(columns, rows, 'fps-numbers')}</details>"


def judged_claims(grids: tuple[str, ...] = TABLE_GRIDS) -> Judged:
    """By the default readings, by the other tie rule and, on MNIST, with rivals that send updates."""
    found = []
    for grid in grids:
        results = trials(grid)
        updates = results.with_rivals_of(trials("readings"), "send-update")
        otherwise = {"if the rivals send updates": updates} if grid == "mnist" else {}
        found += verdicts(results, grid, otherwise)
    return found


def tally(judged: Judged) -> str:
    """The claims of the paper, counted for the front page; questions of ours apart."""
    theirs, ours = ([v for claim, v in judged if claim.ours is own] for own in (False, True))
    apart = f" Questions of ours, on ties in the KDD tables, stand apart: {_counts(ours)}." if ours else ""
    turning = [v for v in theirs if v.status == "depends on the reading"]
    some = sum(v.reproduced_by_some_reading for v in turning)
    held = f" Of the {len(turning)}, {some} reproduced by one of the readings." if turning else ""
    return f"Of {len(theirs)} claims of Section 6 and Appendix D, {_counts(theirs)}.{held}{apart}"


def _counts(found: Sequence[Verdict]) -> str:
    counts = Counter(v.status for v in found)
    shown = [status for status in SIGN if counts[status] or status == "reproduced"]
    return ", ".join(f"<b>{counts[status]}</b> {COUNTED[status]}" for status in shown)
