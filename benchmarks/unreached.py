"""What coverage counted, and what it leaves out with the reasons: the result that the book shows.

    python -m benchmarks.unreached coverage.json --out book/results/coverage.json

`make coverage` measures all processes that tests start, except those that are killed on purpose. It fails and
names the lines if one is not reached that has no reason beside it (`# pragma: no cover: reason`) and does not
only refuse (`raise`): such a line is a missing law or dead code.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

from benchmarks.provenance import ROOT, made
from fpsverify.files import write_json

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


def packages(files: dict[str, Any]) -> list[dict[str, Any]]:
    """Statements of each package, and how many of them ran."""
    rows = []
    for name in PACKAGES:
        mine = [found["summary"] for path, found in files.items() if path.startswith(name + "/")]
        statements, reached = (sum(s[key] for s in mine) for key in ("num_statements", "covered_lines"))
        rows.append({"package": name, "files": len(mine), "statements": statements, "reached": reached})
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("measured", type=Path, help="what coverage wrote as JSON")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    measured = json.loads(args.measured.read_text(encoding="utf-8"))["files"]
    about = made("make coverage", None, sorted(measured))
    write_json(args.out, {"packages": packages(measured), "excused": excused(), "provenance": about})
