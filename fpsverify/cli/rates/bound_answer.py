"""The answer of `bound`: at most six lines, then a table, then (with --detail) the long form."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from fpsverify.cli.rates import text
from fpsverify.cli.rates.answer import WIDTH
from theory.rates.rounding import rounded_down, rounded_up

if TYPE_CHECKING:
    from theory.rates.parameters import Parameters


def bound_text(
    q: Parameters, result: dict[str, Any], detail: bool, assumed: list[str], note: str = ""
) -> str:
    """Answer, what was assumed, table and, if asked for, every term."""
    taken = textwrap.wrap(f"Not given, so assumed: {', '.join(assumed)}.", WIDTH) if assumed else []
    taken += [note] if note else []
    lines = [*bound_answer(q, result), "", *taken, *([""] if taken else []), *_bound_rows(q, result)]
    return "\n".join([*lines, "", text.bound_table(q, result)] if detail else lines)


def bound_answer(q: Parameters, result: dict[str, Any]) -> list[str]:
    """At most six lines: the bound, whether γ is allowed, what costs most, the paper, what to run next."""
    sharp, sdp = result["repaired_sharp"]["total"], result["sdp"]["total"]
    not_proved = _no_bound(result) if "fails" in result else []
    first, killed = _bound_line(result, sharp, sdp), result.get("unfinished", [])
    lines = [*killed, *not_proved, _only(first, sharp) if not_proved else first, _inside(result)]
    if not_proved:
        lines.append(_as_if(q, result))
    elif result["R2"] > 0:
        lines.append(
            f"  Mean squared sketch residual (what reading out misses): R2 = {rounded_up(result['R2'], 4)}."
        )
    lines += _costs(result["repaired_sharp_without"], sharp)
    printed = result["paper"]["total"]
    if printed is not None and not not_proved and not killed:
        lines.append(_printed(result, printed))
    return [*lines, "  Next: fpsverify lr (which gamma is certified?), or --detail (every term)."]


def _no_bound(result: dict[str, Any]) -> list[str]:
    """Which assumptions of the bounds fail in the run, or are open."""
    from empirical.answer.short_answer import listed
    from empirical.answer.text import mark, only_open

    failing, still = result["fails"], only_open(result)
    said = [f"{listed(failing)} {'fail' if len(failing) > 1 else 'fails'}"] if failing else []
    said += [f"open: {listed(still)}"] if still else []
    head = f"No proved bound for this run{':' if failing else ';'}"
    if not said:
        return []
    forms = ["; ".join(said), said[0], mark(result)]  # as much in words as fits
    lines = [f"{head} {words}." for words in forms]
    fits = [line for line in lines if len(line) <= WIDTH]
    return [fits[0] if fits else textwrap.shorten(lines[-1], WIDTH, placeholder=" …")]


def _only(line: str, sharp: float | None) -> str:
    """The same number as what it is: no bound of this run."""
    if line.endswith("no bound here."):
        return "  Nor is there a number by the solver or by Theorem A here."
    value = line.partition(" <= ")[2].partition(" (")[0]
    what = line.partition(" <= ")[0].replace("Mean", "mean", 1)
    return f"  {'Numerical only' if sharp is None else 'If these held'}: {what} <= {value}."


def _printed(result: dict[str, Any], total: float) -> str:
    if result["in_range"]["paper"]:
        return f"  Theorem 1 as printed would say {rounded_up(total, 4)}, but it is refuted."
    limit = result["gamma_max"]["paper"]
    own = "which is empty" if limit is None else f"gamma <= {rounded_down(limit, 4)}"
    return f"  Theorem 1 (refuted) gives {rounded_up(total, 4)}, outside its own range {own}."


def _as_if(q: Parameters, result: dict[str, Any]) -> str:
    """What a number stands for whose assumptions fail, and what it bounds, as measured."""
    estimated = result.get("sdp_at_estimated_L")
    L = rounded_down(estimated["L"], 4) if estimated else rounded_up(float(q.L), 4)
    residual = f" and R2 = {rounded_up(result['R2'], 4)} (a mean)" if result["R2"] > 0 else ""
    measured = result.get("measured_average")
    seen = f" This run's own mean: {measured['estimate']:.4g}." if measured else ""
    return f"  Taken: L = {L}{residual}.{seen}"


def _bound_line(result: dict[str, Any], sharp: float | None, sdp: float | None) -> str:
    what = f"Mean ||grad f||^2 (gamma = {result['gamma']:.6g}, T = {result['T']})"
    if sharp is not None:
        return f"{what} <= {rounded_up(sharp, 4)} (Theorem A)."
    if sdp is not None:
        return f"{what} <= {rounded_up(sdp, 4)} (solver, not proved)."
    if "sdp_at_estimated_L" in result:
        return f"{what} <= {rounded_up(result['sdp_at_estimated_L']['total'], 4)} (solver, estimated L)."
    return f"{what}: no bound here."


def _inside(result: dict[str, Any]) -> str:
    limit, inside = result["gamma_max"]["repaired_sharp"], result["in_range"]["repaired_sharp"]
    if inside:
        shown = "any gamma" if limit is None else f"gamma < {rounded_down(limit)}"
        return f"  Inside Theorem A's range, {shown}, if the residual stays bounded."
    if limit is None:
        return "  Theorem A's range is empty for these constants: P_b B^2 must be below 1."
    return f"  Outside Theorem A's range, gamma < {rounded_down(limit)}, if the residual stays bounded."


def _costs(without: dict[str, float | None], sharp: float | None) -> list[str]:
    """The source whose removal lowers the bound most."""
    known = {name: value for name, value in without.items() if value is not None}
    if sharp is None or not known:
        return []
    name = min(known, key=lambda each: known[each])
    if known[name] == 0:  # the only source
        return []
    return [f"  What costs most: {name}. Without it the bound would be {rounded_up(known[name], 4)}."]


def _bound_rows(q: Parameters, result: dict[str, Any]) -> list[str]:
    names = {
        "repaired_sharp": ("Theorem A", "proved"),
        "sdp": ("semidefinite program", result["sdp"]["label"]),
        "sdp_at_estimated_L": ("the same, L as estimated", "numerical; none at the upper end of L"),
        "repaired_closed": (f"Corollary {1 if q.E == 1 else 2} of Theorem A", "proved"),
        "paper": ("Theorem 1 as printed", "refuted"),
    }
    mark = _mark(result) if "fails" in result else ""
    lines = [f"  {'bound from':<24}{'value':>10}   how sure"]
    for form, (name, sure) in names.items():
        if form not in result:
            continue
        total = result[form]["total"]
        shown = "none" if total is None else rounded_up(total, 4)
        said = _why_none(result[form]) if total is None else f"{sure}{'' if form == 'paper' else mark}"
        lines.append(f"  {name:<24}{shown:>10}   {said}")
    lines += _in_table(result.get("theorem_b"))
    return [*lines, f"  ({text.JUDGED})"] if mark else lines


def _mark(result: dict[str, Any]) -> str:
    from empirical.answer.text import mark

    said = mark(result)
    return f"; {said}" if said else ""


def _in_table(found: dict[str, Any] | None) -> list[str]:
    """Theorem B speaks of another norm, ||S grad f||^2/J, so it stands apart, beside what was measured."""
    if found is None:
        return []
    if found["total"] is None:
        return [f"  {'Theorem B, for sketches':<24}{'none':>10}   {found['why_not']}"]
    seen = f"of ||S grad f||^2/J (S: sketch, J: its rows), proved; measured {found['measured']:.4g}"
    return [f"  {'Theorem B, for sketches':<24}{rounded_up(found['total'], 4):>10}   {seen}"]


def _why_none(bound: dict[str, Any]) -> str:
    if "gamma mu" in bound["why_not"]:
        return "gamma mu is above 1"
    words = bound["why_not"].removeprefix("no bound: ").replace("(★) excludes nothing", "no bound there")
    words = words.split(". ")[0].partition("; ")[0].rstrip(".").removesuffix(", so it gives no bound")
    return textwrap.shorten(words, 60, placeholder=" …")
