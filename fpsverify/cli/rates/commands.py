"""Commands `lr` (learning-rate ranges) and `bound` (bounds term by term)."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fpsverify.cli.rates import from_run, text
from fpsverify.cli.rates.answer import lr_text
from fpsverify.cli.rates.bound_answer import bound_text
from fpsverify.cli.run import add_consent
from theory.errors import InvalidParameter

if TYPE_CHECKING:
    from theory.rates.answer import Answer
    from theory.rates.parameters import Box, Parameters
    from theory.rates.random_hash import HashRange
    from theory.rates.ranges import Range
    from theory.rates.theorem_a import Sources

PARAMETER_FLAGS = {  # field of Parameters: (flags, default, help)
    "L": (("--L",), None, "smoothness of the device losses"),
    "mu": (("--mu",), "0", "proximal weight"),
    "E": (("--E",), "1", "local steps per round"),
    "B": (("--B",), "1", "gradient dissimilarity, at least 1"),
    "P_b": (("--Pb", "--P_b"), "0", "relative bias"),
    "P_n": (("--Pn", "--P_n"), "0", "relative noise"),
    "M": (("--M",), "1", "devices; without it any number, with nu = 1; one device has B = 1"),
}
INTEGERS = ("E", "M", "T", "k", "d", "rows", "buckets", "subcarriers")


def add_commands(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the two commands to a parser."""
    _add_lr(subparsers)
    _add_bound(subparsers)


def _add_lr(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "lr", help="which learning rates are certified, and which are impossible", description=text.LR_HELP
    )
    _add_parameters(parser)
    parser.add_argument("--theta", default="1", metavar="X", help=text.THETA_HELP)
    parser.add_argument("--L_f", "--Lf", metavar="X", help="smoothness of the mean loss (only for E = 1)")
    parser.add_argument("--certificate", type=Path, metavar="FILE.json", help="write the exact certificate")
    parser.add_argument("--coq", type=Path, metavar="FILE.v", help="write the certificate as a Coq proof")
    parser.add_argument("--plot", metavar="FILE", help="draw gamma_max against one parameter (png, pdf, svg)")
    parser.add_argument("--sweep", nargs=3, metavar=("NAME", "LO", "HI"), help="what --plot sweeps")
    for name, meaning in text.TABLE_HELP.items():
        parser.add_argument(f"--{name}", metavar="X", help=meaning)
    parser.set_defaults(func=run_lr)


def _add_bound(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "bound", help="printed and repaired bounds, term by term", description=text.BOUND_HELP
    )
    _add_parameters(parser)
    for name, meaning in text.RUN_HELP.items():
        parser.add_argument(f"--{name}", help=meaning)
    for name, meaning in text.SOURCE_HELP.items():
        parser.add_argument(f"--{name}", help=meaning)
    for name, meaning in text.SKETCH_HELP.items():
        parser.add_argument(f"--{name}", help=meaning)
    parser.set_defaults(func=run_bound)


def _add_parameters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--from", dest="run", metavar="RUN", help=text.FROM_HELP)
    add_consent(parser)
    for field, (flags, default, meaning) in PARAMETER_FLAGS.items():
        words = f"{meaning} (default: {default})" if default and field != "M" else meaning
        parser.add_argument(*flags, dest=field, metavar="X", help=words)
    parser.add_argument("--nu", metavar="X", help="share of the noise that averaging leaves (default: 1/M)")
    parser.add_argument(
        "--independent-noise",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="noise of different devices is uncorrelated, so nu = 1/M (--no-independent-noise: nu = 1)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--detail", action="store_true", help="print the long form as well")


def parse_number(field: str, given: str) -> Fraction:
    """A finite decimal or ratio, exactly: 0.01 is 1/100 and 1/3 is 1/3."""
    expected = "an integer" if field in INTEGERS else "a finite number"
    parts = given.split("/")
    try:
        # A float first: 1e999999999 is refused and 1e-999999999 is 0 before Fraction makes giants of them.
        floats = [float(part) for part in parts]
        if len(parts) > 2 or not all(map(math.isfinite, floats)):
            raise ValueError
        pairs = zip(parts, floats, strict=True)
        exact = [Fraction(part.strip()) if value else Fraction(0) for part, value in pairs]
        result = exact[0] / exact[1] if len(exact) == 2 else exact[0]
        float(result)  # a ratio of two floats may be beyond every float
        return result
    except (ValueError, ZeroDivisionError, OverflowError):
        raise InvalidParameter(field, repr(given), expected) from None


def parse_interval(field: str, given: str) -> tuple[Fraction, Fraction]:
    """`LOW:HIGH`, or one number twice."""
    ends = given.split(":")
    if len(ends) > 2 or (len(ends) == 2 and "" in ends):
        raise InvalidParameter(field, repr(given), "one number, or an interval LOW:HIGH")
    bottom, top = parse_number(field, ends[0]), parse_number(field, ends[-1])
    if bottom > top:
        raise InvalidParameter(field, given, "an interval LOW:HIGH with LOW not above HIGH")
    return bottom, top


def read_box(args: argparse.Namespace) -> Box:
    """The parameters of the command line; every one may be an interval."""
    from theory.rates.parameters import Box, Parameters

    ends = {field: parse_interval(field, text) for field, text in _with_defaults(args).items()}
    if one_device(args):
        ends["B"] = (min(ends["B"][0], Fraction(1)), Fraction(1))  # below 1 it is refused
    if args.nu is not None:
        if not args.independent_noise:
            raise InvalidParameter(
                "nu", args.nu, "left out beside --no-independent-noise, which means nu = 1"
            )
        ends["nu"] = parse_interval("nu", args.nu)
    elif not args.independent_noise:
        ends["nu"] = (Fraction(1), Fraction(1))
    low: dict[str, Any] = {field: each[0] for field, each in ends.items()}
    high: dict[str, Any] = {field: each[1] for field, each in ends.items()}
    return Box(Parameters(**low), Parameters(**high))


def _with_defaults(args: argparse.Namespace) -> dict[str, str]:
    given = {field: getattr(args, field) for field in PARAMETER_FLAGS}
    _demand(args, ("L",))
    return {f: str(PARAMETER_FLAGS[f][1]) if value is None else value for f, value in given.items()}


def one_device(args: argparse.Namespace) -> bool:
    """Is --M 1 given? The M of a run may be the devices of one round, out of many."""
    return not args.run and args.M is not None and parse_interval("M", args.M) == (1, 1)


def noted(args: argparse.Namespace) -> str:
    """How B was read, where it is not taken as it is."""
    given = one_device(args) and args.B is not None and parse_interval("B", args.B) != (1, 1)
    return f"One device: B = 1 (in place of {args.B})." if given else ""


def _demand(args: argparse.Namespace, names: Iterable[str]) -> None:
    for name in names:
        if getattr(args, name) is None:
            raise InvalidParameter(f"--{name}", "nothing", "a value, or --from RUN")


def assumed(args: argparse.Namespace) -> list[str]:
    """The parameters that were not given and count."""
    names = [field for field in PARAMETER_FLAGS if getattr(args, field) is None]
    quiet = {"M"} if args.nu is not None or not args.independent_noise else set()
    words = {"M": "any number of devices (nu = 1)"}
    return [words.get(name, f"{name} = {PARAMETER_FLAGS[name][1]}") for name in names if name not in quiet]


def no_source(sources: Mapping[str, Any]) -> list[str]:
    """What else a bound takes to be 0."""
    words = {
        "R2": "R2 = 0 (no sketch)",
        "sigma2": "sigma2 = 0 (exact gradients)",
        "G2": "G2 = 0",
        "b2": "b2 = 0",
    }
    return [told for name, told in words.items() if name not in sources]


def read_point(args: argparse.Namespace) -> Parameters:
    """The parameters of a command that takes no intervals."""
    box = read_box(args)
    for field in PARAMETER_FLAGS:
        if getattr(box.low, field) != getattr(box.high, field):
            raise InvalidParameter(field, getattr(args, field), "one number (only lr takes intervals)")
    return box.low


def run_lr(args: argparse.Namespace) -> int:
    """Print which learning rates are certified; write the certificate and draw the ranges if asked."""
    from theory.rates.answer import answer
    from theory.rates.ranges import ranges

    run = from_run.fill(args, PARAMETER_FLAGS) if args.run else None
    box = read_box(args)
    table = _table(args, box)
    if args.sweep and not args.plot:
        raise InvalidParameter("sweep", " ".join(args.sweep), "--plot FILE beside it")
    for name in ("certificate", "coq"):
        _demand_folder(name, getattr(args, name))
    theta = parse_number("theta", args.theta)
    L_f = None if args.L_f is None else parse_number("L_f", args.L_f)
    result = ranges(box.low if box.low == box.high else box)
    found = answer(box, theta, L_f)
    found = replace(found, note=" ".join(filter(None, (noted(args), found.note))))
    _write_certificate(args, found)
    if args.plot:
        _plot(args, box)
    if args.json:
        print(json.dumps(_lr_record(args, result, found, table, run), indent=2, allow_nan=False))
    else:
        print(lr_text(box, result, found, assumed(args), args.detail, table, run, args.certificate))
    return 0


def _table(args: argparse.Namespace, box: Box) -> HashRange | None:
    """What is proved with a sketch of this size whose hash is not known yet."""
    given = {name: getattr(args, name) for name in text.TABLE_HELP if getattr(args, name) is not None}
    if not given:
        return None
    from theory.rates.random_hash import Sketch, range_for_a_random_hash

    sizes = {name: value for name, value in given.items() if name != "recovery"}
    missing = [name for name in text.TABLE_HELP if name != "recovery" and name not in given]
    if missing:
        raise InvalidParameter(f"--{missing[0]}", "nothing", "a value; a sketch needs rows, buckets, k and d")
    numbers = {name: parse_integer(name, value) for name, value in sizes.items()}
    return range_for_a_random_hash(box.high, Sketch(**numbers, recovery=given.get("recovery", "mean")))


def _lr_record(
    args: argparse.Namespace,
    result: dict[str, Range],
    found: Answer,
    table: HashRange | None,
    run: dict[str, Any] | None,
) -> dict[str, Any]:
    from theory.rates.advice import status_here

    record = {f: each.as_json() | {"status": status_here(f, each.empty)} for f, each in result.items()}
    own = found.as_json()
    own["certified"]["assumed"] = assumed(args) + [note for note in (noted(args),) if note]
    extra: dict[str, Any] = {"sketch": vars(table)} if table else {}
    return record | own | extra | ({"advice": run["advice"]} if run else {})


def _demand_folder(field: str, target: Path | None) -> None:
    """Fail before the work, not after it."""
    if target is not None and (target.is_dir() or not target.absolute().parent.is_dir()):
        raise InvalidParameter(field, repr(str(target)), "a file in an existing folder")


def _write_certificate(args: argparse.Namespace, found: Answer) -> None:
    """Both texts are made before the first is written: all files that were asked for, or none."""
    from fpsverify.files import write_text

    wanted = {name: getattr(args, name) for name in ("certificate", "coq") if getattr(args, name) is not None}
    texts = {target: _certificate_text(name, target, found) for name, target in wanted.items()}
    for target, content in texts.items():
        write_text(target, content)


def _certificate_text(name: str, target: Path, found: Answer) -> str:
    from theory.rates.descent.coq_file import coq_file

    proof = found.certified.proof
    if proof is None:
        why = f"constants with an exact certificate. {found.certified.why}"
        raise InvalidParameter(name, repr(str(target)), why)
    return proof.dumps() if name == "certificate" else coq_file(proof)


def _plot(args: argparse.Namespace, box: Box) -> None:
    from fpsverify.cli.rates.plot import checked_suffix, picture
    from fpsverify.files import write_bytes

    path = Path(args.plot)
    suffix, swept = checked_suffix(path), _sweep(args, box)
    if swept[0] == "M" and one_device(args):  # B = 1 is for one device only
        box = read_box(argparse.Namespace(**vars(args) | {"M": None}))
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


def run_bound(args: argparse.Namespace) -> int:
    """Print the bounds term by term."""
    from theory.bounds.terms import Sketch, lemma1_residual, report
    from theory.rates.theorem_a import Sources

    run = from_run.fill_bound(args, PARAMETER_FLAGS) if args.run else None
    _demand(args, text.RUN_HELP)
    q = read_point(args)
    numbers = _given(args, text.SKETCH_HELP)
    missing = [name for name in text.SKETCH_HELP if name not in numbers]
    if numbers and missing:
        raise InvalidParameter(
            missing[0], "nothing", f"a value; a sketch needs {', '.join(text.SKETCH_HELP)}"
        )
    sketch = Sketch(**_integers(numbers)) if numbers else None
    sources = _given(args, text.SOURCE_HELP)
    if sketch and "R2" not in sources:
        sources["R2"] = Fraction(lemma1_residual(sketch))
    sources["Delta"] = parse_number("Delta", args.Delta)
    result = report(
        q, parse_number("gamma", args.gamma), parse_integer("T", args.T), Sources(**sources), sketch
    )
    result["R2_from"] = text.residual_origin(sketch is not None, args.R2 is not None)
    result["sdp"] = _sdp(q, result["gamma"], result["T"], Sources(**sources))
    result |= {} if run is None else from_run.of_bound(run)
    none = all(result[form]["total"] is None for form in ("repaired_sharp", "sdp"))
    if none and run is not None and args.estimated_L:
        found = _sdp(replace(q, L=args.estimated_L), result["gamma"], result["T"], Sources(**sources))
        result |= {} if found["total"] is None else {"sdp_at_estimated_L": found | {"L": args.estimated_L}}
    taken = [] if run is not None else [*assumed(args), *no_source(sources)]
    words = bound_text(q, result, args.detail, taken, noted(args))
    print(json.dumps(result, indent=2, allow_nan=False) if args.json else words)
    return 0


def _sdp(q: Parameters, gamma: float, T: int, sources: Sources) -> dict[str, Any]:
    """The bound by one semidefinite program; where it is not defined, why not."""
    from theory.rates.descent.residual_bound import SdpBound, sdp_bound

    try:
        found = sdp_bound(q, gamma, T, sources)
    except InvalidParameter as error:
        found = SdpBound(None, "none", f"no bound: {error}")
    return {"total": found.value, "label": found.label, "why_not": found.why_not}


def _given(args: argparse.Namespace, names: Iterable[str]) -> dict[str, Fraction]:
    texts = {name: getattr(args, name) for name in names}
    return {name: parse_number(name, given) for name, given in texts.items() if given is not None}


def parse_integer(field: str, given: str) -> int:
    from theory.rates.parameters import checked_integer

    return checked_integer(field, parse_number(field, given))


def _integers(numbers: dict[str, Fraction]) -> dict[str, Any]:
    from theory.rates.parameters import checked_integer

    return {n: checked_integer(n, v) if n in INTEGERS else v for n, v in numbers.items()}
