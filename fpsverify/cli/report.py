"""`fpsverify report RUN`: one self-contained HTML file about a run."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from fpsverify.cli import tell
from fpsverify.cli.run import add_consent


def add_commands(subparsers: Any) -> None:
    command = subparsers.add_parser(
        "report",
        help="one HTML file about a run",
        description="Write figures, constants, assumptions and learning rates of a run to one HTML file that "
        "needs nothing else.",
    )
    command.add_argument("run", metavar="RUN", help="a run directory (see fpsverify run --out)")
    command.add_argument("--out", metavar="FILE.html", help="default: RUN/report.html")
    command.add_argument("--no-estimate", action="store_true", help="only what the run recorded (instant)")
    command.add_argument("--quiet", action="store_true", help="no progress")
    add_consent(command)
    command.set_defaults(func=report_command)


def report_command(args: argparse.Namespace) -> int:
    from fpsverify.cli.estimate import estimated
    from fpsverify.cli.many_runs import refuse_sweep
    from fpsverify.errors import BadInput
    from fpsverify.files import write_text
    from fpsverify.report.page import render
    from fpsverify.runs import files
    from fpsverify.runs.record import SUMMARY, broken

    folder = Path(args.run)
    refuse_sweep(folder)
    config, rows = files.read_config(folder), files.read_rows(folder)
    summary, right = files.read_summary(folder, config), files.right_summary(folder, config)
    if broke := files.broke_in(folder, config, rows):
        raise files.diverged(folder, config, broke)
    if summary is None:
        raise broken(folder / SUMMARY, "missing", right)
    out = Path(args.out) if args.out else folder / "report.html"
    if out.is_dir() or not out.absolute().parent.is_dir():
        raise BadInput("--out", str(out), "a file in an existing folder")
    estimate = None if args.no_estimate else estimated(folder, None, args.quiet, args)
    try:
        page = render(rows, summary, (folder / files.CONFIG).read_text(encoding="utf-8"), estimate)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        cause = f"{type(error).__name__}: {error}"
        raise broken(folder / SUMMARY, f"not as a run leaves it ({cause})", right) from None
    write_text(out, page)
    told = _answer(estimate, folder, out) if estimate else [f"written to {out}"]
    tell(args, "\n".join(told), answer=told, page=str(out))
    return 0


def _answer(estimate: dict[str, Any], folder: Path, out: Path) -> list[str]:
    """A run that did not train needs another rate before its page."""
    from empirical.answer.six_lines import answer

    found, page = estimate["answer"], f"open {out} (reasons, curves)"
    more = "" if found["learned"] else f"; {found['next'].replace('RUN', str(folder), 1)}"
    return answer(estimate | {"answer": found | {"next": page + more}})
