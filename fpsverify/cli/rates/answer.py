"""The answer of `lr`: at most six lines, then a table, then (with --detail) the long form."""

from __future__ import annotations

import textwrap
from functools import partial
from typing import TYPE_CHECKING, Any

from fpsverify.cli.rates import text
from fpsverify.report import names
from theory.rates.rounding import rounded_down, rounded_up

if TYPE_CHECKING:
    from pathlib import Path

    from theory.rates.answer import Answer
    from theory.rates.parameters import Box
    from theory.rates.random_hash import HashRange
    from theory.rates.ranges import Range

SKETCH = "if the sketch residual stays bounded"
HOW = {
    "exact": "by an exact certificate (checked with fractions)",
    "numerical": "by the solver alone: numerical, not proved",
    "none": "by Theorem A (a proof, but no certificate)",
}
WIDTH, MOST_LINES = 80, 6
CONDITION = textwrap.wrap(
    f"{names.CONDITION}. What is certified, and Theorem C (for convex losses), hold without a sketch.", WIDTH
)


def lr_text(
    box: Box,
    result: dict[str, Range],
    found: Answer,
    assumed: list[str],
    detail: bool,
    table: HashRange | None = None,
    run: dict[str, Any] | None = None,
    kept: Path | None = None,
) -> str:
    """Answer, table and, if asked for, the paragraphs; the advice of a run comes first."""
    lines, marks = lr_answer(result, found, table, kept), {}
    if run is not None:
        from empirical.answer.text import mark

        marks = {form: mark(rate) for form, rate in run["learning_rate"].items()}
        lines = _of_run(run, lines, detail)
    if assumed:
        lines += ["", f"Not given, so assumed: {', '.join(assumed)}."]
    lines += ["", found.note] if found.note else []
    rows = _rows(found, marks.get("repaired_sharp", ""))
    lines += ["", text.ranges_table(box, result, rows, marks), "", *CONDITION]
    if detail:
        lines += [text.ranges_detail(result), *_own_detail(found)]
    return "\n".join(lines)


def _of_run(run: dict[str, Any], lines: list[str], detail: bool) -> list[str]:
    """The advice of the run, and what would hold without a sketch; the reasons with --detail."""
    from empirical.advice import uncut
    from empirical.advice.advice import Advice
    from empirical.advice.shown import answer
    from empirical.answer.six_lines import unfinished, wrapped

    marks = _not_proved(run["learning_rate"]["repaired_sharp"])
    if marks:
        lines = [f"If these held: {_lower(x)}" if x.startswith("Certified: ") else x for x in lines]
    head = "Without a sketch, with all devices and fixed mu, every value in its interval:"
    written = [line for line in lines[3:] if "fpsverify check" in line and "--certificate" not in line]
    lines = ["", head, *marks, *(lines if detail else [*lines[:3], *written])]
    if not run["advice"]:
        return lines[1:]
    found = run["answer"]
    poor = not found["learned"] and run["advice"]["recommended"] == found["used"]
    change = [f"the learning rate: {found['next']}"] if poor else found["change"]
    advice = Advice.from_json(run["advice"] | {"change": change})  # as `estimate` says it
    first = [*unfinished(run), *(wrapped(found["trained"]) + answer(advice)[1:] if poor else answer(advice))]
    if len(first) > MOST_LINES:
        first = [line for line in first if not line.startswith(f"  {names.EDGE}:")]
    why = ["", *uncut.why(advice)] if detail else []
    return [*first, *why, *lines]


def lr_answer(
    result: dict[str, Range], found: Answer, table: HashRange | None = None, kept: Path | None = None
) -> list[str]:
    """At most six lines: what is certified, what it means, what is left, the paper, what to change or run."""
    paper = _paper(result["paper"])
    if found.certified.empty:
        remedy = f"  {result['repaired_sharp'].why}"
        return ["No learning rate is certified for these constants: the bias is too large.", remedy, paper]
    if found.certified.gamma_max is None:
        return ["Any learning rate gamma > 0 will do: L = 0, so the losses have no curvature.", paper]
    change = _convex_line(found) or _change(found)
    certified = [_certified(found), *_meaning(found)]
    first = (
        certified if table is None else [*_with_sketch(table), f"  Without a sketch: {_lower(certified[0])}"]
    )
    lines = [*first, *_left(found), paper, *change]
    return [*lines[: MOST_LINES - 1], _next(found, kept)]


def _certified(found: Answer) -> str:
    """For a proof of one γ every digit counts: all of them stand in the certificate and in the long form."""
    given = found.certified
    number = given.gamma_max or 0.0
    if given.all_smaller:
        return f"Certified: gamma <= {rounded_down(number)}, {HOW[given.certificate]}."
    below = f"gamma < {rounded_down(given.theorem_a, 4)}"
    return f"Certified: gamma = {rounded_down(number)} alone (all digits: --detail), {below}."


def _meaning(found: Answer) -> list[str]:
    if found.certified.certificate == "none":
        return [f"  It bounds the mean squared gradient, {SKETCH}.", f"  {_clipped(found.certified.why)}"]
    if found.certified.all_smaller:
        return ["  No sketch: mean ||grad f||^2 falls to a floor (noise, bias, unlike devices)."]
    sure = "exact" if found.certified.certificate == "exact" else "not proved"
    return [
        f"  First ({sure}): without a sketch mean ||grad f||^2 falls to a floor.",
        "  Second (Theorem A): mean ||grad f||^2 is bounded if the residual is.",
    ]


def _lower(line: str) -> str:
    return line.replace("Certified: gamma", "gamma", 1).replace(" (checked with fractions)", "")


def _clipped(why: str, more: str = " (--detail)") -> str:
    """A reason on one line; `more` says where all of it stands."""
    return textwrap.shorten(why, WIDTH - 2, placeholder=f" …{more}")


def _with_sketch(table: HashRange) -> list[str]:
    """What this sketch allows before its hash is known."""
    if table.gamma_max is None:
        return [
            "With this sketch only a pilot can tell: try fpsverify advise.",
            f"  The reason: {_clipped(table.why)}.",
        ]
    sure = f"with probability {1 - table.failure:.0%} over its hash"
    return [f"With this sketch: gamma < {rounded_down(table.gamma_max)} {sure} (mean)."]


def _left(found: Answer) -> list[str]:
    end, share = found.impossible, found.share
    if end.gamma_from is None or share is None:
        return []
    limit, percent = rounded_up(end.gamma_from, 4), rounded_down(100 * share, 3)
    where = f"From {limit} on" if end.larger_too else f"At {limit}"
    return [f"  {where} some such loss never improves; certified is {percent} % of that."]


def _paper(paper: Range) -> str:
    if paper.empty:
        return "  The paper's own range is empty for these constants (it is refuted as well)."
    limit = "any gamma" if paper.gamma_max is None else f"gamma <= {rounded_down(paper.gamma_max)}"
    return f"  The paper's own range says {limit}, but it is refuted."


def _convex_line(found: Answer) -> list[str]:
    """Whoever says that the losses are convex may use Theorem C; its floor is higher where devices differ."""
    end = found.convex.gamma_max
    if found.certified.theta > 0 or end is None or end <= (found.certified.gamma_max or 0.0):
        return []
    return [f"  Convex, with a minimum: gamma < {rounded_down(end)} (Theorem C), down to a higher floor."]


def _change(found: Answer) -> list[str]:
    """The one parameter that would help most by Theorem A, if that is more than what is certified."""
    from theory.rates.advice import largest_lever
    from theory.rates.ranges import supremum

    lever = largest_lever(found.at, partial(supremum, "repaired_sharp"))
    if lever is None or not lever[1] > 1.01 * (found.certified.gamma_max or 0.0):
        return []
    gamma = "any gamma" if lever[1] == float("inf") else f"gamma < {rounded_down(lever[1], 4)}"
    return [f"  To allow more: {lever[0]} would allow {gamma}."]


def _next(found: Answer, kept: Path | None) -> str:
    if kept is not None:
        return f"  Next: fpsverify check {kept} (the proof is in it)."
    if found.certified.proof is not None:
        return "  Next: --certificate FILE.json keeps the proof, fpsverify check repeats it."
    return "  Next: fpsverify bound (same constants, --gamma, --T, --Delta)."


def _not_proved(marks: dict[str, Any]) -> list[str]:
    """The assumptions behind a number that fail or are undecided in the run, as much in words as fits."""
    from empirical.answer.short_answer import listed
    from empirical.answer.text import mark, only_open

    failing, still = marks["fails"], only_open(marks)
    if not (failing or still):
        return []
    fails, opened = f"fails: {listed(failing)}", f"open: {listed(still)}"
    whole = "; ".join([fails] * bool(failing) + [opened] * bool(still))
    forms = [whole, f"{fails}; {mark({'fails': [], 'undecided': still})}", mark(marks)]
    lines = [f"  Not proved for this run; {words}." for words in forms]
    return [next((line for line in lines if len(line) <= WIDTH), lines[-1])]


def _rows(found: Answer, mark: str) -> list[text.Row]:
    convex = found.convex
    limit = "does not apply" if not convex.applies else text.limit(convex.gamma_max, True, "any gamma > 0")
    why = convex.why if not convex.applies else text.plain_binding("convexity")
    return [
        text.Row(f"certified ({found.certified.certificate})", _gamma(found), _binding(found), mark),
        text.Row(
            "convex losses (Theorem C)",
            limit,
            why.removeprefix("Theorem C does not apply: "),
            mark if convex.applies else "",
        ),
    ]


def _gamma(found: Answer) -> str:
    given = found.certified
    if given.empty:
        return "empty"
    if given.gamma_max is None:
        return "any gamma > 0"
    return f"{'<=' if given.all_smaller else 'only'} {rounded_down(given.gamma_max)}"


def _binding(found: Answer) -> str:
    return text.plain_binding(found.certified.binding)


def _own_detail(found: Answer) -> list[str]:
    given = found.certified
    lines = ["", "certified", *text.entry("why", given.why), *text.entry("status", found.status)]
    lines += (
        [] if given.all_smaller or given.empty else text.entry("all digits", f"gamma = {given.gamma_max!r}")
    )
    lines += text.entry("impossible", found.impossible.why)
    return [*lines, "", "convex losses (Theorem C)", *text.entry("why", found.convex.why)]
