"""`fpsverify estimate`: the theory's constants from a recorded run, and what follows from them."""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from fpsverify.cli.run import add_consent, consented

LONG = 40  # characters of a folder that the answer has room for


def add_commands(subparsers: Any) -> None:
    command = subparsers.add_parser(
        "estimate",
        help="which assumptions hold for a run, and which learning rates they allow",
        description="Estimate the constants of Assumptions 1-5 from a run directory, with 95 % intervals; "
        "say which assumptions hold, which learning rates they allow, and compare the bound with the run.",
    )
    command.add_argument("run", metavar="RUN", help="a run directory (see fpsverify run --out)")
    command.add_argument(
        "--detail", action="store_true", help="also every number, verdict and reason in full"
    )
    command.add_argument("--json", action="store_true", help="JSON on standard output")
    command.add_argument(
        "--plot", metavar="DIR", help="write the figures of Appendix E and the scatter plots to DIR"
    )
    command.add_argument(
        "--replicates", type=int, default=32, metavar="N", help="gradients per point, at least 8 (default 32)"
    )
    command.add_argument(
        "--rounds", type=int, default=16, metavar="K", help="rounds to look at, at least 3 (default 16)"
    )
    command.add_argument(
        "--replay",
        action="store_true",
        help="run again in memory to measure what record.verify and checkpoints would have kept",
    )
    command.add_argument(
        "--fast", action="store_true", help="fewer rounds and replicates: quicker, with wider intervals"
    )
    command.add_argument("--quiet", action="store_true", help="no progress on standard error")
    add_consent(command)
    command.set_defaults(func=estimate_command)


def estimate_command(args: argparse.Namespace) -> int:
    from fpsverify.files import make_folder

    if args.plot:
        make_folder(Path(args.plot), "--plot")

    from empirical.answer import text
    from empirical.answer.stored import FAST, Settings

    settings = Settings(args.replicates, args.rounds, args.replay)
    settings = replace(FAST, replay=args.replay) if args.fast else settings
    result = estimated(Path(args.run), settings, args.quiet, args)
    if args.plot:
        from empirical.answer import plots

        result["figures"] = [str(path) for path in plots.write_all(result, Path(args.plot))]
    if args.json:
        print(json.dumps(result, indent=2, allow_nan=False))
        return 0
    name = args.run if len(args.run) <= LONG else "RUN"
    named = result["answer"]["next"].replace("RUN", name, 1)
    answer = result["answer"] | {"next": named}
    print(text.render(result | {"answer": answer}, args.detail))
    return 0


def estimated(folder: Path, settings: Any, quiet: bool, args: argparse.Namespace) -> dict[str, Any]:
    """Stored or new, with progress; settings None: whatever is stored.

    Without the user's consent a file that the run names is not run, and an estimate that needs it refused.
    """
    from empirical.answer.estimate import STAGES
    from empirical.answer.result import Listener, of_folder
    from fpsverify.cli import say
    from fpsverify.cli.many_runs import refuse_sweep
    from fpsverify.runs.files import read_config

    refuse_sweep(folder)
    owner = consented(args, read_config(folder)) if args.problem or args.trust else None
    with Ticker(len(STAGES) + 2, quiet) as ticker:
        return of_folder(folder, settings, owner, Listener(ticker.stage, ticker.show, say))


class Ticker:
    """The stage and step under way, on standard error, and at the end how long all took.

    Drawn late, so that an early error is one line.
    """

    def __init__(self, stages: int, quiet: bool) -> None:
        self.stages, self.quiet = stages, quiet
        self.at, self.start = 0, time.monotonic()
        self.bar: Any = None

    def __enter__(self) -> Ticker:
        return self

    def __exit__(self, kind: object, *exc: object) -> None:
        if self.bar is not None:
            self.bar.close()
        if kind is None and self.at and not self.quiet:
            print(f"{self.at} stages in {duration(time.monotonic() - self.start)}", file=sys.stderr)

    def stage(self, name: str) -> None:
        self.at += 1
        self.show(name)

    def show(self, text: str) -> None:
        if self.bar is None:
            from tqdm import tqdm

            self.bar = tqdm(bar_format="{elapsed} {desc}", disable=self.quiet, leave=False)
        self.bar.set_description_str(f"stage {self.at} of {self.stages}: {text}")


def duration(seconds: float) -> str:
    """As a reader would say it: seconds, or minutes and seconds."""
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    return f"{round(seconds) // 60} min {round(seconds) % 60} s"
