"""Command line of the mutation check.

Interrupted, it goes on where it stopped. A mutant is judged anew if its module has changed since, or the test
that killed it; one that survived, if any test that watches it has. The table is written when every mutant of
the sample is judged. `--only theory/bounds/sketch_size.py` judges one module and writes no table.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed

from benchmarks.provenance import all_sources, commit, digests
from fpsverify.files import make_folder, write_json
from property_tests.mutation.sample import ROOT, Job, jobs
from property_tests.mutation.worker import in_copy, judge, unchanged

LEAST_SHARE = 0.95
PLACE = ROOT / "build" / "mutants.json"
Row = dict[str, Any]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--per-module", type=int, default=2, help="mutants per module")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="part of a module's path")
    parser.add_argument("--out", type=Path, default=ROOT / "book" / "results" / "mutants.json")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sample = jobs(args.per_module, args.seed, args.only)
    if not sample:
        raise SystemExit(f"--only {args.only}: no module with this in its path is watched")
    rows = check(sample, args.jobs)
    found = {"seed": args.seed, "per_module": args.per_module, **table(sample, rows)}
    for row in rows:
        if not row["killed"]:
            print(f"survived: {row['mutant']}")
    print(f"{found['killed']} of {found['total']} mutants killed; {found['candidates']} could be made")
    if not args.only:
        write_json(args.out, found | {"provenance": provenance(rows)})
    return 0 if found["share"] >= LEAST_SHARE else 1


def table(sample: Sequence[Job], rows: list[Row]) -> dict[str, Any]:
    killed = sum(row["killed"] for row in rows)
    counts = {"candidates": sum(job.total for job in sample), "total": len(rows), "killed": killed}
    return counts | {"share": killed / len(rows), "mutants": rows}


def provenance(rows: list[Row]) -> dict[str, Any]:
    from fpsverify.runs.record import versions

    made = {"command": "make mutants", "commit": commit(), "versions": versions()}
    made["seconds"] = round(sum(row["seconds"] for row in rows))
    return made | {"code": digests(sorted({row["file"] for row in rows}))}


def check(sample: Sequence[Job], workers: int) -> list[Row]:
    """The rows of the whole sample; what was judged before is taken from disk."""
    known = Progress()
    todo = [left for job in sample if (left := job.without(known.judged(job))).mutants]
    folders = {folder for job in todo for folder in job.folders} - set(known.passed)
    say(f"{len(todo)} of {len(sample)} modules to judge; {len(folders)} folders to time")
    with tempfile.TemporaryDirectory() as base:
        each = partial(in_turn, workers, Path(base))
        for folder, seconds in each(unchanged, [(folder,) for folder in sorted(folders)]):
            known.passed[folder] = seconds
            known.save(f"{folder}: all tests pass unchanged")
        asked = [(job, sum(known.passed[folder] for folder in job.folders)) for job in todo]
        for job, rows in each(judge, asked):
            known.rows |= {row["mutant"]: row | {"state": known.state(job, row["by"])} for row in rows}
            alive = sum(not row["killed"] for row in rows)
            known.save(f"{len(known.rows):4} judged; {job.path}: {len(rows)} mutants, {alive} alive")
    found = [known.rows[mutant.name] for job in sample for mutant in job.mutants]
    return [{name: value for name, value in row.items() if name != "state"} for row in found]


def in_turn(workers: int, base: Path, work: Callable[..., Any], asked: list[Any]) -> Iterator[Any]:
    """(first argument, result) of each call, as they end, in processes with a copy of the repository each."""
    calls = (delayed(in_copy)(base, work, *arguments) for arguments in asked)
    return iter(Parallel(workers, return_as="generator_unordered", batch_size=1)(calls))


class Progress:
    """Rows by mutant, and the seconds of each folder without one, which hold as long as no source changes."""

    def __init__(self, place: Path = PLACE) -> None:
        self.place, self.code = place, digests(all_sources())
        known = json.loads(place.read_text(encoding="utf-8")) if place.exists() else {}
        self.rows: dict[str, Row] = known.get("rows", {})
        self.passed: dict[str, float] = known["passed"] if known.get("code") == self.code else {}

    def state(self, job: Job, by: str) -> dict[str, str]:
        """What a verdict rests on: the module, and the test that killed the mutant or all that watch it."""
        tests = [by.partition("::")[0]] if by else job.tests
        return {name: self.code[name] for name in (job.path, *tests)}

    def judged(self, job: Job) -> set[str]:
        rows = {m.name: self.rows[m.name] for m in job.mutants if m.name in self.rows}
        return {name for name, row in rows.items() if row["state"] == self.state(job, row["by"])}

    def save(self, text: str) -> None:
        make_folder(self.place.parent, "folder")
        write_json(self.place, {"code": self.code, "rows": self.rows, "passed": self.passed})
        say(text)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
