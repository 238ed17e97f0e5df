"""Make anew every stored result whose methods have changed since, the cheapest first.

python -m benchmarks.results [--list] [NAME ...]

A result names the command that makes it, so there is no other list of commands. What is made is current, so
an interrupted call goes on where it was. Grids that take hours are replayed instead (benchmarks/replay.py).
"""

from __future__ import annotations

import argparse
import json
import math
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.provenance import ROOT, why_old
from benchmarks.replay import REPLAYED

FOLDER = ROOT / "book" / "results"


def stored(folder: Path = FOLDER) -> dict[str, Any]:
    """All results and replays by their names, those that took least time first."""
    paths = [*folder.glob("*.json"), *folder.glob(f"reproduced/*/{REPLAYED}")]
    found = {
        p.relative_to(folder).with_suffix("").as_posix(): json.loads(p.read_text("utf-8")) for p in paths
    }
    return dict(sorted(found.items(), key=lambda pair: (cost(pair[1]), pair[0])))


def cost(result: Any) -> float:
    """Seconds that it took to make; a result that does not say comes last."""
    return float(result.get("provenance", {}).get("seconds") or math.inf)


def make(command: str) -> bool:
    """Run the command of a result with this Python."""
    words = [sys.executable if word == "python" else word for word in shlex.split(command)]
    return subprocess.run(words, cwd=ROOT).returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("name", nargs="*", help="only these results")
    parser.add_argument("--list", action="store_true", help="say what is old, and why; make nothing")
    args = parser.parse_args()
    chosen = {name: found for name, found in stored().items() if not args.name or name in args.name}
    old = {name: why for name, found in chosen.items() if (why := why_old(found))}
    for name, found in chosen.items():
        print(f"{name} {old.get(name, 'is current')}: {found['provenance']['command']}", flush=True)
    if args.list:
        return 1 if old else 0
    failed = []
    for number, name in enumerate(old, start=1):
        print(f"[{number} of {len(old)}] {name}", flush=True)
        if not make(chosen[name]["provenance"]["command"]):
            failed.append(name)
    if failed:
        print(f"not made: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
