"""Which lines of the three packages no law reaches, and why.

    python -m property_tests.unreached coverage.json [--out book/results/coverage.json]

`make coverage` measures all processes that tests start, except those that are killed on purpose, and then
runs this. A line without a reason is a missing law or dead code: the command fails.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

PACKAGES = ("fpsverify", "theory", "empirical")
FLOWER = "needs Flower, which has an environment of its own: make test-engines"
COMPILED = "machine code: numba runs it, where coverage cannot look; test_sketch_device.py compares every way"

EXPERIMENT = "an experiment of hours, opt-in: python -m book.bookkit.results"
NETWORK = "asks a package manager for the data: needs a network, which tests must not"

# The beginning of "file::function", and why lines there are not reached.
REASONS: dict[str, str] = {
    "fpsverify/kernels/compiled_loops.py::": COMPILED,
    "fpsverify/engines/": FLOWER,
    "fpsverify/data/fetch.py::npm_package": NETWORK,
    "fpsverify/data/fetch.py::debian_package": NETWORK,
    "empirical/advice.py::examine": EXPERIMENT,
    "empirical/advice.py::_limit_by": EXPERIMENT,
    "empirical/advice.py::pilot_evidence": EXPERIMENT,
    "empirical/advice.py::main": EXPERIMENT,
    "empirical/calibration.py::main": EXPERIMENT,
}


@dataclass(frozen=True)
class Gap:
    """Lines of one function (or of a module's body) that nothing has run."""

    file: str
    function: str
    lines: tuple[int, ...]
    reason: str | None

    @property
    def place(self) -> str:
        return f"{self.file}::{self.function}"


def reason_of(place: str) -> str | None:
    return next((reason for start, reason in REASONS.items() if place.startswith(start)), None)


def gaps(measured: dict[str, Any]) -> Iterator[Gap]:
    """All unreached lines, by function."""
    for file, found in sorted(measured["files"].items()):
        for function, region in found["functions"].items():
            if region["missing_lines"]:
                place = f"{file}::{function}"
                yield Gap(file, function, tuple(region["missing_lines"]), reason_of(place))


def packages(measured: dict[str, Any]) -> list[dict[str, Any]]:
    """Statements of each package, and how many of them ran."""
    rows = []
    for name in PACKAGES:
        mine = [f["summary"] for path, f in measured["files"].items() if path.startswith(name + "/")]
        rows.append(
            {
                "package": name,
                "files": len(mine),
                "statements": sum(each["num_statements"] for each in mine),
                "reached": sum(each["covered_lines"] for each in mine),
            }
        )
    return rows


def as_ranges(lines: tuple[int, ...]) -> str:
    """1, 2, 3, 7 as 1-3, 7."""
    parts: list[list[int]] = []
    for line in lines:
        if parts and line == parts[-1][1] + 1:
            parts[-1][1] = line
        else:
            parts.append([line, line])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def report(measured: dict[str, Any]) -> dict[str, Any]:
    return {"packages": packages(measured), "gaps": [asdict(gap) for gap in gaps(measured)]}


def show(measured: dict[str, Any]) -> str:
    lines = []
    for row in packages(measured):
        share = row["reached"] / row["statements"] if row["statements"] else 1.0
        lines.append(
            f"{row['package']:10} {row['reached']:6} of {row['statements']:6} statements, {share:.2%}"
        )
    for gap in gaps(measured):
        lines.append(f"{gap.place}, lines {as_ranges(gap.lines)}: {gap.reason or 'NO REASON KNOWN'}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("measured", type=Path, help="what coverage wrote as JSON")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    measured = json.loads(args.measured.read_text(encoding="utf-8"))
    if not measured["files"]:
        raise SystemExit(f"{args.measured}: coverage measured nothing")
    print(show(measured))
    if args.out is not None:
        from fpsverify.files import write_json
        from property_tests.mutation.copies import ROOT
        from property_tests.mutation.table import commit

        made = {"command": "make coverage", "commit": commit(ROOT)}
        write_json(args.out, report(measured) | {"provenance": made})
    unexplained = sum(len(gap.lines) for gap in gaps(measured) if gap.reason is None)
    print(f"{unexplained} unreached lines without a reason")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
