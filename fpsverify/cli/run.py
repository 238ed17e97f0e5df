"""`fpsverify run`: train over the channel, with progress, checkpoints and a record."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DEMO: dict[str, Any] = {
    "seed": 1,
    "rounds": 150,
    "problem": {"data": "blobs", "objective": "mlp", "hidden": 64, "samples": 4000, "test_samples": 1000},
    "devices": {"M": 10, "scenario": 3},
    "local": {"E": 5, "batch": 32, "gamma": 0.05, "mu": 0.01},
    "algorithm": {"name": "fps", "rows": 5, "buckets": 400, "k": 1600, "recovery": "mean"},
    "channel": {"kind": "gaussian", "sigma": 0.05, "noise_on": "sum"},
    "record": {"evaluate_every": 10, "checkpoint_every": 15, "verify": True, "average": "last_half"},
}


def demo(overrides: list[str]) -> dict[str, Any]:
    """The demo with overrides; `fresh` has a sketch of its own, and none of the demo's numbers for one."""
    from fpsverify import config as configs

    values = configs.apply_overrides(DEMO, overrides)
    if values["algorithm"].get("name") == "fresh":
        asked = [one for one in overrides if one.strip().startswith("algorithm.")]
        values["algorithm"] = configs.apply_overrides({}, asked)["algorithm"]
    return values


# Where a config file has other defaults than fps.train.
AS_IN_TRAIN: dict[str, Any] = {"algorithm": {"recovery": "mean"}, "record": {"average": "last_half"}}


def add_commands(subparsers: Any) -> None:
    command = subparsers.add_parser(
        "run",
        help="train one configuration over the channel",
        description="Train one configuration. Writes config.toml, rounds.parquet, summary.json and "
        "checkpoints; kill it at any moment and continue with --resume. Several processes share the devices "
        "out with: torchrun --nproc-per-node 2 -m fpsverify run CONFIG.toml --distributed",
    )
    command.add_argument(
        "config", nargs="?", metavar="CONFIG.toml", help="see examples/ and `fpsverify config`"
    )
    command.add_argument("--demo", action="store_true", help="a built-in FPS run on generated data")
    add_problem(command)
    command.add_argument("--out", metavar="DIR", help="run directory (default: runs/NAME-DIGEST; demo: none)")
    command.add_argument("--resume", action="store_true", help="continue the run in DIR")
    command.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="override, e.g. local.gamma=0.05"
    )
    command.add_argument(
        "--overwrite", action="store_true", help="a run that is in DIR makes way for this one"
    )
    command.add_argument("--quiet", action="store_true", help="no progress bar")
    command.add_argument(
        "--tensorboard",
        action="store_true",
        help="also write DIR/tensorboard for tensorboard --logdir (pip install 'fpsverify[tensorboard]')",
    )
    command.add_argument("--json", action="store_true", help="JSON on standard output")
    command.add_argument(
        "--distributed",
        action="store_true",
        help="be one rank of a torchrun job; rank 0 writes, and wire.parquet has the bytes of every round",
    )
    command.add_argument(
        "--reduction",
        default="fast",
        choices=("fast", "ordered"),
        help="fast (default): ranks add up their devices, then each other: one table per rank and round. "
        "ordered: devices one by one, added in a fixed order: the same bits for any number of ranks "
        "(and without --distributed), but ranks exchange the tables of all devices",
    )
    command.add_argument(
        "--rank-timeout",
        type=float,
        default=300.0,
        metavar="SECONDS",
        help="give up on a rank that is silent for longer (default 300)",
    )
    command.set_defaults(func=run_command)


def add_problem(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--problem",
        metavar="FILE.py:FUNCTION",
        help="your own problem: a function without arguments that returns a fps.Federation; it takes the "
        "place of [problem] and devices.M in the config; without a config all else has its default",
    )
    add_trust(command)


def add_consent(command: argparse.ArgumentParser) -> None:
    """For commands that read a run: nobody's code is run unless the user says so."""
    command.add_argument(
        "--problem",
        metavar="FILE.py:FUNCTION",
        help="your file for a run of your own problem; it must make the federation that the run had",
    )
    add_trust(command)


def add_trust(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--trust",
        action="store_true",
        help="run the Python file that the config names (problem.source), if it has not changed; whoever "
        "wrote the config chose that file",
    )


def consented(args: argparse.Namespace, config: Any) -> Any:
    """The federation of a config that names a file, as far as the user allows; None for other problems."""
    if config is None or (config.problem.data != "own" and args.problem is None):
        return None
    from fpsverify.own.source import given

    return given(config, args.problem, args.trust)


def run_command(args: argparse.Namespace) -> int:
    if not args.distributed:
        return _run_on(args)
    from fpsverify.distributed.torchrun import together

    return together(lambda wire: _run_on(args, wire), args.rank_timeout)


def _run_on(args: argparse.Namespace, wire: Any = None) -> int:
    """One rank's part of the run; the leading rank shows and prints it."""
    from fpsverify.cli import say

    leads = wire is None or wire.rank == 0
    with ProgressBar(args.quiet or not leads) as bar:
        config = _config(args)
        bar.count_to(_rounds(args, config))
        from fpsverify.distributed.ranks import ALONE, Job  # torch, which takes a second: the bar is there
        from fpsverify.runs.loop import run, run_in_memory

        job, in_memory = Job(wire or ALONE, args.reduction), args.demo and not (args.out or args.tensorboard)
        if config is not None and in_memory and not args.resume:
            result = run_in_memory(config, bar.show, job, consented(args, config))
        else:
            folder = _folder(args, config)
            ended = args.resume and (folder / "summary.json").is_file()
            owner = _federation(args, config, folder)
            with _watched(args, job.wire, folder, bar.show) as show, _interruptible(bar):
                result = run(config, folder, args.resume, show, job, owner, overwrite=args.overwrite)
            if leads and ended and not args.quiet and not args.set:
                say(f"{folder} was already finished")
    if leads:
        from fpsverify.runs.shown import as_json, render

        print(as_json(result) if args.json else render(result))
    return 0


@contextlib.contextmanager
def _interruptible(bar: ProgressBar) -> Iterator[None]:
    """Who stops a run is told how far it came, and that it is kept."""
    from fpsverify.cli.many_runs import GO_ON

    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"after round {bar.round}; {GO_ON}" if bar.round else "") from None


def _watched(args: argparse.Namespace, wire: Any, folder: Path, show: Any) -> Any:
    """Where the rows go: to the bar, and to TensorBoard if asked for."""
    if not args.tensorboard or wire.rank > 0:
        return contextlib.nullcontext(show)
    from fpsverify.runs.tensorboard import logged

    return logged(folder, show)


def _config(args: argparse.Namespace) -> Any:
    """The config that the arguments ask for; None if it is to be found in the folder."""
    if args.resume and args.out and not (args.demo or args.config):
        stored = Path(args.out) / "config.toml"
        if not args.set or not stored.is_file():
            return None
        from fpsverify import config as configs

        return configs.load(stored, args.set)
    return config_of(args, ", or --resume with --out DIR")


def _federation(args: argparse.Namespace, config: Any, folder: Path) -> Any:
    """What a run that goes on needs beside its folder: the problem, if a federation in Python began it."""
    from fpsverify import config as configs
    from fpsverify.errors import BadInput

    stored = folder / "config.toml"
    if config is not None:
        return consented(args, config)
    if not stored.is_file():
        raise BadInput(
            "--resume", str(folder), "a run that was begun; nothing is there, so leave out --resume"
        )
    found = configs.load(stored)
    problem = found.problem
    if problem.source is not None or args.problem:
        return consented(args, found)
    if problem.data == "own":
        right = f"--problem FILE.py:FUNCTION, or in Python fps.train(federation, …, out={str(folder)!r}, "
        raise BadInput("--resume", f"a run made in Python, {folder}", f"{right}resume=True)")
    return None


def config_of(args: argparse.Namespace, otherwise: str = "") -> Any:
    """The config file or the demo, with the overrides of --set."""
    from fpsverify import config as configs
    from fpsverify.errors import BadInput

    if args.demo and args.config:
        raise BadInput("CONFIG.toml", args.config, "either a config file or --demo, not both")
    if args.demo:
        return _with_problem(configs.parse(demo(args.set)), args.problem)
    if args.config:
        return _with_problem(configs.load(Path(args.config), args.set), args.problem)
    if args.problem:  # all else as in fps.train
        return _with_problem(configs.parse(configs.apply_overrides(AS_IN_TRAIN, args.set)), args.problem)
    if args.set:
        raise BadInput("--set", args.set[0], "a config file, --problem or --demo to override")
    raise BadInput("config", "nothing", f"a config file, --problem or --demo{otherwise}")


def _with_problem(config: Any, reference: str | None) -> Any:
    if reference is None:
        return config
    from fpsverify.own.source import with_problem

    return with_problem(config, reference)


def _rounds(args: argparse.Namespace, config: Any) -> int | None:
    """How many rounds the bar counts to; a resumed run knows it from its own config."""
    from fpsverify import config as configs

    stored = Path(args.out or ".") / "config.toml"
    if config is None and stored.is_file():
        config = configs.load(stored)
    return config.rounds if config is not None else None


def _folder(args: argparse.Namespace, config: Any) -> Path:
    if args.out:
        return Path(args.out)
    stem = "demo" if args.demo else Path(args.config or args.problem.rpartition(":")[0]).stem
    return Path("runs") / f"{stem}-{config.digest()}"


class ProgressBar:
    """tqdm on standard error, with the latest loss and accuracy.

    On a terminal from the start; elsewhere from the first row, so that an early error stays one line.
    """

    def __init__(self, quiet: bool) -> None:
        self.total: int | None = None
        self.quiet = quiet
        self.bar: Any = None
        self.latest: dict[str, str] = {}
        self.round = 0

    def __enter__(self) -> ProgressBar:
        if sys.stderr.isatty() and not self.quiet:
            self._draw("preparing")
        return self

    def __exit__(self, kind: object, *exc: object) -> None:
        if self.bar is not None:
            self.bar.leave = kind is None
            self.bar.close()

    def count_to(self, total: int | None) -> None:
        self.total = total
        if self.bar is not None:
            self.bar.total = total
            self.bar.refresh()

    def _draw(self, words: str = "") -> Any:
        from tqdm import tqdm

        if self.bar is None:
            options = {"disable": self.quiet, "dynamic_ncols": True, "mininterval": 0.2}
            self.bar = tqdm(total=self.total, desc=words, unit="round", **options)
        return self.bar

    def show(self, row: dict[str, float]) -> None:
        bar = self._draw()
        if row["round"] == 0:
            bar.set_description("")
        for name in ("loss", "test_loss", "accuracy", "mse"):
            if name in row:
                self.latest[name] = f"{row[name]:.4g}"
        self.round = round(row["round"])
        bar.set_postfix(self.latest, refresh=False)
        if row["round"] > 0:
            bar.update(1)
