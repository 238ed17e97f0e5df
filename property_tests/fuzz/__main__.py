"""`python -m property_tests.fuzz`: the whole robustness check, in parallel, with progress.

Case n of seed s is `--seed s --first n --cases 1`; a failure prints that line.
"""

from __future__ import annotations

import argparse
import collections
import multiprocessing
import sys
from collections.abc import Iterator

from property_tests.fuzz.blocks import Found, work

BLOCK = 250


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    tally: collections.Counter[str] = collections.Counter()
    failures = 0
    for kind, number, text, wrong in _progress(_all(args), args.cases + args.kills):
        tally[kind] += 1
        if wrong:
            failures += 1
            where = "--cases 0 --kills 1" if kind.startswith("killed") else "--cases 1 --kills 0"
            print(f"\n{kind}: {wrong}\n  tried: {text[:1500]}\n  again: python -m property_tests.fuzz ")
            print(f"         --seed {args.seed} --first {number} {where} --jobs 1", flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(tally.items())))
    print(f"{failures} failures in {sum(tally.values())}")
    return 1 if failures else 0


def _all(args: argparse.Namespace) -> Iterator[Found]:
    """Blocks of numbers go to fresh processes that start once and keep their samples."""
    last = args.first + args.cases
    blocks = [("case", args.seed, n, min(n + BLOCK, last)) for n in range(args.first, last, BLOCK)]
    kills = range(args.first, args.first + args.kills, 5)
    blocks += [("kill", args.seed, n, min(n + 5, args.first + args.kills)) for n in kills]
    if args.jobs == 1:
        for block in blocks:
            yield from work(block)
        return
    with multiprocessing.get_context("spawn").Pool(args.jobs) as pool:
        for found in pool.imap_unordered(work, blocks):
            yield from found


def _progress(found: Iterator[Found], total: int) -> Iterator[Found]:
    from tqdm import tqdm

    return iter(tqdm(found, total=total, unit="case", dynamic_ncols=True))


if __name__ == "__main__":
    sys.exit(main())
