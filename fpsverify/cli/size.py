"""`fpsverify size`: how large a count sketch must be. The answer first, then the table."""

from __future__ import annotations

import argparse
import json
from bisect import bisect_left
from dataclasses import replace
from math import ceil, inf, log
from typing import TYPE_CHECKING, Any

from fpsverify.cli.rates.letters import parse_integer, parse_number
from fpsverify.cli.rates.lr_text import entry
from theory.errors import InvalidParameter
from theory.rates.rounding import rounded_up

if TYPE_CHECKING:
    from theory.bounds.sketch_size import Demand

HELP = (
    "How many numbers a sketch must send. Fresh in every round (--trace and --L): so many that a share of "
    "the certified learning rates is kept. Kept for ever, as in FPS (--k, --T, --delta, --eps or --c): rows "
    "and columns so that every coordinate is within eps ||v|| at every read-out."
)
SHARES = ("1/2", "9/10")
DEMAND = {
    "k": "coordinates to keep",
    "d": "dimension",
    "T": "read-outs",
    "delta": "probability that any estimate is wrong",
}


def add_commands(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("size", help="rows and columns a count sketch needs", description=HELP)
    for name, meaning in DEMAND.items():
        parser.add_argument(f"--{name}", required=name == "d", help=meaning)
    parser.add_argument("--trace", help="trace of the curvature: asks for a fresh sketch (with --L)")
    parser.add_argument("--L", help="smoothness of the mean loss")
    parser.add_argument("--share", help="of the range without a sketch, at E = 1 (default: 1/2 and 9/10)")
    accuracy = parser.add_mutually_exclusive_group()
    accuracy.add_argument("--eps", help="error of a coordinate, relative to the norm of the vector")
    accuracy.add_argument("--c", help="the paper's c: eps = 1/sqrt(c k)")
    parser.add_argument("--p", help="power law |v|_(i) <= i^-p ||v|| (default: any vector)")
    parser.add_argument("--sigma", default="0", help="standard deviation of the noise of a bucket / ||v||")
    parser.add_argument("--rows", help="fix the number of rows (default: the fewest buckets)")
    parser.add_argument("--subcarriers", "--K", help="buckets that fit into one transmission")
    parser.add_argument("--detail", action="store_true", help="also the paper's formulas and all assumptions")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(func=run_size)


def run_size(args: argparse.Namespace) -> int:
    """Print the sketch that a demand needs."""
    from theory.bounds.sketch_size import sizing_report

    if args.trace is not None or args.L is not None:
        return _run_fresh(args)
    needed = [name for name in DEMAND if getattr(args, name) is None]
    needed += ["eps"] * (args.eps is None and args.c is None)
    if needed:
        raise InvalidParameter(f"--{needed[0]}", "nothing", "a value (or --trace and --L: a fresh sketch)")
    demand = _demand(args)
    rows = None if args.rows is None else parse_integer("rows", args.rows)
    subcarriers = None if args.subcarriers is None else parse_integer("subcarriers", args.subcarriers)
    result = sizing_report(demand, rows, subcarriers)
    lines = answer(result, _cheaper(demand, result["rows"]))
    if args.json:
        print(json.dumps({"answer": lines, **result}, indent=2, allow_nan=False))
    else:
        print("\n".join(lines), table(result), *([detail(result)] if args.detail else []), sep="\n\n")
    return 0


def _run_fresh(args: argparse.Namespace) -> int:
    """The numbers that keep a share of the range 2/L: m >= share/(1 - share) (trace/L + 1)."""
    from theory.rates.fresh_sketch import FreshSketch

    for name in ("trace", "L"):
        if getattr(args, name) is None:
            raise InvalidParameter(f"--{name}", "nothing", "a value: a fresh sketch needs --trace and --L")
    d, shares = parse_integer("d", args.d), SHARES if args.share is None else (args.share,)
    ell, trace = parse_number("L", args.L), parse_number("trace", args.trace)
    sketch = FreshSketch(1, 1, d, ell, trace)
    needs = [
        (share, parse_number("share", share), sketch.size_for(parse_number("share", share)))
        for share in shares
    ]
    lines = [
        f"A fresh sketch of {m:,} numbers keeps {float(exact):.4g} of the range 2/L." for _, exact, m in needs
    ]
    lines += [
        f"  That is more than d = {d:,}: send the update itself." for *_, m in needs[:1] if m and m >= d
    ]
    lines.append(
        f"  The rule is share/(1 - share) (trace/L + 1), with trace/L = {float(trace / ell):.4g} for any d."
    )
    lines.append(
        "  A range of stability: at one gamma fewer numbers also mean more noise in flat directions."
    )
    if args.k is not None:
        lines.append(f"  The paper's k log(dT/delta): {_printed(args, d):,} numbers, whatever the curvature.")
    if args.json:
        print(json.dumps({"answer": lines, "sizes": {share: m for share, _, m in needs}}, indent=2))
    else:
        print("\n".join(lines))
    return 0


def _printed(args: argparse.Namespace, d: int) -> int:
    """The paper's size with every constant at 1."""
    k, T = parse_integer("k", args.k), parse_integer("T", args.T or "1000")
    delta = float(parse_number("delta", args.delta or "0.05"))
    if not 0 < delta < 1:
        raise InvalidParameter("delta", args.delta, "a number in (0, 1)")
    return ceil(k * log(d * T / delta))


def _demand(args: argparse.Namespace) -> Demand:
    from theory.bounds.sketch_size import Demand
    from theory.rates.parameters import checked_size

    k = parse_integer("k", args.k)
    p = None if args.p is None else parse_number("p", args.p)
    sigma = parse_number("sigma", args.sigma)
    checked_size("sigma", sigma, "a number of at least 0")
    return Demand(
        k,
        parse_integer("d", args.d),
        parse_integer("T", args.T),
        float(parse_number("delta", args.delta)),
        _accuracy(args, k),
        p,
        float(sigma**2),
    )


def _accuracy(args: argparse.Namespace, k: int) -> float:
    if args.eps is not None:
        return float(parse_number("eps", args.eps))
    from theory.rates.parameters import checked_size

    c = checked_size("c", parse_number("c", args.c), "a number above 0", open_low=True)
    return float(c * k) ** -0.5


def _cheaper(demand: Demand, rows: int | None) -> tuple[float, int] | None:
    """The error, doubled until fewer buckets than d are enough with as many rows, and these buckets.

    None if no error up to 1 does: every coordinate is within ||v|| without any sketch.
    """
    from theory.bounds.sketch_size import columns_needed

    errors = [demand.epsilon]
    while errors[-1] < 1:
        errors.append(min(1.0, float(f"{2 * errors[-1]:.3g}")))  # as it is shown, so that it can be typed

    def buckets(epsilon: float) -> float:
        found = columns_needed(rows or 1, replace(demand, epsilon=epsilon))
        return inf if found is None else found.buckets

    tried = errors[1:] if rows is not None else []
    first = bisect_left(tried, True, key=lambda each: buckets(each) < demand.d)  # larger errors need fewer
    return (tried[first], int(buckets(tried[first]))) if first < len(tried) else None


def answer(result: dict[str, Any], cheaper: tuple[float, int] | None = None) -> list[str]:
    """The size, what it promises and costs, what would shrink it, and for whom it holds."""
    r = result
    if r["buckets"] is None:
        lines = ["No sketch of this many rows can promise this: the noise alone is too large."]
        lines.append("  Allow a larger error (--eps), or send with less noise (--sigma).")
    else:
        lines = [_first(r)]
        when = "at the one\n  read-out" if r["T"] == 1 else f"at all {r['T']:,}\n  read-outs"
        lines += f"  All {r['d']:,} coordinates are then within {r['eps']:.3g} ||v|| {when}".split("\n")
        lines[-1] += f", except with probability {r['delta']:g} at most."
        lines.append(_cost(r, cheaper))
    if "subcarriers" in r["notes"]:
        lines.append(_shortened(r["notes"]["subcarriers"]))
    return [*lines, "In FPS, v depends on earlier sketches: a guide; `fpsverify estimate` measures."]


def _first(r: dict[str, Any]) -> str:
    if r["buckets"] > r["d"]:
        return f"No such sketch is smaller than the model ({r['buckets']:,} for {r['d']:,} numbers)."
    return f"Use {_shape(r)}, read out by the median: {r['buckets']:,} numbers."


def _shape(r: dict[str, Any]) -> str:
    return f"{r['rows']} rows of {r['columns']:,} buckets"


def _cost(r: dict[str, Any], cheaper: tuple[float, int] | None) -> str:
    buckets, d = r["buckets"], r["d"]
    larger = buckets > d
    saved = f"It has {_shape(r)}" if larger else f"That is {buckets / d:.2g} of the {d:,} numbers of v"
    if cheaper is None:
        return f"{saved}; every --eps up to 1 exceeds the model." if larger else f"{saved}."
    return f"{saved}; --eps {cheaper[0]:.3g} needs {cheaper[1]:,}."


def _shortened(note: str) -> str:
    """That it fits into the subcarriers, or else the best that fits."""
    fits, _, most = note.partition(". ")
    return fits + "." if ": fits" in fits else most


def table(result: dict[str, Any]) -> str:
    """Sizes with their exact failure probability."""
    r = result
    lines = [
        f"k = {r['k']}, d = {r['d']}, T = {r['T']}, delta = {r['delta']:g}, {r['vector']}; "
        f"the paper's c = 1/(k eps^2) = {r['c']:.4g}",
        # Rounded up like the failures below, so that rounding never shows a failure above what is allowed.
        f"allowed for one coordinate at one read-out: {rounded_up(r['allowed_failure'], 3)}",
        "proved where rows, and any 3 coordinates of a row, are hashed independently (ours: any 5)",
        "",
        f"{'':<16}{'rows':>6}{'buckets/row':>14}{'all buckets':>14}  one coordinate fails with",
    ]
    return "\n".join([*lines, *(f"{name:<16}{_size(size)}" for name, size in r["sizes"].items())])


def _size(size: dict[str, Any] | None) -> str:
    if size is None:
        return "  impossible: the noise of a bucket alone is too large"
    failure = f"probability at most {rounded_up(size['failure'], 3)}"
    return f"{size['rows']:>6}{size['columns']:>14}{size['buckets']:>14}  {failure}"


def detail(result: dict[str, Any]) -> str:
    """The paper's formulas, and what all this rests on."""
    lines = ["The paper's memory formulas (the constant of O(.) read as 1)"]
    for name, value in result["printed"].items():
        missing = "needs --p" if result["vector"] == "any v" else "beyond 1e308"
        lines.append(f"  {name:<34}" + (missing if value is None else f"{value:>14.6g}"))
    for name, words in result["notes"].items():
        lines += ["", *entry(name, words)]
    return "\n".join(lines)
