"""`fpsverify advise`: which learning rate to use, before anything was run."""

from __future__ import annotations

import argparse
import json
import shlex
from typing import Any


def add_commands(subparsers: Any) -> None:
    from fpsverify.cli.run import add_problem

    command = subparsers.add_parser(
        "advise",
        help="which learning rate to use, before anything was run",
        description="Measures curvature at the start, makes short pilot runs in memory, and says which "
        "learning rate to use, what guarantees it and what to change. local.gamma of the config is not used.",
    )
    command.add_argument("config", nargs="?", metavar="CONFIG.toml", help="see examples/")
    command.add_argument("--demo", action="store_true", help="the built-in FPS run on generated data")
    add_problem(command)
    command.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="override, e.g. rounds=300"
    )
    command.add_argument(
        "--pilot", type=int, metavar="N", help="rounds of each pilot, at least 10 (default: a fourth)"
    )
    command.add_argument(
        "--compare", action="store_true", help="also fresh hashes, FPS and no sketch, as many numbers sent"
    )
    command.add_argument(
        "--cheap", action="store_true", help="without curvature: quicker, but nothing is certified"
    )
    command.add_argument("--detail", action="store_true", help="also every pilot")
    command.add_argument("--json", action="store_true", help="JSON on standard output")
    command.add_argument("--quiet", action="store_true", help="no progress on standard error")
    command.set_defaults(func=advise_command)


def advise_command(args: argparse.Namespace) -> int:
    from empirical.advice.advise import advise
    from fpsverify.cli.run import config_of

    config = config_of(args)
    silent, trust = (lambda line: None) if args.quiet else None, bool(args.problem or args.trust)
    asked = {"pilot": args.pilot, "cheap": args.cheap, "compare": args.compare}
    found = advise(config, **asked, progress=silent, trust=trust)
    if args.json:
        print(json.dumps(found.as_json(), indent=2, allow_nan=False))
    else:
        print("\n".join([found.summary(args.detail), *next_command(args, found.recommended)]))
    return 0


def next_command(args: argparse.Namespace, gamma: float | None) -> list[str]:
    """The run that the advice is for, at the very number that was tried."""
    if gamma is None:
        return []
    words = [args.config] if args.config else ["--demo"] if args.demo else []
    words += ["--problem", args.problem] if args.problem else ["--trust"] if args.trust else []
    for item in (*args.set, f"local.gamma={gamma!r}"):
        words += ["--set", item]
    return ["", f"Next: fpsverify run {shlex.join(words)} --out DIR"]
