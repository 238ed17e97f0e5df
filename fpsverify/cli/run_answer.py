"""What `fpsverify run` says at its end: what was reached, whether it fell back, what to do next; a table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fpsverify.runs.loop import RunResult

RISEN = 1.05  # how far above its lowest value the loss may end before it is called risen
LINES = (
    ("test accuracy", "accuracy", "{:.1%}"),
    ("  majority class alone", "majority", "{:.1%}"),
    ("  balanced accuracy", "balanced_accuracy", "{:.1%}"),
    ("  AUC", "auc", "{:.3f}"),
    ("  of the mean broadcast w̄", "averaged_accuracy", "{:.1%}"),
    ("  tied scores", "ties", "{:.1%}"),
    ("test mean squared error", "mse", "{:.4g}"),
    ("test loss", "test_loss", "{:.4g}"),
    ("  of the mean broadcast w̄", "averaged_test_loss", "{:.4g}"),
    ("training loss f(w)", "loss", "{:.4g}"),
    ("‖∇f(w)‖²", "grad_norm_squared", "{:.4g}"),
    ("‖w‖²", "w_norm_squared", "{:.4g}"),
    ("sketch residual ‖v−w̃‖²", "residual_squared", "{:.4g}"),
    ("selected coordinates", "selected", "{:.0f}"),
    ("  of these in the data", "selected_in_data", "{:.0f}"),
)


def answer(result: RunResult) -> list[str]:
    """At most six lines."""
    lines = [_reached(result), *_history(result)]
    uses = result.summary["channel_uses_total"]
    lines.append(f"  It used the channel {uses:,} times for d = {result.summary['d']:,} parameters.")
    if result.folder is None:
        return [*lines, "Next: the same with --out DIR, then fpsverify estimate DIR (is this rate safe?)."]
    question = f"Next: fpsverify estimate {result.folder} (is this learning rate safe?)."
    return [*lines, f"Written to {result.folder}.", question]


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
    name = "test_loss" if "test_loss" in result.summary["final"] else "train_loss"
    curve = [(row["round"], row[name]) for row in result.rows if name in row]
    if not curve:
        return []
    (_, first), (_, last) = curve[0], curve[-1]
    best, lowest = min(curve, key=lambda point: point[1])
    line = f"  {name.replace('_', ' ').replace('train', 'training').capitalize()} {first:.4g} → {last:.4g}"
    if lowest > 0 and last > RISEN * lowest:
        risen = f"{line}; it was {lowest:.4g} in round {best:.0f} and has risen since:"
        return [risen, "  try a smaller local.gamma, a larger algorithm.k or more buckets."]
    return [f"{line}."]


def render(result: RunResult) -> str:
    """The answer, and below it all that was measured at the end."""
    summary = result.summary
    final = summary["final"]
    lines = [*answer(result), "", f"data: {summary['data']}"]
    lines += [f"{label:<28}{form.format(final[key])}" for label, key, form in LINES if key in final]
    if summary["median_snr_db"] is not None:
        lines.append(f"{'median SNR received':<28}{summary['median_snr_db']:.1f} dB")
    if result.traffic:
        lines.append(wire_line(result.traffic[-1]))
    lines += [f"note: {note}" for note in summary["notes"]]
    lines.append(
        f"seed {summary['seed']}, config {summary['config_digest']}, torch {summary['versions']['torch']}"
    )
    return "\n".join(lines)


def as_json(result: RunResult) -> str:
    from fpsverify.files import json_safe

    folder = None if result.folder is None else str(result.folder)
    document = {"answer": answer(result), "folder": folder, **result.summary}
    return json.dumps(json_safe(document), indent=2, allow_nan=False)


def wire_line(row: dict[str, float]) -> str:
    """What the leading rank moved in one round."""
    channel = f"{row['table_bytes_sent']:,.0f} bytes sent, {row['table_bytes_received']:,.0f} received"
    other = f"{row['other_bytes_sent']:,.0f} and {row['other_bytes_received']:,.0f} of records"
    return f"{'last round on the wire':<28}{channel} per rank ({row['ranks']:.0f} ranks); {other}"
