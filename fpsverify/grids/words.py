"""A comparison in words: the answer in at most six lines, then the table, then the chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fpsverify.grids.statistics import LOWER_IS_BETTER, Interval

if TYPE_CHECKING:
    from fpsverify.grids.cells import Cell
    from fpsverify.grids.compared import Compared

WIDTH, MOST_LINES = 80, 5
NAMES = {
    "accuracy": "accuracy",
    "train_accuracy": "training accuracy",
    "mse": "squared error",
    "train_mse": "training squared error",
    "test_loss": "test loss",
    "train_loss": "training loss",
}


def summary(found: Compared, detail: bool = False) -> str:
    return "\n\n".join(["\n".join(answer(found)), evidence(found, detail)])


def evidence(found: Compared, detail: bool = False) -> str:
    """What the answer rests on: the table, the chart, and on request every run."""
    parts = [table(found), *(chart(found, metric) for metric in found.metrics[:1])]
    return "\n\n".join([*filter(None, parts), *([seeds_table(found)] if detail else [])])


def answer(found: Compared) -> list[str]:
    lines = [*found.unfinished[:1]]
    for metric in found.metrics[:2]:
        lines += _verdict(found, metric)
    last = [line for metric in found.metrics[2:] if found.unlike(metric) for line in _verdict(found, metric)][
        :1
    ]
    gone = [cell for cell in found.cells if cell.diverged]
    if gone:
        runs = _plural(sum(len(cell.diverged) for cell in gone), "run")
        where = [f"{cell.label} (seed {', '.join(map(str, cell.diverged))})" for cell in gone]
        last.append(_fit(f"{runs} diverged, so these cells cannot be best: ", where, "."))
    return [*lines[: MOST_LINES - len(last)], *last]


def _verdict(found: Compared, metric: str) -> list[str]:
    if unlike := found.unlike(metric):
        return [f"No best {NAMES[metric]}: the runs differ in their {' and '.join(unlike)}."]
    best = found.best(metric)
    if best is None:
        return []
    winner = found.cells[best.name]
    if len(found.cells) == 1:
        return [f"{NAMES[metric].capitalize()}: {shown(winner.interval(metric), metric)}."]
    equal = [i for i in best.tied if _mean(found, i, metric) == _mean(found, best.name, metric)]
    tied = [i for i in best.tied if i not in equal]
    word = "Lowest" if metric in LOWER_IS_BETTER else "Highest"
    first = f"{word} {NAMES[metric]}: {shown(winner.interval(metric), metric)} at {winner.label}."
    if equal:
        same = [found.cells[i].label for i in (best.name, *equal)]
        first = _fit(f"Equal {NAMES[metric]}: {shown(winner.interval(metric), metric)} for ", same, ".")
    others = len(tied) + len(best.beaten)
    if not others:
        return [first]
    seeds = len(winner.values(metric))
    if not tied:
        which = "the other cell" if others == 1 else f"each of the other {others} cells"
        return [first, f"  More than chance (95 %, {seeds} seeds): it beats {which}."]
    if seeds < 2:
        return [first, "  With one seed this may be chance: repeat the runs with other seeds."]
    rivals = [found.cells[i].label for i in tied]
    more = f"; about {best.seeds_needed} seeds would tell" if best.seeds_needed else ""
    return [first, _fit("  Could be chance against ", rivals, f"{more}.")]


def _mean(found: Compared, i: int, metric: str) -> float | None:
    span = found.cells[i].interval(metric)
    return None if span is None else span.mean


def _fit(start: str, items: Sequence[str], end: str = "") -> str:
    """As many of the items as fit on a line, and the number of the rest."""
    for shown_items in range(len(items), 0, -1):
        rest = len(items) - shown_items
        more = f" and {rest} more" if rest else ""
        line = f"{start}{'; '.join(items[:shown_items])}{more}{end}"
        if len(line) <= WIDTH:
            return line
    return f"{start}{_plural(len(items), 'cell')}{end}"


def _plural(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def shown(interval: Interval | None, metric: str) -> str:
    """A mean with its interval: shares in percent, all else with three digits."""
    if interval is None:
        return "–"
    unit = 100.0 if "accuracy" in metric else 1.0
    form = "{:.1f}" if "accuracy" in metric else "{:.3g}"
    percent = " %" if "accuracy" in metric else ""
    mean = form.format(unit * interval.mean)
    if interval.low is None or interval.high is None:
        return f"{mean}{percent}"
    low, high = (form.format(unit * bound) for bound in (interval.low, interval.high))
    return f"{mean}{percent} [{low}, {high}]"


def shown_in(cell: Cell, metric: str) -> str:
    """A value, that there is none because all runs diverged, or that these runs do not have this metric."""
    found = cell.interval(metric)
    return "diverged" if found is None and cell.diverged else shown(found, metric)


def table(found: Compared) -> str:
    """One line per cell; `*` marks the best of each column."""
    keys = list(found.cells[0].settings)
    header = [*keys, *(NAMES[metric] for metric in found.metrics), "channel uses", "seeds"]
    best = {metric: found.best(metric) for metric in found.metrics}
    lines = []
    for i, cell in enumerate(found.cells):
        marks = [_marked(cell, i, metric, best[metric]) for metric in found.metrics]
        uses = cell.interval("uses")
        n, lost = len(cell.results), len(cell.diverged)
        seeds = f"{n - lost} of {n}" if lost else str(n)
        lines.append([*cell.shown.values(), *marks, f"{uses.mean:,.0f}" if uses else "–", seeds])
    return "\n".join([aligned([header, *lines]), legend(found), *how_compared(found)])


def legend(found: Compared, best: str = "*") -> str:
    """Student's t knows no limits of what it measures, and cutting its interval would claim that it does."""
    spans = [cell.interval(metric) for cell in found.cells for metric in found.metrics]
    below = any(span and span.low is not None and span.low < 0 < span.mean for span in spans)
    few = " (Student's t: with few seeds it may reach below 0)" if below else ""
    return f"[…]: 95 % interval of the mean over seeds{few}; {best}: best mean of the column"


def how_compared(found: Compared) -> list[str]:
    """How cells are compared, which their intervals do not show."""
    words = "Cells are compared seed by seed: intervals may overlap and one still be better."
    return [words] if len(found.cells) > 1 else []


def _marked(cell: Cell, i: int, metric: str, best: object) -> str:
    star = "*" if best is not None and getattr(best, "name", None) == i else ""
    return shown_in(cell, metric) + star


def aligned(lines: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def chart(found: Compared, metric: str) -> str:
    """Means and intervals of all cells on one axis, in characters; none where all are one number."""
    spans = [cell.interval(metric) for cell in found.cells]
    ends = [x for s in spans if s for x in (s.low, s.mean, s.high) if x is not None]
    low, high = min(ends, default=0.0), max(ends, default=0.0)
    if not low < high:
        return ""
    unit = 100.0 if "accuracy" in metric else 1.0
    left, right = (f"{unit * x:.3g}" for x in (low, high))
    name = f"{NAMES[metric]}{', %' if unit > 1 else ''}"
    label = max(len(name), *(len(cell.label) for cell in found.cells))
    width = max(20, WIDTH - label - 2)
    axis = f"{name:<{label}}  {left}{right:>{width - len(left)}}"
    lines = [
        f"{cell.label:<{label}}  {_bar(span, low, high, width) if span else shown_in(cell, metric)}".rstrip()
        for cell, span in zip(found.cells, spans, strict=True)
    ]
    return "\n".join([axis, *lines])


def _bar(span: Interval, low: float, high: float, width: int) -> str:
    def place(x: float) -> int:
        return round((x - low) / (high - low) * (width - 1))

    first, last = (place(span.mean if x is None else x) for x in (span.low, span.high))
    line = [" "] * first + ["─"] * (last - first + 1)
    if span.low is not None and last > first:
        line[first], line[last] = "├", "┤"
    line[place(span.mean)] = "●"
    return "".join(line)


def seeds_table(found: Compared) -> str:
    """The value of every run."""
    lines = [["cell", "seed", *(NAMES[metric] for metric in found.metrics)]]
    for cell in found.cells:
        for result in cell.results:
            values = [cell.values(metric).get(result["seed"]) for metric in found.metrics]
            absent = "–" if result["status"] == "done" else "diverged"
            shown_values = [absent if v is None else f"{v:.6g}" for v in values]
            lines.append([cell.label, str(result["seed"]), *shown_values])
    return aligned(lines)
