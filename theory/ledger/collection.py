"""All entries: collect them, find one, judge many.

A module of entries declares the parts of its ids (`PREFIXES`, such as "T1"), so that one entry is found
without building the others.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from difflib import get_close_matches
from functools import cache
from importlib import import_module

from theory.assumptions import NAMES
from theory.errors import EvidenceFailed, InvalidParameter
from theory.ledger.entry import Entry
from theory.ledger.judge import Judgement, judge

MODULES = (
    "theory.paper.setup.assumptions",
    "theory.paper.setup.devices",
    "theory.paper.setup.vector_facts",
    "theory.paper.setup.count_sketch",
    "theory.paper.lemma1.premises",
    "theory.paper.lemma1.proof",
    "theory.paper.lemma1.tail",
    "theory.paper.lemma1.power_sums",
    "theory.paper.lemma2.one_step",
    "theory.paper.lemma2.step_size",
    "theory.paper.lemma2.recursion",
    "theory.paper.lemma2.statement",
    "theory.paper.moments.gradient",
    "theory.paper.moments.coefficients",
    "theory.paper.moments.bias_and_noise",
    "theory.paper.theorem1.descent",
    "theory.paper.theorem1.moments",
    "theory.paper.theorem1.rate",
    "theory.paper.theorem1.average",
    "theory.paper.theorem1.final",
    "theory.paper.theorem1.out_of_reach",
    "theory.counterexamples.runs",
    "theory.repaired.sketch",
    "theory.repaired.convergence",
    "theory.repaired.sketch_space",
    "theory.repaired.refutation",
)


@cache
def of_module(name: str) -> tuple[Entry, ...]:
    """The entries of one module."""
    return import_module(name).entries()


@cache
def entries() -> tuple[Entry, ...]:
    """Every entry, in the order of the paper; ids are unique and every reference exists."""
    found = tuple(entry for name in MODULES for entry in of_module(name))
    check_references(found)
    return found


def check_references(found: Sequence[Entry]) -> None:
    """Unique ids; `depends` names entries or assumptions, and a cover names an entry."""
    ids = [entry.id for entry in found]
    repeated = sorted({i for i in ids if ids.count(i) > 1})
    if repeated:
        raise EvidenceFailed(f"ids used twice: {', '.join(repeated)}")
    for entry in found:
        wanted = {*entry.depends, *([entry.absorbed_at] if entry.absorbed_at else [])}
        if unknown := wanted - set(ids) - NAMES.keys():
            raise EvidenceFailed(f"{entry.id} refers to unknown ids: {', '.join(sorted(unknown))}")


def select(prefix: str | None) -> tuple[Entry, ...]:
    """The entries whose id starts with a prefix; all of them without one."""
    chosen = tuple(entry for entry in entries() if entry.id.startswith(prefix or ""))
    if not chosen:
        raise InvalidParameter(
            "only", prefix, f"the beginning of an entry's id, such as {', '.join(parts())}"
        )
    return chosen


def parts() -> tuple[str, ...]:
    """The declared parts of ids."""
    return tuple(dict.fromkeys(part for name in MODULES for part in _prefixes(name)))


def _prefixes(module: str) -> tuple[str, ...]:
    return import_module(module).PREFIXES


def find(identifier: str) -> Entry:
    """One entry by id; an unknown id names close matches."""
    known = {entry.id: entry for entry in _same_part(identifier)}
    if identifier in known:
        return known[identifier]
    same = [name for name in known if name.lower() == identifier.lower()]
    if len(same) == 1:  # pragma: no cover: ids that differ by case only
        return known[same[0]]
    raise InvalidParameter("claim", identifier, closest(identifier, tuple(known)))


def _same_part(identifier: str) -> Iterable[Entry]:
    part = part_of(identifier).lower()
    modules = [name for name in MODULES if part in map(str.lower, _prefixes(name))]
    return (entry for name in modules for entry in of_module(name))


def closest(identifier: str, known: Sequence[str]) -> str:
    """The ids that a mistyped one may have meant."""
    if near := get_close_matches(identifier.upper(), known, n=5):
        return "an id of the ledger, such as " + ", ".join(near)
    return f"an id of the ledger; they begin with {', '.join(parts())} (--search looks for words)"


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
    return done.findings, done.faults, done.seconds, done.model
