"""`fpsverify bound`: how large the mean squared gradient of a run can be, term by term."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fpsverify.cli.rates import bound_text, from_run, letters
from fpsverify.cli.rates.letters import PARAMETER_FLAGS, SOURCE_HELP, parse_integer, parse_number
from fpsverify.cli.rates.lr import add_fresh, fresh_sketch
from theory.errors import InvalidParameter

if TYPE_CHECKING:
    from fpsverify.cli.rates.from_run import Judged
    from theory.bounds.terms import Report, Sketch
    from theory.rates.descent.certificate import FreshRound
    from theory.rates.descent.residual_bound import SdpBound
    from theory.rates.parameters import Parameters
    from theory.rates.theorem_a import Sources

HELP = (
    "How large can the mean squared gradient of a run be? An exact certificate, Theorem A, a semidefinite "
    "program (sdp), Corollary 1 or 2, and Theorem 1 as printed; term by term with --detail."
)
RUN_HELP = {"gamma": "learning rate", "T": "rounds", "Delta": "f(w_0) - f*"}
RESIDUAL_HELP = {
    "R2": "mean squared sketch residual (default: from the sketch, else 0)",
    "rho2": "measured mean of ||grad f(v_t - xi) - grad f(w_t)||^2, instead of L^2 R2",
    "D2": "measured mean of the devices' squared gradients, instead of G2 + B^2 A",
}
SKETCH_HELP = {
    "c": "sketch: columns factor, error 1/sqrt(c k)",
    "k": "sketch: coordinates kept",
    "d": "parameters of the model",
    "p": "sketch: power law |w|_(i) <= i^-p ||w||",
    "W": "sketch: bound on ||w||^2",
}
RESIDUAL_FROM = {
    "given": "as given",
    "none": "no sketch",
    "fresh": "none: the sketch is drawn anew in every round",
    "lemma": "Lemma 1'(b): needs ||v_t||^2 <= W and a hash independent of v_t; a measured R2 is safer",
}


@dataclass(frozen=True)
class Bounds:
    """All that `bound` found; `at_estimate`: the sdp at the estimate of L, if its upper end gives nothing."""

    report: Report
    sdp: SdpBound
    residual: str
    assumed: tuple[str, ...]
    note: str
    fresh: FreshRound | None = None
    judged: Judged | None = None
    estimated_L: float | None = None
    at_estimate: SdpBound | None = None

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        record = self.report.as_json() | {"R2_from": RESIDUAL_FROM[self.residual], "sdp": plain(self.sdp)}
        record |= {} if self.judged is None else self.judged.as_json()
        if self.at_estimate is not None:
            record["sdp_at_estimated_L"] = plain(self.at_estimate) | {"L": self.estimated_L}
        return record


def plain(found: SdpBound) -> dict[str, Any]:
    return {"total": found.value, "label": found.label, "why_not": found.why_not}


def add_commands(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to a parser."""
    parser = subparsers.add_parser("bound", help="how large the gradient can be", description=HELP)
    letters.add_letters(parser)
    for name, meaning in (RUN_HELP | SOURCE_HELP | RESIDUAL_HELP | SKETCH_HELP).items():
        parser.add_argument(f"--{name}", metavar="X", help=meaning)
    add_fresh(parser)
    parser.set_defaults(func=run_bound)


def run_bound(args: argparse.Namespace) -> int:
    """Print the bounds term by term."""
    found = read_bounds(args)
    words = "\n".join(bound_text.lines(found, args.detail))
    print(json.dumps(found.as_json(), indent=2, allow_nan=False) if args.json else words)
    return 0


def read_bounds(args: argparse.Namespace) -> Bounds:
    """The answer to what was asked."""
    from theory.bounds.terms import lemma1_residual, report

    judged = from_run.fill_bound(args, PARAMETER_FLAGS) if args.run else None
    letters.demand(args, RUN_HELP)
    q = letters.read_point(args)
    fresh = fresh_sketch(args, q)
    sketch = None if fresh is not None else _kept_sketch(args)
    given = letters.read_sources(args, ("Delta", *SOURCE_HELP, *RESIDUAL_HELP))
    residual = "given" if args.R2 is not None else "none" if sketch is None else "lemma"
    if fresh is not None:
        residual, given = "fresh", replace(given, R2=0)
    elif sketch is not None and residual == "lemma":
        given = replace(given, R2=lemma1_residual(sketch))
    gamma, T = parse_number("gamma", args.gamma), parse_integer("T", args.T)
    named = [name for name in SOURCE_HELP if getattr(args, name) is not None] + ["R2"] * (residual != "none")
    taken = [] if judged else [*letters.assumed(args), *letters.no_source(named)]
    found = Bounds(
        report(q, gamma, T, given, sketch, fresh),
        sdp(q, float(gamma), T, given, fresh),
        residual,
        tuple(taken),
        letters.noted(args),
        fresh,
        judged,
        None if judged is None else judged.estimated_L,
    )
    if judged is None or found.estimated_L is None or found.report.sharp.total or found.sdp.value:
        return found
    at = sdp(replace(q, L=found.estimated_L), float(gamma), T, given)
    return found if at.value is None else replace(found, at_estimate=at)


def sdp(q: Parameters, gamma: float, T: int, sources: Sources, fresh: FreshRound | None = None) -> SdpBound:
    """The bound by one semidefinite program; where it is not defined, why not."""
    from theory.rates.descent.residual_bound import SdpBound, sdp_bound

    if fresh is not None:
        return SdpBound(None, "none", "no bound: the program speaks of a sketch that is kept")
    try:
        return sdp_bound(q, gamma, T, sources)
    except InvalidParameter as error:
        return SdpBound(None, "none", f"no bound: {error}")


def _kept_sketch(args: argparse.Namespace) -> Sketch | None:
    """The sketch of Lemma 1, where all of its letters are given."""
    from theory.bounds.terms import Sketch

    numbers = letters.read_numbers(args, SKETCH_HELP)
    missing = [name for name in SKETCH_HELP if name not in numbers]
    if numbers and missing:
        right = f"a value; a sketch needs {', '.join(SKETCH_HELP)}"
        raise InvalidParameter(missing[0], "nothing", right)
    return Sketch(**numbers) if numbers else None
