"""The command line: parse, call, print. Bad input ends in one line on standard error and exit code 2.

Each command lives in a module of its own with `add_commands(subparsers)`; heavy packages are imported inside
the command that needs them, so that `fpsverify --help` is instant.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from fpsverify.cli import data, estimate, ledger, rates, report, reproduce, run

EXIT_BAD_INPUT, EXIT_INTERRUPTED = 2, 130


class OneLineParser(argparse.ArgumentParser):
    """argparse prints its usage on errors; we print one line."""

    def error(self, message: str) -> NoReturn:
        command = self.prog.removeprefix("fpsverify").strip()
        hint = f"fpsverify {command} --help".replace("  ", " ")
        print(f"fpsverify: {' '.join(message.split())} (see {hint})", file=sys.stderr)
        raise SystemExit(EXIT_BAD_INPUT)


def parser() -> argparse.ArgumentParser:
    top = OneLineParser(
        prog="fpsverify",
        description="Does the theory of federated sketching hold for my run? Which learning rate is safe?",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="store_true", help="print the version and exit")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", parser_class=OneLineParser)
    for module in (run, estimate, rates, ledger, reproduce, data, report):
        module.add_commands(commands)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the return value is the exit code."""
    from fpsverify.errors import FpsError
    from theory.errors import EvidenceFailed, InvalidParameter

    top = parser()
    args = top.parse_args(argv)
    if args.version:
        return _print_version()
    if not hasattr(args, "func"):
        top.print_help()
        return EXIT_BAD_INPUT
    try:
        return int(args.func(args))
    except (FpsError, InvalidParameter, EvidenceFailed) as error:
        print(f"fpsverify: {' '.join(str(error).split())}", file=sys.stderr)
        return EXIT_BAD_INPUT
    except KeyboardInterrupt:
        print("fpsverify: interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _print_version() -> int:
    from importlib.metadata import version

    print(f"fpsverify {version('fpsverify')}")
    return 0
