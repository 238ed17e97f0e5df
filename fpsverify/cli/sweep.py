"""`fpsverify sweep`: one config over several values and seeds; `fpsverify compare`: runs side by side."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fpsverify.cli import many_runs
from fpsverify.cli.run import add_problem

if TYPE_CHECKING:
    from fpsverify.grids.compared import Compared

PAGE, TABLE = "comparison.html", "comparison.parquet"


def add_commands(subparsers: Any) -> None:
    sweep = subparsers.add_parser(
        "sweep",
        help="run one configuration over several values and seeds, and compare",
        description="Run every combination of the values of --over with every seed, and compare: which "
        "combination is best, and is the difference more than chance? Each run is stored at once: kill it "
        "any moment and continue with --resume.",
        epilog="Example: fpsverify sweep --demo --over channel.sigma=0.05,0.5 --over algorithm.k=100,400 "
        "--seeds 3 --out my_sweep",
    )
    sweep.add_argument(
        "config", nargs="?", metavar="CONFIG.toml", help="see examples/ and `fpsverify config`"
    )
    sweep.add_argument("--demo", action="store_true", help="vary the built-in run instead of a config file")
    add_problem(sweep)
    sweep.add_argument(
        "--over", action="append", default=[], metavar="KEY=V,V,…", help="a key and its values; repeatable"
    )
    sweep.add_argument("--seeds", type=int, default=3, metavar="N", help="runs of each cell (default 3)")
    sweep.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="override, e.g. local.gamma=0.05"
    )
    sweep.add_argument("--out", metavar="DIR", required=True, help="folder of the sweep")
    many_runs.add_options(sweep)
    _add_answer(sweep)
    sweep.set_defaults(func=sweep_command)

    compare = subparsers.add_parser(
        "compare",
        help="runs side by side: which is best, and is that more than chance?",
        description="Compare run folders or the folder of a sweep. Runs that differ in their seed alone are "
        "repetitions of one cell; they are what intervals come from.",
    )
    compare.add_argument("runs", nargs="+", metavar="RUN", help="a run folder, or the folder of a sweep")
    compare.add_argument("--html", type=Path, metavar="FILE", help="write a page with table and figures")
    compare.add_argument("--parquet", type=Path, metavar="FILE", help="write the table")
    _add_answer(compare)
    compare.set_defaults(func=compare_command)


def _add_answer(command: argparse.ArgumentParser) -> None:
    command.add_argument("--detail", action="store_true", help="also the value of every run")
    command.add_argument("--json", action="store_true", help="JSON on standard output")


def sweep_command(args: argparse.Namespace) -> int:
    from fpsverify.cli.run import config_of
    from fpsverify.errors import BadInput
    from fpsverify.grids.compared import compared
    from fpsverify.grids.sweep import axes, demand_place, run_sweep, tasks

    if args.resume and not (args.config or args.demo or args.problem):
        raise BadInput("--resume", "no config", "the command that began the sweep, repeated with --resume")
    as_begun = ", as when the sweep was begun" if args.resume else ""
    config, over, folder = config_of(args, as_begun), axes(args.over), Path(args.out)
    trust = bool(args.problem or args.trust)
    planned = tasks(config, over, args.seeds, trust=trust)
    demand_place(config, folder, args.resume)
    done = many_runs.with_progress(
        args,
        folder,
        len(planned),
        lambda: _prepare(planned, folder),
        lambda where, progress: run_sweep(
            config, over, args.seeds, folder, where, args.resume, progress, trust=trust
        ),
    )
    found = compared(done.results, [axis.key for axis in over])
    _write(found, folder / PAGE, folder / TABLE, f"Sweep of {', '.join(axis.key for axis in over)}")
    _print(found, args, [f"Page: {folder / PAGE}; all runs: {folder / 'results.parquet'}."])
    if not args.json:
        print(*many_runs.reused(done), sep="\n", end="\n" if done.reused or done.shared else "")
    return 0


def _prepare(planned: list[Any], folder: Path) -> None:
    """Every cell can be set up, or the sweep ends before it begins; a problem is built once. A folder."""
    from fpsverify import algorithms
    from fpsverify.batches import demand_batch
    from fpsverify.errors import FpsError
    from fpsverify.files import make_folder
    from fpsverify.problems.build import build

    known: dict[str, tuple[int, int]] = {}
    for task in planned:
        config = task.config
        problem = f"{config.problem} {config.devices} {config.dtype} {config.device}"
        try:
            if problem not in known:
                built: Any = build(config, federation=task.problem()).problem
                known[problem] = built.d, max(built.sizes)
            d, rows = known[problem]
            demand_batch(config, (rows,))
            algorithms.find(config.algorithm.name).check(config, d)
        except FpsError as error:
            raise FpsError(f"{task.cell}: {error}") from None
    make_folder(folder, "--out")


def compare_command(args: argparse.Namespace) -> int:
    from fpsverify.errors import BadInput
    from fpsverify.grids.compared import compare

    for option, target in (("--html", args.html), ("--parquet", args.parquet)):
        if target is not None and (target.is_dir() or not target.absolute().parent.is_dir()):
            raise BadInput(option, str(target), "a file in an existing folder")
    found = compare(*args.runs)
    _write(found, args.html, args.parquet, "Comparison")
    _print(found, args, [])
    return 0


def _write(found: Compared, html: Path | None, parquet: Path | None, title: str) -> None:
    import pyarrow as pa

    from fpsverify import tables
    from fpsverify.files import write_text
    from fpsverify.grids.page import page

    if html is not None:
        write_text(html, page(found, title))
    if parquet is not None:
        tables.write(parquet, pa.Table.from_pylist(found.rows()))


def _print(found: Compared, args: argparse.Namespace, more: list[str]) -> None:
    from fpsverify.files import json_safe
    from fpsverify.grids.words import answer, evidence

    lines = [*answer(found), *more]
    if args.json:
        document = {"answer": lines, "best": found.contests(), "cells": found.rows()}
        print(json.dumps(json_safe(document), indent=2, allow_nan=False))
        return
    print("\n".join(lines), evidence(found, args.detail), sep="\n\n")
