"""The answer of an estimate: at most six lines of 80 columns. What does not fit whole is left to --detail."""

from __future__ import annotations

import textwrap
from itertools import chain
from typing import Any

from empirical.answer.verdict import FAILS
from empirical.spelling import spelling_of
from theory.rates.rounding import rounded_down

WIDTH, ANSWER_LINES = 80, 6
LEFT_OUT = "  Change: what to change is in --detail."


def answer(values: dict[str, Any]) -> list[str]:
    """How it trained and which theorem covers it, learning rates, what to change, what to run next."""
    found = values["answer"]
    head = [*unfinished(values), *wrapped(found["sentence"])]
    last = wrapped(f"  Next: {found['next']}.")
    changes = _changes(values)
    most = [[*chain(*changes[:n])] for n in range(len(changes), 0, -1)]
    long, short = (wrapped(f"  Learning rate: {words}.") for words in _rates(values))
    forms = [[*head, *long, *each, *last] for each in most]
    forms += [[*head, *short, *each, *last] for each in (most[-1], [LEFT_OUT])]
    forms[-1:-1] = [[*head, *short, *most[-1]]] if found["learned"] else []
    return next((lines for lines in forms if len(lines) <= ANSWER_LINES), [*head, *short, *last])


def _rates(values: dict[str, Any]) -> tuple[str, str]:
    """Used, recommended and guaranteed γ; the first form says why there is no guarantee."""
    found, given = values["answer"], values["advice"] or {}
    advised, proved = given.get("recommended"), given.get("guaranteed")
    own = advised == found["used"]  # a run that is its own pilot knows no larger γ
    said = f" ({_beyond(given)})" if own else f", recommended {largest(advised)}"
    short = f"used {found['used']:g}{said}, guaranteed {largest(proved)}"
    return short + (_why_not_guaranteed(given) if found["covered"] and given else ""), short


def _changes(values: dict[str, Any]) -> list[list[str]]:
    """Each as whole lines, the most important first."""
    change = [*values["answer"]["change"], *_growing(values["assumptions"])]
    lines = [wrapped(f"  Change: {words.rstrip('.')}.") for words in change]
    if values["answer"]["used"] == (values["advice"] or {}).get("recommended"):
        tries = spelling_of(values.get("run", {}).get("config", {})).advise
        lines.append([f"  Larger rates were not tried in this run; {tries} tries them."])
    return lines or [["  Nothing needs to change."]]


def unfinished(values: dict[str, Any]) -> list[str]:
    """A run that was killed is judged as far as it went, which is said first."""
    notes = [n for n in values.get("run", {}).get("notes", []) if n.startswith("not finished")]
    return [f"Not finished: {notes[0].partition('): ')[2]}."] if notes else []


def _beyond(advice: dict[str, Any]) -> str:
    """A rate above the edge that was measured along the run is no rate for a longer run."""
    edge = advice.get("edge")
    if edge is None or advice["recommended"] <= edge or advice["edge_from_below"]:
        return "larger ones not tried"
    return f"above the measured edge {largest(edge)}: risky in a longer run"


def _growing(assumptions: list[dict[str, Any]]) -> list[str]:
    """What the sketch misses grows: then the sketch is the first thing to change."""
    if not any(a["name"] == "sketch residual" and a["verdict"] == FAILS for a in assumptions):
        return []
    return ["raise buckets or k: what the sketch misses keeps growing"]


def _why_not_guaranteed(advice: dict[str, Any]) -> str:
    """A theorem may cover this run, with what was measured in it, and yet no rate before a run like it."""
    if advice["guaranteed"] is not None:
        return ""
    reason = advice["labels"]["guaranteed"].removeprefix("no theorem: ").partition(", ")[0]
    return f": no theorem covers every run like this one ({reason})"


def wrapped(words: str) -> list[str]:
    """Whole, on as many lines as it takes."""
    indent = " " * (len(words) - len(words.lstrip()) + 2)
    return textwrap.wrap(words, WIDTH, subsequent_indent=indent, break_on_hyphens=False)


def largest(gamma: float | None) -> str:
    """Rounded down: what is shown is allowed."""
    return "none" if gamma is None else rounded_down(gamma, 4)
