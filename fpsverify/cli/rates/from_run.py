"""`lr --from RUN` and `bound --from RUN`: the constants of a recorded run in place of flags."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from theory.errors import InvalidParameter

CONSTANTS = ("L", "B", "P_b", "P_n")
REPLAYED = "fpsverify estimate RUN --replay"
SOURCES = ("R2", "G2", "b2", "sigma2")


def fill(args: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Flags that were not given become the intervals of the run's constants; returns its estimate."""
    found = estimated(args)
    for name in names:
        if getattr(args, name) is None:
            setattr(args, name, _interval(name, found) if name in CONSTANTS else repr(found["run"][name]))
    return found


def fill_bound(args: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """The same for `bound`, with every constant at its upper end; `args.estimated_L` keeps that of L."""
    found = estimated(args)
    args.estimated_L = found["constants"]["L"]["estimate"] if args.L is None else None
    counted = {name: value for name, value in found["bound"].get("counted", {}).items() if value is not None}
    for name in (*names, *SOURCES):
        if getattr(args, name) is None:
            constant = (name in CONSTANTS or name in SOURCES) and name not in counted
            setattr(args, name, _upper(name, found) if constant else repr((found["run"] | counted)[name]))
    for name in ("gamma", "T"):
        if getattr(args, name) is None:
            setattr(args, name, repr(found["run"][name]))
    if args.Delta is None and "Delta" in found["bound"]:
        args.Delta = repr(found["bound"]["Delta"])
    if args.Delta is None:
        raise InvalidParameter(
            "Delta", "not measured in this run", f"f(w_0) - f* by --Delta, or {_replay(found)}"
        )
    return found


def _replay(found: dict[str, Any]) -> str:
    from empirical.answer.compare import REPLAY, made_in_python

    return REPLAY if made_in_python(found["run"]["config"]) else REPLAYED


def of_bound(run: dict[str, Any]) -> dict[str, Any]:
    """What Theorem B says of the run, which assumptions of the others fail in it, whether it was finished."""
    from empirical.answer.six_lines import unfinished

    bound = run["bound"]
    names = ("theorem_b", "fails", "undecided", "measured_average")
    return {name: bound[name] for name in names} | {"unfinished": unfinished(run)}


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
        method = found["constants"][name]["method"].replace("or --replay", f"or {REPLAYED}")
        raise InvalidParameter(name, f"no upper limit in this run ({method})", f"a value by --{name}")
    return repr(high)
