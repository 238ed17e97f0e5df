"""How `lr` and `bound` print: aligned tables first, then the words, wrapped."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from fpsverify.report import names
from theory.rates.rounding import rounded_down, rounded_up

if TYPE_CHECKING:
    from theory.rates.parameters import Box, Parameters
    from theory.rates.ranges import Range

WIDTH = 100


JUDGED = f"{names.JUDGED}; both as judged in the run"
LETTERS = (
    "  (L: how fast gradients change, mu: proximal weight, E: local steps, M: devices,\n"
    "  B: how much devices differ, P_b and P_n: bias and noise of a gradient, relative)"
)


class Row(NamedTuple):
    """One line of the table of ranges."""

    name: str
    gamma: str
    limit: str
    mark: str = ""  # the assumptions that it rests on and that fail in the run


LR_HELP = (
    "Which learning rates are certified, which are impossible, and what the paper and the repaired theory "
    "allow. A value may be a ratio (1/3) or an interval (0.005:0.02); then the range is safe for every value "
    "in it."
)
THETA_HELP = (
    "the curvature of the losses is at least -X L: 1 = smooth (default), 0 = convex, "
    "below 0 = strongly convex"
)
BOUND_HELP = (
    "How large can the mean squared gradient of a run be? Theorem A, a semidefinite program (sdp), Corollary "
    "1 or 2, and Theorem 1 as printed; term by term with --detail."
)
FROM_HELP = "take the constants from RUN/estimate.json, or estimate them now; other flags replace single ones"
TABLE_HELP = {
    "rows": "rows of a sketch with any random seed (with --buckets, --k and --d)",
    "buckets": "buckets of a row",
    "k": "coordinates that are read out",
    "d": "dimension",
    "recovery": "mean (default) or median",
}
RUN_HELP = {"gamma": "learning rate", "T": "rounds", "Delta": "f(w_0) - f*"}
SOURCE_HELP = {
    "R2": "mean squared sketch residual (default: from the sketch, else 0)",
    "G2": "absolute gradient dissimilarity",
    "b2": "absolute bias, squared",
    "sigma2": "absolute noise variance",
    "rho2": "measured mean of ||grad f(v_t - xi) - grad f(w_t)||^2, instead of L^2 R2",
    "D2": "measured mean of the devices' squared gradients, instead of G2 + B^2 A",
}
SKETCH_HELP = {
    "c": "sketch: columns factor, error 1/sqrt(c k)",
    "k": "sketch: coordinates kept",
    "d": "sketch: dimension",
    "p": "sketch: power law |w|_(i) <= i^-p ||w||",
    "W": "sketch: bound on ||w||^2",
}


def ranges_table(
    box: Box, result: dict[str, Range], more: Sequence[Row] = (), marks: dict[str, str] | None = None
) -> str:
    """One line per form; `more` are rows below it; `marks` of each form stand under its γ."""
    rows = [
        Row(names.FORMS[form], _gamma(each), plain_binding(each.binding), (marks or {}).get(form, ""))
        for form, each in result.items()
    ]
    lines = [f"Learning rates for {_parameters(box)}"]
    if any((marks or {}).values()):
        lines.append(f"  ({JUDGED})")
    lines += ["", f"  {'range':<29}{'gamma':<21}what limits it"]
    for row in (*rows, *more):
        lines.append(f"  {row.name:<29}{row.gamma:<20} {row.limit}")
        lines += [f"{'':<31}{row.mark}"] if row.mark else []
    return "\n".join(lines)


def plain_binding(name: str) -> str:
    return names.BINDING.get(name, name)


def ranges_detail(result: dict[str, Range]) -> str:
    """What each form means, in full."""
    from theory.rates.advice import status_here

    lines = []
    for form, each in result.items():
        lines += ["", names.FORMS[form]]
        lines += entry("binding", each.binding) + entry("why", each.why)
        lines += entry("guarantees", each.guarantee) + entry("status", status_here(form, each.empty))
    return "\n".join(lines)


def _gamma(each: Range) -> str:
    if each.empty:
        return "empty"
    if each.gamma_max is None:
        return "any gamma > 0"
    return limit(each.gamma_max, each.strict)


def limit(gamma_max: float | None, strict: bool, unlimited: str = "-") -> str:
    """Rounded down: every number that the text shows as allowed is allowed."""
    return unlimited if gamma_max is None else f"{'<' if strict else '<='} {rounded_down(gamma_max)}"


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
    return textwrap.wrap(words, WIDTH, initial_indent=f"  {label:<12}", subsequent_indent=" " * 14)


def bound_table(q: Parameters, result: dict[str, Any]) -> str:
    """Three blocks of terms, and where γ lies."""
    lines = [
        f"Bounds on the mean of E||grad f(w_t)||^2 at gamma = {result['gamma']:.6g}, T = {result['T']}",
        f"  R2 = {rounded_up(result['R2'], 4)} ({result['R2_from']})",
        "",
        f"  {'range':<30}{'gamma_max':<16}contains this gamma?",
    ]
    for form, inside in result["in_range"].items():
        shown = limit(result["gamma_max"][form], result["strict"][form])
        lines.append(f"  {names.FORMS[form]:<30}{shown:<16}{'yes' if inside else 'no'}")
    lines += ["", "Theorem 1 as printed (refuted: shown for comparison, not a guarantee)"]
    lines += _terms(result["paper"]) + _printed_remark(result)
    lines += ["", f"Corollary {1 if q.E == 1 else 2} (repaired, closed form)"]
    lines += _terms(result["repaired_closed"])
    lines += ["", "Theorem A (repaired, sharp): its terms at the bound", *_terms(result["repaired_sharp"])]
    lines += _without(result["repaired_sharp_without"])
    return "\n".join(lines)


def _terms(bound: dict[str, Any]) -> list[str]:
    if bound["total"] is None:
        return entry("no bound", bound["why_not"])
    lines = [f"  {name:<26}{value:>14.4g}" for name, value in bound["terms"].items()]
    return [*lines, f"  {'= bound':<26}{rounded_up(bound['total'], 4):>14}"]


def _printed_remark(result: dict[str, Any]) -> list[str]:
    """The proof bounds ρ·(mean), the theorem states the mean: show what the proof's last line would give."""
    rho, total = result["rho"], result["paper"]["total"]
    if rho <= 0:
        return entry("note", f"rho = {rho:.4g} is not positive: the paper's own chain gives nothing here.")
    if total is None:  # pragma: no cover: beyond the largest float
        return []
    quotient = rounded_up(total / rho, 4)
    words = f"the proof ends with rho times the mean; dividing by rho = {rho:.4g} gives {quotient}."
    return entry("note", words)


def _without(bounds: dict[str, float | None]) -> list[str]:
    if not bounds:
        return []
    shown = [
        f"{name} = 0: {'none' if value is None else rounded_up(value, 4)}" for name, value in bounds.items()
    ]
    return entry("without", "the same bound with one source removed: " + "; ".join(shown) + ".")


def residual_origin(sketch: bool, given: bool) -> str:
    """Where R2 comes from, with its conditions."""
    if given:
        return "as given"
    if not sketch:
        return "no sketch"
    return "Lemma 1'(b): needs ||v_t||^2 <= W and a hash independent of v_t; a measured R2 is safer"
