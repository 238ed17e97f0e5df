"""Does today's code still give the stored runs of a grid? A seeded sample of them is run again.

python -m benchmarks.replay mnist-full        (a folder of book/results/reproduced; without a name, all)

A run agrees if every stored number comes out again, bit for bit. Where the arithmetic was changed on purpose,
it agrees if its final value differs by no more than two seeds of one cell do. Two such runs differ by more
than t·s·√2 with probability LEVEL / (runs replayed): s² is the variance between seeds, pooled over the grid's
cells of the same algorithm and channel noise, and t is Student's quantile for their degrees of freedom.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain, zip_longest
from pathlib import Path
from statistics import variance
from typing import Any

from benchmarks.provenance import ROOT, git, made
from fpsverify.config import RunConfig
from fpsverify.files import json_safe, write_json
from fpsverify.grids.store import RESULTS, final_point, read_columns
from fpsverify.grids.task import Result, Task, measure
from fpsverify.methods import RUN
from fpsverify.reproduce.tables import main_metric

FOLDER = ROOT / "book" / "results" / "reproduced"
REPLAYED = "replay.json"
SEED, RUNS, LEVEL = 20, 5, 0.01


def sample(stored: list[Result], runs: int = RUNS, seed: int = SEED) -> list[Result]:
    """Trials in an order that the seed decides, one of each algorithm before a second one of any."""
    by_algorithm: dict[str, list[Result]] = defaultdict(list)
    trials = (r for r in stored if r["kind"] == "trial")
    for result in sorted(trials, key=lambda r: hashlib.sha256(f"{seed}:{r['task']}".encode()).digest()):
        by_algorithm[result["algorithm"]].append(result)
    turns = zip_longest(*(by_algorithm[name] for name in sorted(by_algorithm)))
    return [r for r in chain.from_iterable(turns) if r is not None][:runs]


def replay(stored: Result) -> Result:
    """The same run with the code of today."""
    config = RunConfig.model_validate(stored["config"])
    task = Task(stored["cell"], stored["kind"], stored["trial"], config, {"mu": config.local.mu})
    again: Result = json_safe(measure(task))
    return again


def same_numbers(stored: Result, again: Result) -> bool:
    """Every stored number came out again; what is measured today and was not then does not count."""
    curves = stored["curve"], again["curve"]
    return (
        stored["status"] == again["status"]
        and len(curves[0]) == len(curves[1])
        and all(old[name] == new.get(name) for old, new in zip(*curves, strict=True) for name in old)
    )


def final(result: Result, metric: str) -> float | None:
    found = final_point(result).get(metric)
    return None if found is None else float(found)


def allowed(stored: list[Result], like: Result, metric: str, runs: int = RUNS) -> float:
    """The largest difference that two seeds of one cell explain, at a joint level over all replayed runs."""
    from scipy.stats import t

    cells: dict[str, list[float]] = defaultdict(list)
    for r in stored:
        alike = all(r[name] == like[name] for name in ("kind", "algorithm", "sigma"))
        if alike and (x := final(r, metric)) is not None:
            cells[r["cell"]].append(x)
    several = [values for values in cells.values() if len(values) > 1]
    freedom = sum(len(values) - 1 for values in several)
    if not freedom:
        return 0.0
    spread = math.sqrt(sum((len(values) - 1) * variance(values) for values in several) / freedom)
    return float(t.ppf(1 - LEVEL / runs / 2, freedom)) * spread * math.sqrt(2)


def compared(stored: Result, again: Result, metric: str, tolerance: float) -> dict[str, Any]:
    """One replayed run beside the stored one."""
    exact = same_numbers(stored, again)
    then, now = final(stored, metric), final(again, metric)
    close = then is not None and now is not None and abs(now - then) <= tolerance
    both_failed = stored["status"] == again["status"] != "done"
    return {
        "task": stored["task"],
        "exact": exact,
        "agrees": exact or close or both_failed,
        "metric": metric,
        "stored": then,
        "replayed": now,
        "allowed": tolerance,
    }


def replayed(folder: Path) -> Iterator[dict[str, Any]]:
    stored = read_columns(folder)
    for old in sample(stored):
        metric = main_metric(old["dataset"])
        yield compared(old, replay(old), metric, allowed(stored, old, metric))


def record(folder: Path) -> bool:
    """Replay a sample of the grid in `folder` and store how it went beside it."""
    start, rows = time.perf_counter(), []
    for row in replayed(folder):
        rows.append(row)
        words = "equal" if row["exact"] else "agrees" if row["agrees"] else "DIFFERS"
        print(f"{folder.name}: {row['task']} {words} ({row['stored']} → {row['replayed']})", flush=True)
    about = made(f"python -m benchmarks.replay {folder.name}", time.perf_counter() - start, RUN)
    where = (folder / RESULTS).relative_to(ROOT).as_posix()
    first = git("log", "-1", "--format=%h", "--abbrev=10", "--", where) or "unknown"
    found = {"made_with": first, "of": len(read_columns(folder)), "seed": SEED, "replayed": rows}
    write_json(folder / REPLAYED, found | {"provenance": about})
    return all(row["agrees"] for row in rows)


def in_words(found: dict[str, Any]) -> str:
    """`made with commit X; 5 of its 184 runs repeated with commit Y: 3 equal, 2 within 0.02 …`."""
    rows = found["replayed"]
    equal = sum(row["exact"] for row in rows)
    pairs = [(row["stored"], row["replayed"]) for row in rows if not row["exact"]]
    gaps = [abs(now - then) for then, now in pairs if None not in (then, now)]
    rest = f", {len(gaps)} within {max(gaps):.2g} of the stored value" if gaps else ""
    head = (
        f"made with commit {found['made_with']}; {len(rows)} of its {found['of']} runs repeated with commit "
    )
    return f"{head}{found['provenance']['commit']}: {equal} equal bit for bit{rest}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("grid", nargs="*")
    names = parser.parse_args().grid or sorted(path.parent.name for path in FOLDER.glob(f"*/{RESULTS}"))
    agreed = [record(FOLDER / name) for name in names]
    return 0 if all(agreed) else 1


if __name__ == "__main__":
    sys.exit(main())
