"""The repaired theory against runs: Theorem A, Lemma 2' and Lemma 1' on random configurations.

`run("quick")` takes seconds, `run("full")` minutes; both return plain JSON-able tables. Expectations
are exact where noise is absent or its finite support is enumerated (a noise tree); otherwise a sample,
with four standard errors of allowance on every sampled quantity (see `compare`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from benchmarks.validation.compare import Comparison
from benchmarks.validation.random_runs import Row, noise_free, noise_tree, sampled
from theory.errors import InvalidParameter


@dataclass(frozen=True)
class Profile:
    """How many configurations of each kind, and how long."""

    noise_free: int
    rounds: int
    trees: int
    samples: int
    outcomes: int


PROFILES = {
    "test": Profile(24, 60, 36, 4, 40),
    "quick": Profile(48, 150, 90, 12, 60),
    "full": Profile(240, 300, 600, 60, 200),
}


def run(profile: str = "quick") -> dict[str, object]:
    """Everything the book shows about the repaired theory on runs."""
    if profile not in PROFILES:
        raise InvalidParameter("profile", profile, "one of " + ", ".join(PROFILES))
    chosen = PROFILES[profile]
    rows = random_rows(chosen)
    return {
        "profile": profile,
        "configurations": len(rows),
        "violations": violations(rows),
        "ratios": ratio_table(rows),
    }


def random_rows(chosen: Profile) -> list[Row]:
    """Noise-free runs, noise trees and samples, in that order."""
    return [
        *(noise_free(seed, chosen.rounds) for seed in range(chosen.noise_free)),
        *(noise_tree(seed) for seed in range(chosen.trees)),
        *(sampled(seed, max(10, chosen.rounds // 5), chosen.outcomes) for seed in range(chosen.samples)),
    ]


def violations(rows: Iterable[Row]) -> dict[str, dict[str, int]]:
    """Comparisons made and bounds violated, by statement."""
    parts = {
        "Theorem A (constants)": [row.theorem["constants"] for row in rows],
        "Theorem A (measured residual and D)": [row.theorem["measured"] for row in rows],
        "Lemma 2'": [c for row in rows for c in row.drift],
        "Lemma 1'": [c for row in rows for c in row.residual],
    }
    return {
        name: {"comparisons": len(found), "violations": sum(c.violated for c in found)}
        for name, found in parts.items()
    }


def ratio_table(rows: Iterable[Row]) -> list[dict[str, object]]:
    """Bound / measured for Theorem A by kind of expectation, read-out and E."""
    groups: dict[tuple[str, str, int], list[Row]] = {}
    for row in rows:
        sketch = row.read if row.read == "none" else "compressed"
        for key in ((row.expectation, sketch, row.E), ("all", "all", 0)):
            groups.setdefault(key, []).append(row)
    return [_ratios(key, found) for key, found in sorted(groups.items())]


def _ratios(key: tuple[str, str, int], rows: list[Row]) -> dict[str, object]:
    table: dict[str, object] = {
        "expectation": key[0],
        "read": key[1],
        "E": key[2] or "all",
        "runs": len(rows),
    }
    for form in ("constants", "measured"):
        ratios = [row.theorem[form].ratio for row in rows]
        table |= {f"{form}_min": min(ratios), f"{form}_median": median(ratios)}
    return table


__all__ = ["PROFILES", "Comparison", "Profile", "run"]
