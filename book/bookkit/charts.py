"""Charts as inline SVG: letters take the colour of the text around them, series those of the palette.

Every series has a dash pattern of its own as well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from .palette import SERIES, colour

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
DASHES = ("", "7 4", "2 4", "9 3 2 3", "14 4", "5 2 1 2 1 2")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 320, 92, 24, 14, 58
FEW_DECADES = 3  # fewer need ticks within a decade


@dataclass(frozen=True)
class Axis:
    """What an axis shows, with its unit in the label; limits are found from the data unless given."""

    label: str
    log: bool = False
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Series:
    """Points (x, y); points with a missing or unplottable value break the line."""

    name: str
    x: Sequence[float]
    y: Sequence[float | None]
    role: str | None = None  # a name of the palette
    markers: bool = False
    wide: bool = False  # drawn broad and pale, to be seen behind a line that covers it


@dataclass(frozen=True)
class Scale:
    """From data to pixels."""

    low: float
    high: float
    start: float
    end: float
    log: bool

    def at(self, value: float) -> float:
        low, high, v = (math.log10(z) if self.log else z for z in (self.low, self.high, value))
        return self.start + (v - low) / (high - low) * (self.end - self.start)

    def shows(self, value: float | None) -> bool:
        return value is not None and math.isfinite(value) and (value > 0 or not self.log)

    def ticks(self) -> list[float]:
        return log_ticks(self.low, self.high) if self.log else linear_ticks(self.low, self.high)


def linear_ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round numbers: 1, 2 or 5 times a power of ten apart."""
    raw = (high - low) / wanted
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    return [round(i * step, 12) for i in range(first, math.floor(high / step + 1e-9) + 1)]


def log_ticks(low: float, high: float, most: int = 7) -> list[float]:
    """Powers of ten; 1, 2 and 5 times them if the axis has few."""
    if math.log10(high / low) < FEW_DECADES:
        return [v for v in steps_between(low, high) if low * (1 - 1e-9) <= v <= high * (1 + 1e-9)]
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    step = max(1, -(-(last - first + 1) // most))
    return [10.0**p for p in range(first, last + 1, step)]


def steps_between(low: float, high: float) -> list[float]:
    """1, 2 and 5 times powers of ten, from the last one that is not above `low`, past `high`."""
    powers = range(math.floor(math.log10(low) - 1e-9), math.ceil(math.log10(high) + 1e-9) + 1)
    return [m * 10.0**p for p in powers for m in (1, 2, 5)]


def fitted(axis: Axis, values: Sequence[float | None], start: float, end: float) -> Scale:
    """A scale that shows all values; a log axis ends at 1, 2 or 5 in a decade, a linear one has a margin."""
    usable = [v for v in values if v is not None and math.isfinite(v) and (v > 0 or not axis.log)] or [1.0]
    low, high = min(usable), max(usable)
    if axis.log:
        steps = steps_between(low, high)
        low = max(v for v in steps if v <= low * (1 + 1e-9))
        high = min(v for v in steps if v >= max(high * (1 - 1e-9), 2 * low))
    else:
        margin = 0.05 * (high - low) or 0.5 * abs(high) or 0.5
        low, high = (low if low == 0 else low - margin), high + margin
    low, high = (axis.low if axis.low is not None else low), (axis.high if axis.high is not None else high)
    return Scale(low, high, start, end, axis.log)


def number(value: float) -> str:
    """A tick label."""
    if value and (abs(value) >= 1e4 or abs(value) < 1e-3):
        digits, power = f"{value:.5e}".split("e")
        head = "" if float(digits) == 1 else f"{float(digits):g}·"
        return f"{head}10{str(int(power)).translate(RAISED)}".replace("-", "−")
    return f"{value:g}".replace("-", "−")


def frame(x: Scale, y: Scale, x_label: str, y_label: str) -> str:
    parts = []
    for tick in y.ticks():
        at = y.at(tick)
        parts.append(f'<line class="fps-grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>')
        parts.append(f'<text x="{LEFT - 7}" y="{at + 5:.1f}" text-anchor="end">{number(tick)}</text>')
    for tick in x.ticks():
        parts.append(
            f'<text x="{x.at(tick):.1f}" y="{HEIGHT - BOTTOM + 24}" '
            f'text-anchor="middle">{number(tick)}</text>'
        )
    bottom = HEIGHT - BOTTOM
    parts.append(f'<path class="fps-axis" fill="none" d="M{LEFT},{TOP} V{bottom} H{WIDTH - RIGHT}"/>')
    middle, room = (TOP + bottom) / 2, bottom - TOP
    # A label longer than its axis is squeezed, never clipped (a letter of 15 px is at most 9 px wide).
    fit = f' textLength="{room}" lengthAdjust="spacingAndGlyphs"' if 9 * len(y_label) > room else ""
    parts.append(
        f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{escape(x_label)}</text>'
        f'<text transform="translate(17 {middle}) rotate(-90)" text-anchor="middle"{fit}>'
        f"{escape(y_label)}</text>"
    )
    return "".join(parts)


def line_chart(
    series: Sequence[Series],
    x_axis: Axis,
    y_axis: Axis,
    caption: str,
    references: Sequence[tuple[str, float]] = (),
) -> str:
    """Lines over one pair of axes, a legend below, a caption; `references` are labelled horizontal lines."""
    xs = [value for each in series for value in each.x]
    ys = [value for each in series for value in each.y] + [level for _, level in references]
    x = fitted(x_axis, xs, LEFT, WIDTH - RIGHT)
    y = fitted(y_axis, ys, HEIGHT - BOTTOM, TOP)
    body = [frame(x, y, x_axis.label, y_axis.label)]
    entries = []
    for i, each in enumerate(series):
        pen = _pen(each, colour(each.role or SERIES[i % len(SERIES)]), DASHES[i % len(DASHES)])
        body.append(_line(each, x, y, pen))
        entries.append((each.name, _sample(each, pen)))
    for label, level in references:
        if y.shows(level):
            at = y.at(level)
            body.append(
                f'<line class="fps-axis" stroke-dasharray="3 3" x1="{LEFT}" x2="{WIDTH - RIGHT}" '
                f'y1="{at:.1f}" y2="{at:.1f}"/>'
                f'<text class="fps-reference" x="{WIDTH - RIGHT - 4}" y="{at - 5:.1f}" text-anchor="end">'
                f"{escape(label)}</text>"
            )
    return figure("".join(body), caption, legend(entries))


def _pen(series: Series, shade: str, dash: str) -> str:
    """How a series is drawn, in the chart and in the legend."""
    if series.markers:
        return f'r="3.4" style="fill:{shade}"'
    broad = 'stroke-width="8" stroke-opacity=".45"'
    thin = f'stroke-width="2.2" stroke-dasharray="{dash}"'
    return f'fill="none" style="stroke:{shade}" {broad if series.wide else thin}'


def _sample(series: Series, pen: str) -> str:
    return f'<circle cx="20" cy="5" {pen}/>' if series.markers else f'<path {pen} d="M0,5 H40"/>'


def _line(series: Series, x: Scale, y: Scale, pen: str) -> str:
    points = [
        (x.at(a), y.at(b)) if x.shows(a) and b is not None and y.shows(b) else None
        for a, b in zip(series.x, series.y, strict=True)
    ]
    if series.markers:
        return "".join(f'<circle cx="{p[0]:.1f}" cy="{p[1]:.1f}" {pen}/>' for p in points if p)
    path, move = [], "M"
    for point in points:
        if point is None:
            move = "M"
            continue
        path.append(f"{move}{point[0]:.1f},{point[1]:.1f}")
        move = "L"
    return f'<path {pen} d="{" ".join(path)}"/>'


def legend(entries: Sequence[tuple[str, str]]) -> str:
    """Each name with a sample of its line."""
    items = (
        f'<span><svg viewBox="0 0 40 10" aria-hidden="true">{sample}</svg>{escape(name)}</span>'
        for name, sample in entries
        if name
    )
    return f'<div class="fps-legend">{"".join(items)}</div>'


def figure(body: str, caption: str, below: str = "", size: tuple[int, int] = (WIDTH, HEIGHT)) -> str:
    """A chart with its caption."""
    return (
        f'<figure class="fps-figure"><svg class="fps-chart" viewBox="0 0 {size[0]} {size[1]}" role="img" '
        f'aria-label="{escape(caption)}">{body}</svg>{below}<figcaption>{escape(caption)}</figcaption></figure>'
    )
