"""`python -m property_tests.fuzz`: the whole robustness check, in parallel, with progress.

Case n of seed s is `--seed s --first n --cases 1`; a failure prints that line.
"""

from __future__ import annotations

import argparse
import collections
import os
import sys
import tempfile
from pathlib import Path

from joblib import Parallel, delayed
from tqdm import tqdm

from property_tests.fuzz.cases import try_case
from property_tests.fuzz.kills import killer_in
from property_tests.fuzz.samples import make_samples


def attempt(base: Path, seed: int, number: int, kill: bool) -> tuple[str, int, str, str | None]:
    """Kind, number, what was tried, what went wrong. Each process has its samples in a folder of its own."""
    own = base / str(os.getpid())
    if kill:
        outcome = killer_in(own / "kills").strike(seed, number)
        state = "at work" if outcome.at_work else "already done"
        return f"killed {outcome.kind} ({state})", number, outcome.kind, outcome.wrong
    kind, text, wrong = try_case(seed, number, make_samples(own / "samples"), own / "room")
    return kind, number, text, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    asked = [(n, kill) for kill, count in ((False, args.cases), (True, args.kills)) for n in range(count)]
    tally: collections.Counter[str] = collections.Counter()
    failures = 0
    with tempfile.TemporaryDirectory() as base:
        calls = (delayed(attempt)(Path(base), args.seed, args.first + n, kill) for n, kill in asked)
        found = Parallel(args.jobs, return_as="generator_unordered", inner_max_num_threads=1)(calls)
        for kind, number, text, wrong in tqdm(found, total=len(asked), unit="case", dynamic_ncols=True):
            tally[kind] += 1
            if wrong:
                failures += 1
                where = "--cases 0 --kills 1" if kind.startswith("killed") else "--cases 1 --kills 0"
                print(f"\n{kind}: {wrong}\n  tried: {text[:1500]}\n  again: python -m property_tests.fuzz ")
                print(f"         --seed {args.seed} --first {number} {where} --jobs 1", flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(tally.items())))
    print(f"{failures} failures in {sum(tally.values())}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
