"""Who holds what: rows of each class on each device, as a table for the terminal and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fpsverify.figure import new_figure

WIDEST = 8  # classes that a line of the table has room for


def counts(groups: NDArray[Any], shards: Sequence[NDArray[np.int64]]) -> tuple[list[str], NDArray[np.int64]]:
    """The names of the classes and counts[class, device]."""
    names, of_row = np.unique(groups, return_inverse=True)
    table = np.stack([np.bincount(of_row[shard], minlength=len(names)) for shard in shards], axis=1)
    return [f"{name:g}" for name in names], table


def text(groups: NDArray[Any], shards: Sequence[NDArray[np.int64]]) -> str:
    """One line per device: rows, classes, and the largest of these."""
    names, table = counts(groups, shards)
    lines = [f"{'device':>6}  {'rows':>7}  classes (rows of each, the largest first)"]
    for m, column in enumerate(table.T):
        order = [c for c in np.argsort(-column, kind="stable") if column[c]]
        shown = ", ".join(f"{names[c]}: {column[c]}" for c in order[:WIDEST])
        more = f", {len(order) - WIDEST} more" if len(order) > WIDEST else ""
        lines.append(f"{m:>6}  {column.sum():>7}  {len(order)} ({shown}{more})")
    return "\n".join(lines)


def picture(groups: NDArray[Any], shards: Sequence[NDArray[np.int64]], what: str = "class") -> Any:
    """A bar per device, cut into its classes, as a matplotlib figure."""
    from matplotlib import colormaps

    names, table = counts(groups, shards)
    figure = new_figure(max(4.0, 0.35 * table.shape[1] + 2.5), 3.2)
    axes, foot = figure.add_subplot(), np.zeros(table.shape[1])
    colours = colormaps["viridis"](np.linspace(0, 1, max(len(names), 2)))
    for name, row, colour in zip(names, table, colours, strict=False):
        axes.bar(np.arange(len(row)), row, bottom=foot, label=name, color=colour)
        foot += row
    axes.set(xlabel="device", ylabel="rows", xticks=np.arange(table.shape[1]))
    if 1 < len(names) <= 20:
        axes.legend(
            title=what,
            fontsize="small",
            ncols=1 + len(names) // 11,
            loc="center left",
            bbox_to_anchor=(1, 0.5),
        )
    return figure
