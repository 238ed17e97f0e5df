"""Pictures of one FPS round: vectors as bars, sketches as coloured grids."""

from __future__ import annotations

from collections.abc import Sequence

from .charts import figure
from .palette import colour

PLUS, MINUS, GREY = colour("plus"), colour("minus"), colour("neutral")


def bars(
    values: Sequence[float],
    top: float,
    y: float,
    height: float,
    width: float = 640,
    kept: set[int] | None = None,
) -> str:
    """One bar per coordinate about a zero line; coordinates outside `kept` are grey."""
    step, zero = width / len(values), y + height / 2
    parts = [f'<line class="fps-axis" x1="0" x2="{width}" y1="{zero:.1f}" y2="{zero:.1f}"/>']
    for i, value in enumerate(values):
        size = height / 2 * abs(value) / top
        shade = GREY if kept is not None and i not in kept else PLUS if value >= 0 else MINUS
        parts.append(
            f'<rect x="{i * step + 1:.1f}" y="{zero - size if value >= 0 else zero:.1f}" '
            f'width="{step - 2:.1f}" '
            f'height="{size:.1f}" style="fill:{shade}"><title>coordinate {i}: {value:.3f}</title></rect>'
        )
    return "".join(parts)


def grid(table: Sequence[Sequence[float]], top: float, y: float, cell: float, width: float = 640) -> str:
    """A sketch: one square per bucket, blue for positive and olive for negative, stronger for larger."""
    step = width / len(table[0])
    parts = []
    for r, row in enumerate(table):
        for b, value in enumerate(row):
            shade, strength = (PLUS if value >= 0 else MINUS), min(1.0, abs(value) / top)
            parts.append(
                f'<rect x="{b * step + 1:.1f}" y="{y + r * (cell + 2):.1f}" width="{step - 2:.1f}" '
                f'height="{cell}" style="fill:{shade}" '
                f'fill-opacity="{strength:.3f}" stroke="currentColor" stroke-opacity=".3">'
                f"<title>row {r}, bucket {b}: {value:.3f}</title></rect>"
            )
    return "".join(parts)


def label(text: str, y: float) -> str:
    return f'<text x="0" y="{y:.1f}">{text}</text>'


def vectors(
    rows: Sequence[tuple[str, Sequence[float], set[int] | None]], caption: str, height: float = 70
) -> str:
    """Several vectors below each other, on one scale."""
    top = max(max(abs(v) for v in values) for _, values, _ in rows) or 1.0
    body, y = [], 0.0
    for name, values, kept in rows:
        body += [label(name, y + 16), bars(values, top, y + 22, height, kept=kept)]
        y += height + 30
    return figure("".join(body), caption, size=(640, round(y)))


def sketches(rows: Sequence[tuple[str, Sequence[Sequence[float]]]], caption: str, cell: float = 20) -> str:
    """Several sketches below each other, on one scale."""
    top = max(max(abs(v) for row in table for v in row) for _, table in rows) or 1.0
    body, y = [], 0.0
    for name, table in rows:
        body += [label(name, y + 16), grid(table, top, y + 24, cell)]
        y += 34 + len(table) * (cell + 2)
    return figure("".join(body), caption, size=(640, round(y)))
