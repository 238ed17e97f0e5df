"""The verdict on one page: counts, the chain of the proof, the errors that matter, one example."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from theory.ledger.graph import MILESTONES
from theory.rates.ranges import Range
from theory.rates.rounding import rounded_down

from .cards import badge, formula, link
from .palette import FORM_COLOUR, FORM_NAME, VERDICT_COLOUR, VERDICT_MEANING, VERDICT_SIGN
from .words import html, markdown

PAPER = ("S", "V", "CS", "L1", "L2", "M", "T1", "U")
STATUS_COLOUR = {
    "stands": VERDICT_COLOUR["valid"],
    "stands under conditions": VERDICT_COLOUR["conditional"],
    "falls": VERDICT_COLOUR["refuted"],
}


def tiles(entries: Sequence[dict[str, Any]]) -> str:
    """One tile per verdict, and all of them as one bar."""
    counts = Counter(entry["verdict"] for entry in entries)
    boxes = [
        f'<div class="fps-tile" style="border-top-color:{colour}" title="{VERDICT_MEANING[verdict]}">'
        f"<b>{counts[verdict]}</b><span>{VERDICT_SIGN[verdict]} {verdict}</span></div>"
        for verdict, colour in VERDICT_COLOUR.items()
    ]
    return f'<div class="fps-tiles">{"".join(boxes)}</div>{stack(counts)}'


def stack(counts: Mapping[str, int]) -> str:
    total = sum(counts.values())
    parts = "".join(
        f'<i style="width:{100 * counts[verdict] / total:.2f}%;background:{colour}" '
        f'title="{counts[verdict]} {verdict}"></i>'
        for verdict, colour in VERDICT_COLOUR.items()
        if counts[verdict]
    )
    return f'<div class="fps-stack" role="img" aria-label="share of each verdict">{parts}</div>'


def verdict_legend() -> str:
    """What each verdict means, as a Markdown table."""
    rows = [f"| {badge(verdict)} | {meaning} |" for verdict, meaning in VERDICT_MEANING.items()]
    return "\n".join(["| verdict | meaning |", "|---|---|", *rows])


def chain(nodes: Mapping[str, dict[str, Any]], titles: Mapping[str, str]) -> str:
    """The milestones of the paper's proof: which stand, and through which lines the others fall."""
    items = []
    for identifier in MILESTONES:
        if identifier not in nodes:
            continue
        node, label = nodes[identifier], titles[identifier]
        others = [fault for fault in node["faults"] if fault != identifier]
        through = f"<small>falls through {', '.join(map(link, others))}</small>" if others else ""
        items.append(
            f'<li style="border-color:{STATUS_COLOUR[node["status"]]}"><b>{link(identifier)}</b> '
            f"{html(label)}: "
            f"<b>{node['status']}</b>{through}</li>"
        )
    return f'<ul class="fps-chain">{"".join(items)}</ul>'


def worst_errors(document: dict[str, Any], entries: Mapping[str, dict[str, Any]]) -> str:
    """The fatal errors, as numbered Markdown with the printed line."""
    found = []
    for i, identifier in enumerate(document["summary"]["errors"]["fatal"], 1):
        entry = entries[identifier]
        found.append(
            f"**{i}. {markdown(entry['title'])}** ({link(identifier)}). The paper prints\n\n"
            f"{formula(entry['printed_tex'])}\n\n"
            f'<span class="fps-label">Right:</span> {markdown(entry["corrected"])}.'
        )
    return "\n\n".join(found)


def range_bars(found: Mapping[str, Range], gamma: float | None = None) -> str:
    """The five ranges on one logarithmic axis, as the calculator draws them."""
    sizes = [math.log10(r.gamma_max) for r in found.values() if r.gamma_max]
    sizes += [math.log10(gamma)] if gamma else []
    low, high = math.floor(min(sizes) - 0.3), math.ceil(max(sizes) + 0.1)

    def at(value: float) -> float:
        return 100 * min(1.0, max(0.0, (math.log10(value) - low) / (high - low)))

    mark = f'<u style="left:{at(gamma):.1f}%"></u>' if gamma else ""
    rows = [_range_bar(form, each, at, mark) for form, each in found.items()]
    ticks = "".join(
        f'<span style="left:{at(10.0**p):.1f}%">10<sup>{p}</sup></span>' for p in range(low, high + 1)
    )
    note = f"; the dashed line is γ = {gamma:g}" if gamma else ""
    return (
        f'<div class="fps-ranges">{"".join(rows)}<div class="fps-ticks">{ticks}</div>'
        f'<div class="fps-place">learning rate γ, logarithmic{note}</div></div>'
    )


def _range_bar(form: str, each: Range, at: Any, mark: str) -> str:
    sign = "&lt;" if each.strict else "≤"
    if each.gamma_max is None:
        limit = "empty" if each.empty else "any γ"
    else:
        limit = f"γ {sign} {rounded_down(each.gamma_max, 4)}"
    width = 0.0 if each.empty else 100.0 if each.gamma_max is None else at(each.gamma_max)
    return (
        f'<div class="fps-range"><div class="fps-name"><span>{FORM_NAME[form]}</span><b>{limit}</b></div>'
        f'<div class="fps-track"><i style="width:{width:.1f}%;background:{FORM_COLOUR[form]}"></i>{mark}'
        "</div></div>"
    )
