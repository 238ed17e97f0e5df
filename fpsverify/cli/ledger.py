"""`fpsverify verify` runs the ledger; `fpsverify claim ID` shows one entry, `claim --search` finds it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from theory.ledger.judge import Judgement
    from theory.rates.parameters import Parameters

EXIT_OK, EXIT_EVIDENCE_FAILED = 0, 1


def add_commands(subparsers: argparse._SubParsersAction) -> None:
    """Add `verify` and `claim`."""
    verify = subparsers.add_parser(
        "verify",
        help="check every claim of the paper and of the repaired theory",
        description="Check the evidence of every entry of the ledger, print the table and a summary. "
        "Exit code 0 if all evidence checks out, 1 if some fails or two engines disagree.",
    )
    verify.add_argument("--json", type=Path, metavar="FILE", help="write everything to FILE")
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
    claim.add_argument("--search", metavar="WORDS", help='entries by place, title or formula, as "step (b)"')
    claim.set_defaults(func=claim_command)


def verify_command(args: argparse.Namespace) -> int:
    """Run the ledger; exit code 0 only if every entry's evidence checks out."""
    from fpsverify.errors import BadInput
    from theory.ledger import collection, graph, report

    if args.jobs < 1:
        raise BadInput("jobs", args.jobs, "at least 1")
    _demand_folder(args.json)
    chosen = collection.select(args.only)
    judgements = _run_with_progress(chosen, args.jobs)
    everything = graph.build(collection.entries())
    nodes = {entry.id: everything[entry.id] for entry in chosen}
    if args.json:
        _write_json(args.json, report.document(judgements, nodes))
    print(report.table(judgements), report.summary(judgements, nodes), sep="\n\n")
    if not args.only:  # pragma: no cover: after the whole ledger only: make verify
        print("", _example(), sep="\n")
    return EXIT_OK if all(judgement.ok for judgement in judgements) else EXIT_EVIDENCE_FAILED


def claim_command(args: argparse.Namespace) -> int:
    """Print one entry, or those that contain the words; an unknown id is one line with close matches."""
    from fpsverify.errors import BadInput

    if (args.id is None) == (args.search is None):
        raise BadInput("claim", args.id or "", "an id, or words after --search")
    return _search(args.search) if args.search is not None else _show(args.id)


def _show(identifier: str) -> int:
    from theory.ledger import cards, collection, graph
    from theory.ledger.judge import judge

    entry = collection.find(identifier)
    judgement = judge(entry)
    print(cards.claim_text(judgement, graph.node_of(entry, collection.find)))
    return EXIT_OK if judgement.ok else EXIT_EVIDENCE_FAILED


def _search(words: str) -> int:
    from fpsverify.errors import BadInput
    from theory.ledger import collection
    from theory.ledger.search import search

    found = search(words, collection.entries())
    if not found:
        raise BadInput("search", words, "words of a place, a title or a formula")
    for entry in found:
        print(f"{entry.id:<26}{entry.verdict:<12}{entry.title} ({entry.place})")
    return EXIT_OK


def _run_with_progress(chosen: tuple, jobs: int) -> tuple[Judgement, ...]:
    from tqdm import tqdm

    from theory.ledger import collection

    with tqdm(total=len(chosen), file=sys.stderr, unit="claim", desc="ledger", leave=False) as bar:
        return collection.run(chosen, min(jobs, len(chosen)), lambda found: _tick(bar, found.entry.id))


def _tick(bar: object, identifier: str) -> None:
    bar.set_postfix_str(identifier, refresh=False)  # type: ignore[attr-defined]
    bar.update()  # type: ignore[attr-defined]


def _demand_folder(target: Path | None) -> None:
    """Fail before the work, not after it."""
    from fpsverify.errors import BadInput

    if target is not None and (target.is_dir() or not target.absolute().parent.is_dir()):
        raise BadInput("json", target, "a file in an existing folder")


def _write_json(target: Path, document: dict) -> None:
    from fpsverify.files import write_json

    write_json(target, document)


def example() -> Parameters:
    """The constants of the embedded example."""
    from theory.rates.parameters import Parameters

    return Parameters(L=4, mu=0.1, E=5, B=1.3, P_b=0.01, P_n=0.2, M=10)


def _example() -> str:
    """Learning-rate ranges at the example, one line each."""
    from textwrap import shorten

    from theory.rates.advice import status_here
    from theory.rates.ranges import ranges
    from theory.rates.rounding import rounded_down

    q = example()
    constants = ", ".join(f"{name} = {getattr(q, name)}" for name in ("L", "mu", "E", "B", "P_b", "P_n", "M"))
    lines = [f"Learning rates at {constants}"]
    for form, found in ranges(q).items():
        limit = (
            "empty" if found.empty else "any" if found.gamma_max is None else rounded_down(found.gamma_max)
        )
        lines.append(
            f"  {form:<24}{limit:<14}{shorten(status_here(form, found.empty), 100, placeholder=' …')}"
        )
    return "\n".join(lines)
