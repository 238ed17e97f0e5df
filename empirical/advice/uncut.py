"""An advice with nothing left out: whole labels, every change, every pilot; is its summary cut?"""

from __future__ import annotations

import textwrap

from empirical.advice import shown
from empirical.advice.advice import Advice, Pilot
from empirical.advice.pilots import tail
from empirical.advice.shown import SURE, WIDTH, number, wrapped
from empirical.advice.words import AT_END
from fpsverify.report.names import EDGE


def summary(advice: Advice) -> str:
    """80 columns wide, as long as it takes."""
    parts = [answer(advice), why(advice), wrapped("Pilots: ", _pilots(advice.pilots))]
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def why(advice: Advice) -> list[str]:
    return wrapped("Why: ", shown.reasons(advice))


def is_cut(advice: Advice) -> bool:
    """Does the summary leave out a part of the answer?"""
    return shown.answer(advice) != answer(advice)


def answer(advice: Advice) -> list[str]:
    said, proved = advice.labels, "" if advice.guaranteed is None else SURE
    rates = [
        f"Use gamma = {number(advice.recommended)} ({said['recommended']}).",
        f"  guaranteed{proved}: {number(advice.guaranteed)} ({said['guaranteed']})",
        f"  {EDGE}: {number(advice.edge)} ({said['edge']})",
    ]
    if advice.recommended is None:
        rates[0] = f"No learning rate is recommended ({said['recommended']})."
    changes = [f"  To change: {each.rstrip('.')}." for each in advice.change or ("nothing needs to change",)]
    return [line for words in (*rates, *changes) for line in _wrapped(words, "    ")]


def _wrapped(words: str, indent: str) -> list[str]:
    return textwrap.wrap(words, WIDTH, subsequent_indent=indent)


def _pilots(made: tuple[Pilot, ...]) -> tuple[str, ...]:
    return tuple(
        f"gamma = {number(each.gamma)}, {each.rounds[-1]} rounds: "
        + ("diverged" if each.diverged else f"loss {each.losses[0]:.4g} to {tail(each):.4g} ({AT_END})")
        for each in made
    )
