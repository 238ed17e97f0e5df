"""The command line: parse, call, print. Bad input ends in one line on standard error and exit code 2.

Each command lives in a module of its own with `add_commands(subparsers)`; heavy packages are imported inside
the command that needs them, so that `fpsverify --help` is instant.
"""

from __future__ import annotations

import argparse
import logging
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

EXIT_BAD_INPUT, EXIT_INTERRUPTED = 2, 130
EXIT_CODES = (
    "Exit codes: 0 done; 1 judged and found wanting (verify, check), or the reader of a pipe left; "
    "2 bad input, or a file that cannot be used: one line on standard error; 130 interrupted."
)


class OneLineParser(argparse.ArgumentParser):
    """argparse prints its usage on errors; we print one line."""

    def error(self, message: str) -> NoReturn:
        command = self.prog.removeprefix("fpsverify").strip()
        hint = f"fpsverify {command} --help".replace("  ", " ")
        say(f"{in_our_words(message)} (see {hint})")
        raise SystemExit(EXIT_BAD_INPUT)


def in_our_words(message: str) -> str:
    """argparse's words for a bad value in the form of all other messages; anything else as it is."""
    choice = re.fullmatch(r"argument (\S+): invalid choice: (.*) \(choose from (.*)\)", message, re.DOTALL)
    if choice:
        name = "command" if choice[1] == "COMMAND" else choice[1]
        return f"{name}: got {choice[2]}, expected one of {choice[3]}"
    kind = re.fullmatch(r"argument (\S+): invalid (int|float|Path) value: (.*)", message, re.DOTALL)
    if kind:
        wanted = {"int": "a whole number", "float": "a number", "Path": "a path"}[kind[2]]
        return f"{kind[1]}: got {kind[3]}, expected {wanted}"
    return message


def too_many(rest: Sequence[str], command: str) -> NoReturn:
    """Arguments that no option and no place takes."""
    hint = "several runs: fpsverify compare RUN RUN" if command in ("report", "estimate") else ""
    see = f"see fpsverify {command} --help".replace("  ", " ")
    say(f"unrecognized arguments: {' '.join(rest)} ({'; '.join(filter(None, (hint, see)))})")
    raise SystemExit(EXIT_BAD_INPUT)


def say(message: str) -> None:
    """One line on standard error, whatever the message contains."""
    line = " ".join(message.split())
    line = line if len(line) <= 1000 else f"{line[:600]} … {line[-300:]}"
    print(f"fpsverify: {line}".encode("utf-8", "backslashreplace").decode(), file=sys.stderr)


class Remarks(logging.Handler):
    """What is no answer goes to standard error, in one line."""

    def emit(self, record: logging.LogRecord) -> None:
        say(record.getMessage())


@contextmanager
def remarks() -> Iterator[None]:
    """While a command runs, its log is for whoever typed it."""
    log, handler = logging.getLogger("fpsverify"), Remarks(logging.WARNING)
    log.addHandler(handler)
    before, log.propagate = log.propagate, False
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.propagate = before


def print_anywhere() -> None:
    """A terminal that lacks a character gets a ? in its place, and the result is not lost."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace" if stream is sys.stdout else "backslashreplace")


def leaves(top: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parsers of all commands, also of those inside a command."""
    inner = [a for a in top._actions if isinstance(a, argparse._SubParsersAction)]
    if not inner:
        yield top
    for action in inner:
        for one in dict.fromkeys(action.choices.values()):
            yield from leaves(one)


def parser() -> argparse.ArgumentParser:
    from fpsverify.cli import (
        advise,
        check,
        config,
        data,
        estimate,
        fedprox,
        ledger,
        report,
        reproduce,
        run,
        size,
        sweep,
    )
    from fpsverify.cli.rates import bound, lr

    top = OneLineParser(
        prog="fpsverify",
        description="Does the theory of federated sketching hold for my run? Which learning rate is safe?",
        epilog=EXIT_CODES,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="store_true", help="print the version and exit")
    commands = top.add_subparsers(
        title="commands", metavar="COMMAND", dest="command", parser_class=OneLineParser
    )
    for module in (
        *(advise, run, sweep, estimate, lr, bound, size),
        *(check, ledger, fedprox, reproduce, config, data, report),
    ):
        module.add_commands(commands)
    for command in leaves(top):
        if "--quiet" not in command._option_string_actions:
            command.add_argument("--quiet", action="store_true", help="no progress on standard error")
        if "--json" not in command._option_string_actions:
            command.add_argument("--json", action="store_true", help="JSON on standard output")
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the return value is the exit code."""
    print_anywhere()
    with remarks():
        return _main(argv)


def _main(argv: Sequence[str] | None) -> int:
    from fpsverify import neighbours
    from fpsverify.errors import FpsError, needs

    try:
        neighbours.demand_all()
    except FpsError as error:
        say(str(error))
        return EXIT_BAD_INPUT
    from theory.errors import EvidenceFailed, InvalidParameter

    top = parser()
    words = sys.argv[1:] if argv is None else list(argv)
    for word in words:
        if word.startswith("--") and word.endswith("=--"):  # argparse would hand over an empty list
            top.error(f"argument {word[:-3]}: expected one argument, not --")
    args, rest = top.parse_known_args(words)
    if rest:
        too_many(rest, getattr(args, "command", ""))
    if args.version:
        return _print_version()
    if not hasattr(args, "func"):
        top.print_help()
        return EXIT_BAD_INPUT
    try:
        demand_settable(args)
        with needs():
            return int(args.func(args))
    except (FpsError, InvalidParameter, EvidenceFailed) as error:
        say(str(error))
        return EXIT_BAD_INPUT
    except KeyboardInterrupt as stop:
        say(f"interrupted {stop}".strip())
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:  # a path that no check foresaw: too long, a loop of links, a vanished disk
        say(
            f"{error.filename}: {error.strerror}{_free(error)}"
            if error.filename
            else f"{error}{_free(error)}"
        )
        return EXIT_BAD_INPUT
    except UnicodeError as error:  # a file name or a file that is not text
        say(str(error))
        return EXIT_BAD_INPUT
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "allocate" not in str(error):  # torch has no error of its own
            raise
        from fpsverify.files import size
        from fpsverify.memory import free

        there = free()
        left = f" ({size(there)} free)" if there else ""
        say(f"out of memory{left}; a smaller problem, sketch or number of devices is needed")
        return EXIT_BAD_INPUT


def _free(error: OSError) -> str:
    """What is left of a disk that is full."""
    import shutil

    from fpsverify.files import FULL, size

    if error.errno is None or error.errno not in FULL:
        return ""
    place = os.path.dirname(os.path.abspath(str(error.filename or ".")))
    return f"; {size(shutil.disk_usage(place).free)} free" if os.path.isdir(place) else ""


def demand_settable(args: argparse.Namespace) -> None:
    """A federation decides where, how precisely and with how many devices it trains."""
    from fpsverify.errors import BadInput

    asked = {option: getattr(args, option, []) for option in ("set", "over")}
    for option, items in asked.items() if getattr(args, "problem", None) else ():
        for item in items:
            if item.partition("=")[0].strip() in ("device", "dtype", "devices.M"):
                right = f"this as {args.problem} makes it: where its module is, its precision, its data sets"
                raise BadInput(f"--{option}", item, right)


def tell(args: argparse.Namespace, text: str, **found: object) -> None:
    """The answer of a command, as text or with --json as its values."""
    import json

    from fpsverify.files import json_safe

    print(json.dumps(json_safe(found), indent=2, ensure_ascii=False, allow_nan=False) if args.json else text)


def _print_version() -> int:
    from importlib.metadata import version

    print(f"fpsverify {version('fpsverify')}")
    return 0
