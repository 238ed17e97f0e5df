"""How a finished run looks: what was reached, whether it fell back, what to do next; then every figure.

As text for a terminal, HTML for a notebook, a table, a picture.
"""

from __future__ import annotations

import html as escape
import json
import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fpsverify.errors import needs
from fpsverify.figure import new_figure
from fpsverify.files import json_safe
from fpsverify.runs import curves, files
from fpsverify.runs.record import Row

if TYPE_CHECKING:
    from fpsverify.runs.loop import RunResult

WIDTH, LABEL = 80, 31
# The loss that the theory is about first; it is recorded in verification mode.
LOSSES = {"loss": "Training loss", "train_loss": "Training loss", "test_loss": "Test loss"}
LINES = (
    ("test accuracy", "accuracy", "{:.1%}"),
    ("  majority class alone", "majority", "{:.1%}"),
    ("  balanced accuracy", "balanced_accuracy", "{:.1%}"),
    ("  AUC", "auc", "{:.3f}"),
    ("  of the mean broadcast w̄", "averaged_accuracy", "{:.1%}"),
    ("  of the largest coordinates", "readout_accuracy", "{:.1%}"),
    ("  tied scores", "ties", "{:.1%}"),
    ("training accuracy", "train_accuracy", "{:.1%}"),
    ("test mean squared error", "mse", "{:.4g}"),
    ("  of zero for every row", "zero_mse", "{:.4g}"),
    ("  of the mean for every row", "mean_mse", "{:.4g}"),
    ("test loss", "test_loss", "{:.4g}"),
    ("  of the mean broadcast w̄", "averaged_test_loss", "{:.4g}"),
    ("  of the largest coordinates", "readout_test_loss", "{:.4g}"),
    ("training loss over all rows", "train_loss", "{:.4g}"),
    ("training loss f(w), by device", "loss", "{:.4g}"),
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
    if math.isfinite(summary["median_snr_db"] or math.inf):
        found.append(("median SNR received", f"{summary['median_snr_db']:.1f} dB"))
    return found


def answer(result: RunResult) -> list[str]:
    """At most six lines."""
    lines = [_reached(result), *_history(result)]
    lines.append(_cost(result))
    written = ["Nothing is kept."] if result.folder is None else [f"Written to {result.folder}."]
    return [*lines, *written, _next(result)]


def _next(result: RunResult) -> str:
    """A run that has learned is worth an estimate; another one needs another rate first."""
    config, folder = result.config, result.folder
    if hardly_learned(result):
        ask = "fpsverify advise with the same arguments" if folder is None else files.advises(folder, config)
        ask = "fps.advise(federation, …)" if files.made_in_python(config) else ask
        return f"It hardly learned. Next: {ask} (which rate?)."
    if folder is None:
        return "Next: the same with --out DIR, then fpsverify estimate DIR (is this rate safe?)."
    return f"Next: fpsverify estimate {folder}{files.consent(config)} (is this learning rate safe?)."


def hardly_learned(result: RunResult) -> bool:
    """Is it no better than the largest class alone, or has the loss hardly fallen?"""
    final = result.summary["final"]
    for kind in ("", "train_"):
        if f"{kind}majority" in final and final[f"{kind}accuracy"] <= final[f"{kind}majority"]:
            return True
    losses = list(_curve(result)[1].values())
    return bool(losses) and losses[0] - losses[-1] < curves.HARDLY * abs(losses[0])


def _cost(result: RunResult) -> str:
    """How often the channel was used; a table as large as the model saves nothing, which is said."""
    uses, d, options = result.summary["channel_uses_total"], result.summary["d"], result.config.algorithm
    table = options.rows * options.buckets
    if options.name in ("fps", "fresh") and options.compressor != "identity" and table >= d:
        return f"  {uses:,} channel uses: {table:,} numbers for {d:,} parameters save nothing."
    return f"  It used the channel {uses:,} times for d = {d:,} parameters."


def _reached(result: RunResult) -> str:
    final, about = result.summary["final"], result.summary
    start = f"{about['algorithm']}, {about['rounds']} rounds, {about['M']} devices:"
    for kind, words in (("", "test"), ("train_", "training")):
        if f"{kind}accuracy" in final:
            majority = f"{final[f'{kind}majority']:.1%}"
            accuracy = f"{final[f'{kind}accuracy']:.1%} {words} accuracy"
            return f"{start} {accuracy} (majority class alone: {majority})."
        if f"{kind}mse" in final:
            return f"{start} mean squared {words} error {final[f'{kind}mse']:.4g}."
    return f"{start} no accuracy was measured."


def _history(result: RunResult) -> list[str]:
    """Where the loss began, ended and was lowest; a rise since then is said, with what may help."""
    name, curve = _curve(result)
    if not curve:
        return []
    losses = list(curve.values())
    line = f"  {LOSSES[name]} {losses[0]:.4g} → {losses[-1]:.4g}"
    best = curves.lowest_at(list(curve), losses)
    if best == list(curve)[-1]:
        return [f"{line}."]
    risen = f"{line}; it was {curve[best]:.4g} in round {best} and has risen since:"
    return [risen, "  try a smaller gamma (local.gamma), a larger k (algorithm.k) or more buckets."]


def _curve(result: RunResult) -> tuple[str, dict[int, float]]:
    """The loss that was recorded, the first of LOSSES, by round."""
    name = next((name for name in LOSSES if any(name in row for row in result.rows)), "")
    return name, {round(row["round"]): row[name] for row in result.rows if name in row}


def in_brief(result: RunResult) -> list[str]:
    """Start and end of the losses, and what was reached beside what a constant answer reaches."""
    final, told = result.summary["final"], []
    for name in ("loss", "test_loss", "train_loss"):
        values = [row[name] for row in result.rows if name in row]
        said_below = name == "test_loss" and f"{final.get('mse', -1):.4g}" == f"{final.get(name, -2):.4g}"
        if values and not said_below:
            told.append(f"{name} {values[0]:.4g} → {values[-1]:.4g}")
    for kind, words in (("", ""), ("train_", "training ")):
        if f"{kind}accuracy" in final:
            majority = final.get(f"{kind}majority")
            alone = "" if majority is None else f" (largest class alone: {majority:.1%})"
            told.append(f"{words}accuracy {final[f'{kind}accuracy']:.1%}{alone}")
    if "mse" in final:
        mean = f" (predicting the mean: {final['mean_mse']:.4g})" if "mean_mse" in final else ""
        told.append(f"mse {final['mse']:.4g}{mean}")
    return told


def ended_above_start(rows: Sequence[Row]) -> list[str]:
    """What is said if the loss ends above its start, or is no number; on test rows γ may be innocent."""
    for name, words in LOSSES.items():
        if seen := [row[name] for row in rows if name in row]:
            innocent = name == "test_loss" and math.isfinite(seen[-1])
            remedy = "see verify=True" if innocent else "use a smaller gamma"
            return [] if seen[-1] <= seen[0] else [f"the {words.lower()} ENDED ABOVE ITS START: {remedy}"]
    return []


def render(result: RunResult) -> str:
    """The answer, and below it all that was measured at the end."""
    summary = result.summary
    lines = [*answer(result), "", *_wrapped(f"data: {summary['data']}")]
    lines += [f"{label:<{LABEL}}{value}" for label, value in figures(summary)]
    if result.traffic:
        lines.append(wire_line(result.traffic[-1]))
    for note in summary["notes"]:
        lines += _wrapped(f"note: {note}")
    torch = summary["versions"]["torch"]
    lines.append(f"seed {summary['seed']}, config {summary['config_digest']}, torch {torch}")
    return "\n".join(lines)


def as_json(result: RunResult) -> str:
    folder = None if result.folder is None else str(result.folder)
    document = {"answer": answer(result), "folder": folder, **result.summary}
    return json.dumps(json_safe(document), indent=2, allow_nan=False)


def _wrapped(words: str) -> list[str]:
    return textwrap.wrap(words, WIDTH, subsequent_indent="    ")


def html(result: RunResult) -> str:
    summary = result.summary
    cells = "".join(
        f"<tr><th>{escape.escape(label)}</th><td>{escape.escape(value)}</td></tr>"
        for label, value in figures(summary)
    )
    notes = "".join(f"<li>{escape.escape(note)}</li>" for note in summary["notes"])
    first = "<br>".join(escape.escape(line) for line in answer(result))
    return f"<p>{first}</p><table>{cells}</table><ul>{notes}</ul>"


def frame(rows: list[Row]) -> Any:
    """One row per round, as a pandas DataFrame."""
    with needs():
        import pandas as pd

    return pd.DataFrame(rows).set_index("round")


CURVES = (
    (("loss", "test_loss", "train_loss", "averaged_test_loss"), "loss"),
    (("accuracy", "train_accuracy", "averaged_accuracy"), "accuracy"),
)


def picture(rows: list[Row]) -> Any:
    """Loss and, where there is one, accuracy over the rounds, as a matplotlib figure."""
    wanted = [(names, label) for names, label in CURVES if any(name in row for row in rows for name in names)]
    made = new_figure(4.5 * max(len(wanted), 1), 3.2)
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
    return f"{'last round on the wire':<{LABEL}}{channel} per rank ({row['ranks']:.0f} ranks); {other}"
