"""The estimate as text, 80 columns: the answer in six lines, then tables, then (with detail) all the rest.

Numbers have four digits: upper limits are rounded up; lower limits, and a γ that is allowed, down.
"""

from __future__ import annotations

import textwrap
from typing import Any

from empirical.answer.six_lines import WIDTH, answer, largest, wrapped
from empirical.answer.verdict import FAILS, HOLDS, PAPER
from fpsverify.report import names
from fpsverify.report.page import estimate_of, interval_of, number, upper_end
from theory.rates.rounding import rounded_down

NUMBERED = "Asm. "
FEW_FORMS = ("repaired_sharp", "paper")  # what decides; the others are behind --detail


def render(values: dict[str, Any], detail: bool = False) -> str:
    """Answer, what it rests on, letters; with `detail` all the rest."""
    parts = ["\n".join(answer(values)), rate_table(values), assumption_table(values)]
    parts += [_remarks(values)] if values["run"]["notes"] else []
    parts += long_form(values) if detail else []
    if "figures" in values:  # pragma: no cover: --plot, which laws call directly
        parts.append("figures: " + ", ".join(values["figures"]))
    return "\n\n".join(parts)


def mark(found: dict[str, Any]) -> str:
    """Which of the assumptions that a number rests on fail or are undecided, by their numbers."""
    failing, undecided = _together(found["fails"]), _together(only_open(found))
    said = [f"{failing} {'fail' if ',' in failing else 'fails'}"] if failing else []
    return "; ".join([*said, f"{undecided} open"] if undecided else said)


def _together(names: list[str]) -> str:
    """Each once; the numbered ones share one "Asm."."""
    told = dict.fromkeys(short(name) for name in names)
    numbers = ", ".join(each.removeprefix(NUMBERED) for each in told if each.startswith(NUMBERED))
    others = [each for each in told if not each.startswith(NUMBERED)]
    return ", ".join([f"{NUMBERED}{numbers}", *others] if numbers else others)


def only_open(found: dict[str, Any]) -> list[str]:
    """The undecided ones, without those of which another form fails: each is told once, by its worst."""
    failing = {short(name) for name in found["fails"]}
    return [name for name in found["undecided"] if short(name) not in failing]


def short(name: str) -> str:
    """Assumptions of the paper by number, the others by name."""
    return f"{NUMBERED}{name[0]}" if name[0].isdigit() else name.removesuffix(" (repaired)")


def ruled(title: str, header: list[str], rows: list[list[str]], right: set[int]) -> str:
    """Between rules; the last column takes what is left of WIDTH, on as many lines as it needs."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header) - 1)]
    lines = [line for row in [header, *rows] for line in _row(row, widths, right)]
    return "\n".join([title, "=" * WIDTH, lines[0], "-" * WIDTH, *lines[1:], "=" * WIDTH])


def _row(row: list[str], widths: list[int], right: set[int]) -> list[str]:
    cells = [
        cell.rjust(w) if i in right else cell.ljust(w)
        for i, (cell, w) in enumerate(zip(row, widths, strict=False))
    ]
    head = "  ".join([*cells, ""])
    joined = row[-1].replace(NUMBERED, NUMBERED.replace(" ", "\xa0"))  # no number alone on its line
    words = textwrap.wrap(joined, WIDTH - len(head), break_on_hyphens=False) or [""]
    words = [each.replace("\xa0", " ") for each in words]
    return [(head + words[0]).rstrip(), *(" " * len(head) + more for more in words[1:])]


def constants_table(values: dict[str, Any]) -> str:
    run = values["run"]
    title = f"Constants over {run['T']} rounds, seen at {len(run['sampled_rounds'])}, with 95 % intervals"
    rows = []
    for name, meaning in names.MEANING.items():
        c = values["constants"][name]
        rows.append([names.letter(name), meaning, estimate_of(c), interval_of(c), mark(c)])
    return ruled(title, ["", "meaning", "estimate", "interval", "rests on"], rows, {2})


def assumption_table(values: dict[str, Any]) -> str:
    """What Theorem A asks of the run, with its constants; the paper's further ones in one line."""
    asked = [a for a in values["assumptions"] if a["serves"] != PAPER]
    rows = [[_plain(a["name"]), a["verdict"].upper(), _seen(a, values["constants"])] for a in asked]
    title = "What Theorem A asks (1 to 5: the paper's assumptions), and what the run shows"
    table = ruled(title, ["", "verdict", "measured, with 95 % intervals"], rows, set())
    said = [_further(values["assumptions"]), names.EXPLAINED]
    return "\n".join([table, *(line for words in said if words for line in wrapped(words))])


def _plain(name: str) -> str:
    return name.removesuffix(" (repaired)")


def _seen(assumption: dict[str, Any], constants: dict[str, Any]) -> str:
    """The constants of an assumption; where it does not hold, also the first sentence of why."""
    known = [(n, constants[n]) for n in assumption["constants"]]
    shown = ", ".join(f"{names.letter(n)} = {_value(c)}" for n, c in known if c["estimate"] is not None)
    if assumption["verdict"] == HOLDS and shown:
        return shown
    why = str(assumption["why"]).partition(". ")[0]
    return f"{shown}; {why}" if shown else why


def _value(constant: dict[str, Any]) -> str:
    shown = estimate_of(constant)
    return shown if constant["low"] == constant["high"] else f"{shown} {interval_of(constant)}"


def _further(assumptions: list[dict[str, Any]]) -> str:
    paper = [a for a in assumptions if a["serves"] == PAPER]
    failing = [a["name"].replace(" gradient (paper)", "") for a in paper if a["verdict"] == FAILS]
    if not paper:
        return ""
    which = f"{len(failing)} fail ({'; '.join(failing)})" if failing else "none fails"
    return f"The paper's own theorem asks {len(paper)} more; {which}. See --detail."


COLUMNS = "At estimates: with every constant as measured; all intervals: with the worse end of each."


def rate_table(values: dict[str, Any]) -> str:
    """At the estimates, and safe for every value in the intervals."""
    rows = _advice_rows(values["advice"], mark(values["learning_rate"]["repaired_sharp"]))
    for form in FEW_FORMS:
        rate = values["learning_rate"][form]
        rows.append([names.FORMS[form], _at_estimates(rate), _safe(rate), mark(rate)])
    title = f"Learning rates γ that each source allows (used: {values['run']['gamma']:g})"
    table = ruled(title, ["", "at estimates", "all intervals", "rests on"], rows, {1, 2})
    return "\n".join([table, *wrapped(f"{COLUMNS} {_condition(values['assumptions'])}")])


def _condition(assumptions: list[dict[str, Any]]) -> str:
    """What Theorem A asks of a sketch, and what this run says about it."""
    found = next((a["verdict"] for a in assumptions if a["name"] == "sketch residual"), "")
    here = f" (here: {found.upper()})" if found else ""
    return f"{names.CONDITION}{here}."


def _advice_rows(advice: dict[str, Any] | None, marked: str) -> list[list[str]]:
    """What the answer does not have already."""
    if advice is None:
        return []
    at, over = advice["at_estimates"], advice["over_intervals"]
    known = at["edge"] is not None and not advice["edge_from_below"]
    edge = names.BEYOND if known else advice["labels"]["edge"]
    return [
        [names.EDGE, largest(at["edge"]), largest(over["edge"]), edge],
        [names.CERTIFIED, largest(at["certified"]), largest(over["certified"]), marked],
    ]


def _at_estimates(rate: dict[str, Any]) -> str:
    limit = rate["at_estimates"]
    return "any" if limit is None else "none" if limit == 0 else rounded_down(limit, 4)


def _safe(rate: dict[str, Any]) -> str:
    if rate["empty"]:
        return "none"
    return "any" if rate["unbounded"] else largest(rate["gamma_max"])


def _remarks(values: dict[str, Any]) -> str:
    return "\n".join(line for note in values["run"]["notes"] for line in wrapped(f"note: {note}"))


def long_form(values: dict[str, Any]) -> list[str]:
    """Every number with how it was found, every verdict in full, what limits each rate, the bound."""
    methods = [f"{names.letter(name)}: {c['method']}" for name, c in values["constants"].items()]
    table = values["details"]["table"]
    return [
        "\n".join([constants_table(values), *wrapped(names.VECTORS)]),
        *(["\n".join(wrapped(table["words"]))] if table else []),
        "\n".join(["What to change", *_indented(values["answer"]["change"])]),
        "\n".join(["How each constant was found", *_indented(methods)]),
        "\n".join(["Assumptions in full", *(_verdict(a) for a in values["assumptions"])]),
        "\n".join(["What limits each learning rate", *_indented(_limits(values))]),
        _bound(values["bound"]),
        *([_reasons(values["advice"])] if values["advice"] else []),
    ]


def _indented(sentences: list[str]) -> list[str]:
    return [line for words in sentences for line in wrapped(f"  {words}")]


def _verdict(a: dict[str, Any]) -> str:
    parts = [f"because   {a['why']}", f"demands   {a['demands']}", f"measured  {a['measured']}"]
    return "\n".join([f"  {a['name']}: {a['verdict'].upper()}", *_indented(["  " + p for p in parts])])


def _limits(values: dict[str, Any]) -> list[str]:
    found = [_limit(names.FORMS[form], rate) for form, rate in values["learning_rate"].items()]
    for stage, rates in values["learning_rate_paper_constants"].items():
        found.append(_limit(f"paper with the constants of the {stage} gradient", rates["paper"]))
    return [*found, *_lumped(values)]


def _limit(name: str, rate: dict[str, Any]) -> str:
    limit, binding = _safe(rate), names.BINDING.get(rate["binding"], rate["binding"])
    limit = f"{limit} ({_at_estimates(rate)} at the estimates)"
    if rate["used_over_max"] is None:
        return f"{name}: {limit}; {binding}"
    place = "inside" if rate["used_is_inside"] else "outside"
    times = number(rate["used_over_max"], 3)
    return f"{name}: {limit}, set by {binding}; γ used is {place}, {times} times it"


def _lumped(values: dict[str, Any]) -> list[str]:
    """What the paper's own reading of the bias would have to cover."""
    return [
        f"{stage} gradient: its squared bias is {number(c['bias_over_gradient'], 3)} times ‖∇f‖² (median); "
        f"P_b = {number(c['P_b']['high'], 3)} and b² = {number(c['b2']['high'], 3)} cover the sampled rounds "
        "only"
        for stage, c in values["details"]["lumped"].items()
    ]


def _bound(bound: dict[str, Any]) -> str:
    average = bound["measured_average"]
    mean = "not recorded every round" if average is None else number(average["estimate"])
    lines = [f"mean of ‖∇f(w̃_t)‖² in the run: {mean}"]
    if bound["theorem_a"] is None:
        lines.append(f"Theorem A gives no bound: {bound['why_not'].removesuffix(', so it gives no bound')}")
    else:
        lines.append(f"Theorem A, for every value in the intervals: at most {upper_end(bound['theorem_a'])}")
        lines += [f"it says nothing: {bound['says_nothing']}"] if bound["says_nothing"] else []
        lines.append("(a mean over all draws of batches and noise; R² and the run itself are one draw)")
    if bound.get("with_measured_D2_and_residual") is not None:
        value = upper_end(bound["with_measured_D2_and_residual"])
        lines.append(f"with the measured gradients and residual in place of their bounds: {value}")
    if bound.get("ratio") is not None:
        lines.append(f"bound / run: {number(bound['ratio'])}")
    return "\n".join(["Theorem A against the run", *_indented(lines)])


def _reasons(advice: dict[str, Any]) -> str:
    labels = [f"{name}: {largest(advice[name])} ({words})" for name, words in advice["labels"].items()]
    return "\n".join(["Why these learning rates", *_indented([*labels, *advice["reasons"]])])
