"""The paper at a glance: counts, its statements with the broken terms marked, and a map of its proof."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from theory.papers.fps.paper import PAPER

from .cards import Entry, anchor, badge, coded, formula, link, page_of, severity_badge
from .palette import SEVERITIES, SIGNS_OF_SEVERITY, VERDICTS, colour
from .show import table
from .words import escape, html

PARTS = (
    ("Setup", ("S", "CS")),
    ("Lemma 1", ("L1",)),
    ("Lemma 2", ("L2",)),
    ("Second moments", ("M",)),
    ("Theorem 1", ("T1",)),
)
STATUS = {"stands": "safe", "stands under conditions": "condition", "falls": "paper"}
RAISED = {"‡": r"{}^{\ddagger}", "†": r"{}^{\dagger}", "°": r"{}^{\circ}"}
MARK = re.compile(r"⟦([\w.]+)\|(.*?)⟧", re.DOTALL)


def tiles(entries: Sequence[Entry]) -> str:
    """One tile per verdict, and all of them as one bar."""
    counts = Counter(entry["verdict"] for entry in entries)
    boxes = "".join(
        f'<div class="fps-tile" style="border-top-color:{colour(role)}" title="{escape(meaning)}">'
        f"<b>{counts[verdict]}</b><span>{sign} {verdict}</span></div>"
        for verdict, (role, sign, meaning) in VERDICTS.items()
    )
    bar = "".join(
        f'<i style="width:{100 * counts[verdict] / len(entries):.2f}%;background:{colour(role)}" '
        f'title="{counts[verdict]} {verdict}"></i>'
        for verdict, (role, _, _) in VERDICTS.items()
        if counts[verdict]
    )
    stack = f'<div class="fps-stack" role="img" aria-label="share of each verdict">{bar}</div>'
    return f'<div class="fps-tiles">{boxes}</div>{stack}'


def legend() -> str:
    """What verdicts and severities mean."""
    rows = [[badge(verdict), escape(meaning)] for verdict, (_, _, meaning) in VERDICTS.items()]
    rows += [[severity_badge(name), escape(meaning)] for name, (_, meaning) in SEVERITIES.items()]
    return table(["", "meaning"], rows)


def marked(tex: str, known: Mapping[str, Entry]) -> str:
    """A formula in which ⟦id|part⟧ is linked to that entry, with the colour and the sign of its severity."""

    def mark(found: re.Match[str]) -> str:
        entry = known[found[1]]
        if entry["severity"] is None:
            raise ValueError(f"{found[1]} is no error of the paper")
        role = SEVERITIES[entry["severity"]][0]
        raised = RAISED[SIGNS_OF_SEVERITY[entry["severity"]]]
        target = rf"{page_of(entry)}\#{anchor(entry['id'])}".replace(r"\#", "#")
        return rf"\href{{{target}}}{{\class{{fps-tex-{role}}}{{{found[2]}{raised}}}}}"

    return formula(MARK.sub(mark, tex))


def marked_ids(tex: str) -> list[str]:
    return [found[1] for found in MARK.finditer(tex)]


def fatal_words(causes: Sequence[str], known: Mapping[str, Entry]) -> str:
    """Which entries are fatal, and that Lemma 1 and Theorem 1 fall with them."""
    *others, last = (link(known[identifier]) for identifier in causes)
    are, them = ("are", "them") if others else ("is", "it")
    named = f"{', '.join(others)} and {last}" if others else last
    return f"{named} {are} fatal; Lemma 1 and Theorem 1 fall with {them}."


def faults(identifiers: Sequence[str], known: Mapping[str, Entry]) -> str:
    """A table of errors: how bad, what the paper states or does, what is right."""
    rows = [
        [
            severity_badge(e["severity"]),
            link(e),
            html(e["title"]),
            coded(html(e["corrected"] or e["condition"] or ""), known),
        ]
        for e in (known[i] for i in dict.fromkeys(identifiers))
    ]
    return table(["how bad", "line", "what the paper states or does", "what is right"], rows)


def chain(nodes: Mapping[str, dict[str, Any]], known: Mapping[str, Entry]) -> str:
    """The milestones of the proof: which stand, and through which lines the others fall."""
    items = []
    for identifier in PAPER.milestones:
        if identifier not in nodes:
            continue
        node, others = nodes[identifier], [f for f in nodes[identifier]["faults"] if f != identifier]
        own = [known[f] for f in others if known[f]["severity"] == "fatal"] or [known[f] for f in others[:3]]
        through = f" <small>through {', '.join(map(link, own))}</small>" if others else _given(node, known)
        items.append(
            f'<li style="border-color:{colour(STATUS[node["status"]])}"><b>{link(known[identifier])}</b> '
            f"{html(known[identifier]['title'])}: <b>{node['status']}</b>{through}</li>"
        )
    return f'<ul class="fps-chain">{"".join(items)}</ul>'


def _given(node: Mapping[str, Any], known: Mapping[str, Entry]) -> str:
    """The conditions that reach a line, each with the line that needs it."""
    asked = [
        f"{html(known[c]['condition'])} ({link(known[c])})" for c in node["conditions"] if c != node["id"]
    ]
    return f" <small>if {', '.join(asked)}</small>" if asked and not node["faults"] else ""
