"""One self-contained HTML file about a run: the answer, learning rates, assumptions, constants, curves.

Plain values come in, text goes out. Nothing is loaded from anywhere: styles and charts are in the file.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from functools import cache
from importlib.resources import files
from typing import Any

from fpsverify.figure import Line, line_chart
from fpsverify.report import names

NO_ESTIMATE = (
    "<h2>Constants</h2><p>Not estimated. Call <code>fpsverify report RUN</code> without "
    "<code>--no-estimate</code> to see which assumptions hold and which learning rates they allow.</p>"
)


@dataclass(frozen=True)
class Curve:
    """A figure, and which columns of the record it shows."""

    title: str
    unit: str
    columns: tuple[tuple[str, str], ...]
    log: bool
    caption: str


CURVES = (
    Curve(
        "Loss",
        "loss",
        (("loss", "training loss f(w̃)"), ("test_loss", "test loss")),
        False,
        "What training did. A loss that falls and then rises: raise k or the buckets, or lower γ.",
    ),
    Curve(
        "Accuracy",
        "share of test rows (0 to 1)",
        (("accuracy", "right"), ("majority", "right if the largest class is always said")),
        False,
        "Beside the loss, never in its place.",
    ),
    Curve(
        "Gradient",
        "squared norm",
        (("grad_norm_squared", "‖∇f(w̃)‖²"), ("device_grad_norm_squared", "mean of ‖∇l_m(w̃)‖²")),
        True,
        "The theorems bound the mean of the first curve over the rounds; the gap between the two is data "
        "heterogeneity.",
    ),
    Curve(
        "Sketch residual",
        "squared norm",
        (("residual_squared", "residual ‖v − w̃‖²"), ("v_norm_squared", "‖v‖², the exact vector")),
        True,
        "What reading out of the sketch missed, against the size of the vector behind it.",
    ),
    Curve(
        "Channel",
        "SNR (dB)",
        (("snr_db", "SNR received (dB)"),),
        False,
        "Signal-to-noise ratio of the received sketch.",
    ),
)


def render(
    rows: Sequence[dict[str, float]],
    summary: dict[str, Any],
    config_text: str,
    estimate: dict[str, Any] | None,
) -> str:
    """The whole page; without an estimate it says how to get one."""
    return str(
        _template("page.html.j2").render(
            title=f"{summary['algorithm'].upper()} run, {summary['rounds']} rounds",
            style=_style("page.css") + _style("estimate.css"),
            facts=facts(summary),
            estimate=body(estimate) if estimate else NO_ESTIMATE,
            curves=curves(rows),
            config=config_text,
            notes=[] if estimate else summary["notes"],
            summary=summary,
        )
    )


def body(estimate: dict[str, Any]) -> str:
    """What an estimate says, the answer first."""
    return str(_template("estimate.html.j2").render(**estimate, names=names))


def fragment(estimate: dict[str, Any]) -> str:
    """The same with its colours, for a notebook."""
    return f"<style>{_style('estimate.css')}</style>{body(estimate)}"


def _style(name: str) -> str:
    return files("fpsverify.report").joinpath(name).read_text(encoding="utf-8")


@cache
def _template(name: str) -> Any:
    from jinja2 import Environment, PackageLoader

    environment = Environment(
        loader=PackageLoader("fpsverify.report", ""), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"number": number, "g": lambda x: f"{x:g}"}
    environment.filters |= {
        "limit": largest_allowed,
        "upper": upper_end,
        "constant": estimate_of,
        "interval": interval_of,
    }
    return environment.get_template(name)


def number(value: float | None, digits: int = 4) -> str:
    return "-" if value is None or not math.isfinite(value) else f"{value:.{digits}g}"


def largest_allowed(value: float | None, digits: int = 4) -> str:
    """A largest allowed value, rounded down so that what is shown is allowed."""
    return lower_end(value, digits) if value else "none"


def lower_end(value: float | None, digits: int = 4) -> str:
    return _rounded(value, digits, ROUND_FLOOR)


def upper_end(value: float | None, digits: int = 4) -> str:
    """What bounds from above, rounded up: a bound, a constant, the upper end of an interval."""
    return _rounded(value, digits, ROUND_CEILING)


def estimate_of(constant: dict[str, Any]) -> str:
    """Rounded like the end of its interval that it is, so that one number has one form."""
    low, estimate, high = (constant[name] for name in ("low", "estimate", "high"))
    if estimate is None or low == high:
        return upper_end(estimate)
    return lower_end(estimate) if low == estimate else number(estimate)


def interval_of(constant: dict[str, Any]) -> str:
    """In words where nothing was left to chance, or where there is no upper end."""
    low, high = constant["low"], constant["high"]
    if constant["estimate"] is None:
        return "not known"
    if low == high:
        return "exact" if constant["method"].startswith("exact") else "chosen"
    return f"[{lower_end(low)}, {'no upper limit' if high is None else upper_end(high)}]"


def _rounded(value: float | None, digits: int, direction: str) -> str:
    if value is None or not math.isfinite(value):
        return "-"
    return f"{float(Context(prec=digits, rounding=direction).create_decimal(repr(float(value)))):.{digits}g}"


def facts(summary: dict[str, Any]) -> list[str]:
    """One line on what was run and how it ended; loss and accuracy together."""
    final = summary["final"]
    ended = [
        f"{key} {number(final[key])}" for key in ("loss", "test_loss", "accuracy", "mse") if key in final
    ]
    devices = "" if " devices" in summary["data"] else f", {summary['M']} devices"
    return [
        str(summary["data"]),
        f"d = {summary['d']:,}{devices}",
        f"{summary['channel_uses_total']:,} channel uses",
        "at the end " + ", ".join(ended).replace("_", " "),
    ]


def curves(rows: Sequence[dict[str, float]]) -> list[dict[str, str]]:
    """Every figure for which the run has data."""
    found = []
    for curve in CURVES:
        lines = [line for key, label in curve.columns if (line := _line(rows, key, label)).x]
        if lines:
            chart = line_chart(lines, curve.unit, curve.log, curve.caption)
            found.append({"title": curve.title, "chart": chart})
    return found


def _line(rows: Sequence[dict[str, float]], key: str, label: str) -> Line:
    shown = [(row["round"], row[key]) for row in rows if key in row and math.isfinite(row[key])]
    return Line(label, [x for x, _ in shown], [y for _, y in shown])
