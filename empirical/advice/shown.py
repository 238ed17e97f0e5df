"""How an advice looks: text, HTML, table, picture. Numbers are rounded down: what is shown is allowed."""

from __future__ import annotations

import html as escape
import textwrap
from typing import TYPE_CHECKING, Any

from fpsverify.errors import needs
from fpsverify.figure import new_figure
from fpsverify.report.names import EDGE
from theory.rates.rounding import rounded_down

if TYPE_CHECKING:
    from empirical.advice.advice import Advice, Pilot

WIDTH = 80
SURE = ", 95 % sure of L"  # Lanczos' limits fail with a chance of at most 5 %
NUMBERS = ("recommended", "guaranteed", "edge")


def number(gamma: float | None) -> str:
    return "none" if gamma is None else rounded_down(gamma, 4)


def summary(advice: Advice, detail: bool = False) -> str:
    """80 columns: the answer, then the reasons; with `detail` every pilot."""
    parts = [answer(advice), why(advice)]
    if detail:
        parts.append(wrapped("Pilots: ", tuple(map(_pilot, advice.pilots))))
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def answer(advice: Advice) -> list[str]:
    """The three numbers with what they rest on, and what to change."""
    said, proved = advice.labels, "" if advice.guaranteed is None else SURE
    rates = [
        first(advice),
        f"  guaranteed{proved}: {number(advice.guaranteed)} ({said['guaranteed']})",
        f"  {EDGE}: {number(advice.edge)} ({said['edge']})",
    ]
    changes = [f"  To change: {each.rstrip('.')}." for each in advice.change or ("nothing needs to change",)]
    return [line for words in (*rates, *changes) for line in _wrapped(words)]


def first(advice: Advice) -> str:
    """The answer in one line."""
    rests = advice.labels["recommended"]
    if advice.recommended is None:
        return f"No learning rate is recommended ({rests})."
    return f"Use gamma = {number(advice.recommended)} ({rests})."


def why(advice: Advice) -> list[str]:
    """The reasons; the first says where the digits are that the answer leaves out."""
    gamma, told = advice.recommended, number(advice.recommended)
    if gamma is None or float(told) == gamma:
        return wrapped("Why: ", advice.reasons)
    digits = f"{told} is rounded down; advice.gamma has all digits: {gamma!r}."
    return wrapped("Why: ", (digits, *advice.reasons))


def _pilot(each: Pilot) -> str:
    ended = "diverged" if each.diverged else f"loss {each.losses[0]:.4g} to {each.end:.4g}"
    return f"gamma = {number(each.gamma)}, {each.rounds[-1]} rounds: {ended}"


def _wrapped(words: str) -> list[str]:
    return textwrap.wrap(words, WIDTH, subsequent_indent="    ")


def wrapped(head: str, sentences: tuple[str, ...]) -> list[str]:
    """Sentences below each other, beside a heading."""
    lines = []
    for i, sentence in enumerate(sentences):
        begins = head if i == 0 else " " * len(head)
        lines += textwrap.wrap(sentence, WIDTH, initial_indent=begins, subsequent_indent=" " * len(head))
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
    return f"<p>{escape.escape(first(advice))}</p><table>{head}{cells}</table><ul>{listed}</ul>"


def figure(advice: Advice) -> Any:
    made = new_figure(7, 4)
    axes = made.add_subplot()
    for pilot in advice.pilots:
        at = [pilot.gamma * t for t in pilot.rounds]
        axes.plot(at, pilot.losses, marker=".", label=f"γ = {pilot.gamma:.3g}")
    axes.set(xlabel="γ t", ylabel="loss f", title=first(advice))
    axes.grid(alpha=0.3)
    if advice.pilots:
        axes.legend(fontsize=8)
    return made
