"""What the held-out problems of chapter 11 say, for the sentences of other chapters."""

from __future__ import annotations

from statistics import median
from typing import Any

from . import results


def figures(form: str, group: str = "all", rounds: int = 300) -> dict[str, Any]:
    """How often a form's rate was safe, and its regret, over one group of held-out problems."""
    found: dict[str, Any] = _advice()["summary"]["held_out"][group][form][str(rounds)]
    return found


def half_rule() -> str:
    """Markdown: what became of half of the smaller of certified rate and edge where a sketch compresses."""
    half = figures("half", "with a sketch")
    unsafe = half["given"] - half["safe"]
    return (
        "Start pilots at half of the smaller of the two. Do not train with it untested: it was unsafe in "
        f"{unsafe} of {half['given']} held-out problems with a sketch ([chapter 11](advice.md))."
    )


def regret_in_words(form: str, group: str) -> str:
    """Median, nine of ten and worst case, in per cent."""
    at = figures(form, group)["regret"]
    middle, nine, worst = (_percent(at[name]) for name in ("median", "90 %", "max"))
    return f"{middle} in the median, at most {nine} in nine of ten problems, and {worst} in the worst"


def cost() -> dict[str, float]:
    """Rounds that the pilots of one advice took together, and its seconds: median and maximum."""
    rows = [row for row in _advice()["rows"] if row["held_out"]]
    of = {name: [row[name] for row in rows] for name in ("pilot_rounds", "seconds")}
    return {f"{how.__name__}_{name}": how(found) for name, found in of.items() for how in (median, max)}


def _percent(share: float | None) -> str:
    return "everything" if share is None else f"{100 * share:.2g} %"


def _advice() -> dict[str, Any]:
    found = results.load("advice")
    if found is None:
        raise FileNotFoundError("the result `advice` has not been made")
    return found
