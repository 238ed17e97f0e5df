"""A comparison as one HTML file that needs nothing else: the answer, the table, two figures."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from fpsverify.figure import new_figure, svg
from fpsverify.grids.words import NAMES, answer, how_compared, legend, shown_in

if TYPE_CHECKING:
    from fpsverify.grids.cells import Cell
    from fpsverify.grids.compared import Compared


def page(found: Compared, title: str) -> str:
    style = files("fpsverify.report").joinpath("page.css").read_text(encoding="utf-8")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>"
        f"<body><h1>{escape(title)}</h1>{body(found)}</body></html>\n"
    )


def body(found: Compared) -> str:
    words = "".join(f"<p><b>{escape(line.strip())}</b></p>" for line in answer(found))
    notes = [f"{legend(found, 'bold')}.", *how_compared(found), "Curves: mean over seeds."]
    return f"{words}{_table(found)}<p>{escape(' '.join(notes))}</p>{svg(figure(found), 'comparison')}"


def _table(found: Compared) -> str:
    keys = [*found.cells[0].settings, *(NAMES[metric] for metric in found.metrics), "channel uses", "seeds"]
    head = "".join(f"<th>{escape(key)}</th>" for key in keys)
    best = {metric: found.best(metric) for metric in found.metrics}
    rows = []
    for i, cell in enumerate(found.cells):
        values = [f"<td>{escape(text)}</td>" for text in cell.shown.values()]
        for metric in found.metrics:
            text, winner = escape(shown_in(cell, metric)), best[metric]
            won = winner is not None and winner.name == i
            values.append(f"<td><b>{text}</b></td>" if won else f"<td>{text}</td>")
        uses = cell.interval("uses")
        values += [f"<td>{uses.mean:,.0f}</td>" if uses else "<td>–</td>", f"<td>{len(cell.results)}</td>"]
        rows.append(f"<tr>{''.join(values)}</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def figure(found: Compared) -> Any:
    """Left the intervals of the first metric, right its curves over the channel uses."""
    drawn = new_figure(11, max(3.5, 0.4 * len(found.cells) + 1.5))
    left, right = drawn.subplots(1, 2)
    if not found.metrics:
        return drawn
    metric = found.metrics[0]
    for i, cell in enumerate(found.cells):
        span = cell.interval(metric)
        if span is not None:
            bars = None if span.low is None else [[span.mean - span.low], [(span.high or 0) - span.mean]]
            left.errorbar([span.mean], [i], xerr=bars, fmt="o", capsize=3, color=f"C{i}")
        right.plot(*mean_curve(list(cell.results), metric), color=f"C{i}", label=cell.label)
    left.set(yticks=range(len(found.cells)), yticklabels=[_plain(cell) for cell in found.cells])
    left.invert_yaxis()
    left.set(xlabel=NAMES[metric], title="mean and 95 % interval")
    right.set(xlabel="channel uses", ylabel=NAMES[metric], title="mean over seeds")
    return drawn


def _plain(cell: Cell) -> str:
    return cell.label.replace("$", r"\$")


def mean_curve(results: list[dict[str, Any]], metric: str) -> tuple[list[float], list[float]]:
    """Channel uses and the mean of the metric over the runs that finished, where all were evaluated."""
    curves = [[q for q in r["curve"] if metric in q] for r in results if r["status"] == "done"]
    if not curves:
        return [], []
    points = list(zip(*curves, strict=False))
    return [p[0]["uses"] for p in points], [sum(q[metric] for q in p) / len(p) for p in points]
