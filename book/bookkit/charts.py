"""Charts by matplotlib as inline SVG, in the colours of the page.

Every line has a dash pattern of its own as well, and its name stands beside it or in the legend below.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import log10
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from .palette import SERIES, SHADES

DASHES = ((0, ()), (0, (4, 2)), (0, (1, 2)), (0, (5, 2, 1, 2)), (0, (8, 2)), (0, (3, 1, 1, 1)))
LETTERS, WIDTH, SIZE = "black", 6.6, 13  # inches, points: 9 px on a phone
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
STYLE = {
    "svg.fonttype": "none",
    "font.size": SIZE,
    "axes.titlesize": SIZE,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
}


@dataclass(frozen=True)
class Axis:
    """What an axis shows, with its unit in the label; limits are found from the data unless given."""

    label: str
    log: bool = False
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Series:
    """Points (x, y); a missing value breaks the line."""

    name: str
    x: Sequence[float]
    y: Sequence[float | None]
    role: str | None = None  # a name of the palette
    markers: bool = False
    label_at: int | None = None  # the point beside which the name stands, in place of the legend


def shade(role: str) -> str:
    """The colour by which matplotlib draws a role; `inline` puts the page's in its place."""
    return SHADES[role][0].lower()


def tick(value: float, _: object = None) -> str:
    """100, 1,000, 10⁻³."""
    return f"{value:,.0f}" if value >= 1 else f"10{f'{log10(value):.0f}'.translate(RAISED)}"


def inline(drawn: Figure, caption: str, kind: str = "") -> str:
    """A figure as HTML, with the variables of the style sheet for its colours."""
    buffer = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": caption}):
        drawn.savefig(buffer, format="svg", transparent=True, bbox_inches="tight", metadata={"Date": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r'width="[\d.]+pt" height="[\d.]+pt"', "", text, count=1)
    text = re.sub(r'<g id="[^"]*"', "<g", text)  # the same in every figure, and nothing refers to them
    for role, (light, _) in SHADES.items():
        text = text.replace(light.lower(), f"var(--fps-{role})")
    text = text.replace(mpl.colors.to_hex(LETTERS), "currentColor").replace(
        "<text", '<text fill="currentColor"'
    )
    label = f'<svg class="fps-chart" role="img" aria-label="{escape(caption)}"'
    below = f"<figcaption>{escape(caption)}</figcaption>"
    return f'<figure class="fps-figure {kind}">{text.replace("<svg", label, 1)}{below}</figure>'


def figure(height: float, rows: int = 1) -> tuple[Figure, list[Any]]:
    """An empty figure with so many axes below each other."""
    with mpl.rc_context(STYLE):
        drawn = Figure(figsize=(WIDTH, height), layout="constrained")
        return drawn, list(drawn.subplots(rows, squeeze=False)[:, 0])


def line_chart(
    series: Sequence[Series],
    x: Axis,
    y: Axis,
    caption: str,
    references: Sequence[tuple[str, float]] = (),
) -> str:
    """Lines over one pair of axes; `references` are labelled horizontal lines."""
    drawn, (axes,) = figure(3.6)
    for i, each in enumerate(series):
        colour = shade(each.role or SERIES[i % len(SERIES)])
        values = [float("nan") if v is None else v for v in each.y]
        how = {"marker": "o", "linestyle": ""} if each.markers else {"linestyle": DASHES[i % len(DASHES)]}
        axes.plot(each.x, values, color=colour, label=each.name, **how)
        if each.label_at is not None:
            place = (each.x[each.label_at], values[each.label_at])
            rises = values[each.label_at] < values[-1]
            beside = (9, -13) if rises else (6, 6)
            axes.annotate(each.name, place, beside, textcoords="offset points", color=colour, size=SIZE)
    for label, level in references:
        axes.axhline(level, color=LETTERS, linewidth=0.8, linestyle=":")
        axes.annotate(
            label, (1, level), xycoords=("axes fraction", "data"), ha="right", va="bottom", size=SIZE
        )
    for axis, scale, limit in ((x, axes.set_xscale, axes.set_xlim), (y, axes.set_yscale, axes.set_ylim)):
        scale("log" if axis.log else "linear")
        limit(axis.low, axis.high)
    for axis, place in ((x, axes.xaxis), (y, axes.yaxis)):
        if axis.log:
            place.set_major_formatter(tick)
    axes.set_xlabel(x.label)
    axes.set_ylabel(y.label)
    axes.grid(axis="y", alpha=0.25)
    if all(each.label_at is None for each in series):
        drawn.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=SIZE)
    return inline(drawn, caption)


def vectors(rows: Sequence[tuple[str, Sequence[float], set[int] | None]], caption: str) -> str:
    """Vectors below each other on one scale, one bar per coordinate; those outside a given set are grey."""
    drawn, axes = figure(1.1 * len(rows), len(rows))
    top = max(max(abs(v) for v in values) for _, values, _ in rows) or 1.0
    for place, (name, values, kept) in zip(axes, rows, strict=True):
        roles = ["plus" if v >= 0 else "minus" for v in values]
        chosen = [role if kept is None or i in kept else "neutral" for i, role in enumerate(roles)]
        place.bar(range(len(values)), values, color=[shade(role) for role in chosen])
        place.set_title(name, fontsize=SIZE)
        place.set(ylim=(-top, top), xticks=[], yticks=[])
    return inline(drawn, caption)


def sketches(rows: Sequence[tuple[str, Sequence[Sequence[float]]]], caption: str) -> str:
    """Sketches below each other on one scale: a square per bucket, larger for larger values."""
    drawn, axes = figure(1.5 * len(rows), len(rows))
    top = max(max(abs(v) for row in table for v in row) for _, table in rows) or 1.0
    for place, (name, table) in zip(axes, rows, strict=True):
        cells = [(b, -r, v) for r, row in enumerate(table) for b, v in enumerate(row)]
        colours = [shade("plus" if v >= 0 else "minus") for _, _, v in cells]
        sizes = [160 * abs(v) / top for *_, v in cells]
        place.scatter([c[0] for c in cells], [c[1] for c in cells], s=sizes, c=colours, marker="s")
        place.set_title(name, fontsize=SIZE)
        place.set(xticks=[], yticks=[], ylim=(0.6 - len(table), 0.6))
    return inline(drawn, caption)
