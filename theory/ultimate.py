"""On which assumptions, conditions and declared facts a line rests in the end.

A line does not repeat what the lines before it assume. This follows its derivation down to what no line
proves: Assumptions 1-5, the step-size conditions of Corollary 2, definitions, declared facts.
"""

from __future__ import annotations

from collections.abc import Callable

from theory.entry import Entry
from theory.stated import STATED
from theory.symbols import in_paper_letters


def rests_on(entry: Entry, find: Callable[[str], Entry]) -> tuple[str, ...]:
    """The ids of what the line and all lines below it are given, in the order of `STATED`."""
    found: set[str] = set()
    seen: set[str] = set()
    left = [entry]
    while left:
        line = left.pop()
        if line.id in seen:
            continue
        seen.add(line.id)
        used = [step.line for step in line.steps]
        found.update(name for name in used if name in STATED)
        left += [find(name) for name in {*used, *line.depends} if name not in STATED]
    return tuple(name for name in STATED if name in found)


def conditions_text(names: tuple[str, ...]) -> str:
    """Their ids; the step-size conditions written out."""
    return "; ".join(f"{name}: {_written(name)}" if name.startswith("K") else name for name in names)


def _written(name: str) -> str:
    return ", ".join(str(in_paper_letters(form)) for form in STATED[name])
