"""The estimate as text, 80 columns: the answer in six lines, then tables, then (with detail) all the rest."""

from __future__ import annotations

import textwrap
from typing import Any

from empirical.advice.advice import LOWER_LIMIT, Pilot
from empirical.advice.pilots import tail
from empirical.advice.rule import LITTLE
from empirical.answer.compare import advises
from empirical.answer.verdict import FAILS, HOLDS, PAPER
from fpsverify.report import names
from theory.rates.rounding import rounded_down

WIDTH, ANSWER_LINES = 80, 6
FEW_FORMS = ("repaired_sharp", "paper")  # what decides; the others are behind --detail


def render(values: dict[str, Any], detail: bool = False) -> str:
    """Answer, what it rests on, letters; with `detail` all the rest."""
    parts = ["\n".join(answer(values)), rate_table(values), assumption_table(values)]
    parts += [_remarks(values)] if values["run"]["notes"] else []
    parts += long_form(values) if detail else []
    if "figures" in values:  # pragma: no cover: --plot, which laws call directly
        parts.append("figures: " + ", ".join(values["figures"]))
    return "\n\n".join(parts)


def answer(values: dict[str, Any]) -> list[str]:
    """At most ANSWER_LINES lines: verdict, learning rates, what to change, what to run next."""
    found, given = values["answer"], values["advice"] or {}
    advised, proved = given.get("recommended"), given.get("guaranteed")
    own = advised == found["used"]  # a run that is its own pilot knows no larger γ
    lines = [*unfinished(values), *wrapped(found["sentence"], 2)]
    said = f" ({_fell(given)}; {_beyond(given)})" if own else f", recommended {largest(advised)}"
    rates = f"used {found['used']:g}{said}, guaranteed {largest(proved)}"
    rates += _why_not_guaranteed(given) if found["covered"] and given else ""
    lines += wrapped(f"  Learning rate: {rates}.", min(2, ANSWER_LINES - 2 - len(lines)))
    last = wrapped(f"  Next: {found['next']}.", 1)
    change, room = [*found["change"], *_growing(values["assumptions"])], ANSWER_LINES - len(lines) - len(last)
    untried = [f"  Larger rates were not tried in this run; {advises(_config(values))} tries them."] * own
    changes = untried if untried and not change else _changes(change, room)
    return lines + (changes + untried if change and len(changes) < room else changes) + last


def _config(values: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = values.get("run", {}).get("config", {})
    return found


def unfinished(values: dict[str, Any]) -> list[str]:
    """A run that was killed is judged as far as it went, which is said first."""
    notes = [n for n in values.get("run", {}).get("notes", []) if n.startswith("not finished")]
    return [f"Not finished: {notes[0].partition('): ')[2]}."] if notes else []


def _fell(advice: dict[str, Any]) -> str:
    """What is known of the rate that the run used."""
    if not advice.get("pilots"):
        return "the loss fell"
    run = Pilot(**advice["pilots"][0])
    share = (run.losses[0] - tail(run)) / (abs(run.losses[0]) or 1.0)
    return f"the loss {'hardly fell, by' if share < LITTLE else 'fell by'} {100 * share:.3g} %"


def _beyond(advice: dict[str, Any]) -> str:
    """A rate above the edge that was measured along the run is no rate for a longer run."""
    edge, label = advice.get("edge"), advice.get("labels", {}).get("edge", "")
    if edge is None or advice["recommended"] <= edge or label.startswith(LOWER_LIMIT):
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


def _changes(change: list[str], room: int) -> list[str]:
    """As many as fit whole, the first in any case; `--detail` has them all."""
    lines: list[str] = []
    for words in change or ["nothing needs to change"]:
        each = wrapped(f"  Change: {words.rstrip('.')}." if change else f"  {words.capitalize()}.", room)
        if len(lines) + len(each) <= room:
            lines += each
    return lines


def wrapped(words: str, most: int) -> list[str]:
    indent = " " * (len(words) - len(words.lstrip()) + 2)
    return textwrap.wrap(words, WIDTH, subsequent_indent=indent, max_lines=most, placeholder=" …")


def number(value: float | None, digits: int = 4) -> str:
    return "-" if value is None else f"{value:.{digits}g}"


def largest(gamma: float | None) -> str:
    """Rounded down: what is shown is allowed."""
    return "none" if gamma is None else rounded_down(gamma, 4)


def upper_end(constant: dict[str, Any]) -> str:
    """In words where a measured constant has none."""
    if constant["high"] is None and constant["estimate"] is not None:
        return "no upper limit"
    return number(constant["high"])


def interval(constant: dict[str, Any]) -> str:
    if constant["estimate"] is None:
        return "not known"
    if constant["low"] == constant["high"]:
        return "exact" if constant["method"].startswith("exact") else "chosen"
    return f"[{number(constant['low'])}, {upper_end(constant)}]"


def mark(found: dict[str, Any]) -> str:
    """Which of the assumptions that a number rests on fail or are undecided, by their numbers."""
    of = lambda names: ", ".join(dict.fromkeys(short(name) for name in names))  # noqa: E731
    failing, undecided = found["fails"], only_open(found)
    said = [f"{of(failing)} {'fail' if ',' in of(failing) else 'fails'}"] if failing else []
    return "; ".join([*said, f"{of(undecided)} open"] if undecided else said)


def only_open(found: dict[str, Any]) -> list[str]:
    """The undecided ones, without those of which another form fails: each is told once, by its worst."""
    failing = {short(name) for name in found["fails"]}
    return [name for name in found["undecided"] if short(name) not in failing]


def short(name: str) -> str:
    """Assumptions of the paper by number, the others by name."""
    return f"A{name[0]}" if name[0].isdigit() else name.removesuffix(" (repaired)")


def ruled(title: str, header: list[str], rows: list[list[str]], right: set[int]) -> str:
    """Between rules; the last column takes what is left of WIDTH, three lines at most."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header) - 1)]
    lines = [line for row in [header, *rows] for line in _row(row, widths, right)]
    return "\n".join([title, "=" * WIDTH, lines[0], "-" * WIDTH, *lines[1:], "=" * WIDTH])


def _row(row: list[str], widths: list[int], right: set[int]) -> list[str]:
    cells = [
        cell.rjust(w) if i in right else cell.ljust(w)
        for i, (cell, w) in enumerate(zip(row, widths, strict=False))
    ]
    head = "  ".join([*cells, ""])
    words = textwrap.wrap(row[-1], WIDTH - len(head), max_lines=3, placeholder=" …") or [""]
    return [(head + words[0]).rstrip(), *(" " * len(head) + more for more in words[1:])]


def constants_table(values: dict[str, Any]) -> str:
    run = values["run"]
    title = f"Constants over {run['T']} rounds, seen at {len(run['sampled_rounds'])}, with 95 % intervals"
    rows = []
    for name, meaning in names.MEANING.items():
        c = values["constants"][name]
        rows.append([names.letter(name), meaning, number(c["estimate"]), interval(c), mark(c)])
    return ruled(title, ["", "meaning", "estimate", "interval", "rests on"], rows, {2})


def assumption_table(values: dict[str, Any]) -> str:
    """What Theorem A asks of the run, with its constants; the paper's further ones in one line."""
    asked = [a for a in values["assumptions"] if a["serves"] != PAPER]
    rows = [[_plain(a["name"]), a["verdict"].upper(), _seen(a, values["constants"])] for a in asked]
    title = "What Theorem A asks (1-5: the paper's assumptions), and what the run shows"
    table = ruled(title, ["", "verdict", "measured, with 95 % intervals"], rows, set())
    said = [_further(values["assumptions"]), names.EXPLAINED]
    return "\n".join([table, *(line for words in said if words for line in wrapped(words, 9))])


def _plain(name: str) -> str:
    return name.removesuffix(" (repaired)")


def _seen(assumption: dict[str, Any], constants: dict[str, Any]) -> str:
    """The constants of an assumption; where it does not hold, also why."""
    known = [(n, constants[n]) for n in assumption["constants"]]
    shown = ", ".join(f"{names.letter(n)} = {_value(c)}" for n, c in known if c["estimate"] is not None)
    if assumption["verdict"] == HOLDS and shown:
        return shown
    return f"{shown}; {assumption['why']}" if shown else str(assumption["why"])


def _value(constant: dict[str, Any]) -> str:
    shown = number(constant["estimate"])
    return shown if constant["low"] == constant["high"] else f"{shown} {interval(constant)}"


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
    return "\n".join([table, *wrapped(f"{COLUMNS} {_condition(values['assumptions'])}", 4)])


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
    lower_limit = advice["labels"]["edge"].startswith(LOWER_LIMIT)
    edge = names.BEYOND if at["edge"] is not None and not lower_limit else advice["labels"]["edge"]
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
    return "\n".join(line for note in values["run"]["notes"] for line in wrapped(f"note: {note}", 9))


def long_form(values: dict[str, Any]) -> list[str]:
    """Every number with how it was found, every verdict in full, what limits each rate, the bound."""
    methods = [f"{names.letter(name)}: {c['method']}" for name, c in values["constants"].items()]
    table = values["details"]["table"]
    return [
        "\n".join([constants_table(values), *wrapped(names.VECTORS, 9)]),
        *(["\n".join(wrapped(table["words"], 9))] if table else []),
        "\n".join(["What to change", *_indented(values["answer"]["change"])]),
        "\n".join(["How each constant was found", *_indented(methods)]),
        "\n".join(["Assumptions in full", *(_verdict(a) for a in values["assumptions"])]),
        "\n".join(["What limits each learning rate", *_indented(_limits(values))]),
        _bound(values["bound"]),
        *([_reasons(values["advice"])] if values["advice"] else []),
    ]


def _indented(sentences: list[str]) -> list[str]:
    return [line for words in sentences for line in wrapped(f"  {words}", 99)]


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
        lines.append(f"Theorem A, for every value in the intervals: at most {number(bound['theorem_a'])}")
        lines.append("(a mean over all draws of batches and noise; R² and the run itself are one draw)")
    if bound.get("with_measured_D2_and_residual") is not None:
        value = number(bound["with_measured_D2_and_residual"])
        lines.append(f"with the measured gradients and residual in place of their bounds: {value}")
    if bound.get("ratio") is not None:
        lines.append(f"bound / run: {number(bound['ratio'])}")
    return "\n".join(["Theorem A against the run", *_indented(lines)])


def _reasons(advice: dict[str, Any]) -> str:
    labels = [f"{name}: {largest(advice[name])} ({words})" for name, words in advice["labels"].items()]
    return "\n".join(["Why these learning rates", *_indented([*labels, *advice["reasons"]])])
