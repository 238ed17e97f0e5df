"""`fpsverify estimate`: the theory's constants from a recorded run, and what follows from them."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any


def add_commands(subparsers: Any) -> None:
    command = subparsers.add_parser(
        "estimate",
        help="which assumptions hold for a run, and which learning rates they allow",
        description="Estimate the constants of Assumptions 1-5 from a run directory, with 95 % intervals; "
        "say which assumptions hold, which learning rates they allow, and compare the bound with the run.",
    )
    command.add_argument("run", metavar="RUN", help="a run directory (see fpsverify run --out)")
    command.add_argument("--json", action="store_true", help="JSON on standard output")
    command.add_argument(
        "--plot", metavar="DIR", help="write the figures of Appendix E and the scatter plots to DIR"
    )
    command.add_argument(
        "--replicates", type=int, default=32, metavar="N", help="gradients per point (default 32)"
    )
    command.add_argument(
        "--rounds", type=int, default=8, metavar="K", help="checkpoints to look at (default 8)"
    )
    command.add_argument(
        "--replay",
        action="store_true",
        help="run again in memory to measure what record.verify would have kept",
    )
    command.add_argument("--quiet", action="store_true", help="no progress on standard error")
    command.set_defaults(func=estimate_command)


def estimate_command(args: argparse.Namespace) -> int:
    from fpsverify.errors import BadInput
    from fpsverify.files import json_safe, make_folder

    if args.rounds < 3:
        raise BadInput("--rounds", args.rounds, "at least 3")
    if args.plot:
        make_folder(Path(args.plot), "--plot")

    from empirical import recorded, report
    from empirical.estimate import as_json, estimate

    with Ticker(args.quiet) as ticker:
        ticker.show("reading the run")
        evidence = recorded.evidence(Path(args.run), args.rounds, args.replay)
        found = estimate(evidence, args.replicates, ticker.show)
        result = json_safe(as_json(found))
        if args.plot:
            from empirical import plots

            ticker.show("figures")
            result["figures"] = [str(path) for path in plots.write_all(found, Path(args.plot))]
    print(json.dumps(result, indent=2, allow_nan=False) if args.json else report.render(result))
    return 0


class Ticker:
    """The step under way, on standard error."""

    def __init__(self, quiet: bool) -> None:
        from tqdm import tqdm

        self.bar = tqdm(bar_format="{elapsed} {desc}", disable=quiet, leave=False)

    def __enter__(self) -> Ticker:
        return self

    def __exit__(self, *exc: object) -> None:
        self.bar.close()

    def show(self, text: str) -> None:
        self.bar.set_description_str(text)
