"""On which assumptions, conditions and declared facts a line rests in the end.

A line does not repeat what the lines before it assume. This follows its derivation down to what no line
proves: Assumptions 1-5, the step-size conditions of Corollary 2, definitions, declared facts.
"""

from __future__ import annotations

from collections.abc import Callable

from theory.entry import Entry
from theory.stated import STATED
from theory.statements import Claim
from theory.symbols import in_paper_letters

WRITTEN = ("K1", "K2", "K3", "MU")
BEHIND = (  # part, letter, and the assumption that says what the letter is
    *((part, name, "A3") for part in ("RD.D2", "RA.T4") for name in ("t", "t_H")),
    *(("RA.C4", name, "A5") for name in ("D_m", "B2")),
    *(("RC1.", "B2", "A5"), ("RC2.", "D", "A5"), ("RC2.", "D2", "A5")),
    *((part, "keep", "MU") for part in ("RD.", "RA.", "RF.")),
)


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
        found.update(_behind_letters(line))
        found.update(name for name in used if name in STATED)
        left += [find(name) for name in {*used, *line.depends} if name not in STATED]
    return tuple(name for name in STATED if name in found)


def _behind_letters(line: Entry) -> set[str]:
    """Assumptions that enter as what a letter is: ‖bias‖ ≤ t, D² = G² + B²A, 0 ≤ 1 − γμ."""
    letters = {s.name for s in line.claim.symbols} if isinstance(line.claim, Claim) else set()
    return {assumption for part, name, assumption in BEHIND if line.id.startswith(part) and name in letters}


def conditions_text(names: tuple[str, ...]) -> str:
    """Their ids; the step-size conditions written out."""
    return "; ".join(f"{name}: {_written(name)}" if name in WRITTEN else name for name in names)


def _written(name: str) -> str:
    return ", ".join(str(in_paper_letters(form)) for form in STATED[name])
