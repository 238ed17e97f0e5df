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
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed

from benchmarks.mutation.sample import ROOT, Job, jobs
from benchmarks.mutation.worker import judge
from benchmarks.provenance import all_sources, commit, digests
from fpsverify.files import make_folder, write_json

LEAST_SHARE = 0.95
PLACE = ROOT / "build" / "mutants.json"
Row = dict[str, Any]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--per-module", type=int, default=1, help="mutants per module")
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
    killed, candidates = sum(row["killed"] for row in rows), sum(job.total for job in sample)
    for row in rows:
        if not row["killed"]:
            print(f"survived: {row['mutant']}")
    print(f"{killed} of {len(rows)} mutants killed; {candidates} could be made")
    counts = {"candidates": candidates, "total": len(rows), "killed": killed, "share": killed / len(rows)}
    found = {"seed": args.seed, "per_module": args.per_module, **counts, "mutants": rows}
    if not args.only:
        write_json(args.out, found | {"provenance": provenance(rows)})
    return 0 if counts["share"] >= LEAST_SHARE else 1


def provenance(rows: list[Row]) -> dict[str, Any]:
    from fpsverify.runs.record import versions

    made = {"command": "make mutants", "commit": commit(), "versions": versions()}
    made["seconds"] = round(sum(row["seconds"] for row in rows))
    return made | {"code": digests(sorted({row["file"] for row in rows}))}


def check(sample: Sequence[Job], workers: int) -> list[Row]:
    """The rows of the whole sample; what was judged before is taken from disk."""
    code = digests(all_sources())
    known: dict[str, Row] = json.loads(PLACE.read_text(encoding="utf-8")) if PLACE.exists() else {}
    todo = [left for job in sample if (left := job.without(judged(job, known, code))).mutants]
    print(f"{len(todo)} of {len(sample)} modules to judge", file=sys.stderr, flush=True)
    make_folder(PLACE.parent, "folder")
    with tempfile.TemporaryDirectory() as base:
        calls = (delayed(judge)(Path(base), job) for job in todo)
        for job, rows in Parallel(workers, return_as="generator_unordered", batch_size=1)(calls):
            known |= {row["mutant"]: row | {"state": state(job, row["by"], code)} for row in rows}
            write_json(PLACE, known)
            alive = sum(not row["killed"] for row in rows)
            print(f"{job.path}: {len(rows)} mutants, {alive} alive", file=sys.stderr, flush=True)
    found = [known[mutant.name] for job in sample for mutant in job.mutants]
    return [{name: value for name, value in row.items() if name != "state"} for row in found]


def state(job: Job, by: str, code: Mapping[str, str]) -> dict[str, str]:
    """What a verdict rests on: the module, and the test that killed the mutant or all that watch it."""
    tests = [by.partition("::")[0]] if by else job.tests
    return {name: code.get(name, "") for name in (job.path, *tests)}


def judged(job: Job, known: Mapping[str, Row], code: Mapping[str, str]) -> set[str]:
    """The mutants whose verdict stands."""
    rows = {mutant.name: known[mutant.name] for mutant in job.mutants if mutant.name in known}
    return {name for name, row in rows.items() if row["state"] == state(job, row["by"], code)}


if __name__ == "__main__":
    sys.exit(main())
