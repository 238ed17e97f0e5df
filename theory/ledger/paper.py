"""A paper as a value: its source, letters, assumptions, entries and milestones; and judging many entries."""

import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache, cached_property
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType

from theory.errors import EvidenceFailed, InvalidParameter
from theory.ledger.entry import Entry
from theory.ledger.judge import Judgement, judge
from theory.ledger.printer import PLAIN, from_latex
from theory.letters import Letters


@dataclass(frozen=True)
class Source:
    """Which text was judged. `sha256` is the checksum of the file `read`, from which the lines were taken."""

    title: str
    identifier: str
    where: str
    version: str = ""
    read: str = ""
    sha256: str = ""


@dataclass(frozen=True, eq=False)
class Paper:
    """One paper: `sections` name modules with `ENTRIES`, in order, and `lines` are entries given directly.

    `main` is the id and the name of its main result, `better` the entry that improves it, if there is one.
    `lemmas` are results that a summary names, by id, with what limits them. `calculator` is a command.
    `origin` is the module or file that holds it: other processes read it from there.
    """

    name: str
    source: Source
    letters: Letters = PLAIN
    assumptions: Mapping[str, str] = field(default_factory=dict)
    sections: tuple[str, ...] = ()
    lines: tuple[Entry, ...] = ()
    milestones: tuple[str, ...] = ()
    main: tuple[str, str] = ("", "")
    better: str = ""
    lemmas: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    calculator: str = ""
    origin: str = ""

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Every entry, in the order of the paper; ids are unique and every reference exists."""
        found = [line.in_letters(self.letters, self.origin) for line in self.lines]
        for name in self.sections:
            module = import_module(name)
            found += [line.in_letters(self.letters, _shown_path(module)) for line in module.ENTRIES]
        check_references(found, self.assumptions)
        return tuple(found)

    @cached_property
    def known(self) -> Mapping[str, Entry]:
        """Every entry by its id."""
        return {entry.id: entry for entry in self.entries}

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The letters before the dot of the ids: T1 for Theorem 1, say."""
        return tuple(dict.fromkeys(entry.id.partition(".")[0] for entry in self.entries))

    def select(self, prefix: str | None) -> tuple[Entry, ...]:
        """The entries whose id starts with a prefix; all of them without one."""
        chosen = tuple(entry for entry in self.entries if entry.id.startswith(prefix or ""))
        if not chosen:
            right = f"the beginning of an entry's id, such as {', '.join(self.parts)}"
            raise InvalidParameter("only", prefix, right)
        return chosen

    def find(self, identifier: str) -> Entry:
        """One entry by id, whatever the case; an unknown id names close matches."""
        lower = {name.lower(): entry for name, entry in self.known.items()}
        if identifier.lower() in lower:
            return lower[identifier.lower()]
        near = get_close_matches(identifier.upper(), list(self.known), n=5)
        begin = f"they begin with {', '.join(self.parts)} (or --search WORDS)"
        hint = f"such as {', '.join(near)}" if near else begin
        raise InvalidParameter("claim", identifier, f"an id of the ledger, {hint}")

    def search(self, words: str) -> tuple[Entry, ...]:
        """The entries that contain the phrase, in place or title first; else those with every word."""
        phrase = " ".join(words.lower().split())
        first = [e for e in self.entries if phrase in _head(e)]
        if hits := [*first, *(e for e in self.entries if e not in first and phrase in _body(e))]:
            return tuple(hits)
        return tuple(e for e in self.entries if all(w in f"{_head(e)} {_body(e)}" for w in phrase.split()))


def check_references(found: Sequence[Entry], assumptions: Mapping[str, str]) -> None:
    """Unique ids; `depends` names entries or assumptions, and a cover names an entry."""
    ids = [entry.id for entry in found]
    repeated = sorted({i for i in ids if ids.count(i) > 1})
    if repeated:
        raise EvidenceFailed(f"ids used twice: {', '.join(repeated)}")
    for entry in found:
        wanted = {*entry.depends, *([entry.absorbed_at] if entry.absorbed_at else [])}
        if unknown := wanted - set(ids) - assumptions.keys():
            raise EvidenceFailed(f"{entry.id} refers to unknown ids: {', '.join(sorted(unknown))}")


def _shown_path(module: ModuleType) -> str:
    return module.__name__.replace(".", "/") + ".py"


def _head(entry: Entry) -> str:
    return f"{entry.id} {entry.place} {entry.title}".lower()


def _body(entry: Entry) -> str:
    return f"{from_latex(entry.printed)} {entry.claim.text} {entry.scope} {entry.note}".lower()


# ---------------------------------------------------------------- where a paper comes from


@cache
def load(origin: str) -> Paper:
    """The `PAPER` of a module, or of a file of Python, which is run for it.

    >>> load("theory.papers.fps.paper").find("t1").id
    'T1'
    """
    module = _run_file(Path(origin)) if origin.endswith(".py") else import_module(origin)
    paper = getattr(module, "PAPER", None)
    if not isinstance(paper, Paper):
        raise InvalidParameter("paper", origin, "a file of Python that defines PAPER = Paper(...)")
    return replace(paper, origin=origin)


def _run_file(path: Path) -> ModuleType:
    spec = spec_from_file_location(f"paper_{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise InvalidParameter("paper", path, "a file of Python that defines PAPER = Paper(...)")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses of the file look their module up
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # whatever the user's file does wrong is one line
        raise InvalidParameter(
            "paper", path, f"a file that runs ({type(error).__name__}: {error})"
        ) from error
    return module


# ---------------------------------------------------------------- judging many


def run(
    paper: Paper,
    chosen: Sequence[Entry] | None = None,
    workers: int = 2,  # pragma: no mutate: how many at once
    progress: Callable[[Judgement], None] = lambda judgement: None,
) -> tuple[Judgement, ...]:
    """Judge the entries in their order, all without a choice. Workers rebuild an entry from its id."""
    done = []
    for judgement in _judgements(paper, paper.entries if chosen is None else chosen, workers):
        progress(judgement)
        done.append(judgement)
    return tuple(done)


def _judgements(paper: Paper, chosen: Sequence[Entry], workers: int) -> Iterator[Judgement]:
    if workers <= 1:
        yield from (judge(entry, paper) for entry in chosen)
        return
    # Workers begin as new processes: a copy of one with threads, as torch has them, may hang.
    ignore = (signal.SIGINT, signal.SIG_IGN)
    pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=signal.signal, initargs=ignore)
    try:
        results = pool.map(_judge_by_id, [(paper.origin, entry.id) for entry in chosen])
        for entry, result in zip(chosen, results, strict=True):
            yield Judgement(entry, *result)
    finally:  # after an interrupt, do not wait for entries that nobody reads
        pool.shutdown(cancel_futures=True)


def _judge_by_id(named: tuple[str, str]) -> tuple:
    """The parts of a judgement that can cross a process border."""
    paper = load(named[0])
    done = judge(paper.known[named[1]], paper)
    return done.findings, done.faults, done.seconds, done.model
