"""Command line of the mutation check.

Interrupted, it goes on where it stopped. The table is written when every mutant of the sample is judged.
"""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path

from property_tests.mutation.copies import ROOT
from property_tests.mutation.driver import check
from property_tests.mutation.table import LEAST_SHARE, provenance, summary, wrongly_excused


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--per-target", type=int, default=2, help="mutants per module")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="part of a mutant's name; writes no table")
    parser.add_argument("--out", type=Path, default=ROOT / "book" / "results" / "mutants.json")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # copies and their processes go too
    progress, complete = check(args.per_target, args.seed, args.jobs, args.out, args.only)
    found = summary(progress, args.seed, args.per_target)
    for row in found["mutants"]:
        if not row["killed"]:
            print(f"survived: {row['mutant']} ({row['equivalent'] or 'no reason known'})")
    excused = wrongly_excused(found)
    for name in excused:
        print(f"killed, but listed as equivalent: {name}")
    print(f"{found['killed']} of {found['total']} mutants killed, {found['equivalent']} equivalent")
    if complete:
        from fpsverify.files import write_json

        write_json(args.out, found | {"provenance": provenance(progress)})
    return 0 if not excused and found["share"] is not None and found["share"] >= LEAST_SHARE else 1


if __name__ == "__main__":
    sys.exit(main())
