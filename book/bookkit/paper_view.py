"""The paper at a glance: its statements with the broken terms marked, and a table of errors."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from .cards import Entry, anchor, badge, coded, formula, link, page_of, severity_badge
from .palette import SEVERITIES, SIGNS_OF_SEVERITY, VERDICTS
from .show import table
from .words import escape, html

RAISED = {"‡": r"{}^{\ddagger}", "†": r"{}^{\dagger}", "°": r"{}^{\circ}"}
MARK = re.compile(r"⟦([\w.]+)\|(.*?)⟧", re.DOTALL)


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
