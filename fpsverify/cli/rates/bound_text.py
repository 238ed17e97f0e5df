"""The words of `bound`: at most six lines, then a table, then (with --detail) every term."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from fpsverify.cli.rates.lr_text import WIDTH, entry, limited
from fpsverify.report import names
from theory.rates.rounding import rounded_down, rounded_up

if TYPE_CHECKING:
    from fpsverify.cli.rates.bound import Bounds
    from fpsverify.cli.rates.from_run import Judged
    from theory.bounds.terms import Bound, Report

IF_BOUNDED = "if the residual stays bounded"


def lines(found: Bounds, detail: bool) -> list[str]:
    """Answer, what was assumed, table and, if asked for, every term."""
    taken = (
        textwrap.wrap(f"Not given, so assumed: {', '.join(found.assumed)}.", WIDTH) if found.assumed else []
    )
    taken += [found.note] if found.note else []
    out = [*answer(found), "", *taken, *([""] if taken else []), *_table(found)]
    return [*out, "", *_detail(found)] if detail else out


def answer(found: Bounds) -> list[str]:
    """At most six lines: the bound, whether γ is allowed, what costs most, the paper, what to run next."""
    report, judged = found.report, found.judged
    broken = [] if judged is None else _no_bound(judged)
    killed = [] if judged is None else list(judged.unfinished)
    out = [*killed, *broken, _if_it_held(found) if broken else _first(found), _inside(found)]
    if broken:
        out.append(_taken(found))
    elif report.R2 > 0:
        out.append(
            f"  Mean squared sketch residual (what reading out misses): R2 = {rounded_up(report.R2, 4)}."
        )
    out += _costs(report)
    if report.paper.total is not None and not broken and not killed:
        out.append(_printed(report, report.paper.total))
    return [*out, "  Next: fpsverify lr (which gamma is certified?), or --detail (every term)."]


def best(found: Bounds) -> tuple[float, str] | None:
    """The smallest proved bound, else a numerical one; and where it comes from."""
    report = found.report
    named = "Theorem A" if found.fresh is None else "Theorem S'"
    proved = [(report.certificate.total, "an exact certificate"), (report.sharp.total, named)]
    sure = [(value, name) for value, name in proved if value is not None]
    if sure:
        return min(sure)
    if found.sdp.value is not None:
        return found.sdp.value, "solver, not proved"
    if found.at_estimate is not None and found.at_estimate.value is not None:
        return found.at_estimate.value, "solver, estimated L"
    return None


def _what(report: Report) -> str:
    return f"ean ||grad f||^2 (gamma = {report.gamma:.6g}, T = {report.T})"


def _first(found: Bounds) -> str:
    given = best(found)
    if given is None:
        return f"M{_what(found.report)}: no bound here."
    return f"M{_what(found.report)} <= {rounded_up(given[0], 4)} ({given[1]})."


def _if_it_held(found: Bounds) -> str:
    """The same number as what it is: no bound of this run."""
    given = best(found)
    if given is None:
        return "  Nor is there a number by the solver or by Theorem A here."
    proved = found.report.sharp.total is not None or found.report.certificate.total is not None
    label = "If these held" if proved else "Numerical only"
    return f"  {label}: m{_what(found.report)} <= {rounded_up(given[0], 4)}."


def _no_bound(judged: Judged) -> list[str]:
    """Which assumptions of the bounds fail in the run, or are open."""
    said = judged.said()
    if not said:
        return []
    head = f"No proved bound for this run{':' if judged.fails else ';'}"
    options = [f"{head} {words}." for words in said]
    fits = [line for line in options if len(line) <= WIDTH]
    return [fits[0] if fits else textwrap.shorten(options[-1], WIDTH, placeholder=" …")]


def _taken(found: Bounds) -> str:
    """What a number stands for whose assumptions fail, and what it bounds, as measured."""
    report, judged = found.report, found.judged
    assert judged is not None
    exact = rounded_up(float(report.q.L), 4)
    L = exact if found.at_estimate is None else rounded_down(found.estimated_L or 0.0, 4)
    residual = f" and R2 = {rounded_up(report.R2, 4)} (a mean)" if report.R2 > 0 else ""
    seen = f" This run's own mean: {judged.measured:.4g}." if judged.measured is not None else ""
    return f"  Taken: L = {L}{residual}.{seen}"


def _inside(found: Bounds) -> str:
    if found.fresh is not None:
        inside = found.report.sharp.total is not None or found.report.certificate.total is not None
        where = "Inside" if inside else "Outside"
        return f"  {where} the range of this fresh sketch, in expectation over hashes."
    allowed = found.report.ranges["repaired_sharp"]
    if allowed.empty:
        return "  Theorem A's range is empty for these constants: P_b B^2 must be below 1."
    shown = "any gamma" if allowed.gamma_max is None else f"gamma < {rounded_down(allowed.gamma_max)}"
    where = "Inside" if found.report.contains("repaired_sharp") else "Outside"
    return f"  {where} Theorem A's range, {shown}, {IF_BOUNDED}."


def _costs(report: Report) -> list[str]:
    """The source whose removal lowers the bound most."""
    known = {name: value for name, value in report.without.items() if value is not None}
    if report.sharp.total is None or not known:
        return []
    name = min(known, key=lambda each: known[each])
    if known[name] == 0:  # the only source
        return []
    return [f"  What costs most: {name}. Without it Theorem A would say {rounded_up(known[name], 4)}."]


def _printed(report: Report, total: float) -> str:
    allowed = report.ranges["paper"]
    if report.contains("paper"):
        return f"  Theorem 1 as printed would say {rounded_up(total, 4)}, but it is refuted."
    limit = allowed.gamma_max
    own = "which is empty" if limit is None else f"gamma <= {rounded_down(limit, 4)}"
    return f"  Theorem 1 (refuted) gives {rounded_up(total, 4)}, outside its own range {own}."


def _table(found: Bounds) -> list[str]:
    report = found.report
    mark = "" if found.judged is None else found.judged.mark()
    rows = [
        ("exact certificate", report.certificate.total, report.certificate.why_not, f"proved{mark}"),
        (_sharp_name(found), report.sharp.total, report.sharp.why_not, f"proved{mark}"),
        ("semidefinite program", found.sdp.value, found.sdp.why_not, f"{found.sdp.label}{mark}"),
    ]
    if found.at_estimate is not None:
        rows.append(
            ("the same, L as estimated", found.at_estimate.value, "", "numerical; none at the upper end of L")
        )
    if found.fresh is None:
        closed = f"Corollary {1 if report.q.E == 1 else 2} of Theorem A"
        rows.append((closed, report.closed.total, report.closed.why_not, f"proved{mark}"))
    rows.append(("Theorem 1 as printed", report.paper.total, report.paper.why_not, "refuted"))
    out = [f"  {'bound from':<24}{'value':>10}   how sure"]
    for name, value, why, sure in rows:
        shown = "none" if value is None else rounded_up(value, 4)
        out.append(f"  {name:<24}{shown:>10}   {_why_none(why) if value is None else sure}")
    out += [] if found.judged is None else _in_table(found.judged)
    return [*out, f"  ({names.JUDGED}; both as judged in the run)"] if mark else out


def _sharp_name(found: Bounds) -> str:
    return "Theorem A" if found.fresh is None else "Theorem S' (fresh)"


def _in_table(judged: Judged) -> list[str]:
    """Theorem B speaks of another norm, ||S grad f||^2/J, so it stands apart, beside what was measured."""
    found = judged.theorem_b
    if found is None:
        return []
    if found["total"] is None:
        return [f"  {'Theorem B, for sketches':<24}{'none':>10}   {found['why_not']}"]
    seen = f"of ||S grad f||^2/J (S: sketch, J: its rows), proved; measured {found['measured']:.4g}"
    return [f"  {'Theorem B, for sketches':<24}{rounded_up(found['total'], 4):>10}   {seen}"]


def _why_none(why: str) -> str:
    """The first clause of a reason, on one line."""
    first = why.removeprefix("no bound: ").split(". ")[0].partition("; ")[0].rstrip(".")
    return textwrap.shorten(first, 60, placeholder=" …")


def _detail(found: Bounds) -> list[str]:
    """Every bound term by term, and where γ lies."""
    from fpsverify.cli.rates.bound import RESIDUAL_FROM

    report = found.report
    out = [
        f"Bounds on the mean of E||grad f(w_t)||^2 at gamma = {report.gamma:.6g}, T = {report.T}",
        f"  R2 = {rounded_up(report.R2, 4)} ({RESIDUAL_FROM[found.residual]})",
        "",
        f"  {'range':<30}{'gamma_max':<16}contains this gamma?",
    ]
    for form, each in report.ranges.items():
        inside = "yes" if report.contains(form) else "no"
        out.append(f"  {names.FORMS[form]:<30}{limited(each.gamma_max, each.strict):<16}{inside}")
    out += ["", "Theorem 1 as printed (refuted: shown for comparison, not a guarantee)"]
    out += terms(report.paper) + _printed_remark(report)
    out += ["", f"Corollary {1 if report.q.E == 1 else 2} (repaired, closed form)", *terms(report.closed)]
    out += ["", f"{_sharp_name(found)} (repaired, sharp): its terms at the bound", *terms(report.sharp)]
    out += _without(report.without)
    return [*out, "", "Exact certificate at this gamma", *terms(report.certificate)]


def terms(bound: Bound) -> list[str]:
    """Each term and their sum, rounded up."""
    if bound.total is None:
        return entry("no bound", bound.why_not)
    out = [f"  {name:<26}{value:>14.4g}" for name, value in bound.terms.items()]
    return [*out, f"  {'= bound':<26}{rounded_up(bound.total, 4):>14}"]


def _printed_remark(report: Report) -> list[str]:
    """The proof bounds ρ·(mean), the theorem states the mean: show what the proof's last line would give."""
    if report.rho <= 0:
        return entry(
            "note", f"rho = {report.rho:.4g} is not positive: the paper's own chain gives nothing here."
        )
    if report.paper.total is None:  # pragma: no cover: beyond the largest float
        return []
    quotient = rounded_up(report.paper.total / report.rho, 4)
    return entry(
        "note",
        f"the proof ends with rho times the mean; dividing by rho = {report.rho:.4g} gives {quotient}.",
    )


def _without(bounds: dict[str, float | None]) -> list[str]:
    if not bounds:
        return []
    shown = [
        f"{name} = 0: {'none' if value is None else rounded_up(value, 4)}" for name, value in bounds.items()
    ]
    return entry("without", "the same bound with one source removed: " + "; ".join(shown) + ".")
