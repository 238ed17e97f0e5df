"""`fpsverify reproduce`: the paper's tables, cell by cell, paper and measurement side by side."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from fpsverify.cli import many_runs, tell

GRIDS = ("mnist", "fashion", "synthetic", "kdd12", "kdd10", "readings", "ablations")


def add_commands(subparsers: Any) -> None:
    command = subparsers.add_parser(
        "reproduce",
        help="run the cells of the paper's tables",
        description="Run every cell of a table of the paper, tune μ on held-out rows, and compare. Each "
        "run is stored at once: kill it any moment and continue with --resume. The grids `readings` and "
        "`ablations` run noisy MNIST under the other readings of the text and over E, μ, k and K.",
    )
    command.add_argument("grid", metavar="GRID", choices=GRIDS, help=", ".join(GRIDS))
    command.add_argument(
        "--profile", default="quick", choices=("quick", "full"), help="quick (default) or full"
    )
    many_runs.add_options(command)
    command.add_argument(
        "--reuse",
        metavar="DIR",
        action="append",
        default=[],
        help="take over runs of equal config from another grid's folder (may be given more than once)",
    )
    command.add_argument("--out", metavar="DIR", help="default: reproduced/GRID-PROFILE")
    command.add_argument(
        "--only", metavar="TEXT", help="only cells whose name contains TEXT, e.g. S2-sigma0.8"
    )
    command.add_argument("--list", action="store_true", help="name the cells and their runs, and stop")
    command.add_argument("--show", metavar="CELL", help="print the config of one cell as TOML, and stop")
    command.add_argument(
        "--report", action="store_true", help="tables of what DIR holds so far; nothing is run"
    )
    command.set_defaults(func=reproduce_command)


def reproduce_command(args: argparse.Namespace) -> int:
    from fpsverify.reproduce.grid import cells

    chosen = cells(args.grid, args.profile)
    if args.show:
        return _show(args, chosen)
    chosen = _only(chosen, args.only)
    if args.list:
        return _list(args, chosen)
    folder = Path(args.out) if args.out else Path("reproduced") / f"{args.grid}-{args.profile}"
    names = {cell.name for cell in chosen}
    return _report_only(args, folder, names) if args.report else _run(args, chosen, folder)


def _only(chosen: list[Any], text: str | None) -> list[Any]:
    from fpsverify.errors import BadInput

    found = [cell for cell in chosen if text is None or text in cell.name]
    if not found:
        raise BadInput("--only", text, f"part of a cell's name, such as {chosen[0].name}")
    return found


def _show(args: argparse.Namespace, chosen: list[Any]) -> int:
    from fpsverify.errors import BadInput

    cell = next((cell for cell in chosen if cell.name == args.show), None)
    if cell is None:
        raise BadInput("--show", args.show, f"a cell's name, such as {chosen[0].name}; --list names them all")
    tell(args, cell.config.to_toml().rstrip(), **cell.config.model_dump(mode="json"))
    return 0


def _list(args: argparse.Namespace, chosen: list[Any]) -> int:
    from fpsverify.reproduce.grid import count_tasks

    told = []
    for cell in chosen:
        c = cell.config
        tuned = f", μ tuned over {', '.join(f'{mu:g}' for mu in cell.mus)}" if cell.mus else ""
        work = f"{c.rounds} rounds x {c.local.E} steps, {cell.trials} trials{tuned}"
        told.append(f"{cell.name:<44} {c.digest()}  {work}")
    told.append(f"{len(chosen)} cells, {count_tasks(chosen)} runs")
    cells = {cell.name: cell.config.digest() for cell in chosen}
    tell(args, "\n".join(told), cells=cells, runs=count_tasks(chosen))
    return 0


def _runs_of(folders: list[str]) -> list[dict[str, Any]]:
    """All finished runs of other grids."""
    from fpsverify.errors import BadInput
    from fpsverify.grids.store import read_results

    found: list[dict[str, Any]] = []
    for name in folders:
        there = read_results(Path(name)) if Path(name).is_dir() else []
        if not there:
            raise BadInput("--reuse", name, "a folder with finished runs of a grid")
        found += there
    return found


def _report_only(args: argparse.Namespace, folder: Path, names: set[str]) -> int:
    from fpsverify.errors import BadInput
    from fpsverify.files import InUse, only_one
    from fpsverify.grids.store import collect, read_results

    found = read_results(folder) if folder.is_dir() else []
    if not any(r["cell"] in names for r in found):
        raise BadInput(
            "--report", str(folder), "a folder with finished runs of this grid (--out names another)"
        )
    trials = [r for r in found if r["kind"] == "trial"]
    try:
        with only_one(folder):
            collect(folder)
            text, judged = report(trials, folder)
            tell(args, text, verdicts=judged, folder=str(folder))
    except InUse:
        text, judged = tables_and_verdicts(trials)
        told = f"{text}\n\nnot written: a grid is at work in {folder}"
        tell(args, told, verdicts=judged, folder=None)
    return 0


def _run(args: argparse.Namespace, chosen: list[Any], folder: Path) -> int:
    from fpsverify.problems.build import load_data
    from fpsverify.reproduce.grid import count_tasks, run_grid

    other = _runs_of(args.reuse)
    outcome = many_runs.with_progress(
        args,
        folder,
        count_tasks(chosen),
        lambda: load_data(chosen[0].config),  # absent data is one line now, not a failure of every cell
        lambda where, progress: run_grid(chosen, folder, where, args.resume, progress, other),
    )
    text, judged = report(outcome.trials, folder)
    tell(args, "\n".join([text, *many_runs.reused(outcome)]), verdicts=judged, folder=str(folder))
    return 0


def report(trials: list[dict[str, Any]], folder: Path) -> tuple[str, list[dict[str, Any]]]:
    """Tables and verdicts; the folder also gets the figures."""
    from fpsverify.files import write_result, write_text
    from fpsverify.reproduce.tables import Results, write_figures

    text, judged = tables_and_verdicts(trials)
    for dataset in sorted({r["dataset"] for r in trials}):
        write_figures(Results.of(trials), dataset, folder)
    write_text(folder / "tables.md", text + "\n")
    write_result(folder / "verdicts.json", {"verdicts": judged})
    return f"{text}\n\nwritten to {folder}", judged


def tables_and_verdicts(trials: list[dict[str, Any]]) -> tuple[str, list[dict[str, Any]]]:
    """The tables in Markdown, and every claim with its verdict."""
    from dataclasses import asdict

    from fpsverify.reproduce.claims import render, verdicts
    from fpsverify.reproduce.tables import Results, table

    results = Results.of(trials)
    parts, judged = [], []
    for dataset in sorted({r["dataset"] for r in trials}):
        parts.append(table(results, dataset))
        found = verdicts(results, dataset)
        if found:
            parts.append(render(found))
            judged += [{"claim": c.name, "text": c.text, **asdict(v)} for c, v in found]
    return "\n\n".join(parts), judged
