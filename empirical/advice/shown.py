"""How an advice looks: text, HTML, table, picture. Numbers are rounded down: what is shown is allowed."""

from __future__ import annotations

import html as escape
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fpsverify.errors import needs
from fpsverify.figure import new_figure
from fpsverify.report.names import EDGE
from theory.rates.rounding import rounded_down

if TYPE_CHECKING:
    from empirical.advice.advice import Advice

WIDTH = 80
ANSWER_LINES = 6
SURE = ", 95 % sure of L"  # Lanczos' limits fail with a chance of at most 5 %
NUMBERS = ("recommended", "guaranteed", "edge")
MOST_WHY = 8  # lines of reasons in a summary
MORE = "More: --detail, in Python advice.change and advice.reasons."


def number(gamma: float | None) -> str:
    return "none" if gamma is None else rounded_down(gamma, 4)


def summary(advice: Advice) -> str:
    why = next(lines for lines in _shorter(reasons(advice)) if len(lines) <= MOST_WHY)
    return "\n".join([*answer(advice), *([""] if why else []), *why])


def reasons(advice: Advice) -> tuple[str, ...]:
    """All of them; the first says where the digits are that the answer leaves out."""
    gamma, shown = advice.recommended, number(advice.recommended)
    if gamma is None or float(shown) == gamma:
        return advice.reasons
    return f"{shown} is rounded down; advice.gamma has all digits: {gamma!r}.", *advice.reasons


def _shorter(sentences: tuple[str, ...]) -> Iterator[list[str]]:
    """All sentences, then fewer and fewer of the first ones with a word on where the others are."""
    yield wrapped("Why: ", sentences)
    for kept in reversed(range(len(sentences))):
        yield wrapped("Why: ", (*sentences[:kept], MORE))


def answer(advice: Advice) -> list[str]:
    """At most ANSWER_LINES lines."""
    change = advice.change[0] if advice.change else "nothing needs to change"
    ask = _line(f"  To change: {change.rstrip('.')}.", ANSWER_LINES - 3)
    edge = _line(f"  {EDGE}: {number(advice.edge)} ({advice.labels['edge']})", 1)
    room = ANSWER_LINES - 1 - len(ask) - len(edge)
    sure = "" if advice.guaranteed is None else SURE
    proved = f"  guaranteed{sure}: {number(advice.guaranteed)} ({advice.labels['guaranteed']})"
    return [_first(advice), *_line(proved, room), *edge, *ask]


def _first(advice: Advice) -> str:
    if advice.recommended is None:
        return _line(f"No learning rate is recommended ({advice.labels['recommended']}).", 1)[0]
    return _line(f"Use gamma = {number(advice.recommended)} ({advice.labels['recommended']}).", 1)[0]


def _line(words: str, most: int) -> list[str]:
    """Wrapped to the width; what does not fit in `most` lines ends in an ellipsis."""
    return textwrap.wrap(words, WIDTH, subsequent_indent="    ", max_lines=most, placeholder=" …")


def wrapped(head: str, sentences: tuple[str, ...]) -> list[str]:
    lines = []
    for i, sentence in enumerate(sentences):
        first = head if i == 0 else " " * len(head)
        lines += textwrap.wrap(sentence, WIDTH, initial_indent=first, subsequent_indent=" " * len(head))
    return lines


def rows(advice: Advice) -> list[dict[str, Any]]:
    """One dictionary per number."""
    at = {"guaranteed": "certified", "edge": "edge"}
    return [
        {
            "name": name,
            "gamma": getattr(advice, name),
            "at_estimates": getattr(advice.at_estimates, at[name]) if name in at else None,
            "over_intervals": getattr(advice.over_intervals, at[name]) if name in at else None,
            "rests_on": advice.labels[name],
        }
        for name in NUMBERS
    ]


def frame(advice: Advice) -> Any:
    with needs():
        import pandas as pd

    return pd.DataFrame(rows(advice)).set_index("name")


def html(advice: Advice) -> str:
    cells = "".join(
        f"<tr><th>{row['name']}</th><td>{number(row['gamma'])}</td><td>{number(row['at_estimates'])}</td>"
        f"<td>{number(row['over_intervals'])}</td><td>{escape.escape(row['rests_on'])}</td></tr>"
        for row in rows(advice)
    )
    head = "<tr><th></th><th>γ</th><th>at estimates</th><th>over intervals</th><th>rests on</th></tr>"
    listed = "".join(f"<li>{escape.escape(words)}</li>" for words in (*advice.change, *advice.reasons))
    return f"<p>{escape.escape(_first(advice))}</p><table>{head}{cells}</table><ul>{listed}</ul>"


def figure(advice: Advice) -> Any:
    made = new_figure(7, 4)
    axes = made.add_subplot()
    for pilot in advice.pilots:
        at = [pilot.gamma * t for t in pilot.rounds]
        axes.plot(at, pilot.losses, marker=".", label=f"γ = {pilot.gamma:.3g}")
    axes.set(xlabel="γ t", ylabel="loss f", title=_first(advice))
    axes.grid(alpha=0.3)
    if advice.pilots:
        axes.legend(fontsize=8)
    return made
