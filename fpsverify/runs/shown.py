"""How a finished run looks: text for a terminal, HTML for a notebook, a table, a picture."""

from __future__ import annotations

import html as escape
import textwrap
from pathlib import Path
from typing import Any

from fpsverify.runs.record import Row

WIDTH = 80
LINES = (
    ("test accuracy", "accuracy", "{:.1%}"),
    ("  majority class alone", "majority", "{:.1%}"),
    ("  balanced accuracy", "balanced_accuracy", "{:.1%}"),
    ("  AUC", "auc", "{:.3f}"),
    ("  of the mean broadcast w̄", "averaged_accuracy", "{:.1%}"),
    ("  tied scores", "ties", "{:.1%}"),
    ("training accuracy", "train_accuracy", "{:.1%}"),
    ("test mean squared error", "mse", "{:.4g}"),
    ("  of zero for every row", "zero_mse", "{:.4g}"),
    ("test loss", "test_loss", "{:.4g}"),
    ("  of the mean broadcast w̄", "averaged_test_loss", "{:.4g}"),
    ("training loss", "train_loss", "{:.4g}"),
    ("training loss f(w)", "loss", "{:.4g}"),
    ("devices in a round", "participants", "{:.0f}"),
    ("‖∇f(w)‖²", "grad_norm_squared", "{:.4g}"),
    ("‖w‖²", "w_norm_squared", "{:.4g}"),
    ("sketch residual ‖v−w̃‖²", "residual_squared", "{:.4g}"),
    ("selected coordinates", "selected", "{:.0f}"),
    ("  of these in the data", "selected_in_data", "{:.0f}"),
)


def figures(summary: dict[str, Any]) -> list[tuple[str, str]]:
    """Names and values of what the run ended with."""
    final = summary["final"]
    found = [(label, form.format(final[key])) for label, key, form in LINES if key in final]
    found.append(("channel uses", f"{summary['channel_uses_total']:,}"))
    if summary["median_snr_db"] is not None:
        found.append(("median SNR received", f"{summary['median_snr_db']:.1f} dB"))
    return found


def head(summary: dict[str, Any]) -> str:
    size = f"M = {summary['M']} devices, d = {summary['d']:,}"
    return f"{summary['algorithm']}: {summary['rounds']} rounds, {size}"


def text(summary: dict[str, Any], folder: Path | None, traffic: list[Row] | None = None) -> str:
    lines = [head(summary), *_wrapped(f"data: {summary['data']}")]
    lines += [f"{label:<28}{value}" for label, value in figures(summary)]
    if traffic:
        lines.append(wire_line(traffic[-1]))
    for note in summary["notes"]:
        lines += _wrapped(f"note: {note}")
    torch = summary["versions"]["torch"]
    lines.append(f"seed {summary['seed']}, config {summary['config_digest']}, torch {torch}")
    if folder is not None:
        lines.append(f"written to {folder}")
    return "\n".join(lines)


def _wrapped(words: str) -> list[str]:
    return textwrap.wrap(words, WIDTH, subsequent_indent="    ")


def html(summary: dict[str, Any]) -> str:
    cells = "".join(
        f"<tr><th>{escape.escape(label)}</th><td>{escape.escape(value)}</td></tr>"
        for label, value in figures(summary)
    )
    notes = "".join(f"<li>{escape.escape(note)}</li>" for note in summary["notes"])
    return f"<p>{escape.escape(head(summary))}</p><table>{cells}</table><ul>{notes}</ul>"


def frame(rows: list[Row]) -> Any:
    """One row per round, as a pandas DataFrame."""
    import pandas as pd

    return pd.DataFrame(rows).set_index("round")


CURVES = (
    (("loss", "test_loss", "train_loss", "averaged_test_loss"), "loss"),
    (("accuracy", "train_accuracy", "averaged_accuracy"), "accuracy"),
)


def picture(rows: list[Row]) -> Any:
    """Loss and, where there is one, accuracy over the rounds, as a matplotlib figure."""
    from matplotlib.figure import Figure

    wanted = [(names, label) for names, label in CURVES if any(name in row for row in rows for name in names)]
    made = Figure(figsize=(4.5 * max(len(wanted), 1), 3.2), layout="constrained")
    for axes, (names, label) in zip(made.subplots(1, len(wanted), squeeze=False)[0], wanted, strict=True):
        for name in names:
            points = [(row["round"], row[name]) for row in rows if name in row]
            if points:
                axes.plot(*zip(*points, strict=True), label=name.replace("_", " "))
        axes.set(xlabel="round", ylabel=label)
        axes.legend(fontsize=8)
    return made


def wire_line(row: Row) -> str:
    """What the leading rank moved in one round."""
    channel = f"{row['table_bytes_sent']:,.0f} bytes sent, {row['table_bytes_received']:,.0f} received"
    other = f"{row['other_bytes_sent']:,.0f} and {row['other_bytes_received']:,.0f} of records"
    return f"{'last round on the wire':<28}{channel} per rank ({row['ranks']:.0f} ranks); {other}"
