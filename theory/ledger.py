"""The whole ledger: collect the entries, run their evidence, and refuse what does not check out."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from importlib import import_module

from theory.claim import Entry, Judgement, judge
from theory.defined_letters import DECLARED, demand_well_founded
from theory.derivations import GIVEN
from theory.errors import EvidenceFailed, InvalidParameter
from theory.readings import READINGS

MODULES = (
    "theory.paper.setup",
    "theory.paper.setup_devices",
    "theory.paper.vector_facts",
    "theory.paper.count_sketch",
    "theory.paper.lemma1_premises",
    "theory.paper.lemma1",
    "theory.paper.power_sums",
    "theory.paper.lemma2",
    "theory.paper.lemma2_step_size",
    "theory.paper.lemma2_recursion",
    "theory.paper.lemma2_statement",
    "theory.paper.lemma2_tight",
    "theory.paper.moments",
    "theory.paper.moment_bounds",
    "theory.paper.moment_errors",
    "theory.paper.theorem1",
    "theory.paper.theorem1_moments",
    "theory.paper.theorem1_rate",
    "theory.paper.theorem1_average",
    "theory.paper.theorem1_final",
    "theory.paper.out_of_reach",
    "theory.paper.units",
    "theory.counterexamples",
    "theory.repaired",
)


@cache
def entries() -> tuple[Entry, ...]:
    """Every entry, in the order of the paper; ids are unique and every reference exists."""
    collected = [entry for name in MODULES for entry in import_module(name).entries()]
    found = tuple(replace(entry, steps=READINGS.get(entry.id, ())) for entry in collected)
    check_references(found)
    demand_well_founded(DECLARED)
    return found


def check_references(found: Sequence[Entry]) -> None:
    """Unique ids; `depends`, `absorbed_at` and `steps` name entries, and steps those it depends on."""
    ids = [entry.id for entry in found]
    repeated = sorted({i for i in ids if ids.count(i) > 1})
    if repeated:
        raise EvidenceFailed(f"ids used twice: {', '.join(repeated)}")
    for entry in found:
        wanted = {*entry.depends, *([entry.absorbed_at] if entry.absorbed_at else [])}
        if wanted - set(ids):
            raise EvidenceFailed(f"{entry.id} refers to unknown ids: {', '.join(sorted(wanted - set(ids)))}")
        hidden = {step.line for step in entry.steps} - {*entry.depends, *GIVEN, entry.id}
        if hidden:
            raise EvidenceFailed(f"{entry.id} uses {', '.join(sorted(hidden))} without depending on it")


def select(prefix: str | None) -> tuple[Entry, ...]:
    """The entries whose id starts with a prefix; all of them without one."""
    chosen = tuple(entry for entry in entries() if entry.id.startswith(prefix or ""))
    if not chosen:
        known = ", ".join(dict.fromkeys(part_of(entry.id) for entry in entries()))
        raise InvalidParameter("only", prefix, f"the beginning of an entry's id, such as {known}")
    return chosen


def find(identifier: str) -> Entry:
    """One entry by id; an unknown id names close matches."""
    known = {entry.id: entry for entry in entries()}
    if identifier not in known:
        same = [name for name in known if name.lower() == identifier.lower()]
        if len(same) == 1:
            return known[same[0]]
        raise InvalidParameter("claim", identifier, closest(identifier, tuple(known)))
    return known[identifier]


def closest(identifier: str, known: Sequence[str]) -> str:
    """The ids that a mistyped one may have meant."""
    from difflib import get_close_matches

    wanted = identifier.upper()
    same_part = [name for name in known if part_of(name) == part_of(wanted)]
    if near := get_close_matches(wanted, same_part, n=5):
        return "an id of the ledger, such as " + ", ".join(near)
    return "an id of the ledger; they begin with " + ", ".join(dict.fromkeys(map(part_of, known)))


def part_of(identifier: str) -> str:
    """The letters before the dot: T1 for Theorem 1, say."""
    return identifier.partition(".")[0]


def run(
    chosen: Sequence[Entry], workers: int = 2, progress: Callable[[Judgement], None] = lambda judgement: None
) -> tuple[Judgement, ...]:
    """Judge the entries in their order. Workers rebuild an entry from its id: entries hold functions."""
    done = []
    for judgement in _judgements(chosen, workers):
        progress(judgement)
        done.append(judgement)
    return tuple(done)


def _judgements(chosen: Sequence[Entry], workers: int) -> Iterator[Judgement]:
    if workers <= 1:
        yield from map(judge, chosen)
        return
    pool = ProcessPoolExecutor(workers, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))
    try:
        results = pool.map(_judge_by_id, [entry.id for entry in chosen])
        for entry, result in zip(chosen, results, strict=True):
            yield Judgement(entry, *result)
    finally:  # after an interrupt, do not wait for entries that nobody reads
        pool.shutdown(cancel_futures=True)


def _judge_by_id(identifier: str) -> tuple:
    """The parts of a judgement that can cross a process border."""
    done = judge(find(identifier))
    return done.findings, done.faults, done.seconds, done.model, done.basis
