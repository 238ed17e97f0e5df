"""One self-contained HTML file about a run: figures, constants, assumptions, learning rates.

Plain values come in, text goes out. Nothing is loaded from anywhere: styles and charts are in the file.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import ROUND_FLOOR, Context
from html import escape
from importlib.resources import files
from typing import Any

from fpsverify.report.svg import COLOURS, Axis, Series, line_chart

FORMS = {
    "paper": ("the paper's range, as printed", "#D55E00"),
    "paper_with_conditions": ("the paper's range with the step sizes its proof needs", "#E69F00"),
    "corrected": ("the paper's chain with its algebra corrected", "#CC79A7"),
    "repaired_closed": ("repaired theory, closed form", "#0072B2"),
    "repaired_sharp": ("repaired theory, sharp (Theorem A)", "#009E73"),
}
CURVES = (
    (
        "Loss and accuracy",
        "loss; accuracy (share)",
        (("loss", "loss"), ("accuracy", "accuracy")),
        False,
        "What training did.",
    ),
    (
        "Gradient",
        "squared norm",
        (("grad_norm_squared", "‖∇f(w̃)‖²"), ("device_grad_norm_squared", "mean of ‖∇l_m(w̃)‖²")),
        True,
        "The theorems bound the mean of the first curve over the rounds; the gap between the two is data "
        "heterogeneity.",
    ),
    (
        "Sketch residual",
        "squared norm",
        (("residual_squared", "residual ‖v − w̃‖²"), ("v_norm_squared", "‖v‖², the exact vector")),
        True,
        "What reading out of the sketch missed, against the size of the vector behind it.",
    ),
    (
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
    style = files("fpsverify.report").joinpath("page.css").read_text(encoding="utf-8")
    title = f"{summary['algorithm'].upper()} run, {summary['rounds']} rounds"
    parts = [f"<h1>{escape(title)}</h1>", facts(summary), *curves(rows)]
    parts += estimated(estimate) if estimate else [NO_ESTIMATE]
    parts += [f"<h2>Configuration</h2><pre>{escape(config_text)}</pre>", provenance(summary)]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head><body>{''.join(parts)}</body></html>\n"
    )


NO_ESTIMATE = (
    "<h2>Constants</h2><p>Not estimated. Call <code>fpsverify report RUN</code> without "
    "<code>--no-estimate</code> to see which assumptions hold and which learning rates they allow.</p>"
)


def number(value: float | None, digits: int = 4) -> str:
    return "-" if value is None or not math.isfinite(value) else f"{value:.{digits}g}"


def upper_end(constant: dict[str, Any]) -> str:
    """In words where a measured constant has none (null in JSON)."""
    if constant["high"] is None and constant["estimate"] is not None:
        return "no upper limit"
    return number(constant["high"])


def largest_allowed(value: float | None, digits: int = 4) -> str:
    """A largest allowed value, rounded down so that what is shown is allowed."""
    if value is None:
        return "-"
    return f"{float(Context(prec=digits, rounding=ROUND_FLOOR).create_decimal(repr(value))):.{digits}g}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def facts(summary: dict[str, Any]) -> str:
    final = summary["final"]
    rows = [
        ["data", str(summary["data"])],
        ["dimension d, devices M", f"{summary['d']:,}, {summary['M']}"],
        ["channel uses", f"{summary['channel_uses_total']:,}"],
    ]
    rows += [
        [label, number(final[key])]
        for key, label in (("loss", "final loss"), ("accuracy", "final accuracy"))
        if key in final
    ]
    if summary.get("mean_grad_norm_squared") is not None:
        rows.append(["mean of ‖∇f(w̃)‖² over the rounds", number(summary["mean_grad_norm_squared"])])
    notes = "".join(f'<p class="note">Note: {escape(note)}.</p>' for note in summary["notes"])
    return table(["", "this run"], rows) + notes


def curves(rows: Sequence[dict[str, float]]) -> list[str]:
    """Every figure for which the run has data."""
    found = []
    for title, unit, columns, log, caption in CURVES:
        series = [
            Series(
                label,
                [row["round"] for row in rows if key in row],
                [row[key] for row in rows if key in row],
                COLOURS[i],
            )
            for i, (key, label) in enumerate(columns)
            if any(key in row and math.isfinite(row[key]) for row in rows)
        ]
        if series:
            axis = Axis(unit, log=log)
            found.append(f"<h2>{escape(title)}</h2>" + line_chart(series, Axis("round"), axis, caption))
    return found


def estimated(estimate: dict[str, Any]) -> list[str]:
    constants = [
        [name, number(c["estimate"]), f"[{number(c['low'])}, {upper_end(c)}]", c["method"]]
        for name, c in estimate["constants"].items()
    ]
    verdicts = [
        [a["name"], a["verdict"], a["demands"], a["measured"], a["why"]] for a in estimate["assumptions"]
    ]
    return [
        "<h2>Constants</h2>" + table(["constant", "estimate", "95 % interval", "how"], constants),
        "<h2>Assumptions</h2>" + table(["assumption", "verdict", "demands", "measured", "why"], verdicts),
        "<h2>Learning rates</h2><p>What each form allows, for every value in the intervals above, if its "
        "assumptions hold. The paper's range is refuted as printed.</p>",
        rate_bars(estimate["learning_rate"], estimate["run"]["gamma"]),
        bound_words(estimate["bound"]),
    ]


def rate_bars(rates: dict[str, dict[str, Any]], gamma: float) -> str:
    """The ranges on one logarithmic axis, the learning rate in use as a dashed line."""
    sizes = [math.log10(r["gamma_max"]) for r in rates.values() if r["gamma_max"]] + [math.log10(gamma)]
    low, high = math.floor(min(sizes) - 0.3), math.ceil(max(sizes) + 0.1)

    def at(value: float) -> float:
        return 100 * min(1.0, max(0.0, (math.log10(value) - low) / (high - low)))

    bars = []
    for form, rate in rates.items():
        name, colour = FORMS.get(form, (form, COLOURS[-1]))
        limit = (
            "empty"
            if rate["empty"]
            else "any γ"
            if rate["unbounded"]
            else f"γ {'<' if rate['strict'] else '≤'} {largest_allowed(rate['gamma_max'])}"
        )
        width = 0.0 if rate["empty"] else 100.0 if rate["unbounded"] else at(rate["gamma_max"])
        bars.append(
            f'<div class="range"><div><span>{escape(name)}</span><b class="num">{escape(limit)}</b></div>'
            f'<div class="track"><i style="width:{width:.1f}%;background:{colour}"></i>'
            f'<u style="left:{at(gamma):.1f}%"></u></div></div>'
        )
    return "".join(bars) + (
        f'<p class="note">Logarithmic axis from 10<sup>{low}</sup> to 10<sup>{high}</sup>; the dashed line '
        f"is γ = {gamma:g}, the learning rate of this run.</p>"
    )


def bound_words(bound: dict[str, Any]) -> str:
    average = bound["measured_average"]
    measured = "not recorded every round" if average is None else number(average["estimate"])
    if bound["theorem_a"] is None:
        why = escape(str(bound["why_not"]))
        return f"<p>Theorem A gives no bound here: {why}. Mean of ‖∇f(w̃)‖² in the run: {measured}.</p>"
    allowed = number(bound["theorem_a"])
    return f"<p>Mean of ‖∇f(w̃)‖² in the run: <b>{measured}</b>. Theorem A allows <b>{allowed}</b>.</p>"


def provenance(summary: dict[str, Any]) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in summary["versions"].items())
    return (
        f'<p class="note">Seed {summary["seed"]}, config {summary["config_digest"]}; {escape(versions)}.</p>'
    )
