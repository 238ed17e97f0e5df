"""`fpsverify verify` runs the ledger; `fpsverify claim ID` shows one entry, `claim --search` finds it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from theory.ledger import graph
    from theory.ledger.judge import Judgement

EXIT_OK, EXIT_EVIDENCE_FAILED = 0, 1


def add_commands(subparsers: argparse._SubParsersAction) -> None:
    """Add `verify` and `claim`."""
    verify = subparsers.add_parser(
        "verify",
        help="check every claim of the paper and of the repaired theory",
        description="Check the evidence of every entry of the ledger, and say what it shows. "
        "Exit code 0 if all evidence checks out, 1 if some fails or two engines disagree.",
    )
    verify.add_argument("--json", type=Path, metavar="FILE", help="write everything to FILE")
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
    claim.add_argument(
        "--search", metavar="WORD", nargs="+", help='entries by place, title or formula, as "step (b)"'
    )
    claim.set_defaults(func=claim_command)


def verify_command(args: argparse.Namespace) -> int:
    """Run the ledger; exit code 0 only if every entry's evidence checks out."""
    from fpsverify.cli.ledger_answer import answer
    from fpsverify.errors import BadInput
    from fpsverify.files import write_json
    from theory.ledger import collection, graph, report

    if args.jobs < 1:
        raise BadInput("jobs", args.jobs, "at least 1")
    _demand_folder(args.json)
    with _bar() as bar:
        chosen = collection.select(args.only)
        judgements = _run_with_progress(chosen, args.jobs, bar)
        everything = graph.build(collection.entries())
    nodes = {entry.id: everything[entry.id] for entry in chosen}
    lines = answer(judgements, nodes)
    if args.json:
        write_json(args.json, {"answer": lines, **report.document(judgements, nodes)})
    print("\n".join(lines), _evidence(args, judgements, nodes), sep="\n\n")
    return EXIT_OK if all(judgement.ok for judgement in judgements) else EXIT_EVIDENCE_FAILED


def _evidence(
    args: argparse.Namespace, judgements: tuple[Judgement, ...], nodes: Mapping[str, graph.Node]
) -> str:
    """Counts and errors; entry by entry if few were asked for, or on request, or where something fails."""
    from theory.ledger import report

    if args.detail or args.only:
        return f"{report.table(judgements)}\n\n{report.summary(judgements, nodes)}"
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
    return _search(" ".join(args.search)) if args.search is not None else _show(args.id)


def _show(identifier: str) -> int:
    from theory.ledger import cards, collection, graph
    from theory.ledger.judge import judge

    entry = collection.find(identifier)
    judgement = judge(entry)
    print(cards.claim_text(judgement, graph.build(collection.entries())[entry.id]))
    return EXIT_OK if judgement.ok else EXIT_EVIDENCE_FAILED


def _search(words: str) -> int:
    from fpsverify.errors import BadInput
    from theory.ledger import collection

    found = collection.search(words, collection.entries())
    if not found:
        raise BadInput("search", words, "words that some entry has in its place, title or formula")
    for entry in found:
        print(f"{entry.id:<26}{entry.verdict:<12}{entry.title} ({entry.place})")
    return EXIT_OK


def _bar() -> Any:
    """Drawn at once on a terminal: reading the ledger takes a few seconds."""
    from tqdm import tqdm

    return tqdm(desc="reading the ledger", unit="claim", leave=False, disable=None, file=sys.stderr)


def _run_with_progress(chosen: tuple, jobs: int, bar: Any) -> tuple[Judgement, ...]:
    from theory.ledger import collection

    bar.reset(total=len(chosen))
    bar.set_description("ledger")
    return collection.run(chosen, min(jobs, len(chosen)), lambda found: _tick(bar, found.entry.id))


def _tick(bar: Any, identifier: str) -> None:
    bar.set_postfix_str(identifier, refresh=False)
    bar.update()


def _demand_folder(target: Path | None) -> None:
    """Fail before the work, not after it."""
    from fpsverify.errors import BadInput

    if target is not None and (target.is_dir() or not target.absolute().parent.is_dir()):
        raise BadInput("json", target, "a file in an existing folder")
