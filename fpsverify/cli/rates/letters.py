"""The letters of `lr` and `bound` on the command line: numbers, intervals and what was left out."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from fpsverify.cli.run import add_consent
from theory.errors import InvalidParameter

if TYPE_CHECKING:
    from theory.rates.parameters import Box, Parameters
    from theory.rates.theorem_a import Sources

FROM_HELP = "take the constants from RUN/estimate.json, or estimate them now; other flags replace single ones"
PARAMETER_FLAGS = {  # field of Parameters: (flags, default, help)
    "L": (("--L",), None, "smoothness of the device losses"),
    "mu": (("--mu",), "0", "proximal weight"),
    "E": (("--E",), "1", "local steps per round"),
    "B": (("--B",), "1", "gradient dissimilarity, at least 1"),
    "P_b": (("--Pb", "--P_b"), "0", "relative bias"),
    "P_n": (("--Pn", "--P_n"), "0", "relative noise"),
    "M": (("--M",), "1", "devices; without it any number, with nu = 1; one device has B = 1"),
}
SOURCE_HELP = {
    "G2": "absolute gradient dissimilarity",
    "b2": "absolute bias, squared",
    "sigma2": "absolute noise variance",
}
INTEGERS = ("E", "M", "T", "k", "d", "rows", "buckets", "subcarriers", "participants")


def add_letters(parser: argparse.ArgumentParser) -> None:
    """The options that `lr` and `bound` share."""
    parser.add_argument("--from", dest="run", metavar="RUN", help=FROM_HELP)
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
    demand(args, ("L",))
    return {f: str(PARAMETER_FLAGS[f][1]) if value is None else value for f, value in given.items()}


def one_device(args: argparse.Namespace) -> bool:
    """Is --M 1 given? The M of a run may be the devices of one round, out of many."""
    return not args.run and args.M is not None and parse_interval("M", args.M) == (1, 1)


def noted(args: argparse.Namespace) -> str:
    """How B was read, where it is not taken as it is."""
    given = one_device(args) and args.B is not None and parse_interval("B", args.B) != (1, 1)
    return f"One device: B = 1 (in place of {args.B})." if given else ""


def demand(args: argparse.Namespace, names: Iterable[str]) -> None:
    for name in names:
        if getattr(args, name) is None:
            raise InvalidParameter(f"--{name}", "nothing", "a value, or --from RUN")


def assumed(args: argparse.Namespace) -> list[str]:
    """The parameters that were not given and count."""
    names = [field for field in PARAMETER_FLAGS if getattr(args, field) is None]
    quiet = {"M"} if args.nu is not None or not args.independent_noise else set()
    words = {"M": "any number of devices (nu = 1)"}
    return [words.get(name, f"{name} = {PARAMETER_FLAGS[name][1]}") for name in names if name not in quiet]


def no_source(sources: Iterable[str]) -> list[str]:
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


def read_numbers(args: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Those of the options that were given, exactly."""
    texts = {name: getattr(args, name) for name in names}
    given = {name: parse_number(name, text) for name, text in texts.items() if text is not None}
    return {n: whole(n, v) if n in INTEGERS else v for n, v in given.items()}


def read_sources(args: argparse.Namespace, names: Iterable[str]) -> Sources:
    """The absolute errors of a run, and how far it may fall."""
    from theory.rates.theorem_a import Sources

    return Sources(**read_numbers(args, names))


def parse_integer(field: str, given: str) -> int:
    """A whole number of at least 1."""
    return whole(field, parse_number(field, given))


def whole(field: str, value: Fraction) -> int:
    from theory.rates.parameters import checked_integer

    return checked_integer(field, value)
