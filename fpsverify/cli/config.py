"""`fpsverify config`: every key of a config file, its values, its default and what it means."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from dataclasses import asdict
from itertools import groupby
from textwrap import fill
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fpsverify.config_keys import Key

WIDTH = 80


def add_commands(subparsers: Any) -> None:
    command = subparsers.add_parser(
        "config",
        help="the keys of a config file: values, defaults, meaning",
        description="All keys of a config file, those of one section, or one key.",
    )
    command.add_argument("key", nargs="?", metavar="KEY", help="such as local.gamma, or a section: local")
    command.add_argument("--toml", action="store_true", help="a config file with all defaults, to edit")
    command.add_argument("--json", action="store_true", help="JSON on standard output")
    command.set_defaults(func=config_command)


def config_command(args: argparse.Namespace) -> int:
    from fpsverify.config import RunConfig
    from fpsverify.config_keys import instead_of, keys
    from fpsverify.errors import BadInput

    wanted = args.key
    found = [key for key in keys(RunConfig) if wanted in (None, key.name, key.section)]
    if not found:
        raise BadInput("KEY", wanted, instead_of(RunConfig, wanted.split(".")))
    if args.json:
        print(json.dumps([asdict(key) for key in found], indent=2, ensure_ascii=False))
    else:
        print(as_toml(found) if args.toml else reference(found, RunConfig))
    return 0


def reference(found: Iterable[Key], model: Any) -> str:
    """Two lines or more for each key; a section begins with what it is about."""
    parts = []
    for section, members in groupby(found, key=lambda key: key.section):
        about = model.model_fields[section].annotation.__doc__ if section else "Top level."
        first = " ".join(about.partition("\n\n")[0].split())
        parts.append(fill(f"[{section}] {first}" if section else first, WIDTH))
        parts += [_entry(key) for key in members]
        parts.append("")
    return "\n".join(parts).rstrip()


def _entry(key: Key) -> str:
    default = f"default {key.default}" if key.default else "unset by default"
    head = fill(f"  {key.name}: {key.values}; {default}", WIDTH, subsequent_indent="      ")
    return f"{head}\n{fill(key.meaning, WIDTH, initial_indent='      ', subsequent_indent='      ')}"


def as_toml(found: Iterable[Key]) -> str:
    """Keys without a default are commented out: TOML has no word for `unset`."""
    parts = []
    for section, members in groupby(found, key=lambda key: key.section):
        parts += ["", f"[{section}]"] if section else []
        for key in members:
            name = key.name.rpartition(".")[2]
            parts.append(fill(key.meaning, WIDTH, initial_indent="# ", subsequent_indent="# "))
            parts.append(f"{name} = {key.default}" if key.default else f"# {name} =")
    return "\n".join(parts).strip()
