"""`fpsverify lr`: which learning rates are certified, what they promise, and which are impossible."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fpsverify.cli.rates import from_run, letters, lr_text
from fpsverify.cli.rates.letters import PARAMETER_FLAGS, SOURCE_HELP, parse_integer, parse_number
from theory.errors import InvalidParameter

if TYPE_CHECKING:
    from theory.rates.answer import Answer
    from theory.rates.descent.certificate import Certificate, FreshRound
    from theory.rates.descent.certified import Best
    from theory.rates.fresh import FreshRange, HashRange
    from theory.rates.parameters import Box, Parameters
    from theory.rates.ranges import Range

HELP = (
    "Which learning rates are certified and what they promise, which are impossible, and what the paper and "
    "the repaired theory allow. A value may be a ratio (1/3) or an interval (0.005:0.02); then the range is "
    "safe for every value in it."
)
THETA_HELP = (
    "the curvature of the losses is at least -X L: 1 = smooth (default), 0 = convex, "
    "below 0 = strongly convex"
)
FRESH_HELP = {
    "trace": "trace of the curvature of the mean loss (default: the worst case, L d)",
    "compressor": "count_sketch (default): independent buckets; balanced: a random permutation",
    "participants": "devices that take part in a round, drawn at random out of --M",
    "snr": "decibels by which a number that a device sends exceeds the noise, at full power in every round",
}
LOUDEST = 300  # decibels, of either sign
KEPT_HELP = {
    "rows": "FPS, whose hash is kept: rows of a sketch with any random seed (with --buckets, --k and --d)",
    "buckets": "buckets of a row",
    "k": "coordinates that are read out",
    "recovery": "mean (default) or median",
}


@dataclass(frozen=True)
class Rates:
    """All that `lr` found: `best` has the smallest proved bound after T rounds, `fresh` is for a sketch drawn
    anew in every round, `kept` for one that is kept for ever."""

    box: Box
    ranges: dict[str, Range]
    found: Answer
    best: Best | None
    fresh: FreshRange | None
    kept: HashRange | None
    assumed: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Plain values under the names of the ranges, `certified`, `convex`, `best`, `fresh` and `sketch`."""
        record: dict[str, Any] = {form: each.as_json() for form, each in self.ranges.items()}
        own: dict[str, Any] = self.found.as_json()
        own["certified"]["assumed"] = [*self.assumed, *filter(None, (self.found.note,))]
        own["best"] = None if self.best is None else self.best.as_json()
        own |= {} if self.fresh is None else {"fresh": self.fresh.as_json()}
        return record | own | ({} if self.kept is None else {"sketch": vars(self.kept)})


def add_commands(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to a parser."""
    parser = subparsers.add_parser("lr", help="which learning rates are certified", description=HELP)
    letters.add_letters(parser)
    parser.add_argument("--theta", default="1", metavar="X", help=THETA_HELP)
    parser.add_argument("--L_f", "--Lf", metavar="X", help="smoothness of the mean loss (only for E = 1)")
    best = parser.add_argument_group("the rate with the smallest proved bound")
    best.add_argument("--T", metavar="X", help="rounds (default 1000)")
    best.add_argument(
        "--Delta", metavar="X", help="f(w_0) - f* (default: 100 times the largest of these, over L)"
    )
    for name, meaning in SOURCE_HELP.items():
        best.add_argument(f"--{name}", metavar="X", help=meaning)
    sketch = add_fresh(parser)
    sketch.add_argument("--d", metavar="X", help="parameters of the model")
    for name, meaning in KEPT_HELP.items():
        sketch.add_argument(f"--{name}", metavar="X", help=meaning)
    files = parser.add_argument_group("files")
    files.add_argument("--certificate", type=Path, metavar="FILE.json", help="write the exact certificate")
    files.add_argument("--coq", type=Path, metavar="FILE.v", help="write the certificate as a Coq proof")
    files.add_argument(
        "--of",
        choices=("largest", "best"),
        default="largest",
        help="certificate of the largest rate (default), or of the recommended one",
    )
    files.add_argument("--plot", metavar="FILE", help="draw gamma_max against one parameter (png, pdf, svg)")
    files.add_argument("--sweep", nargs=3, metavar=("NAME", "LO", "HI"), help="what --plot sweeps")
    parser.set_defaults(func=run_lr)


def add_fresh(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """The options of a sketch that is drawn anew in every round."""
    group = parser.add_argument_group("a sketch")
    group.add_argument("--sketch", metavar="ROWSxBUCKETS", help="drawn anew in every round (with --d)")
    for name, meaning in FRESH_HELP.items():
        group.add_argument(f"--{name}", metavar="X", help=meaning)
    return group


def run_lr(args: argparse.Namespace) -> int:
    """Print which learning rates are certified; write the certificate and draw the ranges if asked."""
    run = from_run.fill(args, PARAMETER_FLAGS) if args.run else None
    if args.sweep and not args.plot:
        raise InvalidParameter("sweep", " ".join(args.sweep), "--plot FILE beside it")
    for name in ("certificate", "coq"):
        _demand_folder(name, getattr(args, name))
    rates = read_rates(args)
    _write_certificate(args, rates)
    if args.plot:
        _plot(args, rates.box)
    if args.json:
        advice = {} if run is None else {"advice": run["advice"]}
        print(json.dumps(rates.as_json() | advice, indent=2, allow_nan=False))
    else:
        words = (rates, args.certificate, args.detail)
        print("\n".join(lr_text.lines(*words) if run is None else from_run.lr_lines(run, *words)))
    return 0


def read_rates(args: argparse.Namespace) -> Rates:
    """The answer to what was asked."""
    from theory.rates.answer import answer
    from theory.rates.ranges import ranges

    box = letters.read_box(args)
    fresh, kept = _fresh_range(args, box), _kept_sketch(args, box)
    theta = parse_number("theta", args.theta)
    L_f = None if args.L_f is None else parse_number("L_f", args.L_f)
    allowed = ranges(box.low if box.low == box.high else box)
    found = answer(box, theta, L_f)
    found = replace(found, note=" ".join(filter(None, (letters.noted(args), found.note))))
    best = _best(args, found, theta, fresh)
    return Rates(box, allowed, found, best, fresh, kept, tuple(letters.assumed(args)))


def _best(args: argparse.Namespace, found: Answer, theta: Fraction, fresh: FreshRange | None) -> Best | None:
    """The recommended rate: of this sketch, if there is one."""
    from theory.rates.descent.certified import DEFAULT_ROUNDS, best_gamma
    from theory.rates.descent.round import checked_theta

    T = DEFAULT_ROUNDS if args.T is None else parse_integer("T", args.T)
    given = letters.read_sources(args, ("Delta", *SOURCE_HELP))
    if found.at.L == 0 or found.certified.proof is None:
        return None
    largest_source = max(given.G2, given.b2, given.sigma2)
    sources = None
    if given.Delta or largest_source:
        sources = replace(given, Delta=given.Delta or 100 * Fraction(largest_source) / Fraction(found.at.L))
    at, sketch, largest = checked_theta(theta), None, found.certified
    if fresh is not None:
        sketch, largest = fresh.round, fresh.broadcasts
    return best_gamma(found.at, T, sources, at, sketch, everywhere=fresh is None, largest=largest)


def _fresh_range(args: argparse.Namespace, box: Box) -> FreshRange | None:
    """What a sketch of this size allows that is drawn anew in every round."""
    from theory.rates.fresh import fresh_range

    q = replace(box.high, M=box.low.M)
    given = fresh_sketch(args, q)
    if given is None:
        return None
    if box.low.E != box.high.E or box.low.mu != box.high.mu:
        raise InvalidParameter("E", "an interval", "one number (also for mu) beside --sketch")
    theta = parse_number("theta", args.theta)
    return fresh_range(q, given.sketch, given.devices, given.participants, theta, given.noise)


def fresh_sketch(args: argparse.Namespace, q: Parameters) -> FreshRound | None:
    """The sketch of --sketch, and who takes part."""
    if args.sketch is None:
        left = next((name for name in FRESH_HELP if getattr(args, name) is not None), None)
        if left is not None:
            raise InvalidParameter(f"--{left}", getattr(args, left), "--sketch ROWSxBUCKETS beside it")
        return None
    from theory.rates.descent.certificate import FreshRound
    from theory.rates.fresh_sketch import FreshSketch

    if args.d is None:
        raise InvalidParameter("--d", "nothing", "the number of parameters beside --sketch")
    if args.k is not None:
        raise InvalidParameter("--k", args.k, "left out beside --sketch: every coordinate is read out")
    rows, buckets = _shape(args.sketch)
    trace = None if args.trace is None else parse_number("trace", args.trace)
    kind = args.compressor or "count_sketch"
    if kind == "identity":
        raise InvalidParameter("compressor", kind, "count_sketch or balanced (identity sends all d numbers)")
    sketch = FreshSketch(rows, buckets, parse_integer("d", args.d), Fraction(q.L), trace, kind)
    devices = None if args.M is None else parse_integer("M", args.M)
    part = None if args.participants is None else parse_integer("participants", args.participants)
    return FreshRound(sketch, devices, part, _noise(args))


def _noise(args: argparse.Namespace) -> Fraction:
    """The noise on a number over the power that it is sent with (Theorem N); 0 without --snr."""
    if args.snr is None:
        return Fraction(0)
    decibels = parse_number("snr", args.snr)
    if abs(decibels) > LOUDEST:
        raise InvalidParameter("snr", args.snr, f"a number from -{LOUDEST} to {LOUDEST} (decibels)")
    return Fraction(10 ** (-float(decibels) / 10))


def _shape(given: str) -> tuple[int, int]:
    """ROWSxBUCKETS."""
    rows, by, buckets = given.partition("x")
    if not by:
        raise InvalidParameter("sketch", repr(given), "ROWSxBUCKETS, such as 1x1000")
    return parse_integer("rows", rows), parse_integer("buckets", buckets)


def _kept_sketch(args: argparse.Namespace, box: Box) -> HashRange | None:
    """What is proved of FPS with a sketch of this size whose hash is not known yet."""
    given = [name for name in KEPT_HELP if getattr(args, name) is not None]
    if not given:
        return None
    from theory.rates.fresh import Sketch
    from theory.theorems import with_any_hash

    sizes = ("rows", "buckets", "k", "d")
    missing = [name for name in sizes if getattr(args, name) is None]
    if missing:
        raise InvalidParameter(f"--{missing[0]}", "nothing", "a value; a sketch needs rows, buckets, k and d")
    numbers = letters.read_numbers(args, sizes)
    return with_any_hash(box.high, Sketch(**numbers, recovery=args.recovery or "mean"))


def _demand_folder(field: str, target: Path | None) -> None:
    """Fail before the work, not after it."""
    if target is not None and (target.is_dir() or not target.absolute().parent.is_dir()):
        raise InvalidParameter(field, repr(str(target)), "a file in an existing folder")


def _write_certificate(args: argparse.Namespace, rates: Rates) -> None:
    """Both texts are made before the first is written: all files that were asked for, or none."""
    from fpsverify.files import write_text
    from theory.rates.descent.coq_file import coq_file

    wanted = {name: getattr(args, name) for name in ("certificate", "coq") if getattr(args, name) is not None}
    if not wanted:
        return
    proof, why = _proof(rates, args.of)
    if proof is None:
        name, target = next(iter(wanted.items()))
        raise InvalidParameter(name, repr(str(target)), f"constants with an exact certificate. {why}")
    texts = {
        target: proof.dumps() if name == "certificate" else coq_file(proof) for name, target in wanted.items()
    }
    for target, content in texts.items():
        write_text(target, content)


def _proof(rates: Rates, which: str) -> tuple[Certificate | None, str]:
    """The certificate that was asked for, or why there is none."""
    if which == "best" and rates.best is not None:
        return rates.best.proof, ""
    found = rates.found.certified if rates.fresh is None else rates.fresh.broadcasts
    return found.proof, found.why


def _plot(args: argparse.Namespace, box: Box) -> None:
    from fpsverify.cli.rates.plot import checked_suffix, picture
    from fpsverify.files import write_bytes

    path = Path(args.plot)
    suffix, swept = checked_suffix(path), _sweep(args, box)
    if swept[0] == "M" and letters.one_device(args):  # B = 1 is for one device only
        box = letters.read_box(argparse.Namespace(**vars(args) | {"M": None}))
    write_bytes(path, picture(box.low, *swept, suffix))


def _sweep(args: argparse.Namespace, box: Box) -> tuple[str, float, float]:
    """What --sweep names, else the first interval given, else E."""
    if args.sweep:
        name, low, high = args.sweep
        name = {"Pb": "P_b", "Pn": "P_n"}.get(name, name)
        return name, float(parse_number(name, low)), float(parse_number(name, high))
    name = next((n for n in PARAMETER_FLAGS if getattr(box.low, n) != getattr(box.high, n)), None)
    if name is None:
        return "E", 1, max(10, 2 * box.low.E)
    return name, float(getattr(box.low, name)), float(getattr(box.high, name))
