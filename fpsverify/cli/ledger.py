"""`fpsverify verify` runs the ledger; `fpsverify claim ID` shows one entry, `claim --search` finds it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fpsverify.cli import tell

if TYPE_CHECKING:
    from theory.ledger import graph
    from theory.ledger.entry import Entry
    from theory.ledger.judge import Judgement
    from theory.ledger.paper import Paper

EXIT_OK, EXIT_EVIDENCE_FAILED = 0, 1
STANDARD = "fps"  # the paper that the rest of the program is about


def add_commands(subparsers: argparse._SubParsersAction) -> None:
    """Add `verify` and `claim`."""
    verify = subparsers.add_parser(
        "verify",
        help="check every claim of a paper",
        description="Check the evidence of every entry of a paper's ledger, and say what it shows. "
        "Exit code 0 if all evidence checks out, 1 if some fails or two engines disagree.",
    )
    _add_paper(verify)
    verify.add_argument("--json", type=Path, metavar="FILE", help="write everything to FILE")
    verify.add_argument(
        "--report", type=Path, metavar="FILE", help="a report: a page (.html), or a table (.md, .tex)"
    )
    verify.add_argument("--detail", action="store_true", help="also every entry, and what rests on what")
    verify.add_argument("--only", metavar="PREFIX", help="only the entries whose id starts with PREFIX")
    verify.add_argument("--jobs", type=int, default=2, metavar="N", help="worker processes (default 2)")
    verify.set_defaults(func=verify_command)
    claim = subparsers.add_parser(
        "claim",
        help="show one claim with its evidence",
        description="One entry: the formula, its letters, the verdict, the evidence (checked again now), the "
        "corrected form and what it rests on. `fpsverify verify` lists the ids; --search finds them.",
    )
    claim.add_argument("id", metavar="ID", nargs="?", help="an id of the ledger, such as T1.29")
    claim.add_argument("--paper", metavar="PAPER", help="the paper: a name, or FILE.py, which is run")
    claim.add_argument(
        "--search", metavar="WORD", nargs="+", help='entries by place, title or formula, as "step (b)"'
    )
    claim.set_defaults(func=claim_command)


def verify_command(args: argparse.Namespace) -> int:
    """Run the ledger; exit code 0 only if every entry's evidence checks out."""
    from fpsverify.cli.ledger_answer import answer
    from fpsverify.errors import BadInput
    from fpsverify.files import write_json, write_text
    from theory.ledger import graph, report, review

    if args.jobs < 1:
        raise BadInput("jobs", args.jobs, "at least 1")
    if args.name and args.paper:
        raise BadInput("paper", args.paper, f"no file beside the name {args.name}")
    _demand_folder("json", args.json)
    _demand_folder("report", args.report)
    if args.report:
        review.maker(args.report)
    with _bar() as bar:
        paper = _paper(args.paper or args.name or STANDARD)
        chosen = paper.select(args.only)
        judgements = _run_with_progress(paper, chosen, args.jobs, bar)
        everything = graph.build(paper.entries)
    nodes = {entry.id: everything[entry.id] for entry in chosen}
    lines = answer(paper, judgements, nodes)
    if args.json:
        write_json(args.json, {"answer": lines, **report.document(paper, judgements, nodes)})
    if args.report:
        write_text(args.report, review.write(args.report, paper, judgements, lines[:-1]))
    print("\n".join(lines), _evidence(args, paper, judgements, nodes), sep="\n\n")
    return EXIT_OK if all(judgement.ok for judgement in judgements) else EXIT_EVIDENCE_FAILED


def _add_paper(parser: argparse.ArgumentParser) -> None:
    from theory import papers

    shown = f"{', '.join(papers.names())}; {STANDARD} if none is named"
    parser.add_argument("name", metavar="PAPER", nargs="?", help=f"the paper: {shown}")
    parser.add_argument("--paper", metavar="FILE.py", help="a paper of your own; the file is run")


def _paper(reference: str) -> Paper:
    """By name, or from a file that the user named: such a file is code of the user's."""
    from theory import papers
    from theory.ledger.paper import load

    return load(reference) if reference.endswith(".py") else papers.paper(reference)


def _evidence(
    args: argparse.Namespace,
    paper: Paper,
    judgements: tuple[Judgement, ...],
    nodes: Mapping[str, graph.Node],
) -> str:
    """Counts and errors; entry by entry if few were asked for, or on request, or where something fails."""
    from theory.ledger import report

    if args.detail or args.only:
        return f"{report.table(judgements)}\n\n{report.summary(paper, judgements, nodes)}"
    failed = [judgement for judgement in judgements if not judgement.ok]
    parts = [report.table(failed)] if failed else []
    errors = report.errors_text([judgement.entry for judgement in judgements])
    counts = "\n".join([*report.counts_text(judgements), report.WORDS])
    return "\n\n".join([*parts, counts, f"Errors of the paper\n{errors}"])


def claim_command(args: argparse.Namespace) -> int:
    """Print one entry, or those that contain the words; an unknown id is one line with close matches."""
    from fpsverify.errors import BadInput

    if (args.id is None) == (args.search is None):
        raise BadInput("claim", args.id or "", "an id, or words after --search")
    if args.search is not None:
        return _search(args, _paper(args.paper or STANDARD))
    return _show(args, _paper(args.paper) if args.paper else _paper_of(args.id))


def _paper_of(identifier: str) -> Paper:
    """The paper that has the id; the standard one where none has."""
    from theory import papers

    found = (papers.paper(name) for name in papers.names())
    return next((p for p in found if identifier.lower() in map(str.lower, p.known)), papers.paper(STANDARD))


def _show(args: argparse.Namespace, paper: Paper) -> int:
    from theory.ledger import cards, graph, report
    from theory.ledger.judge import judge

    entry = paper.find(args.id)
    judgement = judge(entry, paper)
    text = cards.claim_text(paper, judgement, graph.build(paper.entries)[entry.id])
    tell(args, text, **report.entry_json(paper, judgement))
    return EXIT_OK if judgement.ok else EXIT_EVIDENCE_FAILED


def _search(args: argparse.Namespace, paper: Paper) -> int:
    from fpsverify.errors import BadInput

    words = " ".join(args.search)
    found = paper.search(words)
    if not found:
        raise BadInput("search", words, "words that some entry has in its place, title or formula")
    lines = [f"{entry.id:<26}{entry.verdict:<12}{entry.title} ({entry.place})" for entry in found]
    tell(args, "\n".join(lines), entries=[entry.id for entry in found])
    return EXIT_OK


def _bar() -> Any:
    """Drawn at once on a terminal: reading the ledger takes a few seconds."""
    from tqdm import tqdm

    return tqdm(desc="reading the ledger", unit="claim", leave=False, disable=None, file=sys.stderr)


def _run_with_progress(paper: Paper, chosen: tuple[Entry, ...], jobs: int, bar: Any) -> tuple[Judgement, ...]:
    from theory.ledger.paper import run

    bar.reset(total=len(chosen))
    bar.set_description("ledger")
    return run(paper, chosen, min(jobs, len(chosen)), lambda found: _tick(bar, found.entry.id))


def _tick(bar: Any, identifier: str) -> None:
    bar.set_postfix_str(identifier, refresh=False)
    bar.update()


def _demand_folder(field: str, target: Path | None) -> None:
    """Fail before the work, not after it."""
    from fpsverify.errors import BadInput

    if target is not None and (target.is_dir() or not target.absolute().parent.is_dir()):
        raise BadInput(field, target, "a file in an existing folder")
