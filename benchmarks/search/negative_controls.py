"""Negative controls: a counterexample to every refuted claim, and a violation for every dropped assumption,
each found by search and shrunk.

    python -m benchmarks.search.negative_controls [--out FILE]

The searchers say where to look; hypotheses and statements are those of the ledger, decided exactly.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import sympy as sp
from hypothesis import __version__

from benchmarks.search.dropped import Theorem
from benchmarks.search.hunting import EXAMPLES, SEED, hunt
from benchmarks.search.local_steps import LEMMA_2, THEOREM_A
from benchmarks.search.points import Exactly, points, symbols_of
from benchmarks.search.runs import SEARCHERS, describe
from theory.counterexamples.exact_runs import ExactRun
from theory.errors import InvalidParameter
from theory.ledger import Claim, Entry, FiniteClaim, Kind, Verdict
from theory.papers.fps.paper import PAPER
from theory.provers import AtPoint, OnInstance, recheck
from theory.provers.trees import to_tree

THEOREMS: tuple[Theorem, ...] = (LEMMA_2, THEOREM_A)
COMMAND = "python -m benchmarks.search.negative_controls --out book/results/found_counterexamples.json"


@dataclass(frozen=True)
class Found:
    """What a search brought back: `claim` is the statement that fails, or the assumption that was dropped."""

    id: str
    title: str
    claim: str
    where: dict[str, str]
    sides: str
    tried: int


# ---------------------------------------------------------------- refuted claims


def refuted() -> tuple[Entry, ...]:
    return tuple(entry for entry in PAPER.entries if entry.verdict is Verdict.REFUTED)


def find_counterexample(entry: Entry, examples: int = EXAMPLES) -> Found | None:
    """A shrunk counterexample to a refuted entry, or None."""
    if isinstance(entry.claim, Claim):
        return _found_point(entry, entry.claim, examples)
    assert isinstance(entry.claim, FiniteClaim), entry.id
    return _found_run(entry, entry.claim, examples)


def _found_point(entry: Entry, claim: Claim, examples: int) -> Found | None:
    """The ledger's own prover replays the point with two engines."""
    hit = hunt(points(claim), Exactly.of(claim).violated, examples)
    if hit is None:
        return None
    detail = AtPoint(symbols_of(claim, hit.value)).decide(claim).detail
    where = {name: str(value) for name, value in sorted(hit.value.items())}
    return Found(entry.id, entry.title, claim.text, where, detail.partition(": ")[2], hit.tried)


def _found_run(entry: Entry, claim: FiniteClaim, examples: int) -> Found | None:
    """The ledger's own tests decide, and its prover replays what was found."""
    candidates, pinned = SEARCHERS[entry.id]

    def violates(run: ExactRun) -> bool:
        admissible = pinned(run) and all(test.holds(run) for test in claim.hypotheses)
        return admissible and not claim.statement.holds(run)

    hit = hunt(candidates, violates, examples)
    if hit is None:
        return None
    OnInstance(hit.value, "found").decide(claim)
    return Found(entry.id, entry.title, claim.text, describe(hit.value), _sides(entry, hit.value), hit.tried)


def _sides(entry: Entry, run: ExactRun) -> str:
    """Both sides of Theorem 1 as printed; a question of ours about runs has sides of its own."""
    if entry.kind is not Kind.QUESTION:
        return run.refutation.summary().partition(": ")[2]
    method, *_ = (item.method for item in entry.evidence if isinstance(item.method, OnInstance))
    return method.sides(run)


def find_outside_condition(entry: Entry, examples: int = EXAMPLES) -> Found | None:
    """Where a conditional line fails without its condition: false, or not defined."""
    if not isinstance(entry.claim, Claim) or not isinstance(entry.condition, sp.Basic):
        raise InvalidParameter("entry", entry.id, "a scalar line with a condition")
    condition, exact = to_tree(entry.condition), Exactly.of(entry.claim)
    hit = hunt(points(entry.claim), lambda p: exact.fails(p) and not recheck.holds(condition, p), examples)
    if hit is None:
        return None
    where = {name: str(value) for name, value in sorted(hit.value.items())}
    return Found(entry.id, entry.title, entry.claim.text, where, f"outside {entry.condition}", hit.tried)


# ---------------------------------------------------------------- dropped assumptions


def drops() -> list[tuple[Theorem, str]]:
    """Every theorem with each of its assumptions."""
    return [(theorem, name) for theorem in THEOREMS for name in theorem.assumptions]


def find_violation(theorem: Theorem, dropped: str | None, examples: int = EXAMPLES) -> Found | None:
    """A shrunk violation in which one assumption fails and all others hold (None: all hold)."""
    hit = hunt(theorem.trials(dropped), lambda trial: trial.breaks_without(dropped), examples)
    if hit is None:
        return None
    trial = hit.value
    return Found(
        theorem.place, theorem.name, dropped or "nothing dropped", trial.shown, trial.sides, hit.tried
    )


# ---------------------------------------------------------------- the table


def told(found: Found | None, name: str) -> dict[str, Any]:
    """A row of the table; a search without result ends the command."""
    if found is None:
        raise InvalidParameter("search", name, f"a violation within {EXAMPLES} candidates; none was found")
    print(f"{found.id:<30} {found.tried:>5}  {found.sides[:150]}", flush=True)
    return asdict(found)


def main() -> int:
    from benchmarks import provenance
    from fpsverify.files import write_json

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--out", type=Path)
    args, start = parser.parse_args(), time.perf_counter()
    table: dict[str, Any] = {
        "refuted": [told(find_counterexample(entry), entry.id) for entry in refuted()],
        "dropped": [told(find_violation(*drop), f"{drop[0].name} without {drop[1]}") for drop in drops()],
    }
    made = provenance.made(COMMAND, time.perf_counter() - start, ["rates"]) | {"seed": SEED}
    made["versions"] |= {"hypothesis": __version__}
    if args.out is not None:
        write_json(args.out, table | {"provenance": made})
    return 0


if __name__ == "__main__":
    sys.exit(main())
