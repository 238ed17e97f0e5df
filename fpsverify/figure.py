"""Figures of matplotlib that a notebook shows by themselves, and charts as inline SVG.

Lines and letters of a chart take the colour of the text around (light, dark).
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from fpsverify.errors import needs


def new_figure(width: float, height: float) -> Any:
    """An empty figure; matplotlib is asked for here alone, so that what draws nothing needs none."""
    with needs():
        from matplotlib.figure import Figure

    class Picture(Figure):
        def _repr_png_(self) -> bytes:
            file = io.BytesIO()
            self.savefig(file, format="png", dpi=110)
            return file.getvalue()

    return Picture(figsize=(width, height), layout="constrained")


COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")  # Okabe and Ito's, for every eye
DASHES = ("-", "--", ":", "-.")
INK = "#010203"  # stands for the colour of the text around


@dataclass(frozen=True)
class Line:
    name: str
    x: Sequence[float]
    y: Sequence[float]


def svg(drawn: Any, salt: str, transparent: bool = False) -> str:
    """A figure as text: the same figure, the same bytes."""
    import matplotlib

    out = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": salt, "svg.fonttype": "none"}):
        drawn.savefig(out, format="svg", metadata={"Date": None}, transparent=transparent)
    text = out.getvalue()
    return text[text.index("<svg") :].replace(INK, "currentColor")


def line_chart(lines: Sequence[Line], unit: str, log: bool, caption: str) -> str:
    """Lines over rounds with a legend, and a caption below."""
    figure = new_figure(7, 3.2)
    axes = figure.add_subplot()
    for each, colour, dash in zip(lines, COLOURS, DASHES, strict=False):
        axes.plot(each.x, each.y, dash, color=colour, label=each.name, linewidth=1.8)
    axes.set(xlabel="round", ylabel=unit, yscale="log" if log else "linear")
    axes.xaxis.label.set_color(INK)
    axes.yaxis.label.set_color(INK)
    axes.tick_params(which="both", colors=INK)
    axes.grid(alpha=0.25)
    axes.spines[["left", "bottom"]].set_color(INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, labelcolor=INK, fontsize=9)
    return (
        f"<figure>{svg(figure, caption, transparent=True)}<figcaption>{escape(caption)}</figcaption></figure>"
    )
