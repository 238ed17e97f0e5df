"""Which lines of the three packages no law reaches.

    python -m property_tests.unreached coverage.json [--out book/results/coverage.json]

`make coverage` measures all processes that tests start, except those that are killed on purpose, and then
runs this. A line that is not reached has a reason beside it (`# pragma: no cover: reason`), or it only
refuses (`raise`); any other is a missing law or dead code, and the command fails.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PACKAGES = ("fpsverify", "theory", "empirical")
PRAGMA = re.compile(r"# pragma: no cover\b(?: file)?(?:: (.*))?$")


def excused(root: Path = ROOT) -> list[dict[str, Any]]:
    """Every place that coverage leaves out, and the reason beside it ("" where there is none)."""
    return [
        {"file": path.relative_to(root).as_posix(), "line": number, "reason": found[1] or ""}
        for name in PACKAGES
        for path in sorted((root / name).rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if (found := PRAGMA.search(line))
    ]


def packages(measured: dict[str, Any]) -> list[dict[str, Any]]:
    """Statements of each package, how many of them ran, and which did not."""
    rows = []
    for name in PACKAGES:
        mine = {path: f for path, f in measured["files"].items() if path.startswith(name + "/")}
        summaries = [found["summary"] for found in mine.values()]
        missing = {path: found["missing_lines"] for path, found in mine.items() if found["missing_lines"]}
        counts = {
            "statements": sum(each["num_statements"] for each in summaries),
            "reached": sum(each["covered_lines"] for each in summaries),
        }
        rows.append({"package": name, "files": len(mine), **counts, "missing": missing})
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("measured", type=Path, help="what coverage wrote as JSON")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    measured = json.loads(args.measured.read_text(encoding="utf-8"))
    if not measured["files"]:
        raise SystemExit(f"{args.measured}: coverage measured nothing")
    rows = packages(measured)
    for row in rows:
        print(f"{row['package']:10} {row['reached']:6} of {row['statements']:6} statements")
        for path, lines in row["missing"].items():
            print(f"  {path}: no law reaches lines {', '.join(map(str, lines))}")
    if args.out is not None:
        from benchmarks.provenance import made
        from fpsverify.files import write_json

        about = made("make coverage", None, sorted(measured["files"]))
        write_json(args.out, {"packages": rows, "excused": excused(), "provenance": about})
    return 1 if any(row["missing"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
