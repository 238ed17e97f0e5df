"""`lr --from RUN` and `bound --from RUN`: the constants of a recorded run in place of flags."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fpsverify.cli.rates import lr_text
from fpsverify.report import names
from theory.errors import InvalidParameter

if TYPE_CHECKING:
    from fpsverify.cli.rates.lr import Rates

CONSTANTS = ("L", "B", "P_b", "P_n")
REPLAYED = "fpsverify estimate RUN --replay"
SOURCES = ("R2", "G2", "b2", "sigma2")


@dataclass(frozen=True)
class Judged:
    """What a run says of the assumptions of a bound: which fail, which are open, and what was measured."""

    fails: tuple[str, ...]
    undecided: tuple[str, ...]
    unfinished: tuple[str, ...] = ()
    measured: float | None = None  # the run's own mean of |grad f|^2
    theorem_b: dict[str, Any] | None = None
    measured_average: dict[str, Any] | None = None
    estimated_L: float | None = None

    def mark(self) -> str:
        """Which assumptions fail or are open, by their numbers."""
        from empirical.answer.text import mark

        said = mark({"fails": list(self.fails), "undecided": list(self.undecided)})
        return f"; {said}" if said else ""

    def said(self) -> list[str]:
        """The same in words, the longest form first; nothing where all hold."""
        from empirical.answer.short_answer import listed
        from empirical.answer.text import mark, only_open

        still = only_open({"fails": list(self.fails), "undecided": list(self.undecided)})
        if not (self.fails or still):
            return []
        verb = "fail" if len(self.fails) > 1 else "fails"
        whole = [f"{listed(list(self.fails))} {verb}"] if self.fails else []
        whole += [f"open: {listed(still)}"] if still else []
        return ["; ".join(whole), whole[0], mark({"fails": list(self.fails), "undecided": still})]

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "theorem_b": self.theorem_b,
            "fails": list(self.fails),
            "undecided": list(self.undecided),
            "measured_average": self.measured_average,
            "unfinished": list(self.unfinished),
        }


def fill(args: argparse.Namespace, wanted: Iterable[str]) -> dict[str, Any]:
    """Flags that were not given become the intervals of the run's constants; returns its estimate."""
    found = estimated(args)
    for name in wanted:
        if getattr(args, name) is None:
            setattr(args, name, _interval(name, found) if name in CONSTANTS else repr(found["run"][name]))
    return found


def fill_bound(args: argparse.Namespace, wanted: Iterable[str]) -> Judged:
    """The same for `bound`, with every constant at its upper end."""
    found = estimated(args)
    estimated_L = found["constants"]["L"]["estimate"] if args.L is None else None
    counted = {name: value for name, value in found["bound"].get("counted", {}).items() if value is not None}
    for name in (*wanted, *SOURCES):
        if getattr(args, name) is None:
            constant = (name in CONSTANTS or name in SOURCES) and name not in counted
            setattr(args, name, _upper(name, found) if constant else repr((found["run"] | counted)[name]))
    for name in ("gamma", "T"):
        if getattr(args, name) is None:
            setattr(args, name, repr(found["run"][name]))
    if args.Delta is None and "Delta" in found["bound"]:
        args.Delta = repr(found["bound"]["Delta"])
    if args.Delta is None:
        right = f"f(w_0) - f* by --Delta, or {_replay(found)}"
        raise InvalidParameter("Delta", "not measured in this run", right)
    return _judged(found, estimated_L)


def _judged(found: dict[str, Any], estimated_L: float | None) -> Judged:
    from empirical.answer.six_lines import unfinished

    bound = found["bound"]
    average = bound["measured_average"]
    return Judged(
        tuple(bound["fails"]),
        tuple(bound["undecided"]),
        tuple(unfinished(found)),
        None if average is None else average["estimate"],
        bound["theorem_b"],
        average,
        estimated_L,
    )


def _replay(found: dict[str, Any]) -> str:
    from empirical.spelling import PROGRAM, spelling_of

    return PROGRAM.replay if spelling_of(found["run"]["config"]) == PROGRAM else REPLAYED


def estimated(args: argparse.Namespace) -> dict[str, Any]:
    """RUN/estimate.json, or a new estimate; what only `estimate` takes is said with its name."""
    from fpsverify.cli.estimate import estimated as of_run
    from fpsverify.errors import FpsError

    try:
        return of_run(Path(args.run), None, args.json, args)
    except FpsError as error:
        raise FpsError(str(error).replace("or --replay", f"or {REPLAYED}")) from None


def _interval(name: str, found: dict[str, Any]) -> str:
    return f"{found['constants'][name]['low']!r}:{_upper(name, found)}"


def _upper(name: str, found: dict[str, Any]) -> str:
    high = found["constants"][name]["high"]
    if high is None:
        method = found["constants"][name]["method"]
        raise InvalidParameter(name, f"no upper limit in this run ({method})", f"a value by --{name}")
    return repr(high)


def lr_lines(run: dict[str, Any], rates: Rates, kept: Path | None, detail: bool) -> list[str]:
    """The advice of the run first; then what holds for all constants in their intervals, without a sketch."""
    from empirical.answer.text import mark

    marks = {form: mark(rate) for form, rate in run["learning_rate"].items()}
    rate = run["learning_rate"]["repaired_sharp"]
    judged = Judged(tuple(rate["fails"]), tuple(rate["undecided"]))
    table = lr_text.lines(rates, kept, detail, marks, head=False)
    return [*_advice(run, detail), *_constants(rates, judged, kept, detail), *table]


def _advice(run: dict[str, Any], detail: bool) -> list[str]:
    """What `estimate` says of the learning rate, in its words."""
    from empirical.advice.advice import Advice
    from empirical.advice.shown import answer, why
    from empirical.answer.six_lines import unfinished, wrapped

    if not run["advice"]:
        return []
    found = run["answer"]
    poor = not found["learned"] and run["advice"]["recommended"] == found["used"]
    change = [f"the learning rate: {found['next']}"] if poor else found["change"]
    advice = Advice.from_json(run["advice"] | {"change": change})
    first = [*unfinished(run), *(wrapped(found["trained"]) + answer(advice)[1:] if poor else answer(advice))]
    if len(first) > lr_text.MOST_LINES:
        first = [line for line in first if not line.startswith(f"  {names.EDGE}:")]
    return [*first, *(["", *why(advice)] if detail else []), ""]


def _constants(rates: Rates, judged: Judged, kept: Path | None, detail: bool) -> list[str]:
    """What is certified at the run's constants; nothing is, where an assumption fails or is open."""
    out = ["Without a sketch, with all devices and fixed mu, every value in its interval:"]
    broken = [f"  Not proved for this run: {words}." for words in judged.said()]
    if broken:
        out.append(next((line for line in broken if len(line) <= lr_text.WIDTH), broken[-1]))
    given = lr_text.answer(rates, kept)
    if broken and rates.found.certified.gamma_max is not None:
        limit = lr_text.limit_words(rates.found.certified)
        given = [f"If these held: {limit}, {lr_text.HOW[rates.found.certified.certificate]}."]
    return [*out, *(given if detail or broken else given[:3])]
