"""The words of `lr`: at most six lines, then a table, then (with --detail) the long form."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from fpsverify.report import names
from theory.rates.rounding import rounded_down, rounded_up

if TYPE_CHECKING:
    from pathlib import Path

    from fpsverify.cli.rates.lr import Rates
    from theory.rates.answer import Answer
    from theory.rates.descent.certificate import Floor
    from theory.rates.descent.certified import Best, CertifiedRange
    from theory.rates.fresh import FreshRange, HashRange
    from theory.rates.parameters import Box
    from theory.rates.ranges import Range

WIDTH, WIDE, MOST_LINES = 80, 100, 6
JUDGED = f"{names.JUDGED}; both as judged in the run"
HOW = {
    "exact": "by an exact certificate",
    "numerical": "by the solver alone: numerical, not proved",
    "none": "by Theorem A (a proof, but no certificate)",
}
LETTERS = (
    "  (L: how fast gradients change, mu: proximal weight, E: local steps, M: devices,\n"
    "  B: how much devices differ, P_b and P_n: bias and noise of a gradient, relative)"
)
PRICES = {"Delta_over_T": "Delta/T", "G2": "G^2", "b2": "b^2", "sigma2": "sigma^2", "channel": "sigma_c^2"}
FRESH = (
    "With a sketch that is drawn anew in every round the rates hold in expectation over its hashes, if the "
    "mean of the rows is read out at every coordinate."
)
CONDITION = f"{names.CONDITION}. What is certified, and Theorem C (for convex losses), hold without a sketch."
BEST = (
    "Delta = f(w_0) - f*. G^2 is what devices differ by beside B. The recommended rate takes "
    "G^2 = L Delta/100 unless --Delta and --G2, --b2 or --sigma2 say otherwise."
)


class Row(NamedTuple):
    """One line of the table of ranges; `mark` names assumptions that fail in the run."""

    name: str
    gamma: str
    limit: str
    mark: str = ""


def lines(
    rates: Rates, kept: Path | None, detail: bool, marks: Mapping[str, str] | None = None, head: bool = True
) -> list[str]:
    """Answer (unless a run's own answer stands in its place), table and, if asked for, the paragraphs."""
    marks = marks or {}
    out = answer(rates, kept) if head else []
    if rates.assumed:
        out += ["", f"Not given, so assumed: {', '.join(rates.assumed)}."]
    out += ["", rates.found.note] if rates.found.note else []
    out += ["", table(rates, marks), "", *textwrap.wrap(CONDITION, WIDTH)]
    if rates.fresh is not None:
        out += [*textwrap.wrap(FRESH, WIDTH), *_notes(rates.fresh)]
    if detail:
        out += ["", *textwrap.wrap(BEST, WIDTH), *_promises(rates), *ranges_detail(rates.ranges)]
        out += _own_detail(rates.found)
    return out


def answer(rates: Rates, kept: Path | None = None) -> list[str]:
    """At most six lines: what to use, what is certified, what is left, the paper, what to run next."""
    found, paper = rates.found, _paper(rates.ranges["paper"])
    if found.certified.empty:
        remedy = f"  {rates.ranges['repaired_sharp'].why}"
        return ["No learning rate is certified for these constants: the bias is too large.", remedy, paper]
    if found.certified.gamma_max is None:
        return ["Any learning rate gamma > 0 will do: L = 0, so the losses have no curvature.", paper]
    if rates.fresh is not None:
        body = [*recommended(rates.best, fresh=True), *_fresh(rates.fresh, found.certified)]
    elif rates.kept is not None:
        body = [*_kept(rates.kept), f"  Without a sketch: {limit_words(found.certified)}."]
    else:
        body = [*recommended(rates.best), *certified(found.certified)]
    more = (*_left(found), paper, *(_convex_line(found) or _change(found)))
    body += more if rates.fresh is None else ()
    return [*body[: MOST_LINES - 1], _next(rates, kept)]


def recommended(best: Best | None, fresh: bool = False) -> list[str]:
    """The rate with the smallest proved bound, and that bound."""
    if best is None:
        return []
    where = "over this sketch" if fresh else "without a sketch"
    return [
        f"Use gamma = {rounded_down(best.gamma, 4)}: of all certified rates its bound is the smallest.",
        f"  mean ||grad f||^2 <= {promise(best.floor)}, {where} (T = {best.T:,}).",
    ]


def promise(floor: Floor, wanted: Iterable[str] = ("Delta_over_T", "G2")) -> str:
    """The proved bound on the mean squared gradient; an absolute error that is 0 costs nothing."""
    factors = floor.as_json()
    shown = [f"{_size(factors[n])} {PRICES[n]}" for n in wanted if factors.get(n)]
    return " + ".join(shown)


def _size(value: float | None) -> str:
    """Rounded up; thousands are written out."""
    text = rounded_up(value or 0.0, 3)
    return f"{float(text):,.0f}" if 1000 <= float(text) < 1e7 else text


def certified(given: CertifiedRange) -> list[str]:
    """The largest rate, and what it still promises."""
    priced = given.floor is not None and given.all_smaller
    floor = f"; there: {promise(given.floor)}" if priced and given.floor else f", {HOW[given.certificate]}"
    first = f"Certified: {limit_words(given)}{floor}."
    if given.certificate == "none":
        return [first, f"  {_clipped(given.why)}"]
    return [first]


def limit_words(given: CertifiedRange) -> str:
    """For a proof of one γ every digit counts: all of them stand in the certificate and in the long form."""
    if given.gamma_max is None:
        return "no gamma" if given.empty else "any gamma > 0"
    if given.all_smaller:
        return f"gamma <= {rounded_down(given.gamma_max)}"
    return f"gamma = {rounded_down(given.gamma_max, 4)} alone, gamma < {rounded_down(given.theorem_a, 4)}"


def _fresh(found: FreshRange, plain: CertifiedRange) -> list[str]:
    """What this sketch allows, what it costs, and the size that would keep half of the range."""
    sketch, own = found.round.sketch, found.broadcasts
    if own.gamma_max is None:
        return [f"No gamma is certified with this sketch: {_clipped(own.why)}"]
    out = [f"Certified with this sketch: {limit_words(own)}, {HOW[own.certificate]}."]
    if found.gamma_max_everywhere and found.gamma_max_everywhere > own.gamma_max:
        end = rounded_down(found.gamma_max_everywhere)
        out.append(f"  gamma <= {end} if the devices are as alike between broadcasts as at them.")
    if plain.gamma_max:
        share = rounded_down(100 * own.gamma_max / plain.gamma_max, 3)
        sent = f"{sketch.size:,} of {sketch.d:,} numbers"
        out.append(f"  That is {share} % of the range without a sketch, for {sent}.")
    half = sketch.size_for()
    if half is not None:
        out.append(f"  Half of the range at E = 1 needs {half:,} numbers: trace/L + 1.")
    else:
        out.append("  This is the worst case: --trace (of the curvature) would allow more.")
    return out


def _notes(found: FreshRange) -> list[str]:
    sketch = found.round.sketch
    price = f"Its price: omega_L = {rounded_up(found.omega, 4)} beside L, kappa = {found.kappa:.4g}"
    power = f", full power {rounded_up(found.power, 4)} on both" if found.power else ""
    return [f"{price} ({sketch.compressor}){power}.", *(f"Note: {each}." for each in sketch.notes())]


def _kept(found: HashRange) -> list[str]:
    """What this sketch allows if FPS keeps its hash for ever, before that hash is known."""
    if found.gamma_max is None:
        return [
            "With this sketch only a pilot can tell: try fpsverify advise.",
            f"  The reason: {_clipped(found.why)}.",
        ]
    sure = f"with probability {1 - found.failure:.0%} over its hash"
    return [f"With this sketch: gamma < {rounded_down(found.gamma_max)} {sure} (mean)."]


def _clipped(why: str, more: str = " (--detail)") -> str:
    """A reason on one line; `more` says where all of it stands."""
    return textwrap.shorten(why, WIDTH - 2, placeholder=f" …{more}")


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
    from theory.rates.ranges import largest_lever

    lever = largest_lever("repaired_sharp", found.at)
    if lever is None or not lever[1] > 1.01 * (found.certified.gamma_max or 0.0):
        return []
    gamma = "any gamma" if lever[1] == float("inf") else f"gamma < {rounded_down(lever[1], 4)}"
    return [f"  To allow more: {lever[0]} would allow {gamma}."]


def _next(rates: Rates, kept: Path | None) -> str:
    proof = rates.found.certified.proof if rates.fresh is None else rates.fresh.certificate
    if kept is not None:
        return f"  Next: fpsverify check {kept} (the proof is in it)."
    if proof is not None:
        return "  Next: --certificate FILE.json keeps the proof, fpsverify check repeats it."
    return "  Next: fpsverify bound (same constants, --gamma, --T, --Delta)."


def table(rates: Rates, marks: Mapping[str, str]) -> str:
    """One line per range; `marks` of each form stand under its γ."""
    rows = range_rows(rates.ranges, marks)
    out = [f"Learning rates for {_parameters(rates.box)}"]
    out += [f"  ({JUDGED})"] if any(marks.values()) else []
    out += ["", f"  {'range':<29}{'gamma':<21}what limits it"]
    for row in (*rows, *_own_rows(rates, marks.get("repaired_sharp", ""))):
        out.append(f"  {row.name:<29}{row.gamma:<20} {row.limit}")
        out += [f"{'':<31}{row.mark}"] if row.mark else []
    return "\n".join(out)


def range_rows(ranges: Mapping[str, Range], marks: Mapping[str, str]) -> list[Row]:
    """The ranges of the paper and of the repaired theory."""
    return [
        Row(names.FORMS[form], _range(each), plain_binding(each.binding), marks.get(form, ""))
        for form, each in ranges.items()
    ]


def _own_rows(rates: Rates, mark: str) -> list[Row]:
    given, convex = rates.found.certified, rates.found.convex
    out = [
        Row(f"certified ({given.certificate})", _certified_gamma(given), plain_binding(given.binding), mark)
    ]
    if rates.fresh is not None:
        own = rates.fresh.broadcasts
        out.append(Row("certified, fresh sketch", _certified_gamma(own), plain_binding(own.binding)))
    limit = limited(convex.gamma_max, True, "any gamma > 0") if convex.applies else "does not apply"
    why = (
        plain_binding("convexity")
        if convex.applies
        else convex.why.removeprefix("Theorem C does not apply: ")
    )
    return [*out, Row("convex losses (Theorem C)", limit, why, mark if convex.applies else "")]


def _certified_gamma(given: CertifiedRange) -> str:
    if given.empty:
        return "empty"
    if given.gamma_max is None:
        return "any gamma > 0"
    return f"{'<=' if given.all_smaller else 'only'} {rounded_down(given.gamma_max)}"


def _range(each: Range) -> str:
    if each.empty:
        return "empty"
    return limited(each.gamma_max, each.strict, "any gamma > 0")


def limited(gamma_max: float | None, strict: bool, unlimited: str = "-") -> str:
    """Rounded down: every number that the text shows as allowed is allowed."""
    return unlimited if gamma_max is None else f"{'<' if strict else '<='} {rounded_down(gamma_max)}"


def plain_binding(name: str) -> str:
    return names.BINDING.get(name, name)


def _parameters(box: Box) -> str:
    any_number = box.high.M == 1  # then nu = 1, which asks nothing of the devices
    names_shown = ("L", "mu", "E", "B", "P_b", "P_n") + (() if any_number else ("M",))
    shown = [f"{name}={_interval(box, name)}" for name in names_shown]
    low, high = float(box.high.noise_share), float(box.low.noise_share)
    nu = f"{min(low, high):.4g}" if low == high else f"{min(low, high):.4g}:{max(low, high):.4g}"
    default = "any number of devices" if any_number else "1/M, if uncorrelated"
    assumed = "given" if box.low.nu is not None else default
    return f"{', '.join(shown)}\n{LETTERS}\n  (nu = {nu}: share of the noise that the mean keeps; {assumed})"


def _interval(box: Box, name: str) -> str:
    low, high = float(getattr(box.low, name)), float(getattr(box.high, name))
    return f"{low:g}" if low == high else f"{low:g}:{high:g}"


def entry(label: str, words: str) -> list[str]:
    """A labelled paragraph."""
    return textwrap.wrap(words, WIDE, initial_indent=f"  {label:<12}", subsequent_indent=" " * 14)


def _promises(rates: Rates) -> list[str]:
    """Every price of the recommended and of the largest rate."""
    floors = {"best": rates.best.floor if rates.best else None, "largest": rates.found.certified.floor}
    if rates.fresh is not None:
        floors["largest"] = rates.fresh.broadcasts.floor
    given = {name: floor for name, floor in floors.items() if floor is not None}
    return [
        "",
        "bound on mean ||grad f||^2",
        *(x for n, f in given.items() for x in entry(n, promise(f, PRICES))),
    ]


def ranges_detail(ranges: Mapping[str, Range]) -> list[str]:
    """What each form means, in full."""
    out = []
    for form, each in ranges.items():
        out += ["", names.FORMS[form]]
        out += entry("binding", each.binding) + entry("why", each.why)
        out += entry("guarantees", each.guarantee) + entry("status", each.status)
    return out


def _own_detail(found: Answer) -> list[str]:
    given = found.certified
    out = ["", "certified", *entry("why", given.why), *entry("status", found.status)]
    out += [] if given.all_smaller or given.empty else entry("all digits", f"gamma = {given.gamma_max!r}")
    out += entry("impossible", found.impossible.why)
    return [*out, "", "convex losses (Theorem C)", *entry("why", found.convex.why)]
