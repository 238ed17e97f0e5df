"""All entries: collect them, find one by id or by words, judge many."""

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from multiprocessing import get_context

from theory.assumptions import NAMES
from theory.errors import EvidenceFailed, InvalidParameter
from theory.ledger.entry import Entry
from theory.ledger.judge import Judgement, judge
from theory.ledger.printer import from_latex

MODULES = (
    "theory.paper.setup.assumptions",
    "theory.paper.setup.devices",
    "theory.paper.setup.count_sketch",
    "theory.paper.lemma1.premises",
    "theory.paper.lemma1.proof",
    "theory.paper.lemma1.tail",
    "theory.paper.lemma2.one_step",
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
)


@cache
def entries() -> tuple[Entry, ...]:
    """Every entry, in the order of the paper; ids are unique and every reference exists."""
    found = tuple(entry for name in MODULES for entry in import_module(name).ENTRIES)
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
    """The letters before the dot of the ids: T1 for Theorem 1, say."""
    return tuple(dict.fromkeys(entry.id.partition(".")[0] for entry in entries()))


def find(identifier: str) -> Entry:
    """One entry by id, whatever the case; an unknown id names close matches."""
    known = {entry.id.lower(): entry for entry in entries()}
    if identifier.lower() in known:
        return known[identifier.lower()]
    near = get_close_matches(identifier.upper(), [entry.id for entry in entries()], n=5)
    found = (
        f"such as {', '.join(near)}" if near else f"they begin with {', '.join(parts())} (or --search WORDS)"
    )
    raise InvalidParameter("claim", identifier, f"an id of the ledger, {found}")


def search(words: str, entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries that contain the phrase, in place or title first; else those that contain every word."""
    phrase = " ".join(words.lower().split())
    first = [e for e in entries if phrase in _head(e)]
    if phrase_hits := [*first, *(e for e in entries if e not in first and phrase in _body(e))]:
        return tuple(phrase_hits)
    wanted = phrase.split()
    return tuple(e for e in entries if all(word in f"{_head(e)} {_body(e)}" for word in wanted))


def _head(entry: Entry) -> str:
    return f"{entry.id} {entry.place} {entry.title}".lower()


def _body(entry: Entry) -> str:
    return f"{from_latex(entry.printed)} {entry.claim.text} {entry.scope} {entry.note}".lower()


def run(
    chosen: Sequence[Entry],
    workers: int = 2,  # pragma: no mutate: how many at once
    progress: Callable[[Judgement], None] = lambda judgement: None,
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
    # Workers begin as new processes: a copy of one with threads, as torch has them, may hang.
    ignore = (signal.SIGINT, signal.SIG_IGN)
    pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=signal.signal, initargs=ignore)
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
