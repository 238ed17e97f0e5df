"""Command line of the mutation check."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from property_tests.mutation.driver import ROOT, check


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--per-target", type=int, default=2, help="mutants per module")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="part of a module's path")
    parser.add_argument("--out", type=Path, default=ROOT / "book" / "results" / "mutants.json")
    args = parser.parse_args()
    result = check(args.per_target, args.seed, args.jobs, args.out, args.only)
    for row in result["mutants"]:
        if not row["killed"]:
            print(f"survived: {row['mutant']} ({row['equivalent'] or 'no reason known'})")
    print(f"{result['killed']} of {result['total']} mutants killed, {result['equivalent']} equivalent")
    return 0 if result["share"] is not None and result["share"] >= 0.95 else 1


if __name__ == "__main__":
    sys.exit(main())
