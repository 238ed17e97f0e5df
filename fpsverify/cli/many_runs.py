"""What `sweep` and `reproduce` have in common: where runs happen, resuming, and the progress bar."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

GO_ON = "the same command with --resume goes on"


def add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="processes here, one thread each (default 1)"
    )
    command.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="send the runs to the Dask cluster of this scheduler, such as tcp://host:8786, instead of "
        "running them here (needs `pip install 'fpsverify[dask]'`, here and on every worker, in the same "
        "versions; workers: `dask worker ADDRESS --nthreads 1`). Results are stored here. Dask sends "
        "cloudpickle, which runs whatever code it holds: connect only to a scheduler that you trust.",
    )
    command.add_argument("--resume", action="store_true", help="continue what was begun in DIR")
    command.add_argument("--quiet", action="store_true", help="no progress bar")


def with_progress(
    args: argparse.Namespace, folder: Path, total: int, check: Callable[[], Any], go: Callable[..., Any]
) -> Any:
    """go(where, progress), after `check`, whose refusal is then one line: the bar is not drawn yet."""
    from tqdm import tqdm

    from fpsverify.cli import say
    from fpsverify.grids.executors import executor

    if args.resume and not folder.exists():  # a kill may have come before it
        say(f"nothing to continue in {folder}: it begins anew")
    with executor(args.jobs, args.scheduler) as where:
        with tqdm(desc="preparing", bar_format="{elapsed} {desc}", leave=False, disable=args.quiet or None):
            check()  # on a terminal only: `None` asks whether it is one
        done: list[str] = []  # a bar that is not drawn does not count
        with tqdm(total=total, unit="run", disable=args.quiet, dynamic_ncols=True) as bar:

            def progress(result: dict[str, Any]) -> None:
                done.append(result["task"])
                bar.set_postfix_str(result["task"], refresh=False)
                bar.update(1)

            try:
                return go(where, progress)
            except KeyboardInterrupt:
                raise KeyboardInterrupt(f"after {len(done)} of {total} runs; {GO_ON}") from None


def refuse_sweep(folder: Path) -> None:
    """Where one run is asked about."""
    from fpsverify.errors import BadInput
    from fpsverify.grids.store import holds_grid

    if holds_grid(folder):
        right = f"the folder of one run; this is a sweep: use fpsverify compare {folder}"
        raise BadInput("RUN", str(folder), right)


def reused(done: Any) -> list[str]:
    """What was not run again, in words."""
    out = []
    if done.reused:
        out.append(f"{done.reused} runs were found finished")
    if done.shared:
        out.append(f"{done.shared} runs have the config of another one and were not run again")
    return out
